// Random integer and boolean expressions over two axes, a param and two buffers of kElements
// integers, with loads, guards and errors.
#pragma once

#include "ridge/base/random.h"
#include "ridge/expr/expr.h"

namespace ridge::codegen {

inline constexpr int64_t kElements = 37;

class RandomExpression {
 public:
  explicit RandomExpression(uint64_t seed) : random_(seed) {}

  expr::Expr integer(int depth) {
    if (depth == 0) return leaf();
    const auto a = [&] { return integer(depth - 1); };
    switch (random_.next() % 14) {
      case 0: return a() + a();
      case 1: return a() - a();
      case 2: return a() * a();
      case 3: return expr::min(a(), a());
      case 4: return expr::max(a(), a());
      case 5: return expr::abs(a());
      case 6: return expr::sign(a());
      case 7: return -a();
      // A divisor is 0 now and then, mostly behind a guard.
      case 8:
        return guarded(depth, [](expr::Expr x, expr::Expr y) { return expr::floor_div(x, y); });
      case 9: return guarded(depth, [](expr::Expr x, expr::Expr y) { return expr::mod(x, y); });
      case 10: return expr::select(boolean(depth - 1), a(), a());
      case 11: return expr::floor_div(a(), expr::Expr(int64_t(random_.next() % 9) + 1));
      case 12: return load(expr::mod(a(), expr::Expr(kElements)));
      default: return guarded_load(depth);
    }
  }

  expr::Expr boolean(int depth) {
    if (depth == 0) return leaf() < leaf();
    switch (random_.next() % 7) {
      case 0: return integer(depth - 1) < integer(depth - 1);
      case 1: return integer(depth - 1) <= integer(depth - 1);
      case 2: return expr::equal(integer(depth - 1), integer(depth - 1));
      case 3: return boolean(depth - 1) && boolean(depth - 1);
      case 4: return boolean(depth - 1) || boolean(depth - 1);
      case 5: return !boolean(depth - 1);
      default:
        return expr::call(expr::Function::logical_xor, {boolean(depth - 1), boolean(depth - 1)});
    }
  }

 private:
  expr::Expr leaf() {
    switch (random_.next() % 5) {
      case 0: return expr::axis(0);
      case 1: return expr::axis(1);
      case 2: return expr::param(0, expr::Type::integer);
      case 3: return expr::Expr(static_cast<int64_t>(random_.next() % 21) - 10);
      default: return load(random_.next() % 2 == 0 ? expr::axis(1) : expr::axis(0) * expr::Expr(2));
    }
  }
  expr::Expr load(expr::Expr index) {
    return expr::load(static_cast<int>(random_.next() % 2), expr::Type::integer,
                      {std::move(index)});
  }
  template <class Divide>
  expr::Expr guarded(int depth, Divide divide) {
    const expr::Expr divisor = integer(depth - 1);
    const expr::Expr quotient = divide(integer(depth - 1), divisor);
    if (random_.next() % 8 == 0) return quotient;
    return expr::select(expr::not_equal(divisor, expr::Expr(0)), quotient, integer(depth - 1));
  }
  expr::Expr guarded_load(int depth) {
    const expr::Expr index = integer(depth - 1);
    if (random_.next() % 4 == 0) return load(expr::checked_index(index, expr::Expr(kElements)));
    const expr::Expr is_inside = expr::Expr(0) <= index && index < expr::Expr(kElements);
    return expr::select(is_inside, load(index), integer(depth - 1));
  }

  SplitMix64 random_;
};

}  // namespace ridge::codegen
