// The search for a program with gradients that is fast and needs little memory: cuts by rising charges
// for each byte that is kept (aot/partition.h), planned and priced one by one.
//
//   MemorySearch search(graph, prices, planner, point_of_the_graph_as_it_is);
//   search.find(budget);            // 0: no slower and no larger than keeping everything
//   search.best(), search.decisions()
//
// Layers are alike, so with one charge all of them change their minds at once: between two neighbors on
// the lower envelope the higher charge holds for the first part of the graph only, since what was
// computed first is held longest. Where charges do not lead far enough down, the forward half is cut into
// segments (aot/partition.h), each of which is computed again as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ridge/aot/partition.h"
#include "ridge/graph/graph.h"

namespace ridge::recompute {

// One program among those that compute the same.
struct MemoryPoint {
  double predicted_us = 0;
  int64_t peak_bytes = 0;
  int64_t kept_bytes = 0;  // of forward values, for the gradient
  size_t kept = 0;         // values
  size_t recomputed = 0;   // values
  // For each byte kept, over what reading it takes; below 0: everything was kept.
  double charge = 0;
};

// Those for which no other one is faster and needs no more memory; least memory last.
std::vector<MemoryPoint> lower_envelope(std::vector<MemoryPoint> points);

// What cuts of a graph go by.
struct CutPrices {
  std::vector<aot::ValueCost> costs;
  double per_byte = 0;  // picoseconds to read one
  // By value: has it memory where everything is kept? What is cheap enough never has: readers compute it
  // for themselves. Empty where that is not known.
  std::vector<bool> is_stored{};
};

// Makes plans of the graphs that a search comes up with.
class CutPlanner {
 public:
  virtual ~CutPlanner() = default;
  // Time and peak; other figures where it knows better than the cut.
  virtual MemoryPoint plan(graph::Graph graph) = 0;
  // Of a graph that took `planned`: what it would without a budget, where parts of it were planned for
  // one.
  virtual MemoryPoint without_budget(const graph::Graph& /*graph*/, const MemoryPoint& planned) {
    return planned;
  }
  // What was planned last is the best so far.
  virtual void take() = 0;
};

class MemorySearch {
 public:
  // `planned`: what the graph as it is takes, where the planner has planned and taken it. It is not asked
  // for where the graph has checkpoints.
  MemorySearch(const graph::Graph& graph, CutPrices prices, CutPlanner& planner,
               std::optional<MemoryPoint> planned = {});

  // Error{memory} that says the smallest budget, where it cannot be met.
  void find(int64_t budget);
  // What can be had: the lower envelope of time against memory.
  std::vector<MemoryPoint> curve();

  const MemoryPoint& best() const { return best_; }
  // Without a budget, whatever is asked for.
  const MemoryPoint& everything_kept() const { return everything_kept_; }
  // About values of the graph.
  const std::vector<aot::SavedOrRecomputed>& decisions() const { return decisions_; }
  // What `best` computes again; nothing where it is the graph as it is.
  const std::optional<aot::Partition>& cut() const { return cut_; }

 private:
  struct Tried {
    std::vector<bool> is_kept;  // by value
    MemoryPoint point;
  };
  MemoryPoint try_charge(double charge) { return try_charges(charge, charge, 0); }
  // One for the first part of what could be kept, another one for the rest.
  MemoryPoint try_charges(double early, double late, double part);
  // The program with this cut; `charge` as a MemoryPoint has it.
  MemoryPoint try_cut(aot::Partition cut, double charge);
  MemoryPoint planned(const aot::Partition& cut, double charge);
  bool is_stored(graph::ValueId id) const;
  void count_values(MemoryPoint& point, const aot::Partition& cut) const;
  MemoryPoint remember(const aot::Partition& cut, const MemoryPoint& point);
  bool gives_up_memory(const aot::Partition& cut) const;
  bool is_preferred(const MemoryPoint& point) const;
  bool fits(const MemoryPoint& point) const { return point.peak_bytes <= budget_; }
  void refine(double too_large, double fitting);
  void fill_gaps();
  void try_segments();
  void meet_budget();

  const graph::Graph& graph_;
  CutPrices prices_;
  CutPlanner& planner_;
  int64_t budget_ = 0;
  MemoryPoint best_, as_it_is_, everything_kept_;
  std::vector<aot::SavedOrRecomputed> decisions_;
  std::optional<aot::Partition> cut_;
  std::vector<MemoryPoint> points_;
  std::vector<Tried> tried_;
  double last_choice_ = 0;  // no value from here on could be kept or computed again
};

// Error{memory} of a budget that cannot be met: it says the smallest that can. Its line is added by
// whoever knows the function.
[[noreturn]] void throw_unmet_budget(int64_t budget, int64_t least, std::string hint);

}  // namespace ridge::recompute
