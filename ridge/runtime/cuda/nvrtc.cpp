#include "ridge/runtime/cuda/nvrtc.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <type_traits>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/large_stack.h"
#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

using ProgramHandle = struct ProgramTag*;

enum class NvrtcResult : int { success = 0, invalid_option = 5, compilation = 6 };

struct NvrtcApi : EntryTable {
  template <class... Args>
  using Call = Entry<NvrtcResult(Args...)>;

  Entry<const char*(NvrtcResult)> get_error_string{*this, "nvrtcGetErrorString"};
  Call<int*, int*> version{*this, "nvrtcVersion"};
  Call<ProgramHandle*, const char*, const char*, int, const char* const*, const char* const*>
      create_program{*this, "nvrtcCreateProgram"};
  Call<ProgramHandle*> destroy_program{*this, "nvrtcDestroyProgram"};
  Call<ProgramHandle, int, const char* const*> compile_program{*this, "nvrtcCompileProgram"};
  Call<ProgramHandle, size_t*> get_log_size{*this, "nvrtcGetProgramLogSize"};
  Call<ProgramHandle, char*> get_log{*this, "nvrtcGetProgramLog"};
  Call<ProgramHandle, size_t*> get_cubin_size{*this, "nvrtcGetCUBINSize"};
  Call<ProgramHandle, char*> get_cubin{*this, "nvrtcGetCUBIN"};
  Call<ProgramHandle, size_t*> get_ptx_size{*this, "nvrtcGetPTXSize"};
  Call<ProgramHandle, char*> get_ptx{*this, "nvrtcGetPTX"};
};

struct LoadedNvrtc {
  NvrtcApi api;
  NvrtcAvailability availability;
};

// Never destroyed, as the driver is not.
const LoadedNvrtc& loaded_nvrtc() {
  static const LoadedNvrtc* const loaded = [] {
    auto* fresh = new LoadedNvrtc;
    NvrtcAvailability& found = fresh->availability;
    try {
      found.reason = fresh->api.load(nvrtc_search());
      int major = 0;
      int minor = 0;
      if (found.reason.empty() && fresh->api.version(&major, &minor) == NvrtcResult::success) {
        found.is_available = true;
        found.version = major * 1000 + minor * 10;
      }
    } catch (const std::exception& error) {
      found.reason = error.what();
    }
    return fresh;
  }();
  return *loaded;
}

const NvrtcApi& nvrtc() {
  const LoadedNvrtc& loaded = loaded_nvrtc();
  RIDGE_CHECK(loaded.availability.is_available, .code = ErrorCode::device,
              .expected = "NVRTC, which compiles kernels for the GPU",
              .given = loaded.availability.reason);
  return loaded.api;
}

template <class... Args>
void check(const Entry<NvrtcResult(Args...)>& entry, std::type_identity_t<Args>... args) {
  const NvrtcResult result = entry(args...);
  RIDGE_CHECK(result == NvrtcResult::success, .code = ErrorCode::internal,
              .expected = concat(entry.symbol(), " to succeed"),
              .given = nvrtc().get_error_string(result));
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

class Program {
 public:
  Program(const std::string& source, const NvrtcOptions& options) {
    std::vector<const char*> texts;
    std::vector<const char*> names;
    for (const CudaHeader& header : options.headers) {
      texts.push_back(header.text.c_str());
      names.push_back(header.name.c_str());
    }
    check(nvrtc().create_program, &handle_, source.c_str(), (options.name + ".cu").c_str(),
          static_cast<int>(texts.size()), texts.data(), names.data());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { nvrtc().destroy_program(&handle_); }

  NvrtcResult compile(const std::vector<std::string>& options) {
    const std::vector<const char*> arguments = pointers_to(options);
    return nvrtc().compile_program(handle_, static_cast<int>(arguments.size()), arguments.data());
  }

  std::string log() const { return text_of(nvrtc().get_log_size, nvrtc().get_log); }
  std::string ptx() const { return text_of(nvrtc().get_ptx_size, nvrtc().get_ptx); }
  std::string cubin() const { return bytes_of(nvrtc().get_cubin_size, nvrtc().get_cubin); }

 private:
  std::string bytes_of(const NvrtcApi::Call<ProgramHandle, size_t*>& get_size,
                       const NvrtcApi::Call<ProgramHandle, char*>& get) const {
    size_t size = 0;
    check(get_size, handle_, &size);
    std::string bytes(size, '\0');
    check(get, handle_, bytes.data());
    return bytes;
  }
  std::string text_of(const NvrtcApi::Call<ProgramHandle, size_t*>& get_size,
                      const NvrtcApi::Call<ProgramHandle, char*>& get) const {
    std::string text = bytes_of(get_size, get);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

  ProgramHandle handle_ = nullptr;
};

std::vector<std::string> arguments_for(const NvrtcOptions& options) {
  // 186: a comparison that is known beforehand, such as of random bits with a probability of 0.
  // No FMA but those that are written: bits must not depend on what stands in one text.
  std::vector<std::string> arguments = {"-arch=" + options.arch, "--std=c++20", "-default-device",
                                        "--fmad=false", "--diag-suppress=186"};
  constexpr int kFirstWithMinimal = 12040;
  if (options.is_self_contained && nvrtc_availability().version >= kFirstWithMinimal) {
    arguments.push_back("--minimal");
  }
  if (options.want_usage) arguments.push_back("--ptxas-options=-v");
  for (const std::string& folder : options.include_directories) {
    arguments.push_back("-I" + folder);
  }
  arguments.insert(arguments.end(), options.options.begin(), options.options.end());
  return arguments;
}

void check_arch(const std::string& arch) {
  const std::string_view digits = std::string_view(arch).substr(std::min<size_t>(3, arch.size()));
  const bool is_real =
      arch.starts_with("sm_") && !digits.empty() && digits[0] >= '1' && digits[0] <= '9';
  RIDGE_CHECK(is_real, .code = ErrorCode::value,
              .expected = "a GPU architecture such as `sm_90a` or `sm_80`",
              .given = "`" + arch + "`");
}

// Enough of a text to see what it is, for an error.
std::string beginning_of(std::string_view text, size_t line_limit, size_t character_limit) {
  size_t end = 0;
  for (size_t line = 0; line < line_limit && end < text.size(); ++line) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  end = std::min(end, character_limit);
  return std::string(text.substr(0, end)) + (end < text.size() ? " ..." : "");
}

[[noreturn]] void refuse(NvrtcResult result, const std::string& log, const std::string& source,
                         const NvrtcOptions& options) {
  if (result == NvrtcResult::invalid_option) {
    throw_error({.code = ErrorCode::value,
                 .expected = concat("options that NVRTC ", nvrtc_availability().version / 1000, ".",
                                    nvrtc_availability().version % 1000 / 10, " knows"),
                 .given = concat(join(arguments_for(options), " "), ": ", log)});
  }
  throw_error({.code = ErrorCode::internal,
               .expected = concat("kernel `", options.name, "` to compile for ", options.arch),
               .given = log.empty() ? std::string(nvrtc().get_error_string(result))
                                    : beginning_of(log, 40, 4000),
               .hint = "the source begins: " + beginning_of(source, 6, 500)});
}

}  // namespace

LibrarySearch nvrtc_search() {
  if (is_knob_set(Knob::nvrtc)) {
    // Whoever names one wants that one: another would answer for it unseen.
    return {.names = {knob_text(Knob::nvrtc)}, .remedy = "RIDGE_NVRTC names the library to load"};
  }
  return {.names = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
          .folders = {"/usr/local/cuda/lib64"},
          .remedy =
              "install a CUDA toolkit, 12 or later, or name the library of the "
              "nvidia-cuda-nvrtc package in RIDGE_NVRTC"};
}

const NvrtcAvailability& nvrtc_availability() noexcept { return loaded_nvrtc().availability; }

CompiledCuda compile_cuda(const std::string& source, const NvrtcOptions& options) {
  check_arch(options.arch);
  const auto begin = std::chrono::steady_clock::now();
  Program program(source, options);
  // A whole compiler, which may run on a thread of the user's.
  const NvrtcResult result =
      on_large_stack([&] { return program.compile(arguments_for(options)); });
  CompiledCuda compiled;
  compiled.log = program.log();
  if (result != NvrtcResult::success) refuse(result, compiled.log, source, options);
  compiled.cubin = program.cubin();
  if (options.want_ptx) compiled.ptx = program.ptx();
  if (options.want_usage) compiled.usage = parse_ptxas_log(compiled.log);
  compiled.compile_us =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  return compiled;
}

}  // namespace ridge::runtime::cuda
