// Cases of `ridge bench` that time the compiler: a program whose kernels nobody has built before.
#include <cmath>
#include <set>

#include "gpt_step.h"
#include "gpu_bench_cases.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/driver/entry.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/nn/on_device.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::command {
namespace {

constexpr int64_t kBatch = 4;

// Kernels of our own, and how many differ: only those are compiled.
std::string kernels_of(const schedule::Plan& plan) {
  size_t own = 0;
  std::set<std::string> distinct;
  for (const schedule::KernelCall& call : plan.calls) {
    if (call.product) continue;
    ++own;
    distinct.insert(schedule::canonical_text(call.kernel));
  }
  return concat(plan.calls.size(), " calls, ", own, " of own kernels, ", distinct.size(),
                " of them distinct");
}

// Where the time went. Passes and plan are all but what is waited for; the library's part runs beside.
std::string split_of(const driver::CompiledGraph& compiled, const linker::CudaBuildTimes& before) {
  const linker::CudaBuildTimes now = linker::cuda_build_times();
  double passes_ms = 0;
  for (const graph::PassRun& run : compiled.passes()) passes_ms += 1e-3 * run.microseconds;
  const double built_ms = now.wall_ms - before.wall_ms;
  const auto ms = [](double value) { return concat(static_cast<int64_t>(value + 0.5), " ms"); };
  return concat("passes ", ms(passes_ms), ", plan and the rest ",
                ms(compiled.compile_ms() - passes_ms - built_ms), ", kernels ", ms(built_ms),
                " (texts ", ms(now.text_ms - before.text_ms), "; ", now.programs - before.programs,
                " programs of NVRTC, ", ms(now.compile_ms - before.compile_ms), " in all, longest ",
                ms(now.longest_ms), "; loading ", ms(now.load_ms - before.load_ms),
                "), products beside them ", ms(now.product_ms - before.product_ms));
}

// All of what a first call does but running: passes, plan, NVRTC on all cores.
HostTimes measure_compile(calibrate::CudaTimer& timer) {
  const GptSizes sizes;
  Generator generator(1);
  Gpt model = nn::on_device(Gpt(sizes, generator), timer.device());
  nn::AdamW<Gpt> optimizer(model);
  calibrate::RandomFill random(timer.device());
  const Shape shape{kBatch, sizes.tokens};
  const Tensor tokens = random.tensor(shape, i64, sizes.vocabulary);
  const Tensor targets = random.tensor(shape, i64, sizes.vocabulary);
  const auto step = compile(&gpt_step, {.name = "gpt_step"});
  const linker::CudaBuildTimes before = linker::cuda_build_times();
  const Tensor loss = step(model, optimizer, tokens, targets);
  const float value = to_device(loss, kCpu).to_vector<float>().at(0);
  RIDGE_CHECK(std::isfinite(value) && value > 0, .code = ErrorCode::state, .op = "bench",
              .expected = "a loss above 0", .given = to_text(value));
  const driver::CompiledGraph& compiled = *step.programs().back()->compiled;
  return {.ours = 1e-3 * compiled.compile_ms(),
          .note = concat(kernels_of(compiled.plan()), "; ", split_of(compiled, before))};
}

}  // namespace

void add_gpu_compile_cases(std::vector<GpuCase>& cases) {
  cases.push_back(
      {.name = "gpu.compile.transformer_step.f32.12_layers", .measure = measure_compile});
}

}  // namespace ridge::command
