#include "tests/fuzz/shrink.h"

#include <algorithm>
#include <set>

#include "tests/fuzz/graph_cut.h"
#include "tests/fuzz/random_graph.h"

namespace ridge::fuzz {
namespace {

using graph::Graph;
using graph::ValueId;

bool is_valid(const Graph& graph) {
  try {
    graph::verify(graph);
    return !graph.outputs.empty();
  } catch (const Error&) {
    return false;
  }
}

bool has_type_of(const Graph& graph, ValueId a, ValueId b) {
  return graph::to_text(graph[a].type) == graph::to_text(graph[b].type);
}

void add_fewer_outputs(const Graph& graph, std::vector<Graph>& found) {
  if (graph.outputs.size() < 2) return;
  for (const ValueId id : graph.outputs) found.push_back(with_outputs(graph, {id}));
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    graph::ValueIds rest = graph.outputs;
    rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
    found.push_back(with_outputs(graph, rest));
  }
}

// Later values first: what they alone depend on goes with them. Then earlier ones as outputs.
void add_fewer_nodes(const Graph& graph, std::vector<Graph>& found) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    for (const ValueId result : node.results) {
      for (const ValueId operand : graph::operands(node)) {
        if (has_type_of(graph, operand, result)) {
          found.push_back(with_replaced(graph, result, operand));
        }
      }
      if (node.token == 0) found.push_back(with_input_for(graph, result));
    }
  }
  for (const graph::Node& node : graph.nodes) {
    if (graph.outputs != graph::ValueIds{node.results[0]}) {
      found.push_back(with_outputs(graph, {node.results[0]}));
    }
  }
}

void add_fewer_updates(const Graph& graph, std::vector<Graph>& found) {
  for (size_t i = 0; i < graph.updates.size(); ++i) {
    Graph fewer = graph;
    fewer.updates.erase(fewer.updates.begin() + static_cast<ptrdiff_t>(i));
    found.push_back(with_outputs(fewer, fewer.outputs));
  }
}

void add_smaller_sizes(const Graph& graph, std::vector<Graph>& found) {
  std::set<int64_t> sizes;
  for (const ValueId id : graph.inputs) {
    for (const Size& size : graph[id].type.shape) sizes.insert(known(size));
  }
  for (const int64_t from : sizes) {
    for (const int64_t to : {int64_t{1}, int64_t{2}, int64_t{3}, from / 2, from - 1}) {
      if (to >= from || to < 1) continue;
      if (std::optional<Graph> graph_now = with_size(graph, from, to)) {
        found.push_back(std::move(*graph_now));
      }
    }
  }
}

// Inputs that are plain: row-major, of the grid.
void add_plainer_inputs(const Graph& graph, std::vector<Graph>& found) {
  for (const ValueId id : graph.inputs) {
    const std::string& name = graph[id].name;
    Graph plainer = graph;
    if (const size_t layout = name.find_first_of("ts", name.find_last_of("0123456789"));
        layout != std::string::npos) {
      plainer[id].name = name.substr(0, layout - 1);
    } else if (name.substr(0, 4) == "fine" || name.substr(0, 7) == "special") {
      plainer[id].name = "grid" + name.substr(name.find('_'));
    } else {
      continue;
    }
    found.push_back(std::move(plainer));
  }
}

// Written out, so that what is wrong with the gradients alone can be cut out of them.
void add_without_gradients(const Case& given, std::vector<Case>& found) {
  found.push_back({given.graph, given.data_seed});
  try {
    found.push_back(with_gradients(given));
  } catch (const Error&) {
    // Then making them is what fails.
  }
}

}  // namespace

std::vector<Case> smaller_cases(const Case& given) {
  std::vector<Graph> graphs;
  add_fewer_outputs(given.graph, graphs);
  add_fewer_updates(given.graph, graphs);
  add_fewer_nodes(given.graph, graphs);
  add_smaller_sizes(given.graph, graphs);
  add_plainer_inputs(given.graph, graphs);
  std::vector<Case> cases;
  if (given.has_gradients) add_without_gradients(given, cases);
  for (Graph& graph : graphs) {
    if (!is_valid(graph)) continue;
    cases.push_back({std::move(graph), given.data_seed, given.has_gradients});
  }
  return cases;
}

Case shrink(const Case& given, const std::function<bool(const Case&)>& fails, int attempts) {
  Case smallest = given;
  bool is_progress = true;
  while (is_progress && attempts > 0) {
    is_progress = false;
    for (Case& smaller : smaller_cases(smallest)) {
      if (attempts-- <= 0) break;
      if (!fails(smaller)) continue;
      smallest = std::move(smaller);
      is_progress = true;
      break;
    }
  }
  return smallest;
}

}  // namespace ridge::fuzz
