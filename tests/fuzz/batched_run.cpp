#include "tests/fuzz/batched_run.h"

#include <algorithm>

#include "ridge/aot/batch.h"
#include "ridge/graph/replay.h"
#include "ridge/ops/join.h"
#include "ridge/ops/view.h"

namespace ridge::fuzz {
namespace {

std::vector<bool> own_inputs(const Case& given) {
  std::vector<bool> is_own(given.graph.inputs.size(), true);
  const bool writes = !given.graph.updates.empty() || !is_functional(given.graph);
  if (writes) return is_own;
  for (size_t i = 0; i < is_own.size(); ++i) is_own[i] = (given.data_seed >> (i % 16) & 1) == 0;
  if (std::ranges::find(is_own, true) == is_own.end() && !is_own.empty()) is_own[0] = true;
  return is_own;
}

// Other data, unless the graph refuses it: it may divide by zero where the given one does not.
std::vector<Tensor> other_example(const Case& given) {
  Case other = given;
  other.data_seed += 1;
  try {
    std::vector<Tensor> inputs = make_inputs(other);
    graph::replay(other.graph, inputs);
    return make_inputs(other);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw;
    return make_inputs(given);
  }
}

}  // namespace

ExampleRun run_in_batch(const Case& given) {
  const std::vector<bool> is_own = own_inputs(given);
  const auto position = static_cast<int64_t>(given.data_seed / 3 % 2);
  std::vector<Tensor> inputs = make_inputs(given);
  const std::vector<Tensor> others = other_example(given);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_own[i]) continue;
    inputs[i] = position == 0 ? stack({inputs[i], others[i]}) : stack({others[i], inputs[i]});
  }
  const aot::BatchedGraph batched =
      aot::batch(given.graph, is_own, {.count = 2, .randomness = Randomness::same});
  verify(batched.graph);
  ExampleRun run;
  run.outputs = graph::replay(batched.graph, inputs);
  const auto example_of = [&](const Tensor& batch) { return select(batch, 0, position); };
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    if (batched.mapped_outputs[i]) run.outputs[i] = example_of(run.outputs[i]);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    run.inputs.push_back(is_own[i] ? example_of(inputs[i]) : inputs[i]);
  }
  return run;
}

}  // namespace ridge::fuzz
