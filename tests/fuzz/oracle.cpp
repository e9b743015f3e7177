#include "tests/fuzz/oracle.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/graph_oracle.h"

namespace ridge::fuzz {
namespace {

using graph::Graph;
using graph::ValueId;

Expected expected(const Tracked& tracked) {
  return {tracked.dtype, tracked.value.shape(), tracked.value.to_vector<double>(),
          tolerances(tracked)};
}

}  // namespace

Expectation expect(const Case& given) {
  const reference::UseReference by_reference;
  const Graph graph = oracle_form(given.graph);
  std::vector<Tracked> inputs;
  for (const Tensor& input : make_inputs(given)) inputs.push_back(exactly(input));
  SplitMix64 random(given.data_seed);
  const GraphOracle oracle(graph, inputs, random);
  Expectation result;
  for (const ValueId id : graph.outputs) result.outputs.push_back(expected(oracle[id]));
  for (const ValueId id : graph.inputs) {
    ValueId last = id;
    for (const graph::Update& update : graph.updates) {
      if (update.input == id) last = update.value;
    }
    result.inputs.push_back(expected(oracle[last]));
  }
  return result;
}

std::string compare(const Expected& expected, const Tensor& actual, JudgedCounts& counts) {
  const std::string is = concat(name(actual.dtype()), to_text(actual.shape()));
  const std::string should_be = concat(name(expected.dtype), to_text(expected.shape));
  if (is != should_be) return concat(is, " instead of ", should_be);
  const std::vector<double> values = actual.to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    ++counts.elements;
    const double right = expected.values[i], tolerance = expected.tolerances[i];
    if (std::isinf(tolerance)) {
      ++counts.not_judged;
      continue;
    }
    const bool is_right = std::isnan(right)   ? std::isnan(values[i])
                          : std::isinf(right) ? values[i] == right
                                              : std::abs(values[i] - right) <= tolerance;
    if (!is_right) {
      return concat("element ", i, " of ", is, " is ", values[i], " instead of ", right, " +- ",
                    tolerance);
    }
  }
  return {};
}

}  // namespace ridge::fuzz
