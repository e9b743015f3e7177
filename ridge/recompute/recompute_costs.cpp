#include "ridge/recompute/recompute_costs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "ridge/cost/sheet.h"
#include "ridge/graph/control.h"
#include "ridge/schedule/group_price.h"

namespace ridge::recompute {
namespace {

using cost::Resource;
using graph::Graph;
using graph::Node;
using graph::ValueId;
using schedule::GroupKind;
using schedule::KernelCall;
using schedule::Plan;

size_t position(ValueId id) { return static_cast<size_t>(id.index); }

constexpr double kPicoseconds = 1e12;

int64_t in_picoseconds(double seconds) {
  const double picoseconds = seconds * kPicoseconds;
  return picoseconds >= static_cast<double>(aot::kUncut)
             ? aot::kUncut
             : static_cast<int64_t>(std::llround(std::max(picoseconds, 0.0)));
}

int64_t bytes_of(const graph::Type& type) {
  return (numel(type.shape).hint_or(1) * type.dtype.bits + 7) / 8;
}

// Bytes a second, from or to the nearest memory that holds what lies between the halves.
double rate_of(const Plan& plan, const std::string& direction) {
  const cost::Sheet& sheet = *plan.sheet;
  for (const std::string level : {"l2", "l3"}) {
    const auto size = sheet.value(level + ".bytes");
    if (!size || *size < plan.resident) continue;
    if (const auto rate = sheet.value(level + "." + direction)) return *rate;
  }
  if (const auto rate = sheet.value("dram." + direction)) return *rate;
  return sheet.bandwidth().value_or(1e9);
}

// What is left of a kernel whose operands are at hand and whose result nobody stores.
double arithmetic_of(const cost::Price& price, bool is_gpu) {
  const auto seconds = [&](Resource one) { return price.seconds[static_cast<size_t>(one)]; };
  const double plain = seconds(Resource::fma) + seconds(Resource::alu);
  // Units of a GPU work beside each other, a core takes one after the other.
  return is_gpu ? std::max(plain, seconds(Resource::special)) : plain + seconds(Resource::special);
}

// Which values go through memory, and where to, in the plan that keeps everything.
struct Passed {
  std::vector<bool> between_forward;  // from one forward kernel to another
  std::vector<bool> to_products;      // into a gradient's product or scatter
};

Passed passed_through_memory(const Graph& graph, const Plan& plan,
                             const std::vector<bool>& is_backward) {
  Passed passed{std::vector<bool>(graph.values.size()), std::vector<bool>(graph.values.size())};
  for (const KernelCall& call : plan.calls) {
    const std::set<int32_t> here(call.nodes.begin(), call.nodes.end());
    const bool reads_memory = call.kind == GroupKind::contraction ||
                              call.kind == GroupKind::scatter || call.kind == GroupKind::chain;
    for (const int32_t number : call.nodes) {
      const Node& node = graph.nodes[static_cast<size_t>(number)];
      for (const ValueId id : graph::operands(node)) {
        if (here.contains(graph[id].node)) continue;
        if (!is_backward[static_cast<size_t>(number)]) {
          passed.between_forward[position(id)] = true;
        } else if (reads_memory) {
          passed.to_products[position(id)] = true;
        }
      }
    }
  }
  return passed;
}

class CostFinder {
 public:
  CostFinder(const Graph& graph, const Plan& plan)
      : graph_(graph),
        plan_(plan),
        program_(graph, /*inlines=*/false),
        pricer_(program_, *plan.sheet, plan.resident, plan.maps_products),
        is_backward_(aot::backward_nodes(graph)),
        passed_(passed_through_memory(graph, plan, is_backward_)) {}

  std::vector<aot::ValueCost> run() {
    std::vector<aot::ValueCost> costs(graph_.values.size());
    for (size_t i = 0; i < costs.size(); ++i) {
      const double bytes = static_cast<double>(bytes_of(graph_.values[i].type));
      costs[i].read = in_picoseconds(bytes / rate_of(plan_, "read"));
    }
    for (const schedule::Group& alone : schedule::fuse_nothing(program_).groups) {
      const int32_t node = alone.members.front().node;
      if (!is_backward_[static_cast<size_t>(node)]) add(alone, node, costs);
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const auto node = static_cast<int32_t>(i);
      if (!program_.is_inlined(node)) continue;
      aot::ValueCost& cost = costs[position(program_.result(node))];
      cost.recompute = 0;
      cost.can_be_kept = false;
    }
    for (const ValueId id : decisive_values(program_, is_backward_)) {
      costs[position(id)].recompute = aot::kUncut;
    }
    return costs;
  }

 private:
  void add(const schedule::Group& alone, int32_t node, std::vector<aot::ValueCost>& costs) {
    const ValueId id = program_.result(node);
    const double bytes = static_cast<double>(bytes_of(graph_[id].type));
    aot::ValueCost& cost = costs[position(id)];
    const bool is_kept = program_.is_live_out(id);
    cost.bytes = is_kept ? 0 : bytes_of(graph_[id].type);
    if (!is_kept && !passed_.between_forward[position(id)]) {
      cost.write = in_picoseconds(bytes / rate_of(plan_, "write"));
    }
    const bool is_map = alone.kind == GroupKind::map;
    if (is_map && !passed_.to_products[position(id)]) {
      cost.recompute = in_picoseconds(arithmetic_of(pricer_.price(alone), pricer_.is_of_gpu()));
    } else {
      // Either way the gradient reads it from memory.
      cost.recompute = in_picoseconds(pricer_.seconds(alone)) + cost.read;
    }
  }

  const Graph& graph_;
  const Plan& plan_;
  schedule::InlinedGraph program_;
  schedule::GroupPricer pricer_;
  std::vector<bool> is_backward_;
  Passed passed_;
};

}  // namespace

std::vector<aot::ValueCost> recompute_costs(const Graph& graph, const Plan& plan) {
  return CostFinder(graph, plan).run();
}

double picoseconds_per_read_byte(const Plan& plan) { return kPicoseconds / rate_of(plan, "read"); }

}  // namespace ridge::recompute
