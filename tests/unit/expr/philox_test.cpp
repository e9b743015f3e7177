// The known answers published with Random123 (kat_vectors, philox4x32 10).
#include <gtest/gtest.h>

#include <array>

#include "ridge/expr/evaluate.h"

namespace ridge::expr::philox_test {
namespace {

using Words = std::array<uint32_t, 4>;

Words all_words(uint64_t seed, uint64_t rank, uint64_t call, uint64_t element) {
  Words words;
  for (int i = 0; i < 4; ++i) words[static_cast<size_t>(i)] = philox(seed, rank, call, element, i);
  return words;
}

TEST(Philox, KnownAnswers) {
  EXPECT_EQ(all_words(0, 0, 0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const uint64_t ones = ~uint64_t{0};
  EXPECT_EQ(all_words(ones, 0, ones, ones),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  // Counter and key are digits of pi.
  EXPECT_EQ(all_words(0x299f31d0a4093822, 0, 0x0370734413198a2e, 0x85a308d3243f6a88),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, RankEntersTheHighWordOfTheKey) {
  EXPECT_EQ(all_words(0, 5, 1, 2), all_words(uint64_t{5} << 32, 0, 1, 2));
  EXPECT_NE(all_words(0, 5, 1, 2), all_words(0, 4, 1, 2));
}

TEST(Philox, IsAFunctionOfExpressions) {
  const Expr word = call(Function::philox, {0, 0, 0, axis(0), 3});
  EXPECT_EQ(word->type, Type::integer);
  const Leaves leaves = {.axis = [](int) { return Number::of(int64_t{0}); }};
  EXPECT_EQ(evaluate(word, leaves).integer, 0x9b00dbd8);
  EXPECT_EQ(call(Function::philox, {0, 0, 0, 0, 3})->integer, 0x9b00dbd8);
}

}  // namespace
}  // namespace ridge::expr::philox_test
