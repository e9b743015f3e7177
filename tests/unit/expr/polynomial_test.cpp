#include "ridge/expr/polynomial.h"

#include <gtest/gtest.h>

#include <limits>

#include "ridge/expr/text.h"

namespace ridge::expr::polynomial_test {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

const Polynomial i = Polynomial::atom(axis(0));
const Polynomial j = Polynomial::atom(axis(1));
const Polynomial k = Polynomial::atom(axis(2));

Polynomial number(int64_t value) { return Polynomial::constant(value); }

std::string text(const std::optional<Polynomial>& p) { return p ? to_text(to_expr(*p)) : "none"; }

TEST(Polynomial, ReadsAsOneWouldWriteIt) {
  EXPECT_EQ(text(Polynomial()), "0");
  EXPECT_EQ(text(number(-3)), "-3");
  EXPECT_EQ(text(i), "i0");
  EXPECT_EQ(text(scale(i, -1)), "-i0");
  EXPECT_EQ(text(scale(i, -2)), "-2 * i0");
  EXPECT_EQ(text(add(number(-3), *multiply(i, j))), "i0 * i1 - 3");
  EXPECT_EQ(text(subtract(*multiply(*scale(k, 3), i), j)), "3 * i0 * i2 - i1");
  EXPECT_EQ(text(add(i, number(kLowest))), "i0 + -9223372036854775808");
}

TEST(Polynomial, CollectsTermsInOneOrder) {
  EXPECT_EQ(text(add(*add(j, i), j)), "i0 + 2 * i1");
  EXPECT_EQ(text(subtract(*add(j, i), j)), "i0");
  EXPECT_EQ(text(subtract(i, i)), "0");
  EXPECT_EQ(text(multiply(*add(j, i), *subtract(i, j))), "i0 * i0 - i1 * i1");
  EXPECT_EQ(text(add(i, *multiply(j, i))), "i0 * i1 + i0");
}

TEST(Polynomial, RefusesCoefficientsThatOverflow) {
  EXPECT_EQ(text(add(number(kHighest), number(1))), "none");
  EXPECT_EQ(text(scale(*scale(i, kHighest), 2)), "none");
  EXPECT_EQ(text(subtract(i, number(kLowest))), "none");
}

TEST(Polynomial, RefusesToExplode) {
  Polynomial sum = number(1);
  for (int n = 0; n < 40; ++n) sum = *add(sum, Polynomial::atom(axis(n)));
  EXPECT_EQ(text(multiply(sum, sum)), "none");
  std::optional<Polynomial> power = i;
  for (int n = 0; n < 20 && power; ++n) power = multiply(*power, i);
  EXPECT_EQ(text(power), "none");
}

TEST(Polynomial, Parts) {
  const Polynomial p = *add(*scale(*multiply(i, j), 5), number(7));
  EXPECT_EQ(p.constant_term(), 7);
  EXPECT_EQ(p.coefficient_of({axis(0), axis(1)}), 5);
  EXPECT_EQ(p.coefficient_of({axis(0)}), 0);
  EXPECT_EQ(p.single(), nullptr);
  EXPECT_EQ(i.single_atom()->get()->index, 0);
  EXPECT_EQ(scale(i, 2)->single_atom(), nullptr);
  EXPECT_TRUE(number(4).is_constant());
  EXPECT_TRUE(number(0).is_zero());
  EXPECT_EQ(remove({axis(0), axis(1)}, {axis(1)})->size(), 1u);
  EXPECT_FALSE(remove({axis(0)}, {axis(1)}).has_value());
}

}  // namespace
}  // namespace ridge::expr::polynomial_test
