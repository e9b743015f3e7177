// What is said of a wrong product; needs no GPU.
#include "tests/gpu/wrong_elements.h"

#include <gtest/gtest.h>

#include "tests/unit/codegen/cuda/tile_samples.h"

namespace ridge::golden::wrong_elements_test {
namespace {

// All elements are 1, those of which `is_wrong` says so 2.
std::string described(int64_t rows, int64_t columns, const TileGeometry& geometry,
                      const std::function<bool(int64_t, int64_t)>& is_wrong) {
  return describe_wrong({rows, columns, [](int64_t, int64_t) { return 1.0; },
                         [&](int64_t i, int64_t j) { return is_wrong(i, j) ? 2.0 : 1.0; },
                         [&](int64_t i, int64_t j) { return !is_wrong(i, j); }},
                        geometry);
}

constexpr TileGeometry kTwoConsumers{
    .rows = 128, .columns = 16, .consumer_rows = 64, .consumers = 2};

TEST(GoldenWrongElements, NothingIsSaidWhereAllAreRight) {
  EXPECT_EQ(described(9, 9, kTwoConsumers, [](int64_t, int64_t) { return false; }), "");
}

TEST(GoldenWrongElements, ThePlaceIsThatOfTheFirst) {
  const std::string text = described(260, 40, kTwoConsumers, [](int64_t i, int64_t j) {
    return i >= 200 && i < 208 && j >= 24 && j < 32;
  });
  EXPECT_TRUE(text.starts_with(
      "64 of 10400 elements are wrong; the first at row 200, column 24: expected 1, given 2\n"
      "that is row 72, column 8 of tile 1, 1: consumer 1, product 0 of 64 rows, warp 0, piece 0, "
      "0\n"
      "tiles:\n  ...\n  .x.\n  ...\n"
      "blocks of 8 x 8 of that tile:\n  ..\n"))
      << text;
  EXPECT_NE(text.find("\n\n  ..\n  .X\n  ..\n"), std::string::npos) << text;
}

TEST(GoldenWrongElements, PartsOfBlocksAndRaggedTilesAreMarked) {
  const std::string text =
      described(10, 12, kTwoConsumers, [](int64_t i, int64_t j) { return i == 9 || j == 11; });
  EXPECT_NE(text.find("tiles:\n  x\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("tile:\n  .x\n  xx\n")) << text;
}

TEST(GoldenWrongElements, GeometryIsThatOfTheKernel) {
  const TileGeometry cooperative = geometry_of(codegen::mapped_sample("cooperative_256x128"));
  EXPECT_EQ(cooperative.rows, 256);
  EXPECT_EQ(cooperative.columns, 128);
  EXPECT_EQ(cooperative.consumer_rows, 128);
  EXPECT_EQ(cooperative.consumers, 2);
  EXPECT_FALSE(cooperative.takes_turns);
  EXPECT_TRUE(geometry_of(codegen::mapped_sample("ping_pong_128x192")).takes_turns);
  // The shared tile of its right operand is 192 wide.
  EXPECT_EQ(geometry_of(codegen::mapped_sample("weight_gradient_128x144")).columns, 144);
}

}  // namespace
}  // namespace ridge::golden::wrong_elements_test
