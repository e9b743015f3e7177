#include "ridge/schedule/domain.h"

#include <gtest/gtest.h>

#include "ridge/expr/text.h"

namespace ridge::schedule::domain_test {
namespace {

std::string axes_text(const std::vector<Expr>& axes) {
  std::string text;
  for (const Expr& axis : axes) text += expr::to_text(axis) + "; ";
  return text;
}

TEST(Refine, FindsTheFinerList) {
  const auto refined = refine({6, 4}, {2, 3, 4});
  ASSERT_TRUE(refined);
  EXPECT_EQ(to_text(refined->axes), "[2, 3, 4]");
  EXPECT_EQ(axes_text(refined->first), "3 * i0 + i1; i2; ");
  EXPECT_EQ(axes_text(refined->second), "i0; i1; i2; ");
}

TEST(Refine, CutsBothSides) {
  const auto refined = refine({4, 6}, {2, 12});
  ASSERT_TRUE(refined);
  EXPECT_EQ(to_text(refined->axes), "[2, 2, 6]");
}

TEST(Refine, AxesOfSizeOneStandStill) {
  const auto refined = refine({5, 1}, {1, 5});
  ASSERT_TRUE(refined);
  EXPECT_EQ(to_text(refined->axes), "[5]");
  EXPECT_EQ(axes_text(refined->first), "i0; 0; ");
  EXPECT_EQ(axes_text(refined->second), "0; i0; ");
}

TEST(Refine, RefusesListsThatCross) {
  EXPECT_FALSE(refine({4, 6}, {6, 4}));
  EXPECT_FALSE(refine({4}, {5}));
  EXPECT_FALSE(refine({4}, {4, 2}));
}

TEST(Refine, ASymbolMatchesItself) {
  const Size n = symbolic_size("n", {2, 4096}), m = symbolic_size("m", {2, 4096});
  EXPECT_TRUE(refine({n, 4}, {n, 2, 2}));
  EXPECT_FALSE(refine({n}, {m}));
}

}  // namespace
}  // namespace ridge::schedule::domain_test
