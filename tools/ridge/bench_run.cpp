#include "bench_run.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/calibrate/probe.h"
#include "ridge/cost/price.h"
#include "ridge/driver/kernel_bench.h"

namespace ridge::command {
namespace {

// A case made ready: its program, and the times of each kernel.
struct Prepared {
  std::string name;
  schedule::Plan plan;
  std::unique_ptr<driver::KernelBench> bench;
  std::vector<std::vector<double>> times;
};

Prepared prepare(const BenchCase& bench_case, const std::shared_ptr<const cost::Sheet>& sheet,
                 const BenchOptions& options) {
  const Tensors inputs = make_inputs(bench_case);
  const auto compiled = compile(bench_case.function, {.name = bench_case.name});
  compiled(inputs);
  const std::shared_ptr<driver::Entry> entry = compiled.programs().back();
  RIDGE_CHECK(entry->compiled->program() != nullptr, .code = ErrorCode::device, .op = "bench",
              .expected = "a build with LLVM, which makes kernels", .given = "one without");
  const graph::Graph& graph = entry->compiled->graph();
  Prepared result;
  result.name = bench_case.name;
  result.plan = schedule::schedule(
      graph, {.fuses = options.fuses, .sheet = sheet, .mapping = options.mapping});
  result.bench = std::make_unique<driver::KernelBench>(result.plan, graph, inputs);
  result.times.resize(result.bench->kernel_count());
  return result;
}

CaseResult judge(const Prepared& prepared, const cost::Sheet& sheet) {
  CaseResult result;
  result.name = prepared.name;
  result.kernels = prepared.times.size();
  double slowest = 0;
  for (size_t i = 0; i < prepared.times.size(); ++i) {
    const auto measured = calibrate::summarize("", cost::Unit::seconds, prepared.times[i]);
    const cost::Price price = cost::price(cost::nest_of(prepared.plan.calls[i].kernel, {}), sheet);
    result.kernel_names += prepared.plan.calls[i].kernel.name + " ";
    result.seconds += measured.median;
    result.spread = std::max(result.spread, measured.spread);
    result.floor += price.floor;
    result.predicted += price.predicted;
    const double alone = price.seconds[static_cast<size_t>(price.bound)];
    result.ceiling = std::max(result.ceiling, alone / measured.median);
    if (measured.median < slowest) continue;
    slowest = measured.median;
    result.bound = name(price.bound);
    result.regime = name(cost::regime_of(price.bound));
  }
  return result;
}

}  // namespace

std::vector<CaseResult> run_cases(const std::vector<BenchCase>& cases,
                                  const std::shared_ptr<const cost::Sheet>& sheet,
                                  const BenchOptions& options) {
  std::vector<Prepared> prepared;
  for (const BenchCase& bench_case : cases) prepared.push_back(prepare(bench_case, sheet, options));
  const auto rounds = static_cast<size_t>(options.rounds);
  for (size_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < prepared.size(); ++i) {
      for (size_t kernel = 0; kernel < prepared[i].times.size(); ++kernel) {
        const double seconds = prepared[i].bench->time(kernel, options.seconds);
        prepared[i].times[kernel].push_back(seconds);
      }
      if (options.on_progress) {
        options.on_progress(round * prepared.size() + i + 1, rounds * prepared.size());
      }
    }
  }
  std::vector<CaseResult> results;
  for (const Prepared& p : prepared) results.push_back(judge(p, *sheet));
  return results;
}

Ranking rank_pairs(const std::vector<CaseResult>& one, const std::vector<CaseResult>& other,
                   double margin) {
  Ranking ranking;
  for (size_t i = 0; i < one.size(); ++i) {
    const double measured = other[i].seconds / one[i].seconds;
    if (std::max(measured, 1 / measured) <= 1 + margin) continue;
    // The same kernels: what differs is noise.
    if (one[i].kernel_names == other[i].kernel_names) continue;
    ++ranking.pairs;
    const double predicted = other[i].predicted / one[i].predicted;
    if ((predicted > 1) == (measured > 1)) {
      ++ranking.right;
    } else {
      ranking.wrong.push_back(
          concat(one[i].name, ": measured ", measured, ", predicted ", predicted));
    }
  }
  return ranking;
}

}  // namespace ridge::command
