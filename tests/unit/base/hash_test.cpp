#include "ridge/base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "ridge/base/small_vector.h"

namespace ridge::hash_test {
namespace {

template <class... Values>
uint64_t hash_of(const Values&... values) {
  Hasher hasher;
  (hasher.combine(values), ...);
  return hasher.digest();
}

// Computed by another program. They are in names of kernels and files of caches: a change must be
// on purpose.
TEST(Hasher, IsTheSameOnEveryMachine) {
  static_assert(hash_bytes("") == 0x6ae4947ecd406822);
  EXPECT_EQ(hash_bytes("ridge compiler"), 0xecd624574e791d42);
  EXPECT_EQ(hash_of(1, 2, -3), 0xdd20dc6b0d926810);
  EXPECT_EQ(hash_of(-1.5), 0xf75de1e7fee8e06d);
}

TEST(Hasher, LooksAtValuesNotWidths) {
  EXPECT_EQ(hash_of(int8_t{-7}), hash_of(int64_t{-7}));
  EXPECT_EQ(hash_of(uint16_t{7}), hash_of(int64_t{7}));
  EXPECT_EQ(hash_of(0.5f), hash_of(0.5));
  enum class Color : uint8_t { red = 3 };
  EXPECT_EQ(hash_of(Color::red), hash_of(3));
}

TEST(Hasher, LooksAtContentsNotContainers) {
  const std::vector<int> vector = {1, 2, 3};
  EXPECT_EQ(hash_of(vector), hash_of(std::array{1, 2, 3}));
  EXPECT_EQ(hash_of(vector), hash_of(SmallVector<int64_t, 2>{1, 2, 3}));
  EXPECT_EQ(hash_of("text"), hash_of(std::string("text")));
  EXPECT_EQ(hash_of(std::vector<std::string>{"a", "b"}),
            hash_of(std::array<std::string_view, 2>{"a", "b"}));
}

TEST(Hasher, KnowsWhereOnePartEnds) {
  EXPECT_NE(hash_of("ab", "c"), hash_of("a", "bc"));
  EXPECT_NE(hash_of(std::vector<int>{1}, std::vector<int>{2, 3}),
            hash_of(std::vector<int>{1, 2}, std::vector<int>{3}));
  EXPECT_NE(hash_bytes(std::string(8, '\0')), hash_bytes(std::string(9, '\0')));
  EXPECT_NE(hash_of(1, 2), hash_of(2, 1));
  EXPECT_NE(hash_of(0.0), hash_of(-0.0));
  EXPECT_NE(hash_of(), hash_of(0));
}

TEST(Hasher, HashesRawBytesAsText) {
  const std::array bytes = {std::byte{'o'}, std::byte{'k'}};
  EXPECT_EQ(hash_bytes(bytes), hash_bytes("ok"));
  EXPECT_EQ(hash_of(bytes), hash_of("ok"));
}

struct Point {
  int x, y;
  void hash_into(Hasher& hasher) const { hasher.combine(x).combine(y); }
};

TEST(Hasher, AsksTypesThatHashThemselves) {
  EXPECT_EQ(hash_of(Point{1, 2}), hash_of(1, 2));
  EXPECT_EQ(hash_of(std::vector<Point>{{1, 2}}), hash_of(size_t{1}, 1, 2));
}

TEST(Hasher, SpreadsSmallInputs) {
  std::set<uint64_t> seen;
  for (int x = 0; x < 100; ++x) {
    for (int y = 0; y < 100; ++y) seen.insert(hash_of(x, y));
  }
  EXPECT_EQ(seen.size(), 10000u);
  // Low bits alone must do as a table index: 4096 keys in 4096 slots fill about 63 % of them.
  std::set<uint64_t> slots;
  for (int x = 0; x < 4096; ++x) slots.insert(hash_of(x) % 4096);
  EXPECT_GT(slots.size(), 2400u);
}

TEST(Hasher, SeedsAreIndependent) {
  EXPECT_NE(Hasher(1).combine(5).digest(), Hasher(2).combine(5).digest());
}

}  // namespace
}  // namespace ridge::hash_test
