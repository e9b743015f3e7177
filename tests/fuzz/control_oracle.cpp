// Control flow in the oracle: bodies run as the host would run them, by oracles of their own.
#include <algorithm>

#include "ridge/ops/arithmetic.h"
#include "ridge/ops/join.h"
#include "tests/fuzz/graph_oracle.h"

namespace ridge::fuzz {

using graph::Node;

namespace {

// A loop of a case takes a few steps; one that never ends is a defect of the case.
constexpr int64_t kMostSteps = 1000;

// Is it the same in all runs?
bool is_certain(const Tracked& tracked) {
  if (tracked.is_exact) return true;
  return !tracked.is_lost && tolerances(tracked)[0] == 0;
}

template <class Change>
Tracked changed(const Tracked& tracked, const Change& change) {
  Tracked result = tracked;
  result.value = change(tracked.value);
  if (tracked.is_exact || tracked.is_lost) return result;
  for (Tensor& run : result.runs) run = change(run);
  return result;
}

Tensor stacked(const std::vector<Tensor>& tensors, const Shape& shape, DType dtype) {
  if (!tensors.empty()) return stack(tensors);
  return is_floating(dtype) ? of_doubles({}, shape) : Tensor::empty(shape, dtype);
}

Tracked stacked(const std::vector<Tracked>& steps, const graph::Type& type) {
  Tracked result;
  result.dtype = type.dtype;
  for (const Tracked& step : steps) {
    result.is_exact &= step.is_exact;
    result.is_lost |= step.is_lost;
  }
  const auto gathered = [&](const auto& tensor_of) {
    std::vector<Tensor> tensors;
    for (const Tracked& step : steps) tensors.push_back(tensor_of(step));
    return stacked(tensors, type.shape, type.dtype);
  };
  result.value = gathered([](const Tracked& step) { return step.value; });
  if (result.is_exact || result.is_lost) return result;
  for (size_t k = 0; k < kRuns; ++k) {
    result.runs[k] = gathered([k](const Tracked& step) { return step.run(k); });
  }
  return result;
}

}  // namespace

void GraphOracle::evaluate_control(const Node& node) {
  const graph::ControlParts parts = graph::control_parts(node);
  TrackedList results;
  switch (parts.kind) {
    case ops::Control::none: break;
    case ops::Control::cond: results = run_cond(parts); break;
    case ops::Control::scan: results = run_scan(parts); break;
    case ops::Control::while_loop: results = run_while(parts); break;
  }
  for (size_t i = 0; i < node.results.size(); ++i) {
    // Of a scan, the ys; there are none of a step where it takes none.
    at(node.results[i]) = results[i];
    at(node.results[i]).dtype = graph_[node.results[i]].type.dtype;
  }
}

GraphOracle::TrackedList GraphOracle::tracked(const graph::ValueIds& ids) const {
  TrackedList result;
  for (const graph::ValueId id : ids) result.push_back((*this)[id]);
  return result;
}

GraphOracle::TrackedList GraphOracle::run_body(const graph::Body& body, const TrackedList& inputs) {
  auto known = bodies_.find(body.get());
  if (known == bodies_.end()) known = bodies_.emplace(body.get(), oracle_form(*body)).first;
  const GraphOracle oracle(known->second, inputs, random_);
  TrackedList outputs;
  for (const graph::ValueId id : known->second.outputs) outputs.push_back(oracle[id]);
  return outputs;
}

GraphOracle::TrackedList GraphOracle::run_cond(const graph::ControlParts& parts) {
  const Tracked& pred = at(parts.pred);
  TrackedList results =
      run_body(parts.bodies[pred.value.item<bool>() ? 0 : 1], tracked(parts.inputs));
  for (Tracked& result : results) result.is_lost |= !is_certain(pred);
  return results;
}

GraphOracle::TrackedList GraphOracle::run_scan(const graph::ControlParts& parts) {
  TrackedList carry = tracked(parts.carry);
  const TrackedList xs = tracked(parts.xs), inputs = tracked(parts.inputs);
  const int64_t length = known(parts.length);
  const std::vector<graph::Type> types = parts.result_types();
  std::vector<TrackedList> ys(types.size() - carry.size(),
                              TrackedList(static_cast<size_t>(length)));
  for (int64_t step = 0; step < length; ++step) {
    const int64_t element = parts.is_reverse ? length - 1 - step : step;
    TrackedList given = carry;
    for (const Tracked& x : xs) {
      given.push_back(changed(x, [&](const Tensor& t) { return graph::element_of(t, element); }));
    }
    given.insert(given.end(), inputs.begin(), inputs.end());
    const TrackedList results = run_body(parts.bodies[0], given);
    for (size_t i = 0; i < ys.size(); ++i) {
      ys[i][static_cast<size_t>(element)] = results[carry.size() + i];
    }
    std::copy_n(results.begin(), carry.size(), carry.begin());
  }
  for (size_t i = 0; i < ys.size(); ++i) {
    carry.push_back(stacked(ys[i], types[types.size() - ys.size() + i]));
  }
  return carry;
}

GraphOracle::TrackedList GraphOracle::run_while(const graph::ControlParts& parts) {
  TrackedList state = tracked(parts.carry);
  const TrackedList inputs = tracked(parts.inputs);
  const int64_t most = parts.max_steps < 0 ? kMostSteps : parts.max_steps;
  bool is_lost = false;
  for (int64_t steps = 0; steps < most; ++steps) {
    TrackedList given = state;
    given.insert(given.end(), inputs.begin(), inputs.end());
    const Tracked goes_on = run_body(parts.bodies[0], given)[0];
    is_lost |= !is_certain(goes_on);
    if (!goes_on.value.item<bool>()) break;
    state = run_body(parts.bodies[1], given);
  }
  for (Tracked& tracked : state) tracked.is_lost |= is_lost;
  return state;
}

}  // namespace ridge::fuzz
