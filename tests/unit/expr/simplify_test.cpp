#include "ridge/expr/simplify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/expr/symbol.h"
#include "ridge/expr/text.h"

namespace ridge::expr::simplify_test {
namespace {

const Expr i = axis(0);  // 0 .. 99
const Expr j = axis(1);  // 0 .. 11
const Expr k = axis(2);  // 0 .. 23
const Expr n = symbol(make_ref<const Symbol>("n", Interval{1, 4096}, std::nullopt, nullptr));
const Expr m = symbol(make_ref<const Symbol>("m", Interval{2, 64}, std::nullopt, nullptr));
const Expr x = input(0, Type::real);
const Expr y = input(1, Type::real);
const Expr b = input(2, Type::boolean);
const Expr any = input(3, Type::integer);  // unbounded

Interval range(int axis) { return {0, axis == 0 ? 99 : axis == 1 ? 11 : 23}; }
std::string simple(const Expr& e) { return to_text(simplify(e, range)); }

TEST(Simplify, SumsOfProducts) {
  EXPECT_EQ(simple((i + j) * 2 - 2 * i), "2 * i1");
  EXPECT_EQ(simple(3 + i - 1), "i0 + 2");
  EXPECT_EQ(simple(i * (j + 1) - i * j), "i0");
  EXPECT_EQ(simple((n + 1) * (n - 1)), "n * n - 1");
  EXPECT_EQ(simple(-(i - j)), "-i0 + i1");
  EXPECT_EQ(simple(pow(i, 2) - i * i), "0");
  EXPECT_EQ(simple(j * 0), "0");
  EXPECT_EQ(simple(any - any), "0") << "exact, even where it wraps";
}

TEST(Simplify, CoefficientsThatOverflowStay) {
  const Expr large = constant(std::numeric_limits<int64_t>::max());
  EXPECT_EQ(simple((any * large) * 2), "9223372036854775807 * x3 * 2");
  EXPECT_EQ(simple((any + large) + 1), "x3 + 9223372036854775807 + 1");
}

TEST(Simplify, Division) {
  EXPECT_EQ(simple(floor_div(12 * i + j, 12)), "i0");
  EXPECT_EQ(simple(mod(12 * i + j, 12)), "i1");
  EXPECT_EQ(simple(floor_div(12 * i + j, 24)), "i0 // 2");
  EXPECT_EQ(simple(mod(12 * i + j, 24)), "i1 + 12 * (i0 % 2)");
  EXPECT_EQ(simple(floor_div(i, 100)), "0");
  EXPECT_EQ(simple(mod(i, 100)), "i0");
  EXPECT_EQ(simple(mod(i - 100, 100)), "i0");
  EXPECT_EQ(simple(floor_div(4 * i + 2 * j + 1, 8)), "(2 * i0 + i1) // 4");
  EXPECT_EQ(simple(mod(4 * i, 8)), "4 * (i0 % 2)");
  EXPECT_EQ(simple(floor_div(floor_div(i, 4), 3)), "i0 // 12");
  EXPECT_EQ(simple(mod(mod(i, 12), 4)), "i0 % 4");
  EXPECT_EQ(simple(mod(mod(i, 4), 12)), "i0 % 4");
  EXPECT_EQ(simple(floor_div(mod(i, 12), 4)), "i0 // 4 % 3");
  EXPECT_EQ(simple(mod(i + mod(k, 12), 4)), "(i0 + i2) % 4");
  EXPECT_EQ(simple(mod(13 * i + 25, 12)), "(i0 + 1) % 12");
  EXPECT_EQ(simple(floor_div(i, -12)), "-((i0 + 11) // 12)");
  EXPECT_EQ(simple(any - 4 * floor_div(any, 4)), "x3 % 4");
}

TEST(Simplify, DivisionNeedsProofThatNothingWraps) {
  EXPECT_EQ(simple(floor_div(12 * any, 12)), "12 * x3 // 12");
  EXPECT_EQ(simple(mod(any + 12, 12)), "(x3 + 12) % 12");
  EXPECT_EQ(simple(any < any + 1), "x3 < x3 + 1");
  EXPECT_EQ(simple(equal(any, any + 1)), "false") << "also where it wraps";
  EXPECT_EQ(simple(floor_div(any, 1)), "x3");
}

TEST(Simplify, DivisionBySymbols) {
  EXPECT_EQ(simple(floor_div(n * m * 768, 768)), "m * n");
  EXPECT_EQ(simple(floor_div(n * m + 3 * m, m)), "n + 3");
  EXPECT_EQ(simple(mod(n * m + 1, m)), "1");
  EXPECT_EQ(simple(m * floor_div(i, m) + mod(i, m)), "i0");
  EXPECT_EQ(simple(floor_div(n - 1, 2) + 1), "(n + 1) // 2");
  const Expr zero_allowed =
      symbol(make_ref<const Symbol>("z", Interval{0, 9}, std::nullopt, nullptr));
  EXPECT_EQ(simple(floor_div(zero_allowed * 3, zero_allowed)), "3 * z // z");
}

// Index expressions of two ways to write one reshape or transpose.
TEST(Simplify, EqualIndexExpressionsAreEqualTrees) {
  const Expr flat = 12 * i + j;  // of shape [100, 12]
  const std::vector<std::pair<Expr, Expr>> equalities = {
      // [100, 12] -> [1200] -> [100, 12]
      {floor_div(flat, 12) * 12 + mod(flat, 12), flat},
      // [100] -> [9, 3, 4] -> [100]
      {12 * floor_div(i, 12) + 4 * mod(floor_div(i, 4), 3) + mod(i, 4), i},
      {4 * floor_div(i, 4) + mod(i, 4), i},
      // [1200] -> [50, 24] -> [1200]
      {24 * floor_div(flat, 24) + mod(flat, 24), flat},
      // [1200] -> [50, 2, 12] against [50, 24] -> [.., 2, 12]
      {mod(floor_div(flat, 12), 2), floor_div(mod(flat, 24), 12)},
      // [100] -> [50, 2] twice
      {floor_div(floor_div(i, 2), 2), floor_div(i, 4)},
      {(i + 1) * (j + 2), i * j + 2 * i + j + 2},
      // ceil(i / 8) in two spellings
      {floor_div(i + 7, 8), floor_div(i - 1, 8) + 1},
      {floor_div(i + 7, 8), -floor_div(-i, 8)},
      // the output size of a convolution
      {floor_div(n + 2 * 1 - 3, 1) + 1, n},
      {floor_div(n + 2 - 3, 2) + 1, floor_div(n + 1, 2)},
      {min(i, min(j, k)), min(min(k, i), j)},
      {!(i < j), j <= i},
  };
  for (const auto& [first, second] : equalities) {
    EXPECT_TRUE(same(simplify(first, range), simplify(second, range)))
        << simple(first) << "  and  " << simple(second);
  }
}

TEST(Simplify, Comparisons) {
  EXPECT_EQ(simple(j < 12), "true");
  EXPECT_EQ(simple(i < 12), "i0 < 12");
  EXPECT_EQ(simple(i + 1 <= j), "i0 < i1");
  EXPECT_EQ(simple(2 * i < 2 * j + 3), "i0 < i1 + 2");
  EXPECT_EQ(simple(equal(2 * i, 2 * j + 4)), "i0 == i1 + 2");
  EXPECT_EQ(simple(equal(2 * i, 2 * j + 3)), "false");
  EXPECT_EQ(simple(not_equal(j, 12)), "true");
  EXPECT_EQ(simple(equal(5, n)), "n == 5");
  EXPECT_EQ(simple(n + 1 <= n), "false");
  EXPECT_EQ(simple(equal(b, true)), "x2");
  EXPECT_EQ(simple(equal(b, false)), "!x2");
  EXPECT_EQ(simple(equal(x, x)), "x0 == x0") << "NaN";
}

// j < 12: what is left of the bound decides alone where no rest can reach a multiple.
TEST(Simplify, ConditionsWithoutRests) {
  const auto shared = [](const Expr& e) { return to_text(without_rests(e, range)); };
  EXPECT_EQ(shared(12 * i + j < 120), "i0 < 10");
  EXPECT_EQ(shared(12 * i + j <= 119), "i0 < 10");
  EXPECT_EQ(shared(Expr(120) <= 12 * i + j), "9 < i0");
  EXPECT_EQ(shared(24 * i + j < 120), "i0 < 5");
  EXPECT_EQ(shared(24 * i + 12 * k + j < 120), "2 * i0 + i2 < 10");
  EXPECT_EQ(shared(12 * i + j < 12 * n), "i0 < n");
  EXPECT_EQ(shared(12 * i + j < 120 && 24 * k + j < 240), "i2 < 10 && i0 < 10");
  EXPECT_EQ(shared(12 * i + j < 121), "12 * i0 + i1 < 121");
  EXPECT_EQ(shared(x < y), "x0 < x1");
  EXPECT_EQ(simple(12 * i + j < 120), "12 * i0 + i1 < 120");
  for (int64_t at = 0; at < 100 * 12; ++at) {
    const auto value = [&](const Expr& e) {
      return simplify(transform(e,
                                [&](const Expr& node) -> Expr {
                                  if (node->kind != Kind::axis) return node;
                                  return Expr(node->index == 0 ? at / 12 : at % 12);
                                }))
          ->integer;
    };
    for (const int bound : {0, 1, 11, 12, 13, 119, 120, 1199, 1200}) {
      const Expr less = 12 * i + j < bound;
      EXPECT_EQ(value(without_rests(less, range)), value(less)) << at << " < " << bound;
    }
  }
}

TEST(Simplify, MinAndMax) {
  EXPECT_EQ(simple(min(i, 100)), "i0");
  EXPECT_EQ(simple(max(i, n + 100)), "n + 100");
  EXPECT_EQ(simple(min(i, i + j)), "i0");
  EXPECT_EQ(simple(min(min(i, 3), 5)), "min(3, i0)");
  EXPECT_EQ(simple(min(i, max(i, j))), "i0");
  EXPECT_EQ(simple(max(x, x)), "x0");
  EXPECT_EQ(simple(abs(j)), "i1");
  EXPECT_EQ(simple(abs(-i - 1)), "i0 + 1");
  EXPECT_EQ(simple(sign(i + 1)), "1");
}

TEST(Simplify, LogicAndChoices) {
  EXPECT_EQ(simple(b && Expr(true)), "x2");
  EXPECT_EQ(simple(b && j < 0), "false");
  EXPECT_EQ(simple(b || b), "x2");
  EXPECT_EQ(simple(!!b), "x2");
  EXPECT_EQ(simple(!(x < y)), "!(x0 < x1)") << "NaN";
  EXPECT_EQ(simple(!equal(x, y)), "x0 != x1");
  EXPECT_EQ(simple(call(Function::logical_xor, {b, true})), "!x2");
  EXPECT_EQ(simple(select(j < 12, x, y)), "x0");
  EXPECT_EQ(simple(select(b, x, x)), "x0");
  EXPECT_EQ(simple(select(!b, x, y)), "select(x2, x1, x0)");
  EXPECT_EQ(simple(select(b, 1, 0)), "integer(x2)");
  EXPECT_EQ(simple(select(b, false, true)), "!x2");
}

TEST(Simplify, Casts) {
  EXPECT_EQ(simple(cast(cast(b, Type::integer), Type::boolean)), "x2");
  EXPECT_EQ(simple(cast(cast(b, Type::integer), Type::real)), "real(x2)");
  EXPECT_EQ(simple(cast(cast(i, Type::real), Type::integer)), "i0");
  EXPECT_EQ(simple(cast(cast(any, Type::real), Type::integer)), "integer(real(x3))");
  EXPECT_EQ(simple(cast(cast(x, Type::integer), Type::real)), "real(integer(x0))");
  EXPECT_EQ(simple(cast(any, Type::boolean)), "x3 != 0");
}

TEST(Simplify, RealsKeepEveryBit) {
  EXPECT_EQ(simple(x * 1), "x0");
  EXPECT_EQ(simple(1 * x / 1), "x0");
  EXPECT_EQ(simple(x - 0), "x0");
  EXPECT_EQ(simple(x + -0.0), "x0");
  EXPECT_EQ(simple(-(-x)), "x0");
  EXPECT_EQ(simple(x - (-y)), "x0 + x1");
  EXPECT_EQ(simple(x - (-y) * 2), "x0 + x1 * 2.0");
  EXPECT_EQ(simple(pow(x, 1)), "x0");
  EXPECT_EQ(simple(abs(-x)), "abs(x0)");
  EXPECT_EQ(simple(floor(round(x))), "round(x0)");
  for (const Expr& kept : {x + 0.0, x - -0.0, x * 0, x - x, x / x, 0 - x, x * 2 / 2, x + y - y}) {
    EXPECT_TRUE(same(simplify(kept), kept)) << to_text(kept);
  }
}

TEST(Simplify, NeverLosesAnIndexCheck) {
  EXPECT_EQ(simple(checked_index(j, 12)), "i1");
  EXPECT_EQ(simple(checked_index(i, n + 99)), "i0");
  EXPECT_EQ(simple(checked_index(k, 12) * 0), "checked_index(i2, 12) * 0");
  EXPECT_EQ(simple(checked_index(any, 1)), "checked_index(x3, 1)");
  EXPECT_EQ(simple(4 * checked_index(any, 1) + j), "i1 + 4 * checked_index(x3, 1)");
  EXPECT_EQ(simple(select(j < 12, i, checked_index(any, 1))), "i0");
}

TEST(Simplify, PointRangesAreConstants) {
  EXPECT_EQ(to_text(simplify(i + 1, [](int) { return Interval::point(4); })), "5");
}

TEST(Affine, CoefficientsOfTheAxes) {
  const auto affine = as_affine(4 * (i + n * j) + i - m + 3, 3);
  ASSERT_TRUE(affine.has_value());
  EXPECT_EQ(to_text(affine->constant), "-m + 3");
  ASSERT_EQ(affine->coefficients.size(), 3u);
  EXPECT_EQ(to_text(affine->coefficients[0]), "5");
  EXPECT_EQ(to_text(affine->coefficients[1]), "4 * n");
  EXPECT_EQ(to_text(affine->coefficients[2]), "0");
}

TEST(Affine, RefusesTheRest) {
  EXPECT_FALSE(as_affine(i * j, 3));
  EXPECT_FALSE(as_affine(i * i, 3));
  EXPECT_FALSE(as_affine(floor_div(i, 2), 3));
  EXPECT_FALSE(as_affine(i + k, 2)) << "axis 2 is not among the first two";
  EXPECT_FALSE(as_affine(x, 1));
  EXPECT_TRUE(as_affine(i * j - j * i + k, 3));
  EXPECT_TRUE(as_affine(floor_div(n, 2) * i, 3));
}

}  // namespace
}  // namespace ridge::expr::simplify_test
