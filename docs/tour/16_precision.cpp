// Lesson 16: narrow numbers, or two ways to be faster.
//
// Half the bits are half the bytes, and on most matrix units twice the rate. Which of the two
// matters depends on what binds: weights that are read for few rows want fewer bytes, large batches
// want the rate.
#include <cstdio>
#include <string>

#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/sheets.h"
#include "ridge/ridge.h"

using namespace ridge;

struct Types {
  const char *name, *activations, *weights;
};
const Types kTypes[] = {
    {"bf16", "bf16", "bf16"}, {"int8 weights", "bf16", "int8"}, {"int8 both", "int8", "int8"}};

// X[B,D] W[D,F] with D = F = side, result in bf16.
cost::Estimate estimate(const cost::Sheet& sheet, int batch, int side, const Types& types) {
  const cost::Operation& matmul = cost::find_operation("matmul");
  const std::string d = std::to_string(side);
  return matmul.estimate(
      {.sheet = &sheet,
       .sizes = cost::parse_sizes("B=" + std::to_string(batch) + ",D=" + d + ",F=" + d,
                                  matmul.dimensions),
       .dtype = cost::find_element_type(types.activations),
       .weights = cost::find_element_type(types.weights),
       .output = cost::find_element_type("bf16")});
}

int main() {
  const auto tpu = cost::find_sheet("tpu-v5e");
  std::printf("%s: %.0f TFLOP/s in bf16, %.0f in int8, %.0f GB/s\n\n", tpu->title.c_str(),
              *tpu->value("matrix.bf16") / 1e12, *tpu->value("matrix.i8") / 1e12,
              *tpu->bandwidth() / 1e9);

  // 1. From which batch does compute bind? A row of X meets each of D F weights: 2 D F flops. With
  // weights of b bytes, rate C and bandwidth W, and D and F so large that activations do not count,
  //
  //   2 B D F / C = b D F / W   at   B = b C / (2 W)
  //
  //   bf16           2 * 197e12 / (2 * 819e9) = 240.5   so from 241 rows on
  //   int8 weights   1 * 197e12 / (2 * 819e9) = 120.3   half: the same rate, half the bytes
  //   int8 both      1 * 393e12 / (2 * 819e9) = 239.9   half the bytes, but twice the rate
  //
  // For smaller matrices the activations count, and the crossover comes later. With D = F = 4096
  // and bf16 it is D F 2 / W / (2 D F / C - 4 D / W) = 272.5.
  for (const int side : {1 << 20, 4096, 1024}) {
    std::printf("D = F = %7d:", side);
    for (const Types& types : kTypes) {
      const cost::Estimate e = estimate(*tpu, 1, side, types);
      std::printf("  %s from %.1f rows", types.name, e.crossover_batch.value_or(0));
    }
    std::printf("\n");
  }

  // 2. So what is gained? At 16 rows memory binds: half the bytes are half the time, and the rate
  // does not matter. At 1024 rows compute binds: int8 weights alone gain nothing, as products with
  // bf16 are formed in bf16; int8 on both sides gains the rate.
  std::printf("\n");
  for (const int batch : {16, 1024}) {
    const double usual = estimate(*tpu, batch, 8192, kTypes[0]).lower_s;
    for (const Types& types : kTypes) {
      const cost::Estimate e = estimate(*tpu, batch, 8192, types);
      std::printf("%4d rows, %-12s: math %5.1f us, memory %5.1f us, %-7s: %.2f times as fast\n",
                  batch, types.name, e.t_math_s * 1e6, e.t_memory_s * 1e6,
                  std::string(name(e.regime)).c_str(), usual / e.lower_s);
    }
  }

  // 3. Storage and rate are two figures of a sheet, and a device may have one without the other.
  // An A100 has no 8-bit floats: asking for them is an error, not a guess. An H200 has them at
  // twice the rate of bf16.
  std::printf("\n");
  const Types eight{"f8 both", "f8", "f8"};
  for (const char* device : {"h200", "a100-40"}) {
    const auto sheet = cost::find_sheet(device);
    try {
      const cost::Estimate e = estimate(*sheet, 8192, 8192, eight);
      std::printf("%s in f8: %.0f us, in bf16 %.0f us\n", device, e.lower_s * 1e6,
                  estimate(*sheet, 8192, 8192, kTypes[0]).lower_s * 1e6);
    } catch (const Error& error) {
      std::printf("%s in f8: %s\n", device, error.expected().c_str());
    }
  }
  // Now run `ridge roofline matmul 16x8192x8192 --weights int8 --device tpu-v5e` and look.
}
