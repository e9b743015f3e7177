#include "ridge/driver/cuda_kernels.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ridge/base/dump.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/codegen/cuda/streaming.h"
#include "ridge/driver/built_cache.h"
#include "ridge/driver/kernel_cache.h"
#include "ridge/expr/evaluate.h"
#include "ridge/runtime/cuda/device_facts.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::driver {
namespace {

using Built = std::shared_ptr<const CudaBuilt>;

std::string override_of(const std::string& name) {
  if (!is_knob_set(Knob::override)) return {};
  const auto path = std::filesystem::path(knob_text(Knob::override)) / concat(name, ".cu");
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  log(LogLevel::info, "kernels", concat("running ", path.string(), " in place of ", name));
  return {std::istreambuf_iterator<char>(file), {}};
}

// A kernel of the user's that does not compile is the user's to mend, and no defect of Ridge.
runtime::cuda::CompiledCuda compile_text(const std::string& text,
                                         const runtime::cuda::CompileOptions& options,
                                         bool is_edited) {
  try {
    return runtime::cuda::compile_cuda(text, options);
  } catch (const Error& error) {
    if (!is_edited || error.code() != ErrorCode::internal) throw;
    throw Error({.code = ErrorCode::value,
                 .op = concat(options.name, ".cu"),
                 .expected = "an edited kernel that compiles for " + options.arch,
                 .given = error.given()});
  }
}

// Whether starting it takes most of its time: a kernel of a few blocks. Only such are worth a start
// before the one before them has ended, for which they give up reading past the first-level cache.
bool is_short(const codegen::CudaKernel& code, const std::vector<int64_t>& sizes) {
  constexpr int64_t kFewBlocks = 64;
  if (code.batch.entries > 0) return false;
  return block_count(code, sizes) <= kFewBlocks;
}

Built build_one(const CudaSource& source, int device) {
  const loop::Kernel& kernel = *source.kernel;
  check_kernel(kernel);
  const runtime::cuda::DeviceFacts& facts = runtime::cuda::device_facts(device);
  const bool is_batch = source.batch.entries > 0;
  // Of a batch, indices fit (schedule/batch_map.h), and memory that is written is no other buffer's: it
  // comes from a capture, which refuses such arguments.
  codegen::CudaTarget target{.arch = 10 * facts.compute_major + facts.compute_minor,
                             .fits_32_bits = is_batch || source.fits_32_bits,
                             .are_distinct = is_batch,
                             .streams = codegen::reads_past_cache(kernel, facts.l2_bytes),
                             .batch = source.batch,
                             .notes = source.notes};
  auto built = std::make_shared<CudaBuilt>();
  built->code = codegen::generate(kernel, target);
  if (facts.compute_major >= 9 && is_short(built->code, source.expected)) {
    built->overlaps_previous = target.overlaps_previous = true;
    built->code = codegen::generate(kernel, target);
  }
  std::string edited = override_of(kernel.name);
  const bool is_edited = !edited.empty();
  if (is_edited) built->code.source = std::move(edited);
  const std::string& text = built->code.source;
  const bool is_shown = kernel.name.find(knob_text(Knob::only)) != std::string::npos;
  if (is_shown && knob_int(Knob::debug) >= 4) {
    show("kernels", concat("CUDA of ", kernel.name, ":\n", text));
  }
  if (is_shown && is_knob_set(Knob::dump)) {
    dump_artifact(kernel.name, "loop", to_text(kernel));
    dump_artifact(kernel.name, "cu", text);
  }
  const runtime::cuda::CompiledCuda compiled =
      compile_text(text, {.name = kernel.name, .arch = arch_name(facts)}, is_edited);
  const auto module = runtime::cuda::Module::load(device, compiled.cubin, kernel.name);
  built->kernel = module->kernel(built->code.symbol);
  return built;
}

// "3:001 ": entries, and which buffers they share.
std::string batch_text(const codegen::CudaBatch& batch) {
  if (batch.entries == 0) return {};
  std::string text = concat(batch.entries, ":");
  for (const bool is_common : batch.is_common) text += is_common ? '1' : '0';
  return text + " ";
}

}  // namespace

int64_t block_count(const codegen::CudaKernel& code, std::span<const int64_t> sizes) {
  const expr::Leaves leaves{
      .param = [&](int index) { return expr::Number::of(sizes[static_cast<size_t>(index)]); }};
  return expr::evaluate(code.blocks, leaves).as_integer();
}

std::vector<Built> build_cuda(std::span<const CudaSource> sources, int device) {
  static auto& cache = *new BuiltCache<CudaBuilt>;
  std::vector<std::string> keys;
  for (const CudaSource& source : sources) {
    keys.push_back(concat(device, " ", batch_text(source.batch), source.fits_32_bits ? "fits " : "",
                          schedule::canonical_text(*source.kernel)));
  }
  return cache.find_or_build(keys, [&](size_t i) { return build_one(sources[i], device); });
}

}  // namespace ridge::driver
