#include "ridge/expr/formula.h"

#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/size.h"

namespace ridge::expr::formula_test {
namespace {

class FormulaTest : public ::testing::Test {
 protected:
  FormulaTest() {
    for (const char* name : {"b", "s", "k"}) {
      symbols_.push_back(make_ref<const Symbol>(name, Interval{1, 1 << 20}, std::nullopt, nullptr));
      leaves_.push_back(symbol(symbols_.back()));
    }
  }

  Expr random_expr(int depth) {
    if (depth == 0 || random_.integer(0, 4) == 0) {
      return random_.integer(0, 2) == 0 ? Expr(random_.integer(-3, 9))
                                        : leaves_[static_cast<size_t>(random_.integer(0, 2))];
    }
    const Expr a = random_expr(depth - 1), b = random_expr(depth - 1);
    switch (random_.integer(0, 8)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      case 3: return min(a, b);
      case 4: return max(a, b);
      case 5: return floor_div(a, max(abs(b), Expr(1)));
      case 6: return mod(a, max(abs(b), Expr(1)));
      case 7: return cast(a < b && !equal(a, b), Type::integer);
      default: return select(a <= b, a, b);
    }
  }

  Symbols symbols_;
  std::vector<Expr> leaves_;
  SplitMix64 random_{17};
};

TEST_F(FormulaTest, GivesWhatEvaluationGives) {
  for (int round = 0; round < 500; ++round) {
    const Expr e = random_expr(4);
    const Formula formula(e, symbols_);
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<int64_t> values;
      for (size_t i = 0; i < symbols_.size(); ++i) values.push_back(random_.integer(1, 50));
      const Leaves leaves{.symbol = [&](const Symbol& s) {
        for (size_t i = 0; i < symbols_.size(); ++i) {
          if (symbols_[i]->id() == s.id()) return Number::of(values[i]);
        }
        return Number();
      }};
      EXPECT_EQ(formula(values), evaluate(e, leaves).as_integer());
    }
  }
}

TEST_F(FormulaTest, AConditionOnAnIntegerIsOneOrZero) {
  const Formula formula(cast(leaves_[0] - 3, Type::boolean), symbols_);
  EXPECT_EQ(formula(std::vector<int64_t>{9, 1, 1}), 1);
  EXPECT_EQ(formula(std::vector<int64_t>{3, 1, 1}), 0);
}

TEST_F(FormulaTest, AnUnknownSymbolIsAnInternalError) {
  const Size other = symbolic_size("other", {1, 9});
  EXPECT_THROW(Formula(other.expression(), symbols_), Error);
}

}  // namespace
}  // namespace ridge::expr::formula_test
