// Where device code puts elements of tiles, against the layouts of the loop IR, element by element.
#include <gtest/gtest.h>

#include "ridge/loop/tile_layout.h"

#define __device__
#include "ridge/kernels/cuda/shared_tile.cuh"
#undef __device__

namespace ridge::shared_tile_test {
namespace {

using loop::Element;
using loop::TileLayout;

constexpr int kColumns = 96;  // no multiple of the widest swizzle: the last piece is half full

template <int kSpan>
unsigned swizzled_offset(unsigned lines, unsigned line, unsigned byte) {
  return tile_offset<kSpan>(lines, line, byte);
}
using OffsetFunction = unsigned (*)(unsigned, unsigned, unsigned);
struct Swizzle {
  TileLayout layout;
  int span;
  OffsetFunction offset;
};
constexpr Swizzle kSwizzles[] = {{TileLayout::swizzle_32, 32, swizzled_offset<32>},
                                 {TileLayout::swizzle_64, 64, swizzled_offset<64>},
                                 {TileLayout::swizzle_128, 128, swizzled_offset<128>}};

TEST(SharedTile, OffsetsAreThoseOfTheLayouts) {
  for (const Swizzle& swizzle : kSwizzles) {
    for (const bool by_column : {false, true}) {
      const loop::SharedTile tile{64, kColumns, swizzle.layout, 2, by_column};
      const int lines = by_column ? kColumns : 64;
      for (int row = 0; row < 64; ++row) {
        for (int column = 0; column < kColumns; ++column) {
          const int line = by_column ? column : row, along = by_column ? row : column;
          const auto given =
              swizzle.offset(static_cast<unsigned>(lines), static_cast<unsigned>(line),
                             static_cast<unsigned>(2 * along));
          ASSERT_EQ(given, loop::shared_offset(tile, {row, column})) << row << ' ' << column;
        }
      }
    }
  }
  const loop::SharedTile plain{8, 24, TileLayout::linear, 4};
  EXPECT_EQ((tile_offset<96, false>(8, 3, 20)), loop::shared_offset(plain, {3, 5}));
}

TEST(SharedTile, RegistersOfAnAccumulatorAreThoseOfTheLayouts) {
  const loop::RegisterTile tile{64, 40, TileLayout::accumulator};
  for (int thread = 0; thread < 128; ++thread) {
    for (int r = 0; r < loop::values_per_thread(tile); ++r) {
      const Element element = loop::element_of(tile, {thread, r});
      ASSERT_EQ(accumulator_row(thread, r), element.row) << thread << ' ' << r;
      ASSERT_EQ(accumulator_column(thread, r), element.column) << thread << ' ' << r;
    }
  }
}

// Register i of lane l is row l / 4 of matrix i, two elements; lanes 8 i to 8 i + 7 name its lines.
TEST(SharedTile, StmatrixPutsAnAccumulatorWhereCopiesLookForIt) {
  const loop::RegisterTile sums{64, 16, TileLayout::accumulator};
  const loop::SharedTile tile{64, 64, TileLayout::swizzle_128, 2};
  constexpr unsigned kFirst = 16;  // column of the tile that the matrix begins at
  for (int thread = 0; thread < 128; ++thread) {
    const int lane = thread % 32, warp = thread / 32;
    for (int r = 0; r < 8; ++r) {
      const int names_line = 8 * (r / 2) + lane / 4;
      const unsigned line =
          tile_offset<128>(64, static_cast<unsigned>(16 * warp + matrix_row(names_line)),
                           2 * kFirst + static_cast<unsigned>(matrix_byte(names_line)));
      Element element = loop::element_of(sums, {thread, r});
      element.column += kFirst;
      const int byte = 4 * (lane % 4) + 2 * (r % 2);
      ASSERT_EQ(line + static_cast<unsigned>(byte), loop::shared_offset(tile, element))
          << thread << ' ' << r;
    }
  }
}

// Transposed, they are element l / 4 of lines 2 (l % 4) and the next one.
TEST(SharedTile, StmatrixTransposesInto16BitColumns) {
  const loop::RegisterTile sums{64, 16, TileLayout::accumulator};
  const loop::SharedTile tile{64, 32, TileLayout::swizzle_128, 2, true};
  for (int thread = 0; thread < 128; ++thread) {
    const int lane = thread % 32, warp = thread / 32;
    for (int r = 0; r < 8; ++r) {
      const int names_line = 8 * (r / 2) + 2 * (lane % 4) + r % 2;
      const unsigned line =
          tile_offset<128>(32, static_cast<unsigned>(matrix_row_transposed(names_line)),
                           static_cast<unsigned>(32 * warp + matrix_byte_transposed(names_line)));
      const Element element = loop::element_of(sums, {thread, r});
      ASSERT_EQ(line + static_cast<unsigned>(2 * (lane / 4)), loop::shared_offset(tile, element))
          << thread << ' ' << r;
    }
  }
}

// What the hardware makes of a descriptor: the address of element (mn, k) of 16 of k.
struct Matrix {
  unsigned start, leading, stride, span;
  static Matrix of(unsigned long long word) {
    const auto bytes = [&](int from) { return static_cast<unsigned>(word >> from & 0x3fff) << 4; };
    constexpr unsigned kSpans[] = {0, 128, 64, 32};
    return {bytes(0), bytes(16), bytes(32), kSpans[word >> 62]};
  }
  int64_t k_contiguous(unsigned mn, unsigned k) const {
    return loop::swizzled(start + mn / 8 * stride + mn % 8 * span + 2 * k, static_cast<int>(span));
  }
  int64_t k_by_lines(unsigned mn, unsigned k) const {
    const unsigned of_piece = span / 2;
    return loop::swizzled(
        start + mn / of_piece * leading + k / 8 * stride + k % 8 * span + 2 * (mn % of_piece),
        static_cast<int>(span));
  }
};

template <int kSpan>
void check_descriptors(TileLayout layout) {
  constexpr unsigned kBase = 0x8400 & ~1023u, kRows = 128, kDepth = 64;
  // Rows of k: lines are of m or n, k is contiguous.
  const loop::SharedTile by_k{kRows, kDepth, layout, 2};
  for (unsigned first = 0; first < kRows; first += 64) {
    const unsigned place = descriptor_place(kBase + tile_offset<kSpan, false>(kRows, first, 0), 16);
    for (unsigned k = 0; k < kDepth; k += 16) {
      const unsigned step = tile_offset<kSpan, false>(kRows, 0, 2 * k) >> 4;
      const Matrix matrix = Matrix::of(descriptor(place + step, descriptor_form<kSpan>()));
      for (unsigned mn = 0; mn < 64; ++mn) {
        for (unsigned i = 0; i < 16; ++i) {
          const Element element{static_cast<int>(first + mn), static_cast<int>(k + i)};
          ASSERT_EQ(matrix.k_contiguous(mn, i), kBase + loop::shared_offset(by_k, element));
        }
      }
    }
  }
  // Lines are of k, m or n is contiguous: a tile [m, k] by columns.
  const loop::SharedTile by_mn{kRows, kDepth, layout, 2, true};
  for (unsigned first = 0; first < kRows; first += 64) {
    const unsigned place =
        descriptor_place(kBase + tile_offset<kSpan, false>(kDepth, 0, 2 * first), kDepth * kSpan);
    for (unsigned k = 0; k < kDepth; k += 16) {
      const unsigned step = tile_offset<kSpan, false>(kDepth, k, 0) >> 4;
      const Matrix matrix = Matrix::of(descriptor(place + step, descriptor_form<kSpan>()));
      for (unsigned mn = 0; mn < 64; ++mn) {
        for (unsigned i = 0; i < 16; ++i) {
          const Element element{static_cast<int>(first + mn), static_cast<int>(k + i)};
          ASSERT_EQ(matrix.k_by_lines(mn, i), kBase + loop::shared_offset(by_mn, element));
        }
      }
    }
  }
}

TEST(SharedTile, DescriptorsFindTheElementsOfBothOrders) {
  check_descriptors<128>(TileLayout::swizzle_128);
  check_descriptors<64>(TileLayout::swizzle_64);
  check_descriptors<32>(TileLayout::swizzle_32);
}

TEST(SharedTile, DescriptorsLeaveOutTheBlockOfACluster) {
  EXPECT_EQ(descriptor_place(0x1000400, 16), descriptor_place(0x400, 16));
}

TEST(SharedTile, EachTileOfAGridIsTakenOnce) {
  constexpr int kTileRows = 19, kTileColumns = 7;
  std::vector<int> taken(kTileRows * kTileColumns);
  int at_column = 0;
  for (int number = 0; number < kTileRows * kTileColumns; ++number) {
    int row = -1, column = -1;
    grouped_tile<8>(number, kTileRows, kTileColumns, row, column);
    ASSERT_TRUE(row >= 0 && row < kTileRows && column >= 0 && column < kTileColumns) << number;
    ++taken[static_cast<size_t>(row * kTileColumns + column)];
    if (number < 8) at_column += column;
  }
  EXPECT_EQ(std::vector<int>(kTileRows * kTileColumns, 1), taken);
  EXPECT_EQ(at_column, 0);  // eight rows of tiles before the next column
}

}  // namespace
}  // namespace ridge::shared_tile_test
