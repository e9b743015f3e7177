// Scalar and index expressions: immutable, reference-counted trees.
//
// One language serves three uses: the body of a pointwise op (over `input`s), the definition of an
// indexed op (over `axis` variables and `load`s of operands), and symbolic sizes (over `symbol`s).
// Factories promote operand types and fold constants, nothing more; `simplify` does the rest.
//
//   silu:   x / (1 + exp(-x))                    with x = input(0, Type::real)
//   matmul: load(0, {m, k}) * load(1, {k, n})    with m, n, k = axis(0), axis(1), axis(2)
//   size:   2 * batch + 1                        with batch = symbol(...)
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ridge/base/ref.h"
#include "ridge/base/small_vector.h"
#include "ridge/expr/function.h"

namespace ridge::expr {

enum class Kind : uint8_t {
  constant,  // a number of the node's type
  symbol,    // a size known by name (see symbol.h)
  axis,      // loop variable number `index` of a definition; integer
  input,     // value of tensor operand `index` at the current point
  param,     // number given as an attribute of the op, by position `index` in its schema
  load,      // element of tensor operand `index` at position `args`
  call,      // function(args...)
  cast,      // args[0] converted to the node's type (real to integer truncates)
};

struct Node;
class Symbol;

class Expr {
 public:
  Expr() = default;
  explicit Expr(Ref<const Node> node) : node_(std::move(node)) {}
  template <std::integral T>
  Expr(T value);  // boolean for bool, else integer
  template <std::floating_point T>
  Expr(T value);

  const Node& operator*() const { return *node_; }
  const Node* operator->() const { return node_.get(); }
  const Node* get() const { return node_.get(); }
  // Whether there is a node at all. Beware: `!e` is the expression logical_not(e).
  explicit operator bool() const { return node_.get() != nullptr; }

 private:
  Ref<const Node> node_;
};

struct Node : RefCounted {
  Kind kind;
  Type type;
  Function function = Function::neg;  // for call
  uint8_t tree_size = 1;              // nodes of the tree, shared ones as often as they occur: see
                                      // kLargestTree
  int index = 0;                      // for axis, input, param, load
  uint32_t axes : 31 = 0;             // bit i: it holds axis(i); the last: any axis from there on
  uint32_t has_index_check : 1 = 0;   // it holds a checked_index
  int64_t integer = 0;                // constant of type boolean or integer
  double real = 0;                    // constant of type real
  Ref<const Symbol> symbol;           // for symbol
  SmallVector<Expr, 3> args;
  uint64_t hash = 0;  // structural; equal trees have equal hashes

  // What `tree_size` says of all trees that are as large or larger.
  static constexpr uint8_t kLargestTree = 255;
  // The last bit of `axes`.
  static constexpr int kLastAxis = 30;

  Node(Kind kind_, Type type_);
  ~Node() override;  // not recursive: a chain of any length may be dropped
};

// Factories.
Expr constant(bool value);
Expr constant(int64_t value);
Expr constant(double value);
Expr axis(int index);
Expr input(int index, Type type);
Expr param(int index, Type type);
Expr load(int operand, Type type, std::vector<Expr> position);
Expr symbol(Ref<const Symbol> symbol);
Expr cast(Expr value, Type type);
Expr call(Function function, std::vector<Expr> args);

template <std::integral T>
Expr::Expr(T value) {
  if constexpr (std::same_as<T, bool>) {
    *this = constant(value);
  } else {
    *this = constant(static_cast<int64_t>(value));
  }
}
template <std::floating_point T>
Expr::Expr(T value) : Expr(constant(static_cast<double>(value))) {}

// Notation for op bodies. Equality is spelled `equal`, because `==` on trees would be ambiguous.
Expr operator-(Expr a);
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);  // real division
Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator&&(Expr a, Expr b);
Expr operator||(Expr a, Expr b);
Expr operator!(Expr a);
Expr equal(Expr a, Expr b);
Expr not_equal(Expr a, Expr b);
Expr floor_div(Expr a, Expr b);
Expr mod(Expr a, Expr b);
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr pow(Expr a, Expr b);
Expr fma(Expr a, Expr b, Expr c);  // a * b + c, rounded once
Expr select(Expr condition, Expr if_true, Expr if_false);
Expr abs(Expr a);
Expr sign(Expr a);
Expr floor(Expr a);
Expr ceil(Expr a);
Expr round(Expr a);
Expr trunc(Expr a);
Expr exp(Expr a);
Expr log(Expr a);
Expr sqrt(Expr a);
Expr rsqrt(Expr a);
Expr sin(Expr a);
Expr cos(Expr a);
Expr tanh(Expr a);
Expr erf(Expr a);
Expr is_nan(Expr a);
Expr checked_index(Expr index, Expr extent);
Expr shift_right(Expr a, Expr bits);
Expr f16_value(Expr bits);

bool is_call(const Expr& e, Function function);
bool is_constant(const Expr& e);
bool is_constant(const Expr& e, double value);  // of any type; as numbers, so 0.0 and -0.0 match
bool same(const Expr& a, const Expr& b);        // structural equality

// Replaces subtrees bottom-up: `rewrite` gets each node with its arguments already rewritten and
// returns the replacement, or the node itself. Shared subtrees are visited once.
template <class Rewrite>
Expr transform(const Expr& e, Rewrite&& rewrite);

// Calls visit(const Expr&) once for each distinct node, arguments first.
template <class Visit>
void walk(const Expr& e, Visit&& visit);

// The node with other arguments (constants folded again).
Expr with_args(const Expr& e, std::vector<Expr> args);

}  // namespace ridge::expr

#include "ridge/expr/walk.h"
