#include "ridge/linker/kernel_cache.h"

#include <chrono>
#include <filesystem>
#include <mutex>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/linker/built_cache.h"
#include "ridge/loop/loop.h"
#include "ridge/loop/statement_text.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::linker {

void check_kernel(const loop::Kernel& kernel) {
  const int64_t level = knob_int(Knob::verify);
  if (level >= 1) loop::verify(kernel);
  if (level < 3) return;
  const std::string text = to_text(kernel);
  RIDGE_INTERNAL_CHECK(to_text(loop::parse(text)) == text,
                       "a kernel that reads back as another: " + text);
}

}  // namespace ridge::linker

#if RIDGE_HAS_LLVM

namespace ridge::linker {
namespace {

using Clock = std::chrono::steady_clock;

// RIDGE_ONLY names a kernel or pass; without it everything is shown.
bool is_shown(const std::string& name) {
  return name.find(knob_text(Knob::only)) != std::string::npos;
}

void show_at(int64_t level, const std::string& name, std::string_view what,
             const std::string& text) {
  if (knob_int(Knob::debug) < level || !is_shown(name)) return;
  show("kernels", concat(what, " of ", name, ":\n", text));
}

std::filesystem::path override_path(const std::string& name, std::string_view extension) {
  return std::filesystem::path(knob_text(Knob::override)) / concat(name, extension);
}

std::string override_text(const std::string& name, std::string_view extension) {
  if (!is_knob_set(Knob::override)) return {};
  const std::filesystem::path path = override_path(name, extension);
  std::optional<std::string> text = read_file_if_there(path);
  if (!text) return {};
  log(LogLevel::info, "kernels", concat("running ", path.string(), " in place of ", name));
  return std::move(*text);
}

// What a kernel is launched with, one line for each argument.
std::string arguments_text(const loop::Kernel& kernel) {
  std::string text;
  for (size_t i = 0; i < kernel.argument_count(); ++i) {
    const loop::Buffer& buffer = kernel.buffers[i];
    text += concat(name(buffer.dtype), " ", loop::name(buffer.access), ", ");
  }
  return concat(text, kernel.sizes.size(), " sizes");
}

// The kernel to build: an edited one if there is, which must take what the program passes.
loop::Kernel edited_or(const loop::Kernel& given) {
  const std::string text = override_text(given.name, ".loop");
  if (text.empty()) return given;
  loop::Kernel edited = loop::read(text, override_path(given.name, ".loop").string());
  RIDGE_CHECK(arguments_text(edited) == arguments_text(given), .code = ErrorCode::value,
              .op = override_path(given.name, ".loop").string(),
              .expected = "the arguments of the kernel it replaces: " + arguments_text(given),
              .given = arguments_text(edited));
  return edited;
}

std::shared_ptr<const execute::CpuKernel> build_one(const loop::Kernel& given) {
  const auto start = Clock::now();
  const loop::Kernel kernel = edited_or(given);
  check_kernel(kernel);
  show_at(5, kernel.name, "loop IR", to_text(kernel));
  const bool keeps_ir = is_knob_set(Knob::dump) || knob_int(Knob::debug) >= 4;
  const codegen::CpuTarget& target = codegen::host_target();
  const std::string edited_ir = override_text(given.name, ".ll");
  codegen::Generated generated = edited_ir.empty()
                                     ? codegen::generate(kernel, target, keeps_ir)
                                     : codegen::generate_from_ir(edited_ir, kernel.name, target);
  show_at(4, kernel.name, "LLVM IR", generated.ir);
  if (knob_int(Knob::debug) >= 7)
    show_at(7, kernel.name, "assembly", codegen::assembly(kernel, target));
  if (is_knob_set(Knob::dump) && is_shown(kernel.name)) {
    dump_artifact(kernel.name, "loop", to_text(kernel));
    dump_artifact(kernel.name, "ll", generated.ir);
  }
  auto built = std::make_shared<execute::CpuKernel>();
  built->code = runtime::LoadedKernel::load(generated.object, generated.symbol);
  built->function = built->code->function();
  built->build_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return built;
}

struct Counts {
  std::mutex mutex;
  BuildCounts total;
};

Counts& counts() {
  static Counts& instance = *new Counts;
  return instance;
}

std::shared_ptr<const execute::CpuKernel> build_counted(const loop::Kernel& kernel) {
  std::shared_ptr<const execute::CpuKernel> built = build_one(kernel);
  const std::lock_guard lock(counts().mutex);
  ++counts().total.kernels;
  counts().total.total_ms += built->build_ms;
  return built;
}

}  // namespace

BuildCounts build_counts() {
  const std::lock_guard lock(counts().mutex);
  return counts().total;
}

execute::CpuKernels build_cpu(std::span<const loop::Kernel* const> kernels) {
  static auto& cache = *new BuiltCache<execute::CpuKernel>;
  std::vector<std::string> keys;
  for (const loop::Kernel* kernel : kernels) keys.push_back(schedule::canonical_text(*kernel));
  return cache.find_or_build(keys, [&](size_t i) { return build_counted(*kernels[i]); });
}

}  // namespace ridge::linker

#else

namespace ridge::linker {

BuildCounts build_counts() { return {}; }

// Nobody asks: the reference is the CPU backend, and compiled graphs run op by op.
execute::CpuKernels build_cpu(std::span<const loop::Kernel* const>) {
  RIDGE_INTERNAL_CHECK(false, "this build has no code generator");
  return {};
}

}  // namespace ridge::linker

#endif
