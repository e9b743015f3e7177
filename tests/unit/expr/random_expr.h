// Random expressions and random points for the property tests of this folder.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/random.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/expr.h"
#include "ridge/expr/interval.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {

// A value for every leaf. Axes 0 to 2 and both symbols keep to small ranges. Axis 3 and the integer
// input are any 64-bit number and axis 4 any positive one, often the largest: there, sums overflow.
struct Point {
  std::vector<int64_t> axes;
  std::vector<int64_t> symbols;
  int64_t integer_input = 0;
  bool boolean_input = false;
  double real_input = 0;
};

inline constexpr int kBooleanInput = 0;
inline constexpr int kIntegerInput = 1;
inline constexpr int kRealInput = 2;

class RandomExpr {
 public:
  explicit RandomExpr(uint64_t seed) : random_(seed) {
    symbols_ = {symbol(make_ref<const Symbol>("n", Interval{1, 64}, 8, nullptr)),
                symbol(make_ref<const Symbol>("m", Interval{-5, 5}, 2, nullptr))};
  }

  static Interval axis_range(int axis) {
    switch (axis) {
      case 0: return {0, 11};
      case 1: return {-7, 20};
      case 2: return {0, 1000};
      case 3: return Interval::all();
      default: return Interval::at_least(1);
    }
  }

  static Type input_type(int input) {
    if (input == kBooleanInput) return Type::boolean;
    return input == kIntegerInput ? Type::integer : Type::real;
  }

  const std::vector<Expr>& symbols() const { return symbols_; }

  Expr make(Type type, int depth) {
    switch (type) {
      case Type::boolean: return boolean(depth);
      case Type::integer: return integer(depth);
      case Type::real: return real(depth);
    }
    return real(depth);
  }

  // Index arithmetic only: the sums, products, quotients and remainders of reshapes.
  Expr index(int depth) {
    if (depth == 0) {
      if (pick(4) == 0) return constant(random_.integer(-9, 9));
      return axis(pick(8) == 0 ? 4 : pick(3));
    }
    const Expr a = index(depth - 1);
    switch (pick(6)) {
      case 0: return a + index(depth - 1);
      case 1: return a - index(depth - 1);
      case 2: return a * random_.integer(-4, 12);
      case 3: return a * index(depth > 2 ? 0 : depth - 1);
      case 4: return floor_div(a, divisor());
      default: return mod(a, divisor());
    }
  }

  Point point() {
    Point result;
    for (int i = 0; i < 5; ++i) result.axes.push_back(integer_in(axis_range(i)));
    for (const Expr& s : symbols_) result.symbols.push_back(integer_in(s->symbol->range()));
    result.integer_input = integer_in(Interval::all());
    result.boolean_input = pick(2) == 0;
    result.real_input = real_number();
    return result;
  }

  // The value at a point, or nothing where evaluation reports an error.
  std::optional<Number> value(const Expr& e, const Point& at) const {
    Leaves leaves;
    leaves.axis = [&](int i) { return Number::of(at.axes[static_cast<size_t>(i)]); };
    leaves.input = [&](int i) {
      if (i == kBooleanInput) return Number::of(at.boolean_input);
      return i == kIntegerInput ? Number::of(at.integer_input) : Number::of(at.real_input);
    };
    leaves.symbol = [&](const Symbol& s) {
      return Number::of(at.symbols[s.id() == symbols_[0]->symbol->id() ? 0 : 1]);
    };
    leaves.load = [](int operand, std::span<const int64_t> position) {
      return Number::of(operand + position[0] % 1000);
    };
    try {
      return evaluate(e, leaves);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

 private:
  int pick(int count) { return static_cast<int>(random_.integer(0, count - 1)); }

  int64_t divisor() {
    constexpr int64_t kDivisors[] = {2, 3, 4, 6, 12, 24, -4, 1};
    return kDivisors[pick(8)];
  }

  int64_t integer_in(Interval range) {
    if (range.high < Interval::all().high) return random_.integer(range.low, range.high);
    if (range.low > Interval::all().low) {
      return pick(2) == 0 ? range.high - pick(8) : random_.integer(range.low, range.low + 20);
    }
    switch (pick(4)) {
      case 0: return std::numeric_limits<int64_t>::min() + pick(3);
      case 1: return std::numeric_limits<int64_t>::max() - pick(3);
      case 2: return static_cast<int64_t>(random_.next());
      default: return random_.integer(-10, 10);
    }
  }

  double real_number() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kNumbers[] = {0.0, -0.0,      1.0,        -1.0, 0.5,
                                   2.0, kInfinity, -kInfinity, NAN,  1e300};
    return pick(2) == 0 ? kNumbers[pick(10)] : random_.uniform(-4, 4);
  }

  Expr boolean(int depth) {
    if (depth == 0)
      return pick(2) == 0 ? input(kBooleanInput, Type::boolean) : constant(pick(2) == 0);
    switch (pick(8)) {
      case 0: return boolean(depth - 1) && boolean(depth - 1);
      case 1: return boolean(depth - 1) || boolean(depth - 1);
      case 2: return !boolean(depth - 1);
      case 3: return call(Function::logical_xor, {boolean(depth - 1), boolean(depth - 1)});
      case 4: return cast(pick(3) == 0 ? real(depth - 1) : integer(depth - 1), Type::boolean);
      case 5: return select(boolean(depth - 1), boolean(depth - 1), boolean(depth - 1));
      default: return comparison(depth - 1);
    }
  }

  Expr comparison(int depth) {
    constexpr Function kFunctions[] = {Function::equal, Function::not_equal, Function::less,
                                       Function::less_equal};
    const int kind = pick(6);
    if (kind == 0) return is_nan(real(depth));
    const Type type = kind == 1 ? Type::real : kind == 2 ? Type::boolean : Type::integer;
    return call(kFunctions[pick(4)], {make(type, depth), make(type, depth)});
  }

  Expr integer(int depth) {
    if (depth == 0) return integer_leaf();
    const Expr a = integer(depth - 1);
    switch (pick(16)) {
      case 0: return -a;
      case 1:
      case 2: return a + integer(depth - 1);
      case 3:
      case 4: return a - integer(depth - 1);
      case 5:
      case 6: return a * integer(depth - 1);
      case 7: return floor_div(a, pick(2) == 0 ? constant(divisor()) : integer(depth - 1));
      case 8: return mod(a, pick(2) == 0 ? constant(divisor()) : integer(depth - 1));
      case 9: return min(a, integer(depth - 1));
      case 10: return max(a, integer(depth - 1));
      case 11: return pick(2) == 0 ? abs(a) : sign(a);
      case 12: return pow(a, random_.integer(0, 3));
      case 13: return select(boolean(depth - 1), a, integer(depth - 1));
      case 14: return cast(pick(2) == 0 ? real(depth - 1) : boolean(depth - 1), Type::integer);
      default:
        return pick(3) == 0 ? load(kIntegerInput, Type::integer, {a})
                            : checked_index(a, random_.integer(1, 40));
    }
  }

  Expr integer_leaf() {
    switch (pick(8)) {
      case 0: return constant(integer_in(Interval::all()));
      case 1: return constant(random_.integer(-9, 9));
      case 2: return symbols_[static_cast<size_t>(pick(2))];
      case 3: return input(kIntegerInput, Type::integer);
      case 4: return axis(3 + pick(2));
      default: return axis(pick(3));
    }
  }

  Expr real(int depth) {
    if (depth == 0) return pick(2) == 0 ? input(kRealInput, Type::real) : constant(real_number());
    const Expr a = real(depth - 1);
    constexpr Function kBinary[] = {Function::add,       Function::sub, Function::mul,
                                    Function::div,       Function::min, Function::max,
                                    Function::floor_div, Function::mod, Function::pow};
    constexpr Function kUnary[] = {
        Function::neg,   Function::abs,   Function::sign, Function::floor, Function::ceil,
        Function::round, Function::trunc, Function::exp,  Function::log,   Function::sqrt,
        Function::rsqrt, Function::sin,   Function::cos,  Function::tanh,  Function::erf};
    switch (pick(8)) {
      case 0:
      case 1: return call(kUnary[pick(15)], {a});
      case 2: return cast(pick(3) == 0 ? boolean(depth - 1) : integer(depth - 1), Type::real);
      case 3: return select(boolean(depth - 1), a, real(depth - 1));
      default: return call(kBinary[pick(9)], {a, real(depth - 1)});
    }
  }

  SplitMix64 random_;
  std::vector<Expr> symbols_;
};

// The same value of the same type; all NaNs are alike, the two zeros are not.
inline bool is_identical(const Number& a, const Number& b) {
  if (a.type != b.type) return false;
  if (a.type != Type::real) return a.integer == b.integer;
  if (std::isnan(a.real) || std::isnan(b.real)) return std::isnan(a.real) && std::isnan(b.real);
  return a.real == b.real && std::signbit(a.real) == std::signbit(b.real);
}

}  // namespace ridge::expr
