#include <gtest/gtest.h>

#include "ridge/expr/polynomial.h"
#include "ridge/expr/symbol.h"
#include "tests/unit/expr/random_expr.h"

namespace ridge::expr::order_test {
namespace {

Expr named(std::string name) {
  return symbol(
      make_ref<const Symbol>(std::move(name), Interval::at_least(1), std::nullopt, nullptr));
}

TEST(Order, ConstantsThenSymbolsThenAxesThenCalls) {
  const std::vector<Expr> ascending = {
      constant(int64_t{-3}),   constant(int64_t{4}), named("a"),  named("b"), axis(0), axis(1),
      input(0, Type::integer), axis(0) + 1,          axis(1) + 1, axis(0) * 2};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(compare(ascending[i], ascending[j]), i <=> j) << i << " and " << j;
    }
  }
}

TEST(Order, SymbolsOfOneNameAreTwo) {
  const Expr first = named("n");
  const Expr second = named("n");
  EXPECT_TRUE(compare(first, second) < 0);
  EXPECT_TRUE(compare(second, first) > 0);
  EXPECT_FALSE(same(first, second));
  EXPECT_TRUE(same(first + 1, first + 1));
}

TEST(Order, IsTotalAndAgreesWithSame) {
  RandomExpr first(1);
  RandomExpr second(1);
  Expr last = axis(0);
  for (int i = 0; i < 1000; ++i) {
    const Expr e = first.index(i % 4);
    const Expr copy = second.index(i % 4);
    EXPECT_TRUE(same(e, copy));
    EXPECT_EQ(compare(e, copy), std::strong_ordering::equal);
    EXPECT_EQ(compare(e, last) == 0, same(e, last));
    EXPECT_EQ(compare(e, last) < 0, compare(last, e) > 0);
    last = e;
  }
}

}  // namespace
}  // namespace ridge::expr::order_test
