#include "ridge/loop/tile_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace ridge::loop::tile_layout_test {
namespace {

std::vector<RegisterTile> register_tiles() {
  std::vector<RegisterTile> tiles;
  for (const int warps : {1, 4}) {
    for (const int blocks : {1, 2}) {
      const int rows = blocks * block_rows(warps);
      for (int columns = 8; columns <= 256; columns += 8) {
        tiles.push_back({rows, columns, TileLayout::accumulator, warps});
        if (columns % 16 == 0) tiles.push_back({rows, columns, TileLayout::operand, warps});
        tiles.push_back({1, columns, TileLayout::column_values, warps});
      }
      tiles.push_back({rows, 1, TileLayout::row_values, warps});
    }
  }
  return tiles;
}

TEST(TileLayout, EveryElementHasItsHoldersAndEveryValueIsOneElement) {
  for (const RegisterTile& tile : register_tiles()) {
    std::map<std::pair<int, int>, std::set<int>> holders;  // threads by element
    for (int thread = 0; thread < 32 * tile.warps; ++thread) {
      for (int value = 0; value < values_per_thread(tile); ++value) {
        const auto [row, column] = element_of(tile, {thread, value});
        ASSERT_TRUE(row >= 0 && row < tile.rows && column >= 0 && column < tile.columns);
        ASSERT_TRUE(holders[std::pair(row, column)].insert(thread).second) << "held twice";
      }
    }
    ASSERT_EQ(holders.size(), static_cast<size_t>(tile.rows * tile.columns));
    for (const auto& [at, threads] : holders) {
      ASSERT_EQ(threads.size(), static_cast<size_t>(copies(tile)));
      std::set<int> listed;
      for (int copy = 0; copy < copies(tile); ++copy) {
        const Holder holder = holder_of(tile, {at.first, at.second}, copy);
        ASSERT_EQ(element_of(tile, holder), (Element{at.first, at.second}));
        listed.insert(holder.thread);
      }
      ASSERT_EQ(listed, threads);
    }
  }
}

// hopper.md's formula, and the fragment of A as the PTX manual gives it: two values in a register.
TEST(TileLayout, TensorCoresHoldThemLikewise) {
  const RegisterTile sum{64, 256, TileLayout::accumulator}, lhs{64, 64, TileLayout::operand};
  for (int thread = 0; thread < 128; ++thread) {
    const int w = thread / 32, l = thread % 32;
    for (int r = 0; r < 128; ++r) {
      const Element element{16 * w + l / 4 + 8 * ((r / 2) % 2), 8 * (r / 4) + 2 * (l % 4) + r % 2};
      ASSERT_EQ(element_of(sum, {thread, r}), element);
    }
    for (int block = 0; block < 4; ++block) {
      for (int i = 0; i < 4; ++i) {
        for (int h = 0; h < 2; ++h) {
          const Element element{16 * w + l / 4 + 8 * (i % 2),
                                16 * block + 8 * (i / 2) + 2 * (l % 4) + h};
          ASSERT_EQ(element_of(lhs, {thread, 8 * block + 2 * i + h}), element);
        }
      }
    }
  }
}

TEST(TileLayout, AnAccumulatorIsAnOperandWithoutMovement) {
  for (const int warps : {1, 4}) {
    for (int columns = 16; columns <= 256; columns += 16) {
      const int rows = 2 * block_rows(warps);
      const RegisterTile sum{rows, columns, TileLayout::accumulator, warps};
      const RegisterTile lhs{rows, columns, TileLayout::operand, warps};
      for (int thread = 0; thread < 32 * warps; ++thread) {
        for (int value = 0; value < values_per_thread(sum); ++value) {
          ASSERT_EQ(element_of(sum, {thread, value}), element_of(lhs, {thread, value}));
        }
      }
    }
  }
}

// Whoever holds an element of an accumulator holds the statistics of its row and of its column.
TEST(TileLayout, StatisticsAreWithTheElements) {
  const RegisterTile sum{128, 80, TileLayout::accumulator};
  const RegisterTile rows{128, 1, TileLayout::row_values},
      columns{1, 80, TileLayout::column_values};
  const auto holds = [](const RegisterTile& tile, Element element, int thread) {
    for (int copy = 0; copy < copies(tile); ++copy) {
      if (holder_of(tile, element, copy).thread == thread) return true;
    }
    return false;
  };
  for (int row = 0; row < 128; ++row) {
    for (int column = 0; column < 80; ++column) {
      const int thread = holder_of(sum, {row, column}).thread;
      ASSERT_TRUE(holds(rows, {row, 0}, thread));
      ASSERT_TRUE(holds(columns, {0, column}, thread));
    }
  }
}

TEST(TileLayout, ATileFillsItsBytesOnce) {
  for (const TileLayout layout : {TileLayout::linear, TileLayout::swizzle_32,
                                  TileLayout::swizzle_64, TileLayout::swizzle_128}) {
    for (const bool by_column : {false, true}) {
      for (const int bytes : {1, 2, 4}) {
        for (const auto& [rows, columns] :
             {std::pair(64, 64), std::pair(128, 192), std::pair(8, 256)}) {
          const SharedTile tile{rows, columns, layout, bytes, by_column};
          std::set<int64_t> offsets;
          for (int row = 0; row < rows; ++row) {
            for (int column = 0; column < columns; ++column) {
              const int64_t offset = shared_offset(tile, {row, column});
              ASSERT_TRUE(offset >= 0 && offset + bytes <= shared_bytes(tile));
              ASSERT_EQ(offset % bytes, 0);
              offsets.insert(offset);
            }
          }
          ASSERT_EQ(offsets.size(), static_cast<size_t>(rows * columns));
          ASSERT_EQ(slot_bytes(tile) % shared_alignment(layout), 0);
        }
      }
    }
  }
}

// The bytes that a wgmma descriptor leads to, of 16-bit elements: strides of atoms, next k16, and the
// xor on the address, by the table of the operand's order in memory.
TEST(TileLayout, WhereDescriptorsLook) {
  struct Order {
    TileLayout layout;
    int span, mask;  // bytes; of the bits that are xored
  };
  for (const auto& [layout, span, mask] :
       {Order{TileLayout::swizzle_128, 128, 7}, Order{TileLayout::swizzle_64, 64, 3},
        Order{TileLayout::swizzle_32, 32, 1}}) {
    const auto permuted = [&](int64_t address) { return address ^ ((address >> 7 & mask) << 4); };
    const int width = span / 2;  // elements of a line
    for (const auto& [mn_extent, k_extent] : {std::pair(128, 64), std::pair(256, 128)}) {
      const SharedTile k_major{mn_extent, k_extent, layout};
      const SharedTile mn_major{k_extent, mn_extent, layout};
      const SharedTile mn_major_lhs{mn_extent, k_extent, layout, 2, true};
      for (int mn = 0; mn < mn_extent; ++mn) {
        for (int k = 0; k < k_extent; ++k) {
          const int64_t by_k = mn / 8 * (8 * span) + mn % 8 * span + k % width * 2 +
                               int64_t{k / width} * mn_extent * span;
          ASSERT_EQ(shared_offset(k_major, {mn, k}), permuted(by_k));
          const int64_t by_mn = k / 8 * (8 * span) + k % 8 * span + mn % width * 2 +
                                int64_t{mn / width} * k_extent * span;
          ASSERT_EQ(shared_offset(mn_major, {k, mn}), permuted(by_mn));
          ASSERT_EQ(shared_offset(mn_major_lhs, {mn, k}), permuted(by_mn));
        }
      }
    }
  }
}

// A box of TMA: its lines one behind the other, each as wide as the swizzle, permuted by the address.
TEST(TileLayout, WhereBoxesLand) {
  const SharedTile tile{64, 144, TileLayout::swizzle_128};
  EXPECT_EQ(shared_bytes(tile), 64 * 192 * 2);  // three boxes
  for (int box = 0; box < 3; ++box) {
    for (int row = 0; row < 64; ++row) {
      for (int column = 0; column < 64 && 64 * box + column < 144; ++column) {
        const int64_t address = int64_t{box} * 64 * 128 + row * 128 + 2 * column;
        ASSERT_EQ(shared_offset(tile, {row, 64 * box + column}), swizzled(address, 128));
      }
    }
  }
}

// stmatrix and ldmatrix move four pieces of 8 x 8: in each, eight lanes name a line of 16 bytes.
int worst_conflict(const SharedTile& tile) {
  int worst = 0;
  for (int row = 0; row < tile.rows; row += 8) {
    for (int column = 0; column < tile.columns; column += 8) {
      std::map<int64_t, int> lines_by_banks;
      for (int line = 0; line < 8; ++line) {
        const int64_t first = shared_offset(tile, {row + line, column});
        for (int i = 1; i < 8; ++i) {
          EXPECT_EQ(shared_offset(tile, {row + line, column + i}), first + 2 * i);
        }
        worst = std::max(worst, ++lines_by_banks[first % 128 / 16]);
      }
    }
  }
  return worst;
}

TEST(TileLayout, SwizzledTilesHaveNoBankConflicts) {
  EXPECT_EQ(worst_conflict({64, 64, TileLayout::swizzle_128}), 1);
  EXPECT_EQ(worst_conflict({64, 128, TileLayout::swizzle_128}), 1);
  EXPECT_EQ(worst_conflict({64, 32, TileLayout::swizzle_64}), 1);
  EXPECT_EQ(worst_conflict({64, 16, TileLayout::swizzle_32}), 1);
  EXPECT_EQ(worst_conflict({64, 64, TileLayout::linear}), 8);
}

// One stmatrix.x4 of a warp as hopper.md writes it: chunk l / 16, xored with row % 8.
TEST(TileLayout, LanesOfStmatrixNameWhatTheyHold) {
  const SharedTile tile{64, 64, TileLayout::swizzle_128};
  const RegisterTile sum{64, 64, TileLayout::accumulator};
  for (int warp = 0; warp < 4; ++warp) {
    for (int block = 0; block < 4; ++block) {  // of 16 columns: values 8 * block to 8 * block + 7
      for (int lane = 0; lane < 32; ++lane) {
        const int row = 16 * warp + lane % 8 + 8 * (lane / 8 % 2), chunk = 2 * block + lane / 16;
        const int64_t address = row * 128 + 16 * (chunk ^ (row % 8));
        ASSERT_EQ(shared_offset(tile, {row, 8 * chunk}), address);
        // Register lane / 8 of lane 0 of the row's quad is the start of that line.
        ASSERT_EQ(element_of(sum, {32 * warp + lane % 8 * 4, 8 * block + 2 * (lane / 8)}),
                  (Element{row, 8 * chunk}));
      }
    }
  }
}

static_assert(holder_of({64, 256, TileLayout::accumulator}, {0, 9}) == Holder{0, 5});
static_assert(shared_offset({64, 64, TileLayout::swizzle_128}, {1, 0}) == 144);

}  // namespace
}  // namespace ridge::loop::tile_layout_test
