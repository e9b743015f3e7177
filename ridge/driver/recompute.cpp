#include "ridge/driver/recompute.h"

#include <algorithm>
#include <iterator>

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
// Halvings of the graph, to find how much of it has to be charged more for a budget to be met.
constexpr int kRefinements = 5;
// Points between two of a curve that are further apart than this share of the largest peak.
constexpr double kWideGap = 0.1;
constexpr double kParts[] = {0.25, 0.5, 0.75};

bool is_better(const MemoryPoint& a, const MemoryPoint& b) {
  return a.predicted_us <= b.predicted_us && a.peak_bytes <= b.peak_bytes &&
         (a.predicted_us < b.predicted_us || a.peak_bytes < b.peak_bytes);
}

// Those for which no other one is faster and needs no more memory; least memory last.
std::vector<MemoryPoint> lower_envelope(std::vector<MemoryPoint> points) {
  std::vector<MemoryPoint> envelope;
  std::ranges::stable_sort(points, {}, [](const MemoryPoint& one) {
    return std::pair(one.predicted_us, one.peak_bytes);
  });
  for (const MemoryPoint& one : points) {
    if (envelope.empty() || one.peak_bytes < envelope.back().peak_bytes) envelope.push_back(one);
  }
  return envelope;
}

// Programs that compute the same, made and priced one by one.
class Alternatives {
 public:
  Alternatives(const Graph& graph, const schedule::Options& options)
      : graph_(graph), options_(options), best_(planned(graph)) {
    best_.report.point.charge = -1;
    costs_ = recompute_costs(graph, best_.plan);
    per_byte_ = picoseconds_per_read_byte(best_.plan);
    everything_kept_ = best_.report.point;
    is_stored_.resize(graph.values.size());
    for (const schedule::PlannedBuffer& buffer : best_.plan.buffers) {
      is_stored_[static_cast<size_t>(buffer.value.index)] = true;
    }
    points_.push_back(best_.report.point);
  }

  const std::vector<MemoryPoint>& points() const { return points_; }
  const MemoryPoint& everything_kept() const { return everything_kept_; }
  Recomputation take() {
    best_.report.everything_kept = everything_kept_;
    return std::move(best_);
  }

  // The best cut for so much a byte.
  MemoryPoint try_charge(double charge, int64_t budget) {
    return try_charges(charge, charge, 0, budget);
  }

  // One for the first part of what could be kept, another one for the rest.
  MemoryPoint try_charges(double early, double late, double part, int64_t budget) {
    const auto first_late = static_cast<int32_t>(part * last_choice_);
    aot::Partition cut =
        aot::partition(graph_, costs_, {early * per_byte_, late * per_byte_, first_late});
    if (tried_.empty()) {
      best_.report.decisions = cut.decisions;
      if (!cut.decisions.empty()) last_choice_ = cut.decisions.back().value.index + 1;
    }
    const auto known = std::ranges::find(tried_, cut.is_kept, &Tried::is_kept);
    if (known != tried_.end()) return known->point;
    if (!cut.recomputes() || !gives_up_memory(cut)) return remember(cut, everything_kept_);
    Recomputation one = planned(aot::recompute(graph_, cut));
    one.report.decisions = std::move(cut.decisions);
    one.report.point.kept_bytes = cut.kept_bytes;
    one.report.point.charge = early;
    for (const aot::KeptOrRecomputed& value : one.report.decisions) {
      ++(value.decision ? one.report.point.kept : one.report.point.recomputed);
    }
    const MemoryPoint point = one.report.point;
    points_.push_back(point);
    if (is_preferred(point, budget)) best_ = std::move(one);
    return remember(cut, point);
  }

 private:
  struct Tried {
    std::vector<bool> is_kept;  // by value
    MemoryPoint point;
  };

  // Does it compute anything again that has memory where everything is kept? What is cheap enough never
  // had any: readers compute it for themselves.
  bool gives_up_memory(const aot::Partition& cut) const {
    return std::ranges::any_of(cut.decisions, [&](const aot::KeptOrRecomputed& one) {
      return !one.decision && is_stored_[static_cast<size_t>(one.value.index)];
    });
  }

  MemoryPoint remember(const aot::Partition& cut, const MemoryPoint& point) {
    tried_.push_back({cut.is_kept, point});
    return point;
  }

  Recomputation planned(Graph graph) const {
    Recomputation one{.graph = std::move(graph), .plan = {}};
    one.plan = schedule::schedule(one.graph, options_);
    one.report.point.predicted_us = predicted_run_us(one.plan, one.graph);
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
  std::vector<bool> is_stored_;  // by value, where everything is kept
  double per_byte_ = 0;
  MemoryPoint everything_kept_;
  std::vector<MemoryPoint> points_;
  std::vector<Tried> tried_;
  double last_choice_ = 0;  // no value from here on could be kept or computed again
};

// The charges that a step of the sweep leads through, each once.
template <class Try>
void sweep_charges(Try try_charge) {
  for (double charge = kLeastCharge; charge <= kMostCharge; charge *= kChargeStep) {
    if (!try_charge(charge)) return;
  }
}

// Between a program that is too large and one that fits: what was computed first is held longest, so
// that is charged more first.
void refine(Alternatives& alternatives, double too_large, double fits, int64_t budget) {
  double least = 0, most = 1;
  for (int i = 0; i < kRefinements; ++i) {
    const double middle = (least + most) / 2;
    const MemoryPoint point = alternatives.try_charges(fits, too_large, middle, budget);
    (point.peak_bytes <= budget ? most : least) = middle;
  }
}

// Layers change together from one charge to the next: where that leaves a gap, parts of the graph do.
void fill_gaps(Alternatives& alternatives, int64_t budget) {
  const auto gap = static_cast<int64_t>(
      kWideGap * static_cast<double>(alternatives.everything_kept().peak_bytes));
  const std::vector<MemoryPoint> envelope = lower_envelope(alternatives.points());
  for (size_t i = 1; i < envelope.size(); ++i) {
    if (envelope[i - 1].peak_bytes - envelope[i].peak_bytes <= gap) continue;
    const double late = std::max(0.0, envelope[i - 1].charge);
    for (const double part : kParts) {
      alternatives.try_charges(envelope[i].charge, late, part, budget);
    }
  }
}

void meet_budget(Alternatives& alternatives, int64_t budget) {
  const auto fits = [&](const MemoryPoint& point) { return point.peak_bytes <= budget; };
  sweep_charges([&](double charge) { return !fits(alternatives.try_charge(charge, budget)); });
  std::vector<MemoryPoint> envelope = lower_envelope(alternatives.points());
  const auto first = std::ranges::find_if(envelope, fits);
  if (first != envelope.begin() && first != envelope.end()) {
    return refine(alternatives, std::max(0.0, std::prev(first)->charge), first->charge, budget);
  }
  fill_gaps(alternatives, budget);
  const int64_t least = lower_envelope(alternatives.points()).back().peak_bytes;
  if (least <= budget) return;
  throw Error(
      {.code = ErrorCode::memory,
       .op = "memory_budget",
       .expected = concat("a budget of at least ", least, " bytes, ", to_text(Bytes(least)),
                          ", which is the smallest that can be met"),
       .given = concat(budget, " bytes"),
       .hint = concat("keeping everything takes ", alternatives.everything_kept().peak_bytes,
                      " bytes; a smaller batch needs less")});
}

}  // namespace

bool has_gradients(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, graph::is_of_gradient);
}

double predicted_run_us(const Plan& plan, const Graph& graph) {
  double sum = 0;
  for (const KernelRow& row : rows_of(plan, graph)) sum += row.time_us();
  return sum;
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
  sweep_charges([&](double charge) {
    alternatives.try_charge(charge, 0);
    return true;
  });
  fill_gaps(alternatives, 0);
  return lower_envelope(alternatives.points());
}

}  // namespace ridge::driver
