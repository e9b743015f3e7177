// The order of groups, against a list that is searched.
#include "ridge/schedule/group_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ridge/base/random.h"

namespace ridge::schedule::group_order_test {
namespace {

void expect_order(const GroupOrder& order, const std::vector<int32_t>& expected) {
  for (size_t i = 1; i < expected.size(); ++i) {
    ASSERT_TRUE(order.is_before(expected[i - 1], expected[i])) << i;
    ASSERT_FALSE(order.is_before(expected[i], expected[i - 1])) << i;
  }
}

void move_before(std::vector<int32_t>& list, const std::vector<int32_t>& groups, int32_t group) {
  std::erase_if(list, [&](int32_t g) { return std::ranges::count(groups, g) > 0; });
  list.insert(std::ranges::find(list, group), groups.begin(), groups.end());
}

TEST(GroupOrder, BeginsByNumber) {
  std::vector<int32_t> expected(10);
  std::iota(expected.begin(), expected.end(), 0);
  expect_order(GroupOrder(10), expected);
}

TEST(GroupOrder, MovesOthersInFrontOfAGroup) {
  GroupOrder order(5);
  order.move_before(std::vector<int32_t>{3, 4}, 1);
  expect_order(order, {0, 3, 4, 1, 2});
  order.move_before(std::vector<int32_t>{2, 4}, 0);
  expect_order(order, {2, 4, 0, 3, 1});
  order.move_before({}, 0);
  expect_order(order, {2, 4, 0, 3, 1});
}

// Ranks are given anew on the way, since the room in front of each of a few groups is used up.
TEST(GroupOrder, HasRoomForAnyNumberOfMoves) {
  constexpr int32_t kGroups = 12;
  GroupOrder order(kGroups);
  std::vector<int32_t> expected(kGroups);
  std::iota(expected.begin(), expected.end(), 0);
  SplitMix64 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::vector<int32_t> groups;
    const auto place = static_cast<int32_t>(random.integer(0, 2));
    const int64_t count = random.integer(0, 3);
    for (int64_t i = 0; i < count; ++i) {
      const auto g = static_cast<int32_t>(random.integer(3, kGroups - 1));
      if (std::ranges::count(groups, g) == 0) groups.push_back(g);
    }
    order.move_before(groups, place);
    move_before(expected, groups, place);
    expect_order(order, expected);
  }
}

}  // namespace
}  // namespace ridge::schedule::group_order_test
