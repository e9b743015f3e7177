// The op record: everything Ridge knows of an op, written once.
//
// Dispatcher entries, meta and reference kernels, autograd, autocast, in-place forms, tests and
// docs all derive from it. The op is defined by exactly one of
//   .body       a scalar expression of the operands at one point (pointwise ops),
//   .define     an indexed, possibly reducing expression (sum, gather, matmul),
//   .decompose  a composition of other ops.
// The gradient is `.grad`; without one it follows from the body's derivative or from the
// decomposition, and a `.define` without `.grad` has none.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/base/decision.h"
#include "ridge/dispatch/operator.h"
#include "ridge/ops/call.h"
#include "ridge/ops/definition.h"
#include "ridge/ops/gradient.h"
#include "ridge/ops/rules.h"
#include "ridge/ops/samples.h"

namespace ridge::ops {

enum class Trait : uint32_t {
  none = 0,
  Pointwise = 1,  // one value for each broadcast position; shape rule defaults to broadcast
  View = 2,       // the result aliases operand 0 where strides allow
  InPlace = 4,    // also has an in-place form although it is not pointwise
  Random = 8,     // draws from a generator state
  Wide = 16,      // a decomposition that runs in f32 on 16-bit operands; results are rounded once
};
constexpr Trait operator|(Trait a, Trait b) {
  return static_cast<Trait>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool has(Trait set, Trait trait) {
  return (static_cast<uint32_t>(set) & static_cast<uint32_t>(trait)) != 0;
}

// What autocast does to floating operands: keep them; cast them to 16 bits (`low`: products); cast them
// to f32 (`full`: sums, exp, losses, norms); or cast mixed ones to the widest among them.
enum class Autocast : uint8_t { keep, low, full, widest };
std::string_view name(Autocast autocast);

// The operands of a body at one point, typed as the dtype rule converted them.
class Scalars {
 public:
  Scalars(const Schema& schema, std::vector<expr::Type> types)
      : schema_(schema), types_(std::move(types)) {}
  expr::Expr operator[](int operand) const {
    return expr::input(operand, types_[static_cast<size_t>(operand)]);
  }
  expr::Expr param(std::string_view parameter) const;  // an Int, Float or Bool argument
  size_t count() const { return types_.size(); }

 private:
  const Schema& schema_;
  std::vector<expr::Type> types_;
};

struct ViewGeometry {
  Shape shape;
  Shape strides;
  Size offset = 0;
};

// Another decomposition with the same results, bit for bit, that is faster where `can` says so.
struct Lowering {
  std::function<Decision(const Call&)> can{};
  std::function<Tensors(const Call&)> make{};
};

struct OpRecord {
  std::string schema{};
  std::string doc{};  // one line
  Trait traits = Trait::none;
  DTypeRule dtype{};
  ShapeRule shape{};
  Autocast autocast = Autocast::keep;

  std::function<expr::Expr(const Scalars&)> body{};
  std::function<Definition(const Call&)> define{};
  std::function<Tensors(const Call&)> decompose{};
  Lowering lower{};  // beside .decompose, which stays the definition: the reference never uses it

  std::string saves{};  // "x, result": the tensors whose values .grad reads
  GradRule grad{};
  bool differentiable = true;  // false: results never require grad (comparisons, argmax)

  // For a View whose strides do not follow from an affine .define (reshape).
  std::function<std::optional<ViewGeometry>(const Call&)> view{};
  Samples samples{};

  // Filled in when the record is registered.
  const dispatch::Operator* op = nullptr;
  const dispatch::Operator* in_place_op = nullptr;
  Location where{};

  bool has_gradient() const;
};

// Which dtypes an op takes: for its documentation and its tests.

// The complete dtypes its samples can be made in: each is tried on the meta device, so an op made of
// others answers for its parts too. All nine for an op without samples.
std::vector<DType> accepted_dtypes(const OpRecord& record);

}  // namespace ridge::ops
