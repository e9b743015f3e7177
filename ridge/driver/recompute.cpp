#include "ridge/driver/recompute.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/driver/kernel_row.h"
#include "ridge/driver/recompute_costs.h"

namespace ridge::driver {
namespace {

using graph::Graph;
using schedule::Plan;

// What a kept byte is charged for, over what it takes to read one: from hardly anything to so much
// that nothing is kept that can be computed again.
constexpr double kLeastCharge = 0.125, kChargeStep = 2, kMostCharge = 1 << 18;
// Halvings of the step in which a budget came to be met.
constexpr int kRefinements = 3;

double predicted_us(const Plan& plan, const Graph& graph) {
  double sum = 0;
  for (const KernelRow& row : rows_of(plan, graph)) sum += row.time_us();
  return sum;
}

bool is_better(const MemoryPoint& a, const MemoryPoint& b) {
  return a.predicted_us <= b.predicted_us && a.peak_bytes <= b.peak_bytes &&
         (a.predicted_us < b.predicted_us || a.peak_bytes < b.peak_bytes);
}

// Programs that compute the same, made and priced one by one.
class Alternatives {
 public:
  Alternatives(const Graph& graph, const schedule::Options& options)
      : graph_(graph), options_(options), best_(planned(graph)) {
    best_.report.point.picoseconds_per_byte = -1;
    costs_ = recompute_costs(graph, best_.plan);
    per_byte_ = picoseconds_per_read_byte(best_.plan);
    everything_kept_ = best_.report.point;
    points_.push_back(best_.report.point);
  }

  const std::vector<MemoryPoint>& points() const { return points_; }
  const MemoryPoint& everything_kept() const { return everything_kept_; }
  Recomputation take() {
    best_.report.everything_kept = everything_kept_;
    return std::move(best_);
  }

  // The best cut for so much a byte; nothing where it is one that was tried.
  std::optional<MemoryPoint> try_charge(double charge, int64_t budget) {
    const double picoseconds = charge * per_byte_;
    aot::Partition cut = aot::partition(graph_, costs_, picoseconds);
    if (charge == 0) best_.report.decisions = cut.decisions;
    if (!cut.recomputes()) return everything_kept_;
    if (std::ranges::find(tried_, cut.is_kept) != tried_.end()) return std::nullopt;
    tried_.push_back(cut.is_kept);
    Recomputation one = planned(aot::recompute(graph_, cut));
    one.report.decisions = std::move(cut.decisions);
    one.report.point.kept_bytes = cut.kept_bytes;
    one.report.point.picoseconds_per_byte = picoseconds;
    for (const aot::KeptOrRecomputed& value : one.report.decisions) {
      ++(value.decision ? one.report.point.kept : one.report.point.recomputed);
    }
    const MemoryPoint point = one.report.point;
    points_.push_back(point);
    if (is_preferred(point, budget)) best_ = std::move(one);
    return point;
  }

 private:
  Recomputation planned(Graph graph) const {
    Recomputation one{.graph = std::move(graph), .plan = {}};
    one.plan = schedule::schedule(one.graph, options_);
    one.report.point.predicted_us = predicted_us(one.plan, one.graph);
    one.report.point.peak_bytes = peak_bytes(one.plan);
    return one;
  }

  bool is_preferred(const MemoryPoint& point, int64_t budget) const {
    if (budget == 0) return is_better(point, best_.report.point);
    const bool fits = point.peak_bytes <= budget, did_fit = best_.report.point.peak_bytes <= budget;
    if (fits != did_fit) return fits;
    return fits ? point.predicted_us < best_.report.point.predicted_us
                : point.peak_bytes < best_.report.point.peak_bytes;
  }

  const Graph& graph_;
  const schedule::Options& options_;
  Recomputation best_;
  std::vector<aot::ValueCost> costs_;
  double per_byte_ = 0;
  MemoryPoint everything_kept_;
  std::vector<MemoryPoint> points_;
  std::vector<std::vector<bool>> tried_;  // what was kept
};

// Between a charge at which the program is too large and one at which it fits.
void refine(Alternatives& alternatives, double too_large, double fits, int64_t budget) {
  for (int i = 0; i < kRefinements; ++i) {
    const double middle = std::sqrt(std::max(too_large, kLeastCharge / 2) * fits);
    const auto point = alternatives.try_charge(middle, budget);
    if (!point) return;
    (point->peak_bytes <= budget ? fits : too_large) = middle;
  }
}

void meet_budget(Alternatives& alternatives, int64_t budget) {
  double before = 0;
  for (double charge = kLeastCharge; charge <= kMostCharge; charge *= kChargeStep) {
    const auto point = alternatives.try_charge(charge, budget);
    if (point && point->peak_bytes <= budget) return refine(alternatives, before, charge, budget);
    before = charge;
  }
  const int64_t least = std::ranges::min(alternatives.points(), {}, &MemoryPoint::peak_bytes).peak_bytes;
  throw Error({.code = ErrorCode::memory,
               .op = "memory_budget",
               .expected = concat("a budget of at least ", least, " bytes, ", to_text(Bytes(least)),
                                  ", which is the smallest that can be met"),
               .given = concat(budget, " bytes"),
               .hint = concat("without one the program needs ",
                              alternatives.everything_kept().peak_bytes,
                              " bytes at most; a smaller batch needs less")});
}

}  // namespace

bool has_gradients(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const graph::Node& node) {
    return node.phase != graph::Phase::forward;
  });
}

int64_t peak_bytes(const Plan& plan) {
  int64_t bytes = plan.arena_bytes;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    const bool is_apart = buffer.kind == schedule::BufferKind::temporary && buffer.offset < 0;
    if (buffer.kind != schedule::BufferKind::output && !is_apart) continue;
    bytes += (numel(buffer.shape).hint_or(1) * buffer.dtype.bits + 7) / 8;
  }
  return bytes;
}

Recomputation choose_recomputation(const Graph& graph, const schedule::Options& options,
                                   int64_t budget) {
  Alternatives alternatives(graph, options);
  alternatives.try_charge(0, budget);
  const auto fits = [&](const MemoryPoint& point) { return point.peak_bytes <= budget; };
  if (budget > 0 && std::ranges::none_of(alternatives.points(), fits)) {
    meet_budget(alternatives, budget);
  }
  return alternatives.take();
}

std::vector<MemoryPoint> memory_curve(const Graph& graph, const schedule::Options& options) {
  Alternatives alternatives(graph, options);
  alternatives.try_charge(0, 0);
  for (double charge = kLeastCharge; charge <= kMostCharge; charge *= kChargeStep) {
    alternatives.try_charge(charge, 0);
  }
  std::vector<MemoryPoint> points = alternatives.points(), envelope;
  std::ranges::stable_sort(points, {}, [](const MemoryPoint& one) {
    return std::pair(one.predicted_us, one.peak_bytes);
  });
  for (const MemoryPoint& one : points) {
    if (envelope.empty() || one.peak_bytes < envelope.back().peak_bytes) envelope.push_back(one);
  }
  return envelope;
}

}  // namespace ridge::driver
