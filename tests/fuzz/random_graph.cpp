#include "tests/fuzz/random_graph.h"

#include "ridge/aot/differentiate.h"
#include "ridge/base/text.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

bool add_call(GraphBuilder& b) {
  const int64_t kind = b.integer(0, 99);
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

uint64_t mixed(uint64_t seed, uint64_t number, uint64_t attempt) {
  return SplitMix64(SplitMix64(SplitMix64(seed).next() ^ number).next() + attempt).next();
}

}  // namespace

Case random_case(uint64_t seed, uint64_t number, uint64_t attempt) {
  SplitMix64 random(mixed(seed, number, attempt));
  Case made;
  {
    GraphBuilder builder(random.next());
    builder.input(builder.dtype(), builder.shape());
    const auto calls = static_cast<size_t>(1 + random.integer(0, 14) * random.integer(0, 14) / 14);
    for (int tries = 0; builder.node_count() < calls && tries < 100; ++tries) add_call(builder);
    made = builder.finish();
  }
  made.has_gradients = random.integer(0, 9) < 4;
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
