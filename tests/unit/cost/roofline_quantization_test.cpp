#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/cost/roofline/quantization.h"

namespace ridge::cost::roofline_quantization_test {
namespace {

TEST(Quantization, CountsTilesAndWaves) {
  EXPECT_EQ(tiles_for(256, 256, {128, 128}), 4);
  EXPECT_EQ(tiles_for(257, 256, {128, 128}), 6);
  EXPECT_EQ(waves_for(tiles_for(1792, 1792, {256, 128}), 108), 1);
  EXPECT_EQ(waves_for(tiles_for(1793, 1793, {256, 128}), 108), 2);
  EXPECT_EQ(waves_for(108, 108), 1);
  EXPECT_EQ(waves_for(109, 108), 2);
}

TEST(Quantization, WasteIsWhatIsIssuedAndNotNeeded) {
  EXPECT_EQ(waste_of(256 * 256, 4, {128, 128}), 0);
  EXPECT_DOUBLE_EQ(waste_of(257 * 256, 6, {128, 128}), 1 - 257.0 * 256 / (6 * 128 * 128));
}

TEST(Quantization, CountsLinesUnderATile) {
  EXPECT_EQ(lines_under_tile({4, 4}, 12, 4), 4);
  EXPECT_EQ(lines_under_tile({4, 4}, 13, 4), 7);
  EXPECT_EQ(lines_under_tile({4, 8}, 2, 4), 2);  // rows narrower than a line share it
  EXPECT_EQ(lines_under_tile({1, 1}, 1000, 32), 1);
  EXPECT_EQ(lines_under_tile({128, 128}, 4096, 64), 256);
}

// What is counted by hand for every element of small tiles.
TEST(Quantization, LinesAgreeWithCountingElements) {
  for (int width = 1; width <= 40; ++width) {
    for (int columns = 1; columns <= width; ++columns) {
      std::vector<bool> touched(1000);
      for (int row = 0; row < 5; ++row) {
        for (int column = 0; column < columns; ++column) {
          touched[static_cast<size_t>((row * width + column) / 8)] = true;
        }
      }
      const double lines = static_cast<double>(std::ranges::count(touched, true));
      EXPECT_EQ(lines_under_tile({5, static_cast<double>(columns)}, width, 8), lines);
    }
  }
}

TEST(Quantization, TilesReadOperandsAsOftenAsTheyCross) {
  const OperandBytes one_byte{1, 1, 0};
  const double n = 1024;
  EXPECT_EQ(issued_bytes(n, n, n, {1, 1}, one_byte), 2 * n * n * n);  // each input n times
  EXPECT_EQ(issued_bytes(n, n, n, {64, 64}, one_byte), 2 * n * n * (n / 64));
  EXPECT_EQ(issued_bytes(n, n, n, {n, n}, one_byte), 2 * n * n);
}

TEST(Quantization, FindsAlignmentAndPadding) {
  EXPECT_EQ(row_alignment(50257 * 2, 128), 2);
  EXPECT_EQ(row_alignment(48, 128), 16);
  EXPECT_EQ(row_alignment(256, 128), 128);
  EXPECT_EQ(pad_to_lines(50257, 2, 128), 50304);
  EXPECT_EQ(pad_to_lines(64, 2, 128), 64);
}

TEST(Quantization, ReadsTiles) {
  EXPECT_EQ(parse_tile("256x128"), (Tile{256, 128}));
  EXPECT_EQ(to_text(Tile{256, 128}), "256x128");
  for (const char* text : {"256", "256x", "x", "axb", "256x128x64", "0x8", "-8x8", "99999x8"}) {
    EXPECT_THROW(parse_tile(text), Error) << text;
  }
}

}  // namespace
}  // namespace ridge::cost::roofline_quantization_test
