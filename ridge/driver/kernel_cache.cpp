#include "ridge/driver/kernel_cache.h"

#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "ridge/base/dump.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/codegen/llvm/generate.h"
#include "ridge/loop/statement_text.h"
#include "ridge/runtime/cpu/thread_pool.h"
#include "ridge/schedule/kernel_text.h"

#if RIDGE_HAS_LLVM

namespace ridge::driver {
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
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  log(LogLevel::info, "kernels", concat("running ", path.string(), " in place of ", name));
  return {std::istreambuf_iterator<char>(file), {}};
}

void check(const loop::Kernel& kernel) {
  const int64_t level = knob_int(Knob::verify);
  if (level >= 1) loop::verify(kernel);
  if (level < 3) return;
  const std::string text = to_text(kernel);
  RIDGE_INTERNAL_CHECK(to_text(loop::parse(text)) == text,
                       "a kernel that reads back as another: " + text);
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
  loop::Kernel edited = loop::parse(text);
  RIDGE_CHECK(arguments_text(edited) == arguments_text(given), .code = ErrorCode::value,
              .op = override_path(given.name, ".loop").string(),
              .expected = "the arguments of the kernel it replaces: " + arguments_text(given),
              .given = arguments_text(edited));
  loop::verify(edited);
  return edited;
}

std::shared_ptr<const BuiltKernel> build_one(const loop::Kernel& given) {
  const auto start = Clock::now();
  const loop::Kernel kernel = edited_or(given);
  check(kernel);
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
  auto built = std::make_shared<BuiltKernel>();
  built->code = runtime::LoadedKernel::load(generated.object, generated.symbol);
  built->function = built->code->function();
  built->build_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return built;
}

struct Cache {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<const BuiltKernel>> kernels;
  BuildCounts counts;
};

// Beyond this many, kernels that no program and no eager call holds anymore are let go.
constexpr size_t kMostKernels = 4096;

void drop_unused(Cache& cache) {
  if (cache.kernels.size() <= kMostKernels) return;
  std::erase_if(cache.kernels, [](const auto& entry) { return entry.second.use_count() == 1; });
}

Cache& cache() {
  static Cache& instance = *new Cache;
  return instance;
}

}  // namespace

BuildCounts build_counts() {
  const std::lock_guard lock(cache().mutex);
  return cache().counts;
}

std::vector<std::shared_ptr<const BuiltKernel>> build(
    std::span<const loop::Kernel* const> kernels) {
  std::vector<std::string> keys;
  for (const loop::Kernel* kernel : kernels) keys.push_back(schedule::canonical_text(*kernel));
  std::unordered_map<std::string, const loop::Kernel*> wanted;
  std::vector<std::pair<const std::string*, const loop::Kernel*>> missing;
  std::vector<std::shared_ptr<const BuiltKernel>> result(kernels.size());
  {
    const std::lock_guard lock(cache().mutex);
    for (size_t i = 0; i < keys.size(); ++i) {
      if (const auto found = cache().kernels.find(keys[i]); found != cache().kernels.end()) {
        result[i] = found->second;
      } else if (wanted.emplace(keys[i], kernels[i]).second) {
        missing.emplace_back(&keys[i], kernels[i]);
      }
    }
  }
  std::vector<std::shared_ptr<const BuiltKernel>> built(missing.size());
  std::vector<std::exception_ptr> errors(missing.size());
  // One kernel is worth a thread: each takes milliseconds.
  runtime::parallel(static_cast<int64_t>(missing.size()), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      try {
        built[i] = build_one(*missing[i].second);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  });
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  const std::lock_guard lock(cache().mutex);
  drop_unused(cache());
  for (size_t i = 0; i < missing.size(); ++i) {
    if (!cache().kernels.emplace(*missing[i].first, built[i]).second) continue;
    ++cache().counts.kernels;
    cache().counts.total_ms += built[i]->build_ms;
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (result[i] == nullptr) result[i] = cache().kernels.at(keys[i]);
  }
  return result;
}

}  // namespace ridge::driver

#else

namespace ridge::driver {

BuildCounts build_counts() { return {}; }

// Nobody asks: the reference is the CPU backend, and compiled graphs run op by op.
std::vector<std::shared_ptr<const BuiltKernel>> build(std::span<const loop::Kernel* const>) {
  RIDGE_INTERNAL_CHECK(false, "this build has no code generator");
  return {};
}

}  // namespace ridge::driver

#endif
