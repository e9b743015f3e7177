// NVRTC for the fake driver: a "cubin" that names the kernels of the text and counts their arguments.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>

#include "tests/fake_gpu/library/fake_gpu.h"

namespace fake_gpu {
namespace {

constexpr int kCompilation = 6;  // NVRTC_ERROR_COMPILATION

std::mutex refused_mutex;
std::string refused;
int64_t nth_to_refuse = 0, compiled = 0;

struct Program {
  std::string source;
  std::string log;
  std::string cubin;
};

// An ELF file of one section without bytes, then a line for each kernel: its name and arguments.
std::string cubin_of(const std::string& source) {
  std::string bytes(128, '\0');
  std::memcpy(bytes.data(), "\177ELF\2\1", 6);
  const uint64_t section_table = 64;
  const uint16_t section_count = 1;
  const uint32_t without_bytes = 8;
  std::memcpy(bytes.data() + 40, &section_table, sizeof section_table);
  std::memcpy(bytes.data() + 60, &section_count, sizeof section_count);
  std::memcpy(bytes.data() + 64 + 4, &without_bytes, sizeof without_bytes);
  for (size_t at = source.find("__global__"); at != std::string::npos;
       at = source.find("__global__", at + 1)) {
    const size_t line = source.find('\n', at) + 1;
    const size_t open = source.find('(', line);
    const size_t close = source.find(')', open);
    const auto commas = std::count(source.begin() + static_cast<ptrdiff_t>(open),
                                   source.begin() + static_cast<ptrdiff_t>(close), ',');
    bytes += source.substr(line, open - line) + " " + std::to_string(commas + 1) + "\n";
  }
  return bytes + '\0';
}

}  // namespace

void refuse_source(const std::string& part) {
  const std::lock_guard lock(refused_mutex);
  refused = part;
}

void refuse_nth(int64_t n) {
  const std::lock_guard lock(refused_mutex);
  nth_to_refuse = n;
  compiled = 0;
}

int64_t compilations() {
  const std::lock_guard lock(refused_mutex);
  return compiled;
}

extern "C" {

const char* nvrtcGetErrorString(int) { return "NVRTC_ERROR_COMPILATION"; }

int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}

int nvrtcCreateProgram(Program** into, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  *into = new Program{source, {}, {}};
  return 0;
}

int nvrtcDestroyProgram(Program** program) {
  delete *program;
  *program = nullptr;
  return 0;
}

int nvrtcCompileProgram(Program* program, int, const char* const*) {
  const std::lock_guard lock(refused_mutex);
  if (++compiled == nth_to_refuse) {
    program->log = "error: the fake compiler refuses this one";
    return kCompilation;
  }
  if (!refused.empty() && program->source.find(refused) != std::string::npos) {
    program->log = "error: the fake compiler refuses `" + refused + "`";
    return kCompilation;
  }
  program->cubin = cubin_of(program->source);
  return 0;
}

int nvrtcGetProgramLogSize(Program* program, size_t* size) {
  *size = program->log.size() + 1;
  return 0;
}
int nvrtcGetProgramLog(Program* program, char* into) {
  std::memcpy(into, program->log.c_str(), program->log.size() + 1);
  return 0;
}
int nvrtcGetCUBINSize(Program* program, size_t* size) {
  *size = program->cubin.size();
  return 0;
}
int nvrtcGetCUBIN(Program* program, char* into) {
  std::memcpy(into, program->cubin.data(), program->cubin.size());
  return 0;
}
int nvrtcGetPTXSize(Program*, size_t* size) {
  *size = 1;
  return 0;
}
int nvrtcGetPTX(Program*, char* into) {
  *into = '\0';
  return 0;
}

}  // extern "C"

}  // namespace fake_gpu
