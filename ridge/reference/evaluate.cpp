#include "ridge/reference/evaluate.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/reference/interpreter.h"
#include "ridge/reference/points.h"

namespace ridge::reference {
namespace {

using expr::Expr;
using expr::Type;

class Evaluation {
 public:
  Evaluation(const ops::Definition& definition, std::span<const Tensor* const> operands,
             std::span<const DType> compute, std::span<const expr::Number> params,
             const Tensor& output)
      : definition_(definition),
        operands_(operands),
        compute_(compute),
        params_(params),
        extents_(known_sizes(definition.extents)),
        result_extents_(known_sizes(output.shape())),
        dtype_(output.dtype()),
        data_(output.raw_data()) {}

  void gather();
  void scatter();

 private:
  Bytecode compiled(std::span<const Expr> roots, size_t axis_count) const {
    return compile(roots, axis_count, params_);
  }
  void store(int64_t index, Word value, Type type) {
    if (is_storage_only(dtype_)) return store_bits(dtype_, data_, index, value);
    store_element(dtype_, data_, index, number_of(value, type));
  }
  std::vector<Word> initial_values(const Reduction& reduction) const;
  size_t target_index(const Interpreter& interpreter) const;

  const ops::Definition& definition_;
  std::span<const Tensor* const> operands_;
  std::span<const DType> compute_;
  std::span<const expr::Number> params_;
  Ints extents_;
  Ints result_extents_;
  DType dtype_;
  void* data_;
};

// The value at the point where the result's axes stand; all reduced axes are and end at 0.
Word reduce(const Reduction& reduction, Interpreter& interpreter, std::span<Word> axes,
            std::span<const int64_t> extents) {
  interpreter.run();
  Word result = interpreter.result(0);
  if (!reduction.gives_position()) {
    while (next_point(axes, extents)) {
      interpreter.run();
      result = reduction.combine(result, interpreter.result(0));
    }
    return result;
  }
  int64_t position = 0;
  while (next_point(axes, extents)) {
    interpreter.run();
    if (!reduction.beats(interpreter.result(0), result)) continue;
    result = interpreter.result(0);
    position = axes[0].integer;
  }
  return Word::of(position);
}

void Evaluation::gather() {
  const size_t rank = definition_.output_rank;
  const std::span<const int64_t> extents = extents_;
  const auto reduced_extents = extents.subspan(rank);
  RIDGE_INTERNAL_CHECK(point_count(extents.first(rank)) == point_count(result_extents_),
                       "a result of another shape than its definition");
  const Reduction reduction(definition_.reducer, definition_.value->type);
  RIDGE_INTERNAL_CHECK(!reduction.gives_position() || reduced_extents.size() == 1,
                       "the position of an extremum along more or less than one axis");

  const Expr value = expr::cast(definition_.value, reduction.type());
  const Bytecode bytecode = compiled({&value, 1}, extents.size());
  Interpreter interpreter(bytecode, operands_, compute_);
  const auto axes = interpreter.axes(rank);
  const auto reduced_axes = interpreter.axes(extents.size()).subspan(rank);
  const bool is_empty_range = point_count(reduced_extents) == 0;
  const Type type = reduction.gives_position() ? Type::integer : reduction.type();
  if (point_count(result_extents_) == 0) return;
  int64_t index = 0;
  do {
    store(index++,
          is_empty_range ? reduction.of_nothing()
                         : reduce(reduction, interpreter, reduced_axes, reduced_extents),
          type);
  } while (next_point(axes, extents.first(rank)));
}

std::vector<Word> Evaluation::initial_values(const Reduction& reduction) const {
  std::vector<Word> values(static_cast<size_t>(point_count(result_extents_)));
  if (definition_.initial.get() == nullptr) {
    values.assign(values.size(), reduction.of_nothing());
    return values;
  }
  const size_t rank = result_extents_.size();
  const Expr initial = expr::cast(definition_.initial, reduction.type());
  const Bytecode bytecode = compiled({&initial, 1}, rank);
  Interpreter interpreter(bytecode, operands_, compute_);
  for (Word& value : values) {
    interpreter.run();
    value = interpreter.result(0);
    next_point(interpreter.axes(rank), result_extents_);
  }
  return values;
}

size_t Evaluation::target_index(const Interpreter& interpreter) const {
  int64_t index = 0;
  for (size_t i = 0; i < result_extents_.size(); ++i) {
    const int64_t position = interpreter.result(i).integer;
    RIDGE_INTERNAL_CHECK(position >= 0 && position < result_extents_[i],
                         concat("a scatter to ", position, " along axis ", i, " of the result"));
    index = index * result_extents_[i] + position;
  }
  return static_cast<size_t>(index);
}

void Evaluation::scatter() {
  const Type value_type = definition_.value->type;
  const Type initial_type = definition_.initial ? definition_.initial->type : value_type;
  const Reduction reduction(definition_.reducer, std::max(value_type, initial_type));
  std::vector<Word> values = initial_values(reduction);

  std::vector<Expr> roots;  // the target, then the value
  for (const Expr& index : definition_.target) roots.push_back(expr::cast(index, Type::integer));
  roots.push_back(expr::cast(definition_.value, reduction.type()));
  const Bytecode bytecode = compiled(roots, extents_.size());
  Interpreter interpreter(bytecode, operands_, compute_);
  for (int64_t left = point_count(extents_); left > 0; --left) {
    interpreter.run();
    Word& value = values[target_index(interpreter)];
    value = reduction.combine(value, interpreter.result(roots.size() - 1));
    next_point(interpreter.axes(extents_.size()), extents_);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    store(static_cast<int64_t>(i), values[i], reduction.type());
  }
}

}  // namespace

void evaluate(const ops::Definition& definition, std::span<const Tensor* const> operands,
              std::span<const DType> compute, std::span<const expr::Number> params,
              const Tensor& output) {
  verify(definition, operands.size());
  RIDGE_INTERNAL_CHECK(output.is_contiguous(), "results are computed into contiguous tensors");
  if (touches_storage_only(operands, output)) {
    if (const Tensor* copied = copied_operand(definition, operands, output)) {
      const size_t bytes = bytes_for(output.dtype(), output.numel().value());
      std::memcpy(output.raw_data(), copied->raw_data(), bytes);
      return;
    }
    check_moves(definition, operands, output);
  }
  Evaluation evaluation(definition, operands, compute, params, output);
  definition.is_scatter() ? evaluation.scatter() : evaluation.gather();
}

}  // namespace ridge::reference
