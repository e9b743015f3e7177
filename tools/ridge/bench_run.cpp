#include "bench_run.h"

#include <algorithm>
#include <set>

#include "ridge/base/text.h"
#include "ridge/calibrate/calibrate.h"
#include "ridge/cost/price.h"
#include "ridge/driver/entry.h"
#include "ridge/linker/kernel_bench.h"

namespace ridge::command {
namespace {

constexpr size_t kMostMappings = 4;  // of one kernel

double median(std::vector<double> values) {
  return calibrate::summarize("", cost::Unit::seconds, std::move(values)).median;
}

// A case made ready: its program, and the times of each kernel by round.
struct Prepared {
  std::string name;
  schedule::Plan plan;
  std::unique_ptr<linker::KernelBench> bench;
  std::vector<std::vector<double>> times;

  void time(double seconds) {
    for (size_t i = 0; i < times.size(); ++i) times[i].push_back(bench->time(i, seconds));
  }
  std::string kernel_names() const {
    std::string names;
    for (const schedule::KernelCall& call : plan.calls) names += call.kernel.name + " ";
    return names;
  }
  // Of all kernels, in one round.
  double seconds_in(size_t round) const {
    double sum = 0;
    for (const auto& kernel : times) sum += kernel[round];
    return sum;
  }
  cost::Price price(size_t kernel, const cost::Sheet& sheet) const {
    return cost::price(cost::nest_of(plan.calls[kernel].kernel, {}), sheet);
  }
  double predicted(const cost::Sheet& sheet) const {
    double sum = 0;
    for (size_t i = 0; i < times.size(); ++i) sum += price(i, sheet).predicted;
    return sum;
  }
};

// A way to schedule a graph.
struct Way {
  bool fuses = true;
  std::optional<size_t> mapping{};
};

// The same case in several ways, on the same inputs.
std::vector<Prepared> prepare(const BenchCase& bench_case,
                              const std::shared_ptr<const cost::Sheet>& sheet,
                              const std::vector<Way>& ways) {
  const Tensors inputs = make_inputs(bench_case);
  const auto compiled = compile(bench_case.function, {.name = bench_case.name});
  compiled(inputs);
  const std::shared_ptr<driver::Entry> entry = compiled.programs().back();
  RIDGE_CHECK(entry->compiled->program() != nullptr, .code = ErrorCode::device, .op = "bench",
              .expected = "a build with LLVM, which makes kernels", .given = "one without");
  const graph::Graph& graph = entry->compiled->graph();
  std::vector<Prepared> results;
  std::set<std::string> known;
  for (const Way& way : ways) {
    Prepared result;
    result.name = bench_case.name;
    result.plan = schedule::schedule(
        graph,
        {.fuses = way.fuses,
         .chains = bench_case.has_chains ? schedule::Chains::if_faster : schedule::Chains::none,
         .sheet = sheet,
         .mapping = way.mapping});
    if (!known.insert(result.kernel_names()).second) continue;
    result.bench = std::make_unique<linker::KernelBench>(result.plan, graph, inputs);
    result.times.resize(result.bench->kernel_count());
    results.push_back(std::move(result));
  }
  return results;
}

// `sheets` has one for each round.
CaseResult judge(const Prepared& prepared, const std::vector<cost::Sheet>& sheets) {
  CaseResult result;
  result.name = prepared.name;
  result.kernels = prepared.times.size();
  double slowest = 0;
  for (size_t i = 0; i < prepared.times.size(); ++i) {
    std::vector<double> floors, shares;
    for (size_t round = 0; round < sheets.size(); ++round) {
      const cost::Price price = prepared.price(i, sheets[round]);
      floors.push_back(price.floor);
      shares.push_back(price.best_rate_seconds / prepared.times[i][round]);
    }
    result.floor += median(floors);
    result.seconds += median(prepared.times[i]);
    const auto share = calibrate::summarize("", cost::Unit::count, shares);
    if (share.median > result.reached) {
      result.reached = share.median;
      result.spread = share.spread;
    }
    if (median(prepared.times[i]) < slowest) continue;
    slowest = median(prepared.times[i]);
    const cost::Resource bound = prepared.price(i, sheets.back()).limiter;
    result.bound = name(bound);
    result.regime = name(cost::regime_of(bound));
  }
  std::vector<double> predictions, ratios;
  for (size_t round = 0; round < sheets.size(); ++round) {
    predictions.push_back(prepared.predicted(sheets[round]));
    ratios.push_back(predictions.back() / prepared.seconds_in(round));
  }
  result.predicted = median(predictions);
  result.error = median(ratios) - 1;
  return result;
}

std::vector<Way> all_ways() {
  std::vector<Way> ways{{}, {.fuses = false}};
  for (size_t mapping = 0; mapping < kMostMappings; ++mapping) ways.push_back({true, mapping});
  return ways;
}

void rank(const std::vector<Prepared>& ways, const cost::Sheet& sheet, double margin,
          Ranking& ranking) {
  for (size_t i = 1; i < ways.size(); ++i) {
    std::vector<double> ratios;
    for (size_t round = 0; round < ways[0].times[0].size(); ++round) {
      ratios.push_back(ways[i].seconds_in(round) / ways[0].seconds_in(round));
    }
    const double measured = median(ratios);
    if (std::max(measured, 1 / measured) <= 1 + margin) continue;
    ++ranking.pairs;
    const double predicted = ways[i].predicted(sheet) / ways[0].predicted(sheet);
    if ((predicted > 1) == (measured > 1)) {
      ++ranking.right;
    } else {
      ranking.wrong.push_back(
          concat(ways[i].name, ": measured ", measured, ", predicted ", predicted));
    }
  }
}

}  // namespace

std::vector<CaseResult> run_cases(const std::vector<BenchCase>& cases,
                                  const std::shared_ptr<const cost::Sheet>& sheet,
                                  const BenchOptions& options) {
  std::vector<Prepared> prepared;
  for (const BenchCase& bench_case : cases) {
    prepared.push_back(std::move(prepare(bench_case, sheet, {{}})[0]));
  }
  std::optional<calibrate::Remeasure> remeasure;
  if (options.remeasures) remeasure.emplace(*sheet);
  const auto rounds = static_cast<size_t>(options.rounds);
  std::vector<cost::Sheet> sheets;
  for (size_t round = 0; round < rounds; ++round) {
    sheets.push_back(remeasure ? remeasure->now() : *sheet);
    for (size_t i = 0; i < prepared.size(); ++i) {
      prepared[i].time(options.seconds);
      if (options.on_progress) {
        options.on_progress(round * prepared.size() + i + 1, rounds * prepared.size());
      }
    }
  }
  std::vector<CaseResult> results;
  for (const Prepared& p : prepared) results.push_back(judge(p, sheets));
  return results;
}

Ranking rank_pairs(const std::vector<BenchCase>& cases,
                   const std::shared_ptr<const cost::Sheet>& sheet, const BenchOptions& options,
                   double margin) {
  Ranking ranking;
  for (size_t i = 0; i < cases.size(); ++i) {
    std::vector<Prepared> ways = prepare(cases[i], sheet, all_ways());
    for (int round = 0; round < options.rounds; ++round) {
      for (Prepared& way : ways) way.time(options.seconds);
    }
    rank(ways, *sheet, margin, ranking);
    if (options.on_progress) options.on_progress(i + 1, cases.size());
  }
  return ranking;
}

}  // namespace ridge::command
