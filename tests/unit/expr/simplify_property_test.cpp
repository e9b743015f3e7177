// What must hold for every expression, tried on thousands of random ones.
#include <gtest/gtest.h>

#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"
#include "tests/unit/expr/random_expr.h"

namespace ridge::expr::simplify_property_test {
namespace {

constexpr Type kTypes[] = {Type::boolean, Type::integer, Type::real};

void expect_same_values(RandomExpr& random, const Expr& before, const Expr& after, int points) {
  ASSERT_EQ(before->type, after->type) << to_text(before) << "  ->  " << to_text(after);
  for (int i = 0; i < points; ++i) {
    const Point at = random.point();
    const auto expected = random.value(before, at);
    if (!expected) continue;  // an error: what is not used may disappear
    const auto actual = random.value(after, at);
    ASSERT_TRUE(actual && is_identical(*expected, *actual))
        << to_text(before) << "  ->  " << to_text(after) << "\n"
        << expected->integer << " " << expected->real << " became "
        << (actual ? actual->integer : 0) << " " << (actual ? actual->real : 0) << " at axes "
        << testing::PrintToString(at.axes) << ", n " << at.symbols[0] << ", m " << at.symbols[1]
        << ", inputs " << at.boolean_input << " " << at.integer_input << " " << at.real_input;
  }
}

TEST(SimplifyProperty, KeepsEveryValue) {
  RandomExpr random(1);
  for (int i = 0; i < 3000; ++i) {
    const Expr e = random.make(kTypes[i % 3], 1 + i % 4);
    expect_same_values(random, e, simplify(e, RandomExpr::axis_range), 12);
    if (HasFatalFailure()) return;
  }
}

TEST(SimplifyProperty, KeepsEveryValueOfIndexArithmetic) {
  RandomExpr random(2);
  for (int i = 0; i < 2000; ++i) {
    const Expr e = random.index(1 + i % 5);
    expect_same_values(random, e, simplify(e, RandomExpr::axis_range), 12);
    expect_same_values(random, e, simplify(e), 3);
    if (HasFatalFailure()) return;
  }
}

TEST(SimplifyProperty, IsIdempotent) {
  RandomExpr random(3);
  for (int i = 0; i < 2000; ++i) {
    const Expr e = i % 2 == 0 ? random.index(1 + i % 5) : random.make(kTypes[i % 3], 1 + i % 4);
    const Expr once = simplify(e, RandomExpr::axis_range);
    const Expr twice = simplify(once, RandomExpr::axis_range);
    ASSERT_TRUE(same(once, twice)) << to_text(e) << "\n" << to_text(once) << "\n" << to_text(twice);
    EXPECT_EQ(once.get(), twice.get()) << "an unchanged tree should stay the same object";
  }
}

TEST(SimplifyProperty, IsDeterministic) {
  // Two generators of one seed build the same trees from other nodes and other symbols.
  RandomExpr first(4);
  RandomExpr second(4);
  for (int i = 0; i < 1000; ++i) {
    const Expr a = simplify(first.make(kTypes[i % 3], 1 + i % 4), RandomExpr::axis_range);
    const Expr b = simplify(second.make(kTypes[i % 3], 1 + i % 4), RandomExpr::axis_range);
    ASSERT_EQ(to_text(a), to_text(b));
  }
}

TEST(SimplifyProperty, SumsDoNotDependOnTheirOrder) {
  RandomExpr random(5);
  for (int i = 0; i < 500; ++i) {
    const Expr a = random.index(i % 3);
    const Expr b = random.index(i % 4);
    const Expr c = random.index(i % 2);
    const auto simple = [](const Expr& e) { return simplify(e, RandomExpr::axis_range); };
    const Expr expected = simple(a * b + a * c);
    EXPECT_TRUE(same(expected, simple(a * (c + b)))) << to_text(a * (b + c));
    EXPECT_TRUE(same(expected, simple((b + c) * a))) << to_text(a * (b + c));
    EXPECT_TRUE(same(expected, simple(b * a - (-c) * a))) << to_text(a * (b + c));
  }
}

TEST(SimplifyProperty, IntervalsContainEveryValue) {
  RandomExpr random(6);
  for (int i = 0; i < 4000; ++i) {
    const Expr e = i % 3 == 0 ? random.index(1 + i % 5) : random.make(kTypes[i % 2], 1 + i % 4);
    const Interval interval = interval_of(e, RandomExpr::axis_range);
    for (int j = 0; j < 12; ++j) {
      const auto value = random.value(e, random.point());
      if (!value) continue;
      ASSERT_TRUE(interval.contains(value->integer))
          << to_text(e) << " is " << value->integer << ", not in " << to_text(interval);
    }
  }
}

TEST(SimplifyProperty, FactoriesFoldToWhatEvaluationGives) {
  RandomExpr random(7);
  for (int i = 0; i < 3000; ++i) {
    const Expr e = random.make(kTypes[i % 3], 1 + i % 4);
    const Point at = random.point();
    const auto expected = random.value(e, at);
    if (!expected) continue;
    // Put constants in place of all leaves: what remains is folded on the way up.
    const Expr folded = transform(e, [&](const Expr& node) {
      if (!node->args.empty()) return node;
      return constant(*random.value(node, at));
    });
    const auto actual = random.value(folded, at);
    ASSERT_TRUE(actual && is_identical(*expected, *actual)) << to_text(e);
  }
}

}  // namespace
}  // namespace ridge::expr::simplify_property_test
