#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <vector>

#include "ridge/expr/interval.h"

namespace ridge::expr::real_range_test {
namespace {

RealRange range(Function function, std::initializer_list<RealRange> arguments) {
  return range_of_call(function, std::vector<RealRange>(arguments));
}

const RealRange kAny, kWave = {-1, 1}, kHalf = {0.5, 0.5};

TEST(RealRange, FollowsFromTheFunctionAndItsArguments) {
  EXPECT_TRUE(range(Function::cos, {kAny}).is_within(1));
  EXPECT_TRUE(range(Function::tanh, {kAny}).is_within(1));
  EXPECT_TRUE(range(Function::mul, {kHalf, kWave}).is_within(0.5));
  EXPECT_TRUE(range(Function::max, {kWave, kHalf}).is_within(1));
  EXPECT_EQ(range(Function::max, {kWave, kHalf}).low, 0.5);
  EXPECT_EQ(range(Function::neg, {{-3, 2}}).high, 3);
  EXPECT_EQ(range(Function::abs, {{-3, 2}}).low, 0);
  EXPECT_TRUE(range(Function::abs, {{-3, 2}}).is_within(3));
  EXPECT_FALSE(range(Function::add, {kWave, kHalf}).is_within(1e300)) << "sums are not followed";
  EXPECT_EQ(range(Function::exp, {kAny}).low, 0);
  EXPECT_TRUE(std::isinf(range(Function::exp, {kAny}).high));
  EXPECT_TRUE(range(Function::select, {kAny, kWave, {2, 2}}).is_within(2));
  EXPECT_FALSE(range(Function::select, {kAny, kWave, {2, 2}}).is_within(1));
}

TEST(RealRange, NothingTimesInfinityIsNotKnown) {
  EXPECT_TRUE(std::isinf(range(Function::mul, {{0, 0}, {.low = 0}}).high));
}

}  // namespace
}  // namespace ridge::expr::real_range_test
