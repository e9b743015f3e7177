#include "ridge/expr/expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/expr/derivative.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"

namespace ridge::expr::expr_test {
namespace {

const Expr b = input(0, Type::boolean);
const Expr i = input(1, Type::integer);
const Expr x = input(2, Type::real);

TEST(Expr, ArithmeticPromotesToTheWidestType) {
  EXPECT_EQ((i + x)->type, Type::real);
  EXPECT_EQ((b + i)->type, Type::integer);
  EXPECT_EQ((b < i)->type, Type::boolean);
  EXPECT_EQ(to_text(i + x), "real(x1) + x2");
  EXPECT_EQ(to_text(b * i), "integer(x0) * x1");
}

TEST(Expr, ArithmeticOfBooleansIsInteger) {
  EXPECT_EQ((b + b)->type, Type::integer);
  EXPECT_EQ((-b)->type, Type::integer);
  EXPECT_EQ(abs(b)->type, Type::integer);
  EXPECT_EQ(mod(b, b)->type, Type::integer);
  EXPECT_EQ(min(b, b)->type, Type::boolean);
  EXPECT_EQ(select(b, b, b)->type, Type::boolean);
}

TEST(Expr, ConstantsTakeTheTypeOfTheirContext) {
  EXPECT_EQ(to_text(x + 1), "x2 + 1.0");
  EXPECT_EQ(to_text(i + 1), "x1 + 1");
  EXPECT_EQ(to_text(2 * x < 3), "2.0 * x2 < 3.0");
  EXPECT_EQ(to_text(select(b, x, 0)), "select(x0, x2, 0.0)");
  EXPECT_EQ(to_text(max(i, true)), "max(x1, 1)");
}

TEST(Expr, RealFunctionsConvertTheirOperands) {
  EXPECT_EQ(to_text(exp(i)), "exp(real(x1))");
  EXPECT_EQ(to_text(i / 2), "real(x1) / 2.0");
}

TEST(Expr, LogicConvertsToBoolean) {
  EXPECT_EQ(to_text(i && x), "boolean(x1) && boolean(x2)");
  EXPECT_EQ(to_text(!i), "!boolean(x1)");
  EXPECT_EQ(to_text(select(x, 1, 2)), "select(boolean(x2), 1, 2)");
}

TEST(Expr, RoundingAnIntegerDoesNothing) {
  EXPECT_EQ(floor(i).get(), i.get());
  EXPECT_EQ(round(b).get(), b.get());
  EXPECT_TRUE(is_constant(is_nan(i), 0));
  EXPECT_EQ(to_text(floor(x)), "floor(x2)");
}

TEST(Expr, FoldsConstants) {
  EXPECT_EQ(to_text(Expr(2) + 3), "5");
  EXPECT_EQ(to_text(Expr(7) / 2), "3.5");
  EXPECT_EQ(to_text(floor_div(-7, 2)), "-4");
  EXPECT_EQ(to_text(mod(-7, 2)), "1");
  EXPECT_EQ(to_text(Expr(2) < 3), "true");
  EXPECT_EQ(to_text(select(true, 1, 2.5)), "1.0");
  EXPECT_EQ(to_text(cast(2.9, Type::integer)), "2");
  EXPECT_EQ(to_text(max(1, NAN)), "nan");
}

TEST(Expr, DoesNotFoldWhatWouldFail) {
  EXPECT_EQ(to_text(floor_div(1, 0)), "1 // 0");
  EXPECT_EQ(to_text(mod(1, 0)), "1 % 0");
  EXPECT_EQ(to_text(pow(2, -1)), "pow(2, -1)");
  EXPECT_EQ(to_text(checked_index(4, 4)), "checked_index(4, 4)");
  EXPECT_EQ(to_text(checked_index(3, 4)), "3");
  EXPECT_EQ(to_text(Expr(1.0) / 0.0), "inf");
}

TEST(Expr, FoldingWraps) {
  const int64_t lowest = std::numeric_limits<int64_t>::min();
  EXPECT_EQ((-constant(lowest))->integer, lowest);
  EXPECT_EQ((constant(lowest) - 1)->integer, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(floor_div(lowest, -1)->integer, lowest);
  EXPECT_EQ(mod(lowest, -1)->integer, 0);
  EXPECT_EQ(abs(lowest)->integer, lowest);
}

TEST(Expr, SameMeansSameStructure) {
  EXPECT_TRUE(same(x + 1, input(2, Type::real) + 1.0));
  EXPECT_EQ((x + 1)->hash, (input(2, Type::real) + 1.0)->hash);
  EXPECT_FALSE(same(x + 1, 1 + x));
  EXPECT_FALSE(same(input(0, Type::real), input(0, Type::integer)));
  EXPECT_FALSE(same(input(0, Type::real), param(0, Type::real)));
  EXPECT_FALSE(same(constant(0.0), constant(-0.0)));
  EXPECT_TRUE(same(constant(double{NAN}), constant(-double{NAN})));
  EXPECT_FALSE(same(constant(int64_t{1}), constant(1.0)));
}

TEST(Expr, IsConstantComparesNumbers) {
  EXPECT_TRUE(is_constant(Expr(3), 3));
  EXPECT_TRUE(is_constant(Expr(3.0), 3));
  EXPECT_TRUE(is_constant(Expr(true), 1));
  EXPECT_FALSE(is_constant(Expr(double{NAN}), NAN));
  EXPECT_FALSE(is_constant(x, 3));
  EXPECT_FALSE(is_constant(Expr((int64_t{1} << 53) + 1), 0x1p53));
  EXPECT_FALSE(is_constant(Expr(std::numeric_limits<int64_t>::max()), 0x1p63));
}

TEST(Expr, WrongNumberOfOperandsIsAnInternalError) {
  EXPECT_THROW(call(Function::add, {x}), Error);
  EXPECT_THROW(axis(-1), Error);
}

TEST(Expr, WithArgsFoldsAgain) {
  EXPECT_EQ(to_text(with_args(i + 1, {Expr(2), Expr(3)})), "5");
  EXPECT_EQ(to_text(with_args(load(0, Type::real, {i}), {Expr(3)})), "x0[3]");
  EXPECT_EQ(with_args(x, {}).get(), x.get());
}

TEST(Walk, VisitsSharedNodesOnceArgumentsFirst) {
  const Expr shared = x * x;
  std::vector<std::string> visited;
  walk(shared + shared, [&](const Expr& e) { visited.push_back(to_text(e)); });
  EXPECT_EQ(visited, (std::vector<std::string>{"x2", "x2 * x2", "x2 * x2 + x2 * x2"}));
}

TEST(Walk, SharingKeepsDoubledTreesSmall) {
  Expr doubled = x;
  Expr again = x;
  for (int level = 0; level < 200; ++level) {  // 2^200 leaves
    doubled = doubled + doubled;
    again = again + again;
  }
  int count = 0;
  walk(doubled, [&](const Expr&) { ++count; });
  EXPECT_EQ(count, 201);
  EXPECT_TRUE(same(doubled, again));
  EXPECT_TRUE(same(simplify(doubled), doubled));
  const Number one = evaluate(doubled, {.input = [](int) { return Number::of(1.0); }});
  EXPECT_EQ(one.real, 0x1p200);
}

TEST(Transform, RewritesBottomUp) {
  const Expr e = transform(i * (i + 1), [](const Expr& node) {
    return node->kind == Kind::input ? constant(int64_t{4}) : node;
  });
  EXPECT_EQ(to_text(e), "20");
}

TEST(Transform, KeepsWhatDoesNotChange) {
  const Expr kept = x * 2.0;
  const Expr e = kept + i;
  const auto rename = [](const Expr& node) {
    return node->kind == Kind::input && node->index == 1 ? input(7, Type::integer) : node;
  };
  const Expr renamed = transform(e, rename);
  EXPECT_EQ(to_text(renamed), "x2 * 2.0 + real(x7)");
  EXPECT_EQ(renamed->args[0].get(), kept.get());
  EXPECT_EQ(transform(kept, rename).get(), kept.get());
}

class DeepChain : public testing::Test {
 protected:
  static constexpr int kDepth = 10000;

  // Nested to the left, to the right, and through functions.
  static Expr chain(const Expr& leaf, int shape) {
    Expr e = leaf;
    for (int level = 0; level < kDepth; ++level) {
      if (shape == 0) e = e + leaf;
      if (shape == 1) e = leaf * e;
      if (shape == 2) e = select(e < leaf, tanh(e), leaf);
    }
    return e;
  }
};

TEST_F(DeepChain, IsBuiltComparedWalkedPrintedAndDropped) {
  for (int shape = 0; shape < 3; ++shape) {
    const Expr e = chain(x, shape);
    EXPECT_TRUE(same(e, chain(x, shape)));
    int count = 0;
    walk(e, [&](const Expr&) { ++count; });
    EXPECT_GE(count, kDepth);
    if (shape < 2) {
      EXPECT_GT(to_text(e).size(), size_t{kDepth});
    }
  }
}

TEST_F(DeepChain, IsEvaluatedSimplifiedAndDifferentiated) {
  for (int shape = 0; shape < 3; ++shape) {
    const Expr e = chain(x, shape);
    const Number value = evaluate(e, {.input = [](int) { return Number::of(1.0); }});
    EXPECT_EQ(value.real, shape == 0 ? kDepth + 1 : 1);
    EXPECT_TRUE(same(simplify(e), e));
    EXPECT_EQ(derivative(e, 2)->type, Type::real);
  }
}

TEST_F(DeepChain, OfIntegersIsSimplified) {
  EXPECT_EQ(to_text(simplify(chain(i, 0))), "10001 * x1");
  EXPECT_EQ(simplify(chain(i, 1))->type, Type::integer);
  Expr sum = axis(0);
  Expr least = axis(0);
  for (int level = 1; level < 1000; ++level) {
    sum = sum + axis(level);
    least = min(least, axis(level));
  }
  EXPECT_EQ(simplify(sum)->type, Type::integer);
  EXPECT_EQ(simplify(least)->type, Type::integer);
  EXPECT_EQ(interval_of(chain(i, 1)), Interval::all());
}

}  // namespace
}  // namespace ridge::expr::expr_test
