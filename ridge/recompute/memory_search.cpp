#include "ridge/recompute/memory_search.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "ridge/aot/partition.h"
#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::recompute {
namespace {

// What a kept byte is charged for, over what it takes to read one: from hardly anything to so much
// that nothing is kept that can be computed again.
constexpr double kLeastCharge = 0.125, kChargeStep = 2, kMostCharge = 1 << 18;
// Halvings of the graph, to find how much of it has to be charged more for a budget to be met.
constexpr int kRefinements = 5;
// Points between two of a curve that are further apart than this share of the largest peak.
constexpr double kWideGap = 0.1;
constexpr double kParts[] = {0.25, 0.5, 0.75};
// Segments of the forward half, at most, and numbers of them that are tried without a gain.
constexpr size_t kMostSegments = 256;
constexpr int kSegmentsInVain = 4;

bool is_better(const MemoryPoint& a, const MemoryPoint& b) {
  return a.predicted_us <= b.predicted_us && a.peak_bytes <= b.peak_bytes &&
         (a.predicted_us < b.predicted_us || a.peak_bytes < b.peak_bytes);
}

// Of the program that keeps what a cut would compute again: as a whole it was no worse.
void say_that_all_is_kept(std::vector<aot::SavedOrRecomputed>& decisions) {
  for (aot::SavedOrRecomputed& one : decisions) {
    Decision& made = one.decision;
    if (made && made.cost_if_yes_us && *made.cost_if_yes_us > made.cost_if_no_us) {
      made.reason = "the program that computes it again is slower or larger as a whole";
    }
  }
}

// The charges that a step of the sweep leads through, each once.
template <class Try>
void sweep_charges(Try try_charge) {
  for (double charge = kLeastCharge; charge <= kMostCharge; charge *= kChargeStep) {
    if (!try_charge(charge)) return;
  }
}

}  // namespace

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

MemorySearch::MemorySearch(const graph::Graph& graph, CutPrices prices, CutPlanner& planner,
                           std::optional<MemoryPoint> given)
    : graph_(graph), prices_(std::move(prices)), planner_(planner) {
  aot::Partition everything = aot::keep_everything(graph, prices_.costs);
  decisions_ = everything.decisions;
  say_that_all_is_kept(decisions_);
  if (!decisions_.empty()) last_choice_ = decisions_.back().value.index + 1;
  if (aot::has_checkpoints(graph)) {
    best_ = planned(everything, -1);
    planner_.take();
    everything_kept_ = planner_.without_budget(aot::recompute(graph, everything), best_);
    cut_ = std::move(everything);
  } else {
    best_ = given ? *given : planner_.plan(graph);
    if (!given) planner_.take();
    count_values(best_, everything);
    best_.charge = -1;
    everything_kept_ = planner_.without_budget(graph, best_);
  }
  as_it_is_ = best_;
  points_.push_back(best_);
}

bool MemorySearch::is_stored(graph::ValueId id) const {
  return prices_.is_stored.empty() || prices_.is_stored[static_cast<size_t>(id.index)];
}

// Of the graph as it is: in the place of what readers compute for themselves, what they read for it.
void MemorySearch::count_values(MemoryPoint& point, const aot::Partition& cut) const {
  graph::ValueIds open;
  for (const aot::SavedOrRecomputed& one : cut.decisions) open.push_back(one.value);
  std::vector<bool> is_met(graph_.values.size());
  int64_t bytes = 0;
  point.kept = 0;
  while (!open.empty()) {
    const graph::ValueId id = open.back();
    open.pop_back();
    const int32_t maker = graph_[id].node;
    if (maker < 0 || is_met[static_cast<size_t>(id.index)]) continue;
    is_met[static_cast<size_t>(id.index)] = true;
    if (is_stored(id)) {
      ++point.kept;
      bytes += prices_.costs[static_cast<size_t>(id.index)].bytes;
    } else {
      const graph::ValueIds read = graph::operands(graph_.nodes[static_cast<size_t>(maker)]);
      open.insert(open.end(), read.begin(), read.end());
    }
  }
  if (point.kept_bytes == 0) point.kept_bytes = bytes;
}

MemoryPoint MemorySearch::planned(const aot::Partition& cut, double charge) {
  MemoryPoint point{.kept_bytes = cut.kept_bytes, .charge = charge};
  for (const aot::SavedOrRecomputed& one : cut.decisions) {
    ++(one.decision ? point.kept : point.recomputed);
  }
  const MemoryPoint made = planner_.plan(aot::recompute(graph_, cut));
  point.predicted_us = made.predicted_us;
  point.peak_bytes = made.peak_bytes;
  if (made.kept_bytes > 0) point.kept_bytes = made.kept_bytes;
  return point;
}

MemoryPoint MemorySearch::try_charges(double early, double late, double part) {
  const auto first_late = static_cast<int32_t>(part * last_choice_);
  return try_cut(aot::partition(graph_, prices_.costs,
                                {early * prices_.per_byte, late * prices_.per_byte, first_late}),
                 early);
}

MemoryPoint MemorySearch::try_cut(aot::Partition cut, double charge) {
  const auto known = std::ranges::find(tried_, cut.is_kept, &Tried::is_kept);
  if (known != tried_.end()) return known->point;
  if (!cut.recomputes() || !gives_up_memory(cut)) {
    // The same program: readers compute for themselves what is computed again.
    if (tried_.empty()) decisions_ = cut.decisions;
    return remember(cut, as_it_is_);
  }
  const MemoryPoint point = planned(cut, charge);
  points_.push_back(point);
  remember(cut, point);
  if (is_preferred(point)) {
    planner_.take();
    best_ = point;
    decisions_ = cut.decisions;
    cut_ = std::move(cut);
  }
  return point;
}

bool MemorySearch::gives_up_memory(const aot::Partition& cut) const {
  return std::ranges::any_of(cut.decisions, [&](const aot::SavedOrRecomputed& one) {
    return !one.decision && is_stored(one.value);
  });
}

MemoryPoint MemorySearch::remember(const aot::Partition& cut, const MemoryPoint& point) {
  tried_.push_back({cut.is_kept, point});
  return point;
}

bool MemorySearch::is_preferred(const MemoryPoint& point) const {
  if (budget_ == 0) return is_better(point, best_);
  if (fits(point) != fits(best_)) return fits(point);
  return fits(point) ? point.predicted_us < best_.predicted_us
                     : point.peak_bytes < best_.peak_bytes;
}

// Between a program that is too large and one that fits: what was computed first is held longest, so
// that is charged more first.
void MemorySearch::refine(double too_large, double fitting) {
  double least = 0, most = 1;
  for (int i = 0; i < kRefinements; ++i) {
    const double middle = (least + most) / 2;
    const MemoryPoint point = try_charges(fitting, too_large, middle);
    (fits(point) ? most : least) = middle;
  }
}

// Layers change together from one charge to the next: where that leaves a gap, parts of the graph do.
void MemorySearch::fill_gaps() {
  const auto gap =
      static_cast<int64_t>(kWideGap * static_cast<double>(everything_kept_.peak_bytes));
  const std::vector<MemoryPoint> envelope = lower_envelope(points_);
  for (size_t i = 1; i < envelope.size(); ++i) {
    if (envelope[i - 1].peak_bytes - envelope[i].peak_bytes <= gap) continue;
    const double late = std::max(0.0, envelope[i - 1].charge);
    for (const double part : kParts) {
      try_charges(envelope[i].charge, late, part);
    }
  }
}

// Fewer and longer ones first: they keep less between them, and more of each lives at once. The best
// number lies between, so it is over where several more did not help.
void MemorySearch::try_segments() {
  int64_t least = std::numeric_limits<int64_t>::max();
  int in_vain = 0;
  for (size_t count = 2; count <= kMostSegments && in_vain < kSegmentsInVain;
       count += std::max<size_t>(1, count / 3)) {
    if (2 * count > graph_.nodes.size()) return;
    aot::SegmentedPartitions cuts = aot::partition_segments(
        graph_, prices_.costs, aot::forward_segments(graph_, prices_.costs, count));
    const int64_t peak = std::min(try_cut(std::move(cuts.cheapest), kMostCharge).peak_bytes,
                                  try_cut(std::move(cuts.keeps_most), kMostCharge).peak_bytes);
    if (budget_ > 0 && peak <= budget_) return;
    in_vain = peak < least ? 0 : in_vain + 1;
    least = std::min(least, peak);
  }
}

void MemorySearch::meet_budget() {
  sweep_charges([&](double charge) { return !fits(try_charge(charge)); });
  std::vector<MemoryPoint> envelope = lower_envelope(points_);
  const auto first =
      std::ranges::find_if(envelope, [&](const MemoryPoint& point) { return fits(point); });
  if (first == envelope.begin()) return;  // the fastest of all
  if (first != envelope.end()) {
    return refine(std::max(0.0, std::prev(first)->charge), first->charge);
  }
  fill_gaps();
  if (std::ranges::none_of(points_, [&](const MemoryPoint& one) { return fits(one); })) {
    try_segments();
  }
  const int64_t least = lower_envelope(points_).back().peak_bytes;
  if (least <= budget_) return;
  throw_unmet_budget(budget_, least,
                     concat("keeping everything takes ", everything_kept_.peak_bytes,
                            " bytes; a smaller batch needs less"));
}

void MemorySearch::find(int64_t budget) {
  budget_ = budget;
  try_charge(0);
  const auto is_met = [&](const MemoryPoint& point) { return fits(point); };
  if (budget > 0 && std::ranges::none_of(points_, is_met)) meet_budget();
}

std::vector<MemoryPoint> MemorySearch::curve() {
  try_charge(0);
  sweep_charges([&](double charge) {
    try_charge(charge);
    return true;
  });
  fill_gaps();
  try_segments();
  return lower_envelope(points_);
}

void throw_unmet_budget(int64_t budget, int64_t least, std::string hint) {
  throw Error({.code = ErrorCode::memory,
               .op = "memory_budget",
               .expected = concat("a budget of at least ", least, " bytes, ", to_text(Bytes(least)),
                                  ", which is the smallest that can be met"),
               .given = concat(budget, " bytes"),
               .hint = std::move(hint)});
}

}  // namespace ridge::recompute
