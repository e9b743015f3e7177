#include "tests/unit/codegen/cuda/run_on_host.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"

namespace ridge::codegen {
namespace {

using Call = void (*)(void** arguments);

// As host_shim.h has it.
struct HostLaunch {
  Call call;
  void** arguments;
  unsigned blocks, threads, cluster;
  size_t dynamic_shared_bytes;
  bool is_backwards;
  uint64_t seed;
};

// Arrays of shared memory, of which each block of a cluster has its own: blocks run side by side.
std::string with_own_arrays(const std::string& source) {
  const std::regex array("__shared__ __align__\\(\\d+\\) ([^;]*) (\\w+)\\[(\\d+)\\];");
  std::string text;
  size_t number = 0, copied = 0;
  for (std::sregex_iterator at(source.begin(), source.end(), array), end; at != end; ++at) {
    const auto place = static_cast<size_t>(at->position());
    text += source.substr(copied, place - copied) + concat("auto* const ", at->str(2),
                                                           " = host::declared_array<", at->str(1),
                                                           ">(", number++, ", ", at->str(3), ");");
    copied = place + static_cast<size_t>(at->length());
  }
  return text + source.substr(copied);
}

// Each kernel in a namespace of its own, since each brings its device functions along.
std::string library_text(const std::vector<CudaKernel>& kernels) {
  std::string text =
      concat("#include \"", RIDGE_SOURCE_DIR, "/tests/unit/codegen/cuda/host_shim.h\"\n");
  // A declaration without a size has no place on the host: the launch brings the memory.
  const std::regex arena("extern __shared__ __align__\\((\\d+)\\) unsigned char (\\w+)\\[\\];");
  // And blocks that run side by side have one each.
  const std::regex declared("__shared__ (ridge::RowPipelineShared<[^;]*>) (\\w+);");
  for (const CudaKernel& kernel : kernels) {
    std::string source = std::regex_replace(kernel.source, arena,
                                            "unsigned char* const $2 = host::dynamic_shared($1);");
    const bool is_pipeline = std::regex_search(source, declared);
    source = std::regex_replace(source, declared, "auto& $2 = host::declared_shared<$1>();");
    if (kernel.cluster > 1 && !is_pipeline) source = with_own_arrays(source);
    text += concat("namespace of_", kernel.symbol, " {\n", source, "extern \"C\" void call_",
                   kernel.symbol, "(void** arguments) { host::call(", kernel.symbol,
                   ", arguments); }\n}\n");
  }
  return text;
}

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

bool has_host_compiler() {
  static const bool has = std::system("c++ --version > /dev/null 2>&1") == 0;
  return has;
}

HostLibrary::HostLibrary(const std::vector<CudaKernel>& kernels) {
  static int number = 0;
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / concat("ridge_cuda_", getpid(), "_", number++);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernels.cpp") << library_text(kernels);
  // Contraction off: the interpreter rounds after every operation.
  const std::string command =
      concat("c++ -std=c++20 -O1 -w -fPIC -shared -ffp-contract=off -fwrapv -o ",
             (folder / "kernels.so").string(), " ", (folder / "kernels.cpp").string(), " 2> ",
             (folder / "log").string());
  const bool is_compiled = std::system(command.c_str()) == 0;
  const std::string log = content(folder / "log");
  if (is_compiled) handle_ = dlopen((folder / "kernels.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  std::filesystem::remove_all(folder);
  RIDGE_INTERNAL_CHECK(handle_ != nullptr, log);
}

HostLibrary::~HostLibrary() { dlclose(handle_); }

void HostLibrary::launch(const CudaKernel& kernel, std::span<const void* const> arguments,
                         int64_t blocks, HostOrder order) const {
  const auto launch = reinterpret_cast<bool (*)(const HostLaunch*)>(dlsym(handle_, "host_launch"));
  const auto call = reinterpret_cast<Call>(dlsym(handle_, ("call_" + kernel.symbol).c_str()));
  std::vector<void*> pointers;
  for (const void* argument : arguments) pointers.push_back(const_cast<void*>(argument));
  const HostLaunch how{.call = call,
                       .arguments = pointers.data(),
                       .blocks = static_cast<unsigned>(blocks),
                       .threads = static_cast<unsigned>(kernel.threads),
                       .cluster = static_cast<unsigned>(kernel.cluster),
                       .dynamic_shared_bytes = static_cast<size_t>(kernel.dynamic_shared_bytes),
                       .is_backwards = order.is_backwards,
                       .seed = order.seed};
  RIDGE_INTERNAL_CHECK(launch(&how),
                       "threads wait in vain, or copy what no device would:\n" + kernel.source);
}

int HostLibrary::run(const CudaKernel& kernel, std::span<void* const> buffers,
                     std::span<const int64_t> sizes, HostOrder order) const {
  std::vector<void*> pointers(buffers.begin(), buffers.end());
  std::vector<int64_t> wide(sizes.begin(), sizes.end());
  std::vector<int32_t> narrow(sizes.begin(), sizes.end());
  int status = 0;
  int* status_pointer = &status;
  std::vector<const void*> arguments;
  for (void*& pointer : pointers) arguments.push_back(&pointer);
  for (size_t i = 0; i < sizes.size(); ++i) {
    arguments.push_back(kernel.size_bits == 32 ? static_cast<void*>(&narrow[i]) : &wide[i]);
  }
  if (kernel.sets_status) arguments.push_back(&status_pointer);
  expr::Leaves leaves;
  leaves.param = [&](int index) { return expr::Number::of(sizes[static_cast<size_t>(index)]); };
  launch(kernel, arguments, expr::evaluate(kernel.blocks, leaves).integer, order);
  return status;
}

}  // namespace ridge::codegen
