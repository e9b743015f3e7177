// The word that a tensor keeps for signatures: exact where it is packed.
#include "ridge/core/layout_word.h"

#include <gtest/gtest.h>

#include <map>

#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::layout_word_test {
namespace {

Tensor meta(const Shape& shape) { return Tensor::empty(shape, f32, Device{DeviceKind::meta, 0}); }

TEST(LayoutWord, HoldsTheSizesOfARowMajorTensor) {
  for (const Shape& shape : {Shape{}, Shape{7}, Shape{64, 512}, Shape{0, 3}, Shape{2, 3, 5, 7},
                             Shape{1, 2, 3, 4, 5, 6, 7}, Shape{int64_t{1} << 40}}) {
    const LayoutWord word = layout_word(meta(shape).impl());
    ASSERT_TRUE(word.is_packed()) << to_text(shape);
    ASSERT_EQ(word.rank(), shape.size());
    for (size_t i = 0; i < shape.size(); ++i) EXPECT_EQ(word.size(i), *shape[i].known());
  }
}

TEST(LayoutWord, SaysWhenThereIsMoreToCompare) {
  EXPECT_FALSE(layout_word(meta({int64_t{1} << 29, 1}).impl()).is_packed());
  EXPECT_TRUE(layout_word(meta({(int64_t{1} << 29) - 1, 1}).impl()).is_packed());
  EXPECT_FALSE(layout_word(meta({1, 1, 1, 1, 1, 1, 1, 1}).impl()).is_packed());
  const Tensor x = ones({3, 4});
  const LayoutWord turned = layout_word(transpose(x, 0, 1).impl());
  EXPECT_FALSE(turned.is_packed());
  EXPECT_EQ(turned.rank(), 2u);
  EXPECT_FALSE(layout_word(meta({symbolic_size("n", {2, 9}), 4}).impl()).is_packed());
}

TEST(LayoutWord, EqualWordsOfRandomShapesMeanEqualShapes) {
  SplitMix64 numbers(3);
  std::map<uint64_t, std::string> shape_of;
  for (int i = 0; i < 20000; ++i) {
    Shape shape;
    const uint64_t rank = numbers.next() % 8;
    for (uint64_t k = 0; k < rank; ++k) {
      shape.push_back(static_cast<int64_t>(numbers.next() % (uint64_t{1} << (numbers.next() % 9))));
    }
    const LayoutWord word = layout_word(meta(shape).impl());
    if (!word.is_packed()) continue;
    const auto [known, is_new] = shape_of.try_emplace(word.bits(), to_text(shape));
    EXPECT_EQ(known->second, to_text(shape));
  }
  EXPECT_GT(shape_of.size(), 5000u);
}

TEST(LayoutWord, IsKeptWithTheTensorAndNotWithItsViews) {
  const Tensor x = ones({6, 2});
  EXPECT_EQ(x.impl().layout_word.load(), 0u);
  const uint64_t word = layout_word(x.impl()).bits();
  EXPECT_EQ(x.impl().layout_word.load(), word);
  EXPECT_EQ(layout_word(x.alias().impl()).bits(), word);
  EXPECT_NE(layout_word(slice(x, 0, 0, 3).impl()).bits(), word);
  EXPECT_NE(layout_word(reshape(x, {2, 6}).impl()).bits(), word);
}

// Outside of the CPU, where a view starts decides what kernels may load at once.
TEST(LayoutWord, KnowsWhetherATensorOfADeviceIsAligned) {
  const Tensor x = meta({64});
  const auto part = [&](int64_t from) { return layout_word(slice(x, 0, from).impl()); };
  EXPECT_TRUE(part(0).is_aligned());
  EXPECT_FALSE(part(1).is_aligned());
  EXPECT_TRUE(part(4).is_aligned());
  EXPECT_TRUE(layout_word(slice(ones({64}), 0, 1).impl()).is_aligned()) << "nobody asks on a CPU";
}

}  // namespace
}  // namespace ridge::layout_word_test
