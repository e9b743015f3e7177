// What memory costs, as numbers: the same work laid out well and badly, counted by the interpreter.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "tests/unit/loop/run_kernel.h"

namespace ridge::loop::memory_lessons_test {
namespace {

// Each thread sums along one direction of a 64 x 64 matrix. In one step the 32 threads of a warp
// read neighbors in a row, or one element of each of 32 rows.
Counts read_matrix(std::string_view index) {
  const std::string text = concat(R"(kernel sums(x: f32[n * n] in, out: f32[n] out; n) {
  for i0 in n // 32 @gpu_block {
    for i1 in 32 @gpu_thread {
      var v0: f32 = 0.0
      for i2 in n {
        let v1: f32 = x[)",
                                  index, R"(]
        v0 sum= v1
      }
      out[i0 * 32 + i1] = v0
    }
  }
}
)");
  const auto x = random_vector(64 * 64, 1);
  std::vector<float> out(64);
  return run_text(text, {64}, {}, x, out);
}

TEST(MemoryLessons, NeighboringThreadsShouldReadNeighbors) {
  // Thread t reads x[i, t]: 32 floats side by side are 128 bytes, 4 sectors.
  const Counts by_row = read_matrix("n * i2 + i0 * 32 + i1");
  EXPECT_EQ(by_row.loads, (Traffic{.accesses = 2 * 64,
                                   .sectors = 2 * 64 * 4,
                                   .ideal_sectors = 2 * 64 * 4,
                                   .elements = 64 * 64,
                                   .bytes = 64 * 64 * 4}));
  // Thread t reads x[t, i]: every thread is in another row, so each needs a sector of its own.
  const Counts by_column = read_matrix("n * (i0 * 32 + i1) + i2");
  EXPECT_EQ(by_column.loads, (Traffic{.accesses = 2 * 64,
                                      .sectors = 2 * 64 * 32,
                                      .ideal_sectors = 2 * 64 * 4,
                                      .elements = 64 * 64,
                                      .bytes = 64 * 64 * 4}));
  // All read one element: a broadcast, one sector.
  EXPECT_EQ(read_matrix("n * i2").loads.sectors, 2 * 64);
  // The store at the end is coalesced either way.
  EXPECT_EQ(by_row.stores.sectors, 2 * 4);
  EXPECT_EQ(by_column.stores, by_row.stores);
}

// A warp that starts one element late touches one sector more.
TEST(MemoryLessons, AlignedStartsSaveASector) {
  const auto shifted = [](int64_t shift) {
    const std::string_view text = R"(kernel copy(x: f32[64] in, out: f32[64] out; shift) {
  for i0 in 32 @gpu_thread {
    let v0: f32 = x[i0 + shift]
    out[i0] = v0
  }
}
)";
    const auto x = random_vector(64, 2);
    std::vector<float> out(64);
    return run_text(text, {shift}, {}, x, out).loads.sectors;
  };
  EXPECT_EQ(shifted(0), 4);
  EXPECT_EQ(shifted(8), 4);
  EXPECT_EQ(shifted(1), 5);
}

// A 4 x 4 tile over lines of 4 elements. With 12 columns each row of the tile is one line; with 13
// the rows below the first straddle two.
int64_t lines_of_tile(int64_t columns) {
  const std::string_view text = R"(kernel tile(x: f32[12 * columns] in, out: f32[16] out; columns) {
  for i0 in 4 @gpu_thread {
    for i1 in 4 @gpu_thread {
      let v0: f32 = x[columns * i0 + i1]
      out[4 * i0 + i1] = v0
    }
  }
}
)";
  const auto x = random_vector(12 * columns, 3);
  std::vector<float> out(16);
  const Counts counts = run_text(text, {columns}, {.line_bytes = 16}, x, out);
  EXPECT_EQ(counts.loads.accesses, 1);
  EXPECT_EQ(counts.loads.ideal_sectors, 4);
  return counts.loads.sectors;
}

TEST(MemoryLessons, TilesFitLinesWhenTheRowLengthDoes) {
  EXPECT_EQ(lines_of_tile(12), 4);
  EXPECT_EQ(lines_of_tile(13), 7);
  EXPECT_EQ(lines_of_tile(16), 4);  // padding 13 to 16 pays for the columns nobody reads
}

// A 32 x 32 transpose through shared memory: written by rows, read by columns.
Counts transpose(int64_t pitch) {
  const std::string text = concat("kernel transpose(x: f32[1024] in, out: f32[1024] out) {\n",
                                  "  shared tile: f32[", 32 * pitch, "]\n", R"(
  for i0 in 32 @gpu_thread {
    for i1 in 32 @gpu_thread {
      let v0: f32 = x[32 * i0 + i1]
      tile[)",
                                  pitch, R"( * i0 + i1] = v0
      barrier
      let v1: f32 = tile[)",
                                  pitch, R"( * i1 + i0]
      out[32 * i0 + i1] = v1
    }
  }
}
)");
  const auto x = random_vector(1024, 4);
  std::vector<float> out(1024);
  const Counts counts = run_text(text, {}, {}, x, out);
  for (size_t i = 0; i < 32; ++i) {
    for (size_t j = 0; j < 32; ++j) EXPECT_EQ(out[32 * i + j], x[32 * j + i]);
  }
  return counts;
}

TEST(MemoryLessons, PaddingKeepsColumnsOffOneBank) {
  const Counts plain = transpose(32);
  const Counts padded = transpose(33);
  // 32 warps read one column each: all 32 words lie in one bank, 31 passes too many.
  EXPECT_EQ(plain.shared_loads.accesses, 32);
  EXPECT_EQ(plain.bank_conflicts, 32 * 31);
  EXPECT_EQ(padded.shared_loads.accesses, 32);
  EXPECT_EQ(padded.bank_conflicts, 0);
  // Global memory sees whole rows in both.
  for (const Counts* counts : {&plain, &padded}) {
    EXPECT_EQ(counts->loads.sectors, counts->loads.ideal_sectors);
    EXPECT_EQ(counts->stores.sectors, counts->stores.ideal_sectors);
  }
}

TEST(MemoryLessons, BanksAreFourBytesWide) {
  const auto conflicts = [](std::string_view dtype, int64_t stride) {
    const std::string text =
        concat("kernel banks(out: f32[32] out) {\n  shared tile: ", dtype,
               "[2048]\n  for i0 in 32 @gpu_thread {\n    let v0: f32 = 1.5\n    "
               "tile[i0 * ",
               stride, "] = v0\n  }\n}\n");
    std::vector<float> out(32);
    return run_text(text, {}, {}, out).bank_conflicts;
  };
  EXPECT_EQ(conflicts("f32", 1), 0);
  EXPECT_EQ(conflicts("f32", 2), 1);
  EXPECT_EQ(conflicts("f32", 8), 7);
  EXPECT_EQ(conflicts("f32", 9), 0);  // odd strides meet every bank
  EXPECT_EQ(conflicts("f16", 1), 0);  // two to a word
  EXPECT_EQ(conflicts("f16", 64), 31);
  EXPECT_EQ(conflicts("f64", 1), 0);  // two half warps, each without a conflict
}

// 4 warps and a branch: half the lanes of each warp, or half of the warps.
int64_t divergence(std::string_view condition) {
  const std::string text = concat(R"(kernel branch(x: f32[128] in, out: f32[128] out) {
  for i0 in 4 @gpu_thread {
    for i1 in 32 @gpu_thread {
      var v0: f32 = x[32 * i0 + i1]
      if )",
                                  condition, R"( {
        v0 = v0 * 3.0
      }
      out[32 * i0 + i1] = v0
    }
  }
}
)");
  const auto x = random_vector(128, 5);
  std::vector<float> out(128);
  return run_text(text, {}, {}, x, out).divergent_warps;
}

TEST(MemoryLessons, BranchesShouldFollowWarps) {
  EXPECT_EQ(divergence("i1 % 2 == 0"), 4);
  EXPECT_EQ(divergence("i0 % 2 == 0"), 0);
  EXPECT_EQ(divergence("32 * i0 + i1 < 48"), 1);           // the boundary lies inside one warp
  EXPECT_EQ(divergence("select(i1 < 16, 1, 2) == 1"), 8);  // the select, then the branch
}

}  // namespace
}  // namespace ridge::loop::memory_lessons_test
