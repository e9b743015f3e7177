// Lesson 14: tiling, or how often the same number is read.
//
// A product of N x N matrices uses each number of either one N times. A kernel that fetches it
// each time reads N times the matrix. One that fetches a tile of T x T, works with it and moves on
// reads each number N / T times. The flops are the same.
#include <cstdio>
#include <string>
#include <vector>

#include "ridge/cost/roofline/operations.h"
#include "ridge/cost/roofline/quantization.h"
#include "ridge/cost/sheets.h"
#include "ridge/loop/interpreter.h"
#include "ridge/ridge.h"

using namespace ridge;

constexpr int64_t kSide = 32;

// A thread for each number of the result: it walks through a row of x and a column of w.
const char* const kUntiled =
    R"(kernel product(x: f32[n * n] in, w: f32[n * n] in, out: f32[n * n] out; n) {
  for i0 in n @gpu_block {
    for i1 in n @gpu_thread {
      var v0: f32 = 0.0
      for i2 in n {
        let v1: f32 = x[n * i0 + i2] * w[n * i2 + i1]
        v0 sum= v1
      }
      out[n * i0 + i1] = v0
    }
  }
})";

// A block for each tile of the result. Its T x T threads fetch a tile of x and one of w, each
// thread a number of both, wait for each other, and multiply what is in shared memory.
const char* const kTiled =
    R"(kernel product(x: f32[n * n] in, w: f32[n * n] in, out: f32[n * n] out; n) {
  shared xs: f32[T * T]
  shared ws: f32[T * T]
  for i0 in n // T @gpu_block {
    for i1 in n // T @gpu_block {
      for i2 in T @gpu_thread {
        for i3 in T @gpu_thread {
          var v0: f32 = 0.0
          for i4 in n // T {
            let v1: f32 = x[n * (T * i0 + i2) + T * i4 + i3]
            let v2: f32 = w[n * (T * i4 + i2) + T * i1 + i3]
            xs[T * i2 + i3] = v1
            ws[T * i2 + i3] = v2
            barrier
            for i5 in T {
              let v3: f32 = xs[T * i2 + i5] * ws[T * i5 + i3]
              v0 sum= v3
            }
            barrier
          }
          out[n * (T * i0 + i2) + T * i1 + i3] = v0
        }
      }
    }
  }
})";

std::string with_tile(std::string text, int64_t tile) {
  for (size_t at = 0; (at = text.find('T')) != std::string::npos;) {
    text.replace(at, 1, std::to_string(tile));
  }
  return text;
}

// Runs a product of ones, whose every element is N, and prints how often the inputs were read.
void count(const std::string& text, int64_t tile) {
  std::vector<float> x(kSide * kSide, 1.0F), w = x, out(x.size());
  void* const buffers[] = {x.data(), w.data(), out.data()};
  const int64_t sizes[] = {kSide};
  const loop::Counts counts = loop::run(loop::parse(text), buffers, sizes);
  const auto times = [&](size_t i) { return counts.buffers[i].loads.elements / (kSide * kSide); };
  // The calculator has the bytes in closed form.
  const auto t = static_cast<double>(tile);
  const double calculated = cost::issued_bytes(kSide, kSide, kSide, {t, t}, {4, 4, 4});
  std::printf("tile %2ld: x read %2ld times, w %2ld times, %6ld bytes (calculated: %.0f); %s\n",
              tile, times(0), times(1), counts.loads.bytes + counts.stores.bytes, calculated,
              out == std::vector<float>(x.size(), kSide) ? "right" : "wrong");
}

// Lines that a tile of 4 x 4 touches in a matrix with rows of `columns` numbers.
void count_lines(int64_t columns) {
  const char* const text = R"(kernel tile(x: f32[4 * n] in, out: f32[16] out; n) {
  for i0 in 4 @gpu_thread {
    for i1 in 4 @gpu_thread {
      let v0: f32 = x[n * i0 + i1]
      out[4 * i0 + i1] = v0
    }
  }
})";
  std::vector<float> x(static_cast<size_t>(4 * columns)), out(16);
  void* const buffers[] = {x.data(), out.data()};
  const int64_t sizes[] = {columns};
  const loop::Counts counts = loop::run(loop::parse(text), buffers, sizes, {.line_bytes = 16});
  std::printf("rows of %ld: %ld lines under the tile (calculated: %.0f)\n", columns,
              counts.loads.sectors,
              cost::lines_under_tile({4, 4}, static_cast<double>(columns), 4));
}

int main() {
  // 1. N = 32. Without tiles each of the N^2 threads loads N numbers of x: N^3, each of the N^2
  // numbers N = 32 times. With tiles a thread loads one number for each of N / T steps: N^3 / T in
  // all, each number N / T times. Bytes: 4 (2 * N^3 / T + N^2).
  count(kUntiled, 1);
  for (const int64_t tile : {4, 8, 16}) count(with_tile(kTiled, tile), tile);

  // 2. What that means for a matmul of 8192 on an A100. Compute takes 2 * 8192^3 / 312e12 = 3.5 ms.
  // Tiles of T x T issue 2 * 2 * 8192^3 / T bytes of bf16 (and the result), which L2 sends at
  // 7.219 TB/s: 305 ms without tiles, 4.8 ms with 64, 2.4 ms with 128. So 64 x 64 still waits for
  // L2 and 128 x 128 for the matrix units: the tile is what moves a matmul to the ridge.
  std::printf("\n");
  const auto a100 = cost::find_sheet("a100-40");
  const cost::Operation& matmul = cost::find_operation("matmul");
  for (const double side : {1.0, 16.0, 64.0, 128.0}) {
    const cost::Estimate e =
        matmul.estimate({.sheet = a100.get(),
                         .sizes = cost::parse_sizes("8192x8192x8192", matmul.dimensions),
                         .tile = cost::Tile{side, side}});
    std::printf("a100-40, 8192^3 by %3.0fx%-3.0f: math %.1f ms, L2 %6.1f ms\n", side, side,
                e.t_math_s * 1e3,
                e.tiling->issued_bytes / a100->need("l2.read", "this lesson") * 1e3);
  }

  // 3. Tiles lie on lines. With lines of 4 numbers and rows of 12 each row of a 4 x 4 tile is one
  // line: 4. With rows of 13 the rows start at 0, 13, 26 and 39; the last three begin inside a line
  // and cross into the next: 1 + 3 * 2 = 7. Padding rows to 16 wins the 3 lines back.
  std::printf("\n");
  for (const int64_t columns : {12, 13, 16}) count_lines(columns);
  // Now run `ridge roofline matmul 8192x50257x768 --device h200` and look: lines under a tile.
}
