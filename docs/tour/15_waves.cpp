// Lesson 15: tiles and waves, or why one more column can halve the rate.
//
// A GPU gives each of its units a tile of the result. Units take whole tiles, and all of them
// together whole waves: a tile that is mostly outside of the matrix, and a wave that is mostly
// empty, take as long as full ones.
#include <cstdio>
#include <string>

#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/roofline/sweep.h"
#include "ridge/cost/sheets.h"
#include "ridge/ridge.h"

using namespace ridge;

const cost::Tile kTile{256, 128};

// A matmul of N x N x N in bf16 by tiles of 256 x 128.
void show(const char* device, int n) {
  const auto sheet = cost::find_sheet(device);
  const cost::Operation& matmul = cost::find_operation("matmul");
  const std::string side = std::to_string(n), shape = side + "x" + side + "x" + side;
  const cost::Estimate e = matmul.estimate(
      {.sheet = sheet.get(), .sizes = cost::parse_sizes(shape, matmul.dimensions), .tile = kTile});
  std::printf("%-8s %d: %3.0f tiles for %.0f units, %.0f wave(s), %4.1f %% wasted, %5.1f us\n",
              device, n, e.tiling->tiles, sheet->need("units", "waves"), *e.tiling->waves,
              100 * e.tiling->waste, e.tiling->predicted_s * 1e6);
}

int main() {
  // 1. A100, 108 units. 1792 = 7 * 256 = 14 * 128: 98 tiles, and each fits. One more row and column
  // make it 8 * 15 = 120 tiles: 12 too many for one wave. The second wave takes as long as the
  // first, so the work of the units doubles for 0.2 % more flops: of 2 * 108 tiles of 32768 numbers
  // 1793^2 / 7077888 are used, 45.4 %.
  show("a100-40", 1792);
  show("a100-40", 1793);
  // A wave is 108 * 32768 numbers of 2 K flops each, at 312e12 a second: 40.7 us, and two 81.4 us.
  // It is 108.5 us because 1793 is odd as well: rows of 3586 bytes cannot be copied 16 bytes at a
  // time, for which the model takes 3/4 of the rate. 1800 is 8 * 225, so it shows the wave alone.
  show("a100-40", 1800);

  // 2. H100, 132 units: 120 tiles still are one wave. Where the step lies is up to the device; what
  // 1793 loses here is alignment alone.
  show("h100-sxm", 1792);
  show("h100-sxm", 1793);
  show("h100-sxm", 1800);
  // There the wave ends between 2048 (8 * 16 = 128 tiles) and 2056 (9 * 17 = 153).
  show("h100-sxm", 2048);
  show("h100-sxm", 2056);

  // 3. The remedy is another tile. Left to choose, the model takes the one with the least time for
  // each shape. 1800 by 128 x 64 is 15 * 29 = 435 tiles, 5 waves of a quarter the size: 1.25, not
  // 2. Sweeping N over multiples of 8 shows the steps that are left, each with its cause.
  std::printf("\n");
  const auto a100 = cost::find_sheet("a100-40");
  for (const auto& tile : {std::optional(kTile), std::optional<cost::Tile>()}) {
    const cost::MatmulSweep sweep = cost::sweep_matmul({.sheet = a100.get(), .tile = tile},
                                                       {.from = 1024, .to = 4096, .step = 8});
    double mean = 0;
    for (const cost::MatmulPoint& point : sweep.points) mean += point.flops_per_s;
    std::printf("%s: mean %.0f of %.0f TFLOP/s", tile ? "256x128 always" : "tile chosen   ",
                mean / static_cast<double>(sweep.points.size()) / 1e12,
                sweep.peak_flops_per_s / 1e12);
    int waves = 0;
    const cost::MatmulDrop* worst = nullptr;
    for (const cost::MatmulDrop& drop : sweep.drops) {
      if (drop.cause != cost::DropCause::wave) continue;
      ++waves;
      if (!worst || drop.loss > worst->loss) worst = &drop;
    }
    std::printf("; %d drops by a wave, worst %.0f %% at %.0f\n", waves, 100 * worst->loss,
                worst->n);
  }
  // Now run `ridge sweep matmul --device a100-40 --from 1024 --to 4096 --step 8` and look.
}
