#include "ridge/linker/cuda_kernels.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/log.h"
#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"
#include "ridge/linker/built_cache.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/runtime/cuda/device_properties.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::linker {
namespace {

using Clock = std::chrono::steady_clock;

double cuda_ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct TotalTimes {
  std::mutex mutex;
  CudaBuildTimes times;
};

TotalTimes& total_times() {
  static TotalTimes& instance = *new TotalTimes;
  return instance;
}

void add_times(const std::function<void(CudaBuildTimes&)>& add) {
  const std::lock_guard lock(total_times().mutex);
  add(total_times().times);
}

std::string override_of(const std::string& name) {
  if (!is_knob_set(Knob::override)) return {};
  const auto path = std::filesystem::path(knob_text(Knob::override)) / concat(name, ".cu");
  std::optional<std::string> text = read_file_if_there(path);
  if (!text) return {};
  log(LogLevel::info, "kernels", concat("running ", path.string(), " in place of ", name));
  return std::move(*text);
}

// A kernel of the user's that does not compile is the user's to fix, and no defect of Ridge.
runtime::cuda::CompiledCuda compile_text(const std::string& text,
                                         const runtime::cuda::NvrtcOptions& options,
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

// Whether starting it takes most of its time: a kernel of a few blocks, or one that combines what another
// has found. Only such are worth a start before the one before them has ended, for which they give up
// reading past the first-level cache.
bool is_short(const codegen::CudaKernel& code, const CudaSource& source) {
  constexpr int64_t kFewBlocks = 64;
  // Kernels over tiles have no statement that waits for the one before them.
  if (code.batch.entries > 0 || !code.arguments.empty()) return false;
  return source.reads_previous_only ||
         execute::block_count(code.blocks, source.expected) <= kFewBlocks;
}

void show_cuda(const loop::Kernel& kernel, const std::string& text) {
  if (kernel.name.find(knob_text(Knob::only)) == std::string::npos) return;
  if (knob_int(Knob::debug) >= 4) show("kernels", concat("CUDA of ", kernel.name, ":\n", text));
  if (!is_knob_set(Knob::dump)) return;
  dump_artifact(kernel.name, "loop", to_text(kernel));
  dump_artifact(kernel.name, "cu", text);
}

}  // namespace

// A kernel that is generated and not compiled yet.
struct GeneratedCuda {
  codegen::CudaKernel generated;
  std::shared_ptr<execute::BuiltCudaKernel> built;
  bool is_edited = false;
  const std::string& text() const { return generated.source; }
};

namespace {

GeneratedCuda write_kernel(const CudaSource& source, int device) {
  const loop::Kernel& kernel = *source.kernel;
  check_kernel(kernel);
  const runtime::cuda::DeviceProperties& properties = runtime::cuda::device_properties(device);
  const bool is_batch = source.batch.entries > 0;
  // Of a batch, indices fit (schedule/batch_map.h), and memory that is written is no other buffer's: it
  // comes from a capture, which refuses such arguments.
  const bool has_tiles = kernel.has_tiles();
  codegen::CudaTarget target{.arch = 10 * properties.compute_major + properties.compute_minor,
                             .limits = source.limits,
                             .fits_32_bits = is_batch || source.fits_32_bits,
                             .are_distinct = is_batch,
                             .streaming_loads = !has_tiles && codegen::prefers_streaming_loads(
                                                                  kernel, properties.l2_bytes),
                             .batch = source.batch,
                             .notes = source.notes ? source.notes() : std::vector<std::string>{}};
  codegen::CudaKernel generated = codegen::generate(kernel, target);
  if (properties.compute_major >= 9 && is_short(generated, source)) {
    target.dependent_launch = true;
    generated = codegen::generate(kernel, target);
  }
  auto built = std::make_shared<execute::BuiltCudaKernel>(launch_of(generated));
  built->uses_pdl = target.dependent_launch;
  built->most_blocks = generated.persistent_blocks_per_sm * properties.multiprocessors;
  std::string edited = override_of(kernel.name);
  const bool is_edited = !edited.empty();
  if (is_edited) generated.source = std::move(edited);
  show_cuda(kernel, generated.source);
  return {std::move(generated), std::move(built), is_edited};
}

// Compiles and loads kernels whose symbols differ, as one text if they are several.
void compile_together(std::span<GeneratedCuda* const> kernels, int device) {
  const GeneratedCuda& first = *kernels.front();
  const std::string& name = first.generated.symbol;
  std::vector<std::string_view> texts;
  for (const GeneratedCuda* kernel : kernels) texts.push_back(kernel->text());
  const runtime::cuda::CompiledCuda compiled =
      compile_text(kernels.size() == 1 ? first.text() : joined_text(texts),
                   {.name = name,
                    .arch = arch_name(runtime::cuda::device_properties(device)),
                    .is_self_contained = !first.is_edited},
                   first.is_edited);
  const auto start = Clock::now();
  const auto module = runtime::cuda::Module::load(device, compiled.cubin, name);
  for (const GeneratedCuda* kernel : kernels) {
    kernel->built->kernel = module->kernel(kernel->generated.symbol);
  }
  add_times([&](CudaBuildTimes& times) {
    times.kernels += static_cast<int64_t>(kernels.size());
    ++times.programs;
    times.compile_ms += 1e-3 * compiled.compile_us;
    times.longest_ms = std::max(times.longest_ms, 1e-3 * compiled.compile_us);
    times.load_ms += cuda_ms_since(start);
  });
}

// Which of them to compile as one text. Those that were edited, whose text may be anything, and those
// with the name of another are by themselves.
std::vector<std::vector<GeneratedCuda*>> programs_among(std::span<GeneratedCuda> kernels) {
  std::vector<std::vector<GeneratedCuda*>> programs;
  std::vector<GeneratedCuda*> others;
  std::vector<size_t> bytes;
  std::set<std::string_view> symbols;
  for (GeneratedCuda& kernel : kernels) {
    if (kernel.is_edited || !symbols.insert(kernel.generated.symbol).second) {
      programs.push_back({&kernel});
      continue;
    }
    others.push_back(&kernel);
    bytes.push_back(kernel.text().size());
  }
  for (const std::vector<size_t>& numbers : programs_of(bytes, runtime::thread_count())) {
    programs.emplace_back();
    for (const size_t number : numbers) programs.back().push_back(others[number]);
  }
  return programs;
}

// Programs in their order, on all threads. What fails is left without a kernel.
void compile_programs(std::span<const std::vector<GeneratedCuda*>> programs, int device) {
  std::atomic<size_t> next = 0;
  const auto size = static_cast<int64_t>(programs.size());
  runtime::parallel(size, 1, [&](int64_t begin, int64_t end) {
    for (; begin < end; ++begin) {
      const std::vector<GeneratedCuda*>& program = programs[next.fetch_add(1)];
      try {
        compile_together(program, device);
      } catch (const std::exception&) {
        // One of them is at fault: which one, and how, is found by compiling each by itself.
        for (GeneratedCuda* kernel : program) kernel->built->kernel = {};
      }
    }
  });
}

// "3:001 ": entries, and which buffers they share.
std::string batch_text(const CudaBatch& batch) {
  if (batch.entries == 0) return {};
  std::string text = concat(batch.entries, ":");
  for (const bool is_common : batch.is_common) text += is_common ? '1' : '0';
  return text + " ";
}

}  // namespace

CudaBatch batch_shape(const schedule::KernelCall& call) {
  CudaBatch batch{.entries = static_cast<int>(call.entries.size())};
  if (call.entries.empty()) return batch;
  const std::vector<int>& first = call.entries.front().buffers;
  batch.is_common.assign(first.size(), true);
  for (const schedule::KernelCall::Entry& entry : call.entries) {
    for (size_t i = 0; i < first.size(); ++i) {
      if (entry.buffers[i] != first[i]) batch.is_common[i] = false;
    }
  }
  return batch;
}

execute::BuiltCudaKernel launch_of(const codegen::CudaKernel& generated) {
  return {.blocks = generated.blocks,
          .threads = generated.threads,
          .cluster = generated.cluster,
          .dynamic_shared_bytes = generated.dynamic_shared_bytes,
          .sets_status = generated.sets_status,
          .size_bits = generated.size_bits,
          .batch = generated.batch,
          .arguments = generated.arguments,
          .views = generated.views};
}

void add_product_ms(double ms) {
  add_times([&](CudaBuildTimes& times) { times.product_ms += ms; });
}

CudaBuildTimes cuda_build_times() {
  const std::lock_guard lock(total_times().mutex);
  return total_times().times;
}

struct CudaBuild::State {
  int device;
  BuiltCache<execute::BuiltCudaKernel>::Lookup lookup;
  std::vector<GeneratedCuda> written;  // by missing kernel
};

namespace {

BuiltCache<execute::BuiltCudaKernel>& cuda_cache() {
  static auto& cache = *new BuiltCache<execute::BuiltCudaKernel>;
  return cache;
}

std::vector<std::string> keys_of(std::span<const CudaSource> sources, int device) {
  std::vector<std::string> keys(sources.size());
  constexpr int64_t kTextsAtOnce = 16;
  runtime::parallel(std::ssize(sources), kTextsAtOnce, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const CudaSource& source = sources[i];
      keys[i] =
          concat(device, " ", source.limits.registers_per_sm, " ", source.limits.threads_per_sm,
                 " ", source.limits.shared_bytes, " ", batch_text(source.batch),
                 source.fits_32_bits ? "fits " : "", source.reads_previous_only ? "follows " : "",
                 schedule::canonical_text(*source.kernel));
    }
  });
  return keys;
}

}  // namespace

CudaBuild::CudaBuild(std::span<const CudaSource> sources, int device)
    : state_(std::make_unique<State>()) {
  state_->device = device;
  state_->lookup = cuda_cache().find(keys_of(sources, device));
  const std::vector<size_t>& missing = state_->lookup.missing;
  if (missing.empty()) return;
  const auto start = Clock::now();
  state_->written.resize(missing.size());
  build_each(missing,
             [&](size_t i) { state_->written[i] = write_kernel(sources[missing[i]], device); });
  add_times([&](CudaBuildTimes& times) {
    times.text_ms += cuda_ms_since(start);
    times.wall_ms += cuda_ms_since(start);
  });
}

CudaBuild::~CudaBuild() = default;
CudaBuild::CudaBuild(CudaBuild&&) noexcept = default;

execute::CudaKernels CudaBuild::compile() && {
  const std::unique_ptr<State> state = std::move(state_);
  std::vector<GeneratedCuda>& written = state->written;
  if (!written.empty()) {
    const auto start = Clock::now();
    compile_programs(programs_among(written), state->device);
    build_each(state->lookup.missing, [&](size_t i) {
      GeneratedCuda* const kernel = &written[i];
      if (!kernel->built->kernel) compile_together(std::span(&kernel, 1), state->device);
    });
    add_times([&](CudaBuildTimes& times) { times.wall_ms += cuda_ms_since(start); });
  }
  execute::CudaKernels built;
  for (GeneratedCuda& kernel : written) built.push_back(std::move(kernel.built));
  return cuda_cache().add(std::move(state->lookup), built);
}

}  // namespace ridge::linker
