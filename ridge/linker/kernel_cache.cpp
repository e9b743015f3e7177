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

}  // namespace

// Code of a kernel that is not loaded yet.
struct GeneratedCpu {
  codegen::Generated code;
  double ms = 0;
};

namespace {

GeneratedCpu generate_one(const loop::Kernel& given) {
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
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return {std::move(generated), ms};
}

struct Counts {
  std::mutex mutex;
  BuildCounts total;
};

Counts& counts() {
  static Counts& instance = *new Counts;
  return instance;
}

std::shared_ptr<const execute::CpuKernel> load_one(const GeneratedCpu& generated) {
  const auto start = Clock::now();
  auto built = std::make_shared<execute::CpuKernel>();
  built->code = runtime::LoadedKernel::load(generated.code.object, generated.code.symbol);
  built->function = built->code->function();
  built->build_ms =
      generated.ms + std::chrono::duration<double, std::milli>(Clock::now() - start).count();
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

namespace {

BuiltCache<execute::CpuKernel>& cpu_cache() {
  static auto& cache = *new BuiltCache<execute::CpuKernel>;
  return cache;
}

}  // namespace

struct CpuBuild::State {
  BuiltCache<execute::CpuKernel>::Lookup lookup;
  std::vector<GeneratedCpu> generated;  // by missing kernel
};

CpuBuild::CpuBuild(std::span<const loop::Kernel* const> kernels)
    : state_(std::make_unique<State>()) {
  std::vector<std::string> keys;
  for (const loop::Kernel* kernel : kernels) keys.push_back(schedule::canonical_text(*kernel));
  state_->lookup = cpu_cache().find(std::move(keys));
  const std::vector<size_t>& missing = state_->lookup.missing;
  state_->generated.resize(missing.size());
  build_each(missing, [&](size_t i) { state_->generated[i] = generate_one(*kernels[missing[i]]); });
}

execute::CpuKernels CpuBuild::load() && {
  const std::unique_ptr<State> state = std::move(state_);
  execute::CpuKernels built(state->generated.size());
  build_each(state->lookup.missing, [&](size_t i) { built[i] = load_one(state->generated[i]); });
  return cpu_cache().add(std::move(state->lookup), built);
}

}  // namespace ridge::linker

#else

namespace ridge::linker {

BuildCounts build_counts() { return {}; }

struct CpuBuild::State {};

// Nobody asks: the reference is the CPU backend, and compiled graphs run op by op.
CpuBuild::CpuBuild(std::span<const loop::Kernel* const>) {
  RIDGE_INTERNAL_CHECK(false, "this build has no code generator");
}

execute::CpuKernels CpuBuild::load() && { return {}; }

}  // namespace ridge::linker

#endif

namespace ridge::linker {

CpuBuild::~CpuBuild() = default;
CpuBuild::CpuBuild(CpuBuild&&) noexcept = default;

execute::CpuKernels build_cpu(std::span<const loop::Kernel* const> kernels) {
  return CpuBuild(kernels).load();
}

}  // namespace ridge::linker
