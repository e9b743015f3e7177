// Dtype and shape rules: how results follow from operands.
//
// A dtype rule says which operands it accepts, to which dtype each is converted before the definition
// applies, and the dtypes of the results. Promotion is PyTorch's, with three priorities: tensors
// with dimensions over 0-d tensors over plain C++ numbers; a lower priority only counts when its
// kind (bool < integer < floating) is higher.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridge/ops/call.h"

namespace ridge::ops {

// Kinds of dtype, as a bit set.
enum class Accept : uint8_t {
  boolean = 1,
  integer = 2,
  floating = 4,
  storage = 8,  // the storage-only dtypes
  number = boolean | integer | floating,
  any = number | storage,
};
constexpr Accept operator|(Accept a, Accept b) {
  return static_cast<Accept>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
bool accepts(Accept set, DType dtype);
std::string to_text(Accept set);  // "bool, integer"

struct DTypes {
  SmallVector<DType, 4> inputs;  // one for each operand, its own dtype where it was left out
  SmallVector<DType, 2> outputs;
};

struct DTypeRule {
  std::string name;             // as `ridge ops` shows it
  std::vector<Accept> accepts;  // by operand; the last one repeats
  std::function<DTypes(const Call&)> apply;

  DTypeRule() = default;
  DTypeRule(std::string name_, std::vector<Accept> accepts_,
            std::function<DTypes(const Call&)> rule)
      : name(std::move(name_)), accepts(std::move(accepts_)), apply(std::move(rule)) {}
  // Rules are named by functions, so that records can be registered during static initialization.
  DTypeRule(DTypeRule (*make)()) : DTypeRule(make()) {}

  explicit operator bool() const { return static_cast<bool>(apply); }
};

using ShapeRule = std::function<std::vector<Shape>(const Call&)>;

// The dtype all given operands promote to (undefined ones skipped).
DType promoted(std::span<const Tensor* const> operands);

namespace rule {

// dtypes
DTypeRule promote();          // all operands to one dtype, which is the result's
DTypeRule promote_numbers();  // the same, without bool
DTypeRule float_result();     // promoted; integers become the default float
DTypeRule float_only();       // promoted floating operands only
DTypeRule compare();          // promoted, the result is bool
DTypeRule logical();          // any numbers, the result is bool
DTypeRule choose();           // operand 0 is a bool condition, the others promote
DTypeRule same();             // any dtype, the result has operand 0's
DTypeRule same_float();       // floating operands only, the result has operand 0's
DTypeRule accumulate();       // bool and integers give i64, floating stays
DTypeRule position();         // any numbers, the result is i64
DTypeRule indexed();          // operand 0 any dtype, operand 1 integers; operand 0's
DTypeRule given(const std::string& parameter);  // the result's dtype is an argument
DTypeRule like(size_t operand);                 // every operand converted to that operand's dtype

// shapes
std::vector<Shape> broadcast(const Call& call);      // of all operands
std::vector<Shape> same_as_input(const Call& call);  // operand 0's
std::vector<Shape> reduce(const Call& call);  // by parameters `dims` (empty: all) and `keepdim`
ShapeRule sizes(const std::string& parameter);

}  // namespace rule

// Operand shapes with the dims of a reduction removed or kept as 1.
Shape reduced_shape(const Shape& shape, std::span<const int64_t> dims, bool keepdim);

}  // namespace ridge::ops
