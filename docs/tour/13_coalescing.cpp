// Lesson 13: coalescing, or which bytes come along.
//
// The 32 threads of a warp load together, and memory answers in sectors of 32 bytes. Neighbors that
// read neighbors share sectors; threads that are far apart each pull in a whole one for a few
// bytes. The interpreter runs a GPU kernel on any machine and counts the sectors of every access.
#include <cstdio>
#include <string>
#include <vector>

#include "ridge/cost/sheets.h"
#include "ridge/loop/interpreter.h"
#include "ridge/ridge.h"

using namespace ridge;

// The kernel with `index` in place of INDEX, run on arrays of 64 x 64 numbers.
loop::Counts run(std::string text, const std::string& index) {
  text.replace(text.find("INDEX"), 5, index);
  std::vector<float> x(64 * 64, 1.0F), out(64 * 64);
  void* const buffers[] = {x.data(), out.data()};
  return loop::run(loop::parse(text), buffers, {});
}

void show(const char* name, const loop::Traffic& traffic) {
  std::printf(
      "%-34s %4ld sectors, at best %4ld: %5.1f %% of the bandwidth\n", name, traffic.sectors,
      traffic.ideal_sectors,
      100.0 * static_cast<double>(traffic.ideal_sectors) / static_cast<double>(traffic.sectors));
}

// One warp loads 32 numbers.
const char* const kLoad = R"(kernel load(x: f32[4096] in, out: f32[4096] out) {
  for i0 in 32 @gpu_thread {
    let v0: f32 = x[INDEX]
    out[i0] = v0
  }
})";

// Thread i0 * 32 + i1 of 64 adds up 64 numbers: those of its column, or of its row.
const char* const kSums = R"(kernel sums(x: f32[4096] in, out: f32[4096] out) {
  for i0 in 2 @gpu_block {
    for i1 in 32 @gpu_thread {
      var v0: f32 = 0.0
      for i2 in 64 {
        let v1: f32 = x[INDEX]
        v0 sum= v1
      }
      out[32 * i0 + i1] = v0
    }
  }
})";

// A transpose of 64 x 64 by blocks of 32 x 32: stored by the thread that loaded, or through a tile
// that is written by rows and read by columns, padded to keep columns off one bank (lesson 10).
const char* const kTransposeDirect = R"(kernel transpose(x: f32[4096] in, out: f32[4096] out) {
  for i0 in 2 @gpu_block {
    for i1 in 2 @gpu_block {
      for i2 in 32 @gpu_thread {
        for i3 in 32 @gpu_thread {
          let v0: f32 = x[64 * (32 * i0 + i2) + 32 * i1 + i3]
          out[INDEX] = v0
        }
      }
    }
  }
})";
const char* const kTransposeTile = R"(kernel transpose(x: f32[4096] in, out: f32[4096] out) {
  shared tile: f32[1056]
  for i0 in 2 @gpu_block {
    for i1 in 2 @gpu_block {
      for i2 in 32 @gpu_thread {
        for i3 in 32 @gpu_thread {
          let v0: f32 = x[64 * (32 * i0 + i2) + 32 * i1 + i3]
          tile[33 * i2 + i3] = v0
          barrier
          let v1: f32 = tile[33 * i3 + i2]
          out[INDEX] = v1
        }
      }
    }
  }
})";

int main() {
  // 1. 32 numbers of 4 bytes are 128 bytes: 4 sectors if they lie side by side. Two apart they
  // spread over 8 sectors, eight apart each is in a sector of its own, and more cannot be lost.
  // Starting one number late costs a fifth sector; starting at a sector costs none. All threads at
  // one number need one sector, and 4 bytes of it.
  show("neighbors", run(kLoad, "i0").loads);
  for (const char* step : {"2", "4", "8", "64"}) {
    show((std::string(step) + " numbers apart").c_str(),
         run(kLoad, std::string(step) + " * i0").loads);
  }
  show("neighbors, one number late", run(kLoad, "i0 + 1").loads);
  show("neighbors, one sector late", run(kLoad, "i0 + 8").loads);
  show("all the same", run(kLoad, "5").loads);

  // 2. Sums of a matrix whose rows lie in memory one after another. A thread for each column: in a
  // step the warp reads 32 neighbors, 4 sectors; 2 warps of 64 steps, 512. A thread for each row:
  // 32 rows, 32 sectors a step, 4096. It is the second in which each thread walks through memory in
  // order, as a CPU should. What counts here is what a warp does at one time.
  std::printf("\n");
  const loop::Counts by_column = run(kSums, "64 * i2 + 32 * i0 + i1");
  const loop::Counts by_row = run(kSums, "64 * (32 * i0 + i1) + i2");
  show("a thread for each column", by_column.loads);
  show("a thread for each row", by_row.loads);
  // At 4.8 TB/s a matrix of 4 GiB takes 0.9 ms, and 8 times the sectors 7.2 ms, unless a cache
  // keeps the rest of each sector until its turn comes.
  const double bandwidth = *cost::find_sheet("h200")->bandwidth();
  for (const loop::Counts* counts : {&by_column, &by_row}) {
    const double sent = static_cast<double>(counts->loads.sectors) /
                        static_cast<double>(counts->loads.ideal_sectors);
    std::printf("  4 GiB on h200: %.2f ms\n", 4 * 1024.0 * 1024 * 1024 * sent / bandwidth * 1e3);
  }

  // 3. A transpose reads rows and writes columns, or the other way round: one side is bad. Through
  // shared memory, where sectors do not matter, both sides see rows. 128 warps times 4 sectors are
  // 512; times 32 they are 4096.
  std::printf("\n");
  const loop::Counts direct = run(kTransposeDirect, "64 * (32 * i1 + i3) + 32 * i0 + i2");
  const loop::Counts tiled = run(kTransposeTile, "64 * (32 * i1 + i2) + 32 * i0 + i3");
  show("transpose, loads", direct.loads);
  show("transpose, stores", direct.stores);
  show("transpose through a tile, loads", tiled.loads);
  show("transpose through a tile, stores", tiled.stores);
  // Now change 33 to 32 in the tile and look at `tiled.bank_conflicts`.
}
