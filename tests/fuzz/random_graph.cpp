#include "tests/fuzz/random_graph.h"

#include "ridge/aot/differentiate.h"
#include "ridge/base/text.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

ops::Control any_control(GraphBuilder& b) {
  return static_cast<ops::Control>(b.integer(static_cast<int64_t>(ops::Control::cond),
                                             static_cast<int64_t>(ops::Control::while_loop)));
}

// Pointwise work and reductions, so that a few million elements are all that it takes.
bool add_long_call(GraphBuilder& b) {
  const int64_t kind = b.integer(0, 9);
  if (kind < 6) return add_pointwise(b);
  return kind < 9 ? add_reduction(b) : add_extremum(b);
}

bool add_call(GraphBuilder& b) {
  if (b.is_long()) return add_long_call(b);
  const int64_t kind = b.integer(0, 109);
  if (kind >= 108) return add_control(b, any_control(b));
  if (kind >= 104) return add_extremum(b);
  if (kind >= 100) return add_any_sampled(b);
  if (kind < 3) return add_repeated(b);
  if (kind < 38) return add_pointwise(b);
  if (kind < 49) return add_reduction(b);
  if (kind < 64) return add_view(b);
  if (kind < 71) return add_matmul(b);
  if (kind < 77) return add_indexing(b);
  if (kind < 83) return add_join(b);
  if (kind < 90) return add_composite(b);
  if (kind < 98) return add_write(b);
  return add_creation(b);
}

// Every other case begins with an op of the list, one after the other, so that some hundred cases
// have all of them.
bool add_listed(GraphBuilder& b, uint64_t number) {
  constexpr uint64_t controls = static_cast<uint64_t>(ops::Control::while_loop);
  const uint64_t listed = number / 2 % (records().size() + controls);
  if (number % 2 != 0) return false;
  if (listed < records().size()) {
    if (!add_sampled(b, *records()[listed])) return false;
    b.keep(b.count() - 1);  // dead code is not what was asked for
    return true;
  }
  return add_control(b, static_cast<ops::Control>(listed - records().size() + 1));
}

uint64_t mixed(uint64_t seed, uint64_t number, uint64_t attempt) {
  return SplitMix64(SplitMix64(SplitMix64(seed).next() ^ number).next() + attempt).next();
}

}  // namespace

Case random_case(uint64_t seed, uint64_t number, uint64_t attempt) {
  SplitMix64 random(mixed(seed, number, attempt));
  Case made;
  bool is_long = false;
  {
    GraphBuilder builder(random.next());
    builder.input(builder.dtype(), builder.shape());
    is_long = builder.is_long();
    const bool is_listed = !is_long && add_listed(builder, number);
    const int64_t most = is_long ? 3 : is_listed ? 7 : 14;
    const auto calls =
        static_cast<size_t>(1 + random.integer(0, most) * random.integer(0, most) / most);
    const size_t most_nodes = builder.node_count() + calls;
    for (int tries = 0; builder.node_count() < most_nodes && tries < 100; ++tries) {
      add_call(builder);
    }
    made = builder.finish();
  }
  made.has_gradients = random.integer(0, 9) < (is_long ? 1 : 4);
  return made;
}

Case with_gradients(const Case& given) {
  std::vector<size_t> wrt;
  for (size_t i = 0; i < given.graph.inputs.size(); ++i) {
    if (is_floating(given.graph[given.graph.inputs[i]].type.dtype)) wrt.push_back(i);
  }
  Case result = given;
  result.has_gradients = false;
  try {
    result.graph = aot::prepare(given.graph, wrt);
    graph::Graph& graph = result.graph;
    graph::ValueIds outputs, inputs;
    for (const graph::ValueId id : graph.outputs) {
      if (is_floating(graph[id].type.dtype)) outputs.push_back(id);
    }
    for (const size_t i : wrt) inputs.push_back(graph.inputs[i]);
    if (outputs.empty() || inputs.empty()) return {given.graph, given.data_seed};
    // Gradients of ones would hide what is summed along the wrong dimension.
    graph::ValueIds gradients;
    for (const graph::ValueId id : outputs) {
      gradients.push_back(graph.add_input(graph[id].type, concat("grid_", graph.inputs.size())));
      graph[gradients.back()].type.is_weak = false;
    }
    for (const graph::ValueId id : aot::differentiate(graph, outputs, inputs, gradients)) {
      graph.outputs.push_back(id);
    }
  } catch (const Error& error) {
    // Not every op has a gradient.
    if (error.code() == ErrorCode::gradient) return {given.graph, given.data_seed};
    throw;
  }
  return result;
}

}  // namespace ridge::fuzz
