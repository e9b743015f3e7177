#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/control.h"
#include "ridge/ops/view.h"

namespace ridge::graph {

using ops::Control;

namespace {

using Inputs = std::span<const Tensor>;

void append(std::vector<Tensor>& list, Inputs more) {
  list.insert(list.end(), more.begin(), more.end());
}

// A loop that takes no step returns what it began with, in memory of its own.
std::vector<Tensor> copies_of(Inputs tensors) {
  const dispatch::GradMode values_only(false);
  std::vector<Tensor> copies;
  for (const Tensor& tensor : tensors) copies.push_back(clone(tensor));
  return copies;
}

std::vector<Tensor> run_scan(const ControlParts& parts, std::span<const Type> results,
                             Inputs operands, const RunBody& run) {
  const size_t carried = parts.carry.size();
  const int64_t length = parts.length.value();
  std::vector<Tensor> carry(operands.begin(), operands.begin() + static_cast<int64_t>(carried));
  if (length == 0) carry = copies_of(carry);
  std::vector<Tensor> xs;
  for (size_t i = 0; i < parts.xs.size(); ++i) xs.push_back(contiguous(operands[carried + i]));
  const Inputs inputs = operands.subspan(carried + xs.size());
  std::vector<Tensor> ys;
  for (const Type& type : results.subspan(carried)) {
    ys.push_back(Tensor::empty(type.shape, type.dtype, type.device));
  }
  for (int64_t step = 0; step < length; ++step) {
    const int64_t at = parts.is_reverse ? length - 1 - step : step;
    std::vector<Tensor> given = std::move(carry);
    for (const Tensor& x : xs) given.push_back(element_of(x, at));
    append(given, inputs);
    std::vector<Tensor> slots;
    for (const Tensor& y : ys) slots.push_back(element_of(y, at));
    carry = run(0, given, slots);
  }
  append(carry, ys);
  return carry;
}

std::vector<Tensor> run_while(const ControlParts& parts, Inputs operands, const RunBody& run) {
  const size_t carried = parts.carry.size();
  std::vector<Tensor> given(operands.begin(), operands.end());
  int64_t steps = 0;
  const auto goes_on = [&] {
    if (parts.max_steps >= 0 && steps >= parts.max_steps) return false;
    return run(0, given, {})[0].item<bool>();
  };
  for (; goes_on(); ++steps) {
    std::vector<Tensor> state = run(1, given, {});
    std::ranges::move(state, given.begin());
  }
  given.resize(carried);
  return steps == 0 ? copies_of(given) : given;
}

}  // namespace

Tensor element_of(const Tensor& tensor, int64_t index) {
  const Shape& shape = tensor.shape();
  const Shape& strides = tensor.strides();
  return Tensor::view_of(Ref<Storage>(&tensor.storage()), Shape(shape.begin() + 1, shape.end()),
                         Shape(strides.begin() + 1, strides.end()),
                         tensor.offset() + strides[0] * index, tensor.dtype());
}

std::vector<Tensor> run_control(const Node& node, std::span<const Type> results, Inputs operands,
                                const RunBody& run) {
  const ControlParts parts = control_parts(node);
  switch (parts.kind) {
    case Control::none: return {};
    case Control::cond: return run(operands[0].item<bool>() ? 0 : 1, operands.subspan(1), {});
    case Control::scan: return run_scan(parts, results, operands, run);
    case Control::while_loop: return run_while(parts, operands, run);
  }
  return {};
}

}  // namespace ridge::graph
