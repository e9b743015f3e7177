#include "tests/fuzz/decisions.h"

#include <algorithm>
#include <cmath>

#include "ridge/ops/call.h"
#include "ridge/ops/record.h"
#include "ridge/ops/view.h"

namespace ridge::fuzz {
namespace {

using dispatch::Tensors;

// For decisions between elements of one operand, such as positions of extrema.
constexpr int kByChance = 4;

template <class Move>
Tensor with_elements(const Uncertain& operand, Move move) {
  if (operand.ends.empty()) return operand.value;
  std::vector<double> values = operand.value.to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) values[i] = move(values[i], operand.ends[i]);
  }
  return of_doubles(values, operand.value.shape());
}

bool broadcasts_to(const Tensor& tensor, const Shape& shape) {
  if (tensor.shape().size() > shape.size()) return false;
  for (size_t i = 1; i <= tensor.shape().size(); ++i) {
    const auto& size = tensor.shape()[tensor.shape().size() - i];
    if (size.known() != 1 && size.known() != shape[shape.size() - i].known()) return false;
  }
  return true;
}

// One of the first two operands moved onto the other where both may be the same.
Tensors equal_operands(const std::vector<Uncertain>& operands, const Shape& shape) {
  const auto elements = [&](const Uncertain& operand) {
    return expand(operand.value, shape).to_vector<double>();
  };
  const auto ends = [&](const Uncertain& operand) {
    if (operand.ends.empty()) return std::vector<double>(elements(operand).size(), 0.0);
    return expand(of_doubles(operand.ends, operand.value.shape()), shape).to_vector<double>();
  };
  // Only a floating one can be anywhere.
  const size_t moved = operands[0].ends.empty() ? 1 : 0;
  std::vector<double> values = elements(operands[moved]);
  const std::vector<double> goals = elements(operands[1 - moved]);
  const std::vector<double> first_ends = ends(operands[0]), second_ends = ends(operands[1]);
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::abs(values[i] - goals[i]) <= first_ends[i] + second_ends[i]) values[i] = goals[i];
  }
  Tensors result;
  for (const Uncertain& operand : operands) result.push_back(operand.value);
  result[moved] = of_doubles(values, shape);
  return result;
}

}  // namespace

bool is_step(expr::Function function) {
  switch (function) {
    case expr::Function::floor:
    case expr::Function::ceil:
    case expr::Function::round:
    case expr::Function::trunc:
    case expr::Function::sign:
    case expr::Function::floor_div:
    case expr::Function::mod: return true;
    case expr::Function::neg:
    case expr::Function::add:
    case expr::Function::sub:
    case expr::Function::mul:
    case expr::Function::fma:
    case expr::Function::div:
    case expr::Function::pow:
    case expr::Function::min:
    case expr::Function::max:
    case expr::Function::abs:
    case expr::Function::equal:
    case expr::Function::not_equal:
    case expr::Function::less:
    case expr::Function::less_equal:
    case expr::Function::logical_and:
    case expr::Function::logical_or:
    case expr::Function::logical_xor:
    case expr::Function::logical_not:
    case expr::Function::is_nan:
    case expr::Function::select:
    case expr::Function::exp:
    case expr::Function::log:
    case expr::Function::sqrt:
    case expr::Function::rsqrt:
    case expr::Function::sin:
    case expr::Function::cos:
    case expr::Function::tanh:
    case expr::Function::erf:
    case expr::Function::checked_index:
    case expr::Function::philox:
    case expr::Function::shift_right:
    case expr::Function::f16_value: return false;
  }
  return false;
}

std::vector<DType> read_dtypes(const graph::Graph& graph, const graph::Node& node) {
  const auto described = [&](graph::ValueId id) {
    Tensor tensor = Tensor::empty(graph[id].type.shape, graph[id].type.dtype, kMeta);
    tensor.impl().is_weak = graph[id].type.is_weak;
    return tensor;
  };
  const graph::BoundArguments bound(node, described);
  const ops::Call call(node.op->schema(), bound.args());
  const ops::DTypes dtypes = node.op->record()->dtype.apply(call);
  std::vector<DType> result;
  for (size_t i = 0; i < call.operands().size(); ++i) {
    if (call.operands()[i] == nullptr) continue;
    const DType own = call.operands()[i]->dtype(), taken = dtypes.inputs[i];
    const bool is_narrowed =
        is_floating(own) && is_floating(taken) && epsilon(taken) > epsilon(own);
    result.push_back(is_narrowed ? taken : own);
  }
  return result;
}

std::vector<double> tolerances_when_read(const Tracked& tracked, DType read) {
  std::vector<double> result = tolerances(tracked);
  const std::vector<double> values = tracked.value.to_vector<double>();
  for (size_t i = 0; i < values.size(); ++i) {
    if (tracked.is_exact) result[i] = 0;
    if (read != tracked.dtype && std::isfinite(values[i])) result[i] += rounding(values[i], read);
  }
  return result;
}

std::vector<Tensors> extremes(const std::vector<Uncertain>& operands, const Shape& shape,
                              SplitMix64& random) {
  std::vector<Tensors> result;
  const auto add = [&](auto move) {
    Tensors moved;
    for (size_t i = 0; i < operands.size(); ++i) {
      moved.push_back(
          with_elements(operands[i], [&](double x, double end) { return move(x, end, i); }));
    }
    result.push_back(std::move(moved));
  };
  add([](double x, double end, size_t i) { return i % 2 == 0 ? x + end : x - end; });
  add([](double x, double end, size_t i) { return i % 2 == 0 ? x - end : x + end; });
  add([](double x, double end, size_t) { return std::abs(x) <= end ? 0 : x; });
  for (int i = 0; i < kByChance; ++i) {
    add([&](double x, double end, size_t) {
      return random.integer(0, 1) == 0 ? x + end : x - end;
    });
  }
  const bool is_pair =
      operands.size() >= 2 && (!operands[0].ends.empty() || !operands[1].ends.empty()) &&
      broadcasts_to(operands[0].value, shape) && broadcasts_to(operands[1].value, shape);
  if (is_pair) result.push_back(equal_operands(operands, shape));
  return result;
}

}  // namespace ridge::fuzz
