// How an expression moves from lane to lane of the vector loop around it.
//
//   4 * i0 + i1, vector axis i1     stride 1: neighbors
//   n * i1 + i0                     stride n
//   i1 // 32, i1 % 32               strides 0 and 1, where lane 0 is at a multiple of the lanes
//   x[i1] + i0, i1 * i1             none: a position for each lane
#pragma once

#include <optional>
#include <unordered_map>

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

// Remembers by node, for one expression after the other at one point of the kernel.
class LaneForm {
 public:
  explicit LaneForm(const Emission& emission) : LaneForm(emission, emission.frame.vector_axis) {}
  // The same for another axis, whose neighbors stand for lanes.
  LaneForm(const Emission& emission, int axis) : emission_(emission), axis_(axis) {}

  // What is added from one lane to the next, simplified and the same for all lanes; 0 if the
  // expression is uniform; nothing if it is not linear.
  std::optional<Expr> stride(const Expr& e);
  bool is_uniform(const Expr& e) { return !facts(e).varies; }
  // Whether evaluating it in a lane that does not ask for it could fault or report an error.
  bool is_unsafe(const Expr& e) { return facts(e).is_unsafe; }
  // Whether it is made of axes, params and constants alone.
  bool is_index_arithmetic(const Expr& e) { return !facts(e).reads_values; }

 private:
  struct Facts {
    bool varies = false;
    bool is_unsafe = false;
    bool reads_values = false;
  };

  const Facts& facts(const Expr& e);
  // The vector axis divided by a multiple of the lanes: the quotient is the same for all of them, the rest
  // counts them.
  bool is_aligned_division(const expr::Node& node);
  std::optional<Expr> linear(const Expr& e);

  const Emission& emission_;
  int axis_;
  std::unordered_map<const expr::Node*, Facts> known_;
};

}  // namespace ridge::codegen
