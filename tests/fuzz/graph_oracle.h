// The oracle of one graph: every value as it should be, and as it came out of the moved runs (oracle.h).
//
// Comes in: a functional graph of ops with a body or a definition (`oracle_form`), and its inputs. Nodes
// of control flow run their bodies by an oracle of their own; where rounding could turn what the host
// decides by, nothing is known of the results.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "ridge/graph/control.h"
#include "ridge/graph/graph.h"
#include "tests/fuzz/oracle.h"
#include "tests/fuzz/tracked_value.h"

namespace ridge::fuzz {

graph::Graph oracle_form(const graph::Graph& graph);

class GraphOracle {
 public:
  // Computes everything; throws NotJudgeable.
  GraphOracle(const graph::Graph& graph, std::span<const Tracked> inputs, SplitMix64& random);

  const Tracked& operator[](graph::ValueId id) const {
    return values_[static_cast<size_t>(id.index)];
  }

 private:
  Tracked& at(graph::ValueId id) { return values_[static_cast<size_t>(id.index)]; }
  template <class Make>
  std::vector<Tensor> operands(const graph::Node& node, Make make);
  std::vector<Tensor> call(const graph::Node& node, const std::vector<Tensor>& operands) const;

  // --- graph_oracle.cpp ---
  void evaluate(const graph::Node& node);
  bool is_rounded(const Tracked& tracked, size_t operand) const;
  bool is_one_rounding(const graph::Node& node, const Tensor& result);
  bool divides_by_zero(const graph::Node& node, const Tensor& result);
  void run_moved(const graph::Node& node);
  void add_errors_of_long_sum(const graph::Node& node);
  bool decides(const graph::Node& node) const;
  void take_other_outcomes(const graph::Node& node);
  // What differs from the right results, in one of the runs.
  void take(const std::vector<Tensor>& outcomes, const graph::Node& node, size_t run_number);

  // --- equal_copies.cpp ---
  // Is every bit of the results one of the operands', or decided by them alone?
  bool keeps_bits(const graph::Node& node) const;
  const Tensor& as_read(graph::ValueId id, size_t run);
  std::vector<graph::ValueId> sources_of(graph::ValueId id) const;
  bool shares_sources(const graph::Node& node) const;
  void take_outcomes_of_sources(const graph::Node& node);

  // --- control_oracle.cpp ---
  using TrackedList = std::vector<Tracked>;
  void evaluate_control(const graph::Node& node);
  TrackedList tracked(const graph::ValueIds& ids) const;
  TrackedList run_body(const graph::Body& body, const TrackedList& inputs);
  TrackedList run_cond(const graph::ControlParts& parts);
  TrackedList run_scan(const graph::ControlParts& parts);
  TrackedList run_while(const graph::ControlParts& parts);

  const graph::Graph& graph_;
  SplitMix64& random_;
  std::vector<Tracked> values_;
  std::vector<DType> read_dtypes_{};  // of the operands of the node being evaluated
  // By value: results of nodes that keep bits, of operands that are not exact. What each reader finds
  // in a moved run is then what the operands say; of another value it is `as_read_`, made when asked.
  std::vector<bool> is_derived_;
  std::vector<std::array<Tensor, kRuns>> as_read_;
  std::map<const graph::Graph*, graph::Graph> bodies_;  // as the oracle takes them
};

template <class Make>
std::vector<Tensor> GraphOracle::operands(const graph::Node& node, Make make) {
  std::vector<Tensor> result;
  for (const graph::ValueId id : graph::operands(node)) result.push_back(make(id, result.size()));
  return result;
}

}  // namespace ridge::fuzz
