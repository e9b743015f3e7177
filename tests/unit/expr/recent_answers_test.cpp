#include "ridge/expr/recent_answers.h"

#include <gtest/gtest.h>

#include "ridge/expr/simplify.h"
#include "ridge/expr/text.h"

namespace ridge::expr::recent_test {
namespace {

using Names = RecentAnswers<std::string>;

TEST(RecentAnswers, FindsByStructureAndContext) {
  Names recent;
  const Expr asked = axis(0) * 4 + axis(1), again = axis(0) * 4 + axis(1);
  ASSERT_NE(asked.get(), again.get());
  EXPECT_EQ(recent.find(asked, {}), nullptr);
  recent.add(asked, {Interval{0, 7}}, "small");
  ASSERT_NE(recent.find(again, {Interval{0, 7}}), nullptr);
  EXPECT_EQ(*recent.find(again, {Interval{0, 7}}), "small");
  EXPECT_EQ(recent.find(again, {Interval{0, 8}}), nullptr);
  EXPECT_EQ(recent.find(axis(0) * 4 + axis(2), {Interval{0, 7}}), nullptr);
}

TEST(RecentAnswers, LaterQuestionsTakeThePlaceOfEarlierOnes) {
  Names recent;
  constexpr int kMany = 20000;  // more than there are slots
  for (int i = 0; i < kMany; ++i) recent.add(axis(0) + i, {}, to_text(axis(0) + i));
  int found = 0;
  for (int i = 0; i < kMany; ++i) {
    const std::string* known = recent.find(axis(0) + i, {});
    if (known == nullptr) continue;
    ++found;
    EXPECT_EQ(*known, to_text(axis(0) + i));
  }
  EXPECT_GT(found, 1000);
  EXPECT_LT(found, 8000);
}

TEST(RecentAnswers, HoldsNoLargeTrees) {
  Expr chain = axis(0);
  for (int i = 0; i < 200; ++i) chain = floor_div(chain, 3) + 1;
  EXPECT_FALSE(Names::can_hold(chain));
  EXPECT_FALSE(Names::can_hold(axis(Node::kLastAxis) + 1));
  EXPECT_TRUE(Names::can_hold(axis(0) * 4 + axis(1)));
}

TEST(RecentAnswers, SimplifyingAnswersForTheRangesItIsGiven) {
  const auto in = [](const Interval& range) { return [range](int) { return range; }; };
  const auto quotient = [] { return floor_div(axis(0), 8); };
  EXPECT_EQ(to_text(simplify(quotient(), in({0, 7}))), "0");
  EXPECT_EQ(to_text(simplify(quotient(), in({0, 8}))), "i0 // 8");
  EXPECT_EQ(to_text(simplify(quotient(), in({0, 7}))), "0");
  EXPECT_EQ(to_text(simplify(quotient(), in({8, 15}))), "1");
  EXPECT_EQ(to_text(simplify(quotient())), "i0 // 8");
}

TEST(RecentAnswers, KnowsOfAWholeTreeAtItsRoot) {
  const Expr e = checked_index(axis(2) * 3 + axis(5), 100);
  EXPECT_EQ(e->axes, (1u << 2) | (1u << 5));
  EXPECT_EQ(e->has_index_check, 1u);
  EXPECT_EQ(e->tree_size, 7);
  EXPECT_EQ((axis(40) + axis(1))->axes, (1u << Node::kLastAxis) | (1u << 1));
  EXPECT_EQ((axis(0) + 1)->has_index_check, 0u);
}

}  // namespace
}  // namespace ridge::expr::recent_test
