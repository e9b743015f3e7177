// Lesson 11: compute, bandwidth, overhead.
//
// A kernel takes at least as long as its flops at the device's rate, as its bytes at the bandwidth,
// and as a kernel that does nothing. The longest of the three is its regime, and says what would
// make it faster. Nothing else would.
//
// What a device can do is written in its sheet. Sheets come with Ridge, so this lesson prints the
// same on every machine.
#include <cstdio>
#include <string>

#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/sheets.h"
#include "ridge/ridge.h"

using namespace ridge;

cost::Estimate estimate(std::string_view name, std::string_view shape, cost::Query query) {
  const cost::Operation& operation = cost::find_operation(name);
  query.sizes = cost::parse_sizes(shape, operation.dimensions);
  return operation.estimate(query);
}

int main() {
  const auto h200 = cost::find_sheet("h200");
  std::printf("%s: %.0f TFLOP/s of f32 FMAs, %.0f of bf16 products, %.1f TB/s\n\n",
              h200->title.c_str(), *h200->value("vector.f32.fma") / 1e12,
              *h200->value("matrix.bf16") / 1e12, *h200->bandwidth() / 1e12);

  // 1. Each of 2^28 numbers is read, multiplied and added to `repeat` times, and written: 8 bytes
  // and 2 * repeat flops. The bytes take 8 * 2^28 / 4.8e12 = 447 us, whatever the repeat, and while
  // they travel the units can do 8 / 4.8e12 * 67e12 = 111.7 flops on each number. So 55 FMAs are as
  // fast as one: arithmetic that hides behind memory is free.
  for (const double repeat : {1, 8, 55, 56, 112}) {
    const cost::Estimate e = estimate("pointwise", "268435456",
                                      {.sheet = h200.get(),
                                       .dtype = cost::find_element_type("f32"),
                                       .repeat = repeat,
                                       .is_fma = true});
    std::printf("%3.0f FMAs a number: math %5.1f us, memory %5.1f us, at least %5.1f us: %s\n",
                repeat, e.t_math_s * 1e6, e.t_memory_s * 1e6, e.lower_s * 1e6,
                std::string(name(e.regime)).c_str());
  }

  // 2. A product of N x N matrices does 2 N^3 flops on 3 N^2 numbers: in bf16 2 N^3 / (6 N^2), or
  // N / 3 flops a byte. The device does 989 / 4.8 = 206 flops in the time of a byte, its ridge
  // point. So compute binds from N = 3 * 206.04 = 618.1 on: what is read is used again more often
  // as matrices grow. The time of a launch is left out of the sheet, and comes in 3.
  cost::Sheet work_only = *h200;
  work_only.figures.erase("launch");
  std::printf("\n");
  for (const char* n : {"256", "618", "619", "4096"}) {
    const cost::Estimate e =
        estimate("matmul", std::string(n) + "x" + n + "x" + n, {.sheet = &work_only});
    std::printf("matmul of N = %4s: %6.1f flop/B, ridge point %.1f: %s\n", n, e.intensity, *e.ridge,
                std::string(name(e.regime)).c_str());
  }
  // With weights of a given size only the batch is free. One row meets every weight once: a flop a
  // byte, far below the ridge, and the time of 2 * 8192^2 / 4.8e12 = 28.0 us is that of reading
  // the weights. Up to the crossover more rows come at hardly more than that.
  for (const char* shape : {"1x8192x8192", "128x8192x8192", "256x8192x8192"}) {
    const cost::Estimate e = estimate("matmul", shape, {.sheet = &work_only});
    std::printf("matmul of %-13s: at least %4.1f us, %s; compute-bound from %.1f rows\n", shape,
                e.lower_s * 1e6, std::string(name(e.regime)).c_str(), *e.crossover_batch);
  }

  // 3. A launch costs time of its own: on this device 3.04 us were measured. Adding two arrays of f32
  // moves 12 bytes a number: up to 3.04e-6 * 4.8e12 / 12 = 1.22 million numbers the launch takes
  // longer than the work. Few vendors publish it; without the figure an estimate says that overhead
  // is not judged.
  std::printf("\n%s\n", estimate("dot", "1000", {.sheet = &work_only}).notices.at(0).c_str());
  for (const char* numbers : {"1000", "1100000", "1300000", "1000000000"}) {
    const cost::Estimate e =
        estimate("pointwise", numbers,
                 {.sheet = h200.get(), .dtype = cost::find_element_type("f32"), .inputs = 2});
    std::printf("adding %10s numbers: launch %.1f us, work %8.4f us: %s\n", numbers,
                *e.launch_s * 1e6, e.lower_s * 1e6, std::string(name(e.regime)).c_str());
  }
  // Now run `ridge roofline matmul 256x8192x8192 --device h200` and look: bounds, regime, advice.
}
