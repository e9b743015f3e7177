#include <algorithm>
#include <set>

#include "gpu_bench_run.h"
#include "ridge/base/text.h"
#include "ridge/calibrate/cuda_kernels.h"
#include "ridge/driver/pipeline.h"
#include "ridge/runtime/cuda/cuda_runtime.h"

namespace ridge::command {
namespace {

const calibrate::TimerOptions kBriefly{.least = 10, .most = 50, .seconds = 0.05};

struct TimedWay {
  std::string what;
  double measured = 0, predicted = 0;
};

std::string kernels_text(const schedule::Plan& plan) {
  std::string names;
  for (const schedule::KernelCall& call : plan.calls) names += to_text(call.kernel);
  return names;
}

TimedWay time_way(const schedule::Plan& plan, const graph::Graph& graph, const Tensors& inputs,
                  calibrate::CudaTimer& timer, std::string what) {
  TimedWay way{.what = std::move(what)};
  way.predicted = predict_cold(plan, graph, plan.sheet).seconds;
  const auto program = driver::build_program(plan, graph, timer.device());
  std::vector<const Tensor*> pointers;
  for (const Tensor& input : inputs) pointers.push_back(&input);
  way.measured = timer.time([&] { program->run(pointers); }, kBriefly).median;
  return way;
}

std::vector<TimedWay> time_ways(const GpuCase& gpu_case,
                                const std::shared_ptr<const cost::Sheet>& sheet,
                                calibrate::CudaTimer& timer) {
  calibrate::RandomFill random(timer.device());
  Tensors inputs;
  for (const BenchInput& input : gpu_case.inputs) {
    inputs.push_back(random.tensor(input.shape, input.dtype, input.below));
  }
  const auto compiled = compile(gpu_case.function, {.name = gpu_case.name});
  compiled(inputs);
  const graph::Graph& graph = compiled.programs().back()->compiled->graph();
  std::vector<TimedWay> ways;
  std::set<std::string> known;
  const auto add = [&](const std::string& what, bool fuses) {
    schedule::Plan plan = schedule::schedule(
        graph, {.target = schedule::Target::gpu, .fuses = fuses, .sheet = sheet});
    if (!known.insert(kernels_text(plan)).second) return;
    ways.push_back(time_way(std::move(plan), graph, inputs, timer, what));
  };
  add("as chosen", true);
  add("without fusion", false);
  return ways;
}

}  // namespace

Ranking rank_gpu_pairs(const std::vector<GpuCase>& cases,
                       const std::shared_ptr<const cost::Sheet>& sheet, double margin) {
  calibrate::CudaTimer timer(0);
  Ranking ranking;
  for (const GpuCase& gpu_case : cases) {
    const bool is_product = gpu_case.arrays.read.empty() && gpu_case.arrays.written.empty();
    if (!gpu_case.function || is_product) continue;
    std::vector<TimedWay> ways;
    try {
      ways = time_ways(gpu_case, sheet, timer);
    } catch (const Error& error) {
      ++ranking.pairs;  // a way that does not run was not ranked rightly
      ranking.wrong.push_back(concat(gpu_case.name, ": ", error.what()));
      continue;
    }
    for (size_t i = 1; i < ways.size(); ++i) {
      const double measured = ways[i].measured / ways[0].measured;
      const double predicted = ways[i].predicted / ways[0].predicted;
      if (std::max(measured, 1 / measured) <= 1 + margin) continue;
      ++ranking.pairs;
      if ((predicted > 1) == (measured > 1)) {
        ++ranking.right;
      } else {
        ranking.wrong.push_back(concat(gpu_case.name, ", ", ways[i].what, ": measured ", measured,
                                       ", predicted ", predicted));
      }
    }
    runtime::cuda::cuda_runtime().allocator(timer.device()).trim();
  }
  return ranking;
}

}  // namespace ridge::command
