// The GPU mapping: blocks of threads in lock step, shared memory, barriers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/loop/run_kernel.h"
#include "tests/unit/loop/sample_kernels.h"

namespace ridge::loop::gpu_interpreter_test {
namespace {

std::string replaced(std::string_view text, std::string_view part, std::string_view with,
                     size_t occurrence = 0) {
  std::string result(text);
  size_t at = result.find(part);
  for (; occurrence > 0; --occurrence) at = result.find(part, at + 1);
  EXPECT_NE(at, std::string::npos) << part;
  return result.replace(at, part.size(), with);
}

TEST(LoopGpu, RowSumsThroughSharedMemory) {
  const int64_t n = 3;
  for (const int64_t m : {1, 64, 100, 333}) {
    const auto x = random_vector(n * m, 1);
    std::vector<float> out(n, NAN);
    const Counts counts = run_text(kBlockSum, {n, m}, {}, x, out);
    for (size_t i = 0; i < n; ++i) {
      double sum = 0, magnitude = 0;
      for (size_t j = 0; j < static_cast<size_t>(m); ++j) {
        sum += x[i * static_cast<size_t>(m) + j];
        magnitude += std::abs(x[i * static_cast<size_t>(m) + j]);
      }
      // Each element passes at most m / 64 + 7 additions.
      const double steps = static_cast<double>(m) / 64 + 7;
      EXPECT_NEAR(out[i], sum, magnitude * steps * std::numeric_limits<float>::epsilon());
    }
    EXPECT_EQ(counts.barriers, n * 7);
    EXPECT_EQ(counts.bank_conflicts, 0);
    EXPECT_EQ(counts.loads.elements, n * m);
    EXPECT_EQ(counts.races, 0);
  }
}

TEST(LoopGpu, BlocksMayRunInAnyOrder) {
  const auto x = random_vector(5 * 70, 2);
  std::vector<float> forward(5), backward(5);
  run_text(kBlockSum, {5, 70}, {}, x, forward);
  run_text(kBlockSum, {5, 70}, {.reverse_tasks = true}, x, backward);
  EXPECT_EQ(forward, backward);
}

TEST(LoopGpu, MissingBarrierIsARace) {
  const auto x = random_vector(70, 3);
  std::vector<float> out(1);
  // The first one, between filling the tile and reading it.
  const std::string first = replaced(kBlockSum, "barrier\n", "\n", 0);
  const std::string message = refusal([&] { run_text(first, {1, 70}, {}, x, out); });
  expect_part(message, "row_sum: ");
  expect_part(message, "a race at tile[32] between thread 32 of block 0 and thread 0 of block 0");
  // The one in the loop, between two halvings.
  const std::string second = replaced(kBlockSum, "barrier\n", "\n", 1);
  expect_part(refusal([&] { run_text(second, {1, 70}, {}, x, out); }), "a race at tile[");
  EXPECT_GT(run_text(second, {1, 70}, {.on_race = OnRace::count}, x, out).races, 0);
}

TEST(LoopGpu, RacesOnGlobalMemory) {
  const auto text = [](std::string_view statements) {
    return "kernel global(x: f32[64] in, out: f32[64] in_out) {\n"
           "for i0 in 2 @gpu_block {\nfor i1 in 32 @gpu_thread {\n" +
           std::string(statements) + "}\n}\n}\n";
  };
  const auto x = random_vector(64, 4);
  std::vector<float> out(64);
  const auto message = [&](std::string_view statements) {
    return refusal([&] { run_text(text(statements), {}, {}, x, out); });
  };
  const std::string own = "let v0: f32 = x[i1]\nout[i0 * 32 + i1] = v0\n";
  EXPECT_EQ(message(own + "let v1: f32 = out[i0 * 32 + i1]\n"), "");
  EXPECT_EQ(message(own + "barrier\nlet v1: f32 = out[i0 * 32 + 31 - i1]\n"), "");
  expect_part(message(own + "let v1: f32 = out[i0 * 32 + 31 - i1]\n"),
              "between thread 31 of block 0 and thread 0 of block 0");
  // A barrier orders the threads of a block only.
  expect_part(message("let v0: f32 = x[i1]\nout[i1] = v0\n"),
              "a race at out[0] between thread 0 of block 0 and thread 0 of block 1");
  expect_part(message(own + "barrier\nlet v1: f32 = out[63 - i1]\n"), "of block 0 and thread");
  expect_part(message("let v1: f32 = out[63 - i1]\nbarrier\n" + own), "a race at out[");
  // Two threads read, one of them writes.
  expect_part(message("let v0: f32 = out[i0 * 32 + i1 // 2]\nif i1 == 0 {\nout[i0 * 32] = v0\n}\n"),
              "between thread (several) of block 0 and thread 0 of block 0");
}

TEST(LoopGpu, SharedMemoryIsNotThereBeforeItIsWritten) {
  const std::string_view text = R"(kernel early(out: f32[64] out) {
  shared tile: f32[32]
  for i0 in 2 @gpu_block {
    for i1 in 32 @gpu_thread {
      if i0 == 0 {
        let v0: f32 = real(i1)
        tile[i1] = v0
      }
      barrier
      let v1: f32 = tile[i1]
      out[i0 * 32 + i1] = v1
    }
  }
}
)";
  std::vector<float> out(64);
  expect_part(refusal([&] { run_text(text, {}, {}, out); }),
              "tile[0], read by thread 0 of block 1");
}

TEST(LoopGpu, OutOfBoundsUnderAMask) {
  const std::string_view text = R"(kernel guarded(x: f32[n] in, out: f32[n] out; n, limit) {
  for i0 in (n + 63) // 64 @gpu_block {
    for i1 in 64 @gpu_thread {
      if i0 * 64 + i1 < limit {
        let v0: f32 = x[i0 * 64 + i1] * 2.0
        out[i0 * 64 + i1] = v0
      }
    }
  }
}
)";
  const auto x = random_vector(100, 5);
  std::vector<float> out(100);
  const Counts counts = run_text(text, {100, 100}, {}, x, out);
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(out[i], x[i] * 2.0f);
  EXPECT_EQ(counts.loads.accesses, 4);
  EXPECT_EQ(counts.divergent_warps, 1);  // threads 96 to 127: four of them go on
  expect_part(refusal([&] { run_text(text, {100, 101}, {}, x, out); }), "x[100]");
}

TEST(LoopGpu, LoopsOfUnequalLengthDiverge) {
  const std::string_view text = R"(kernel triangle(out: i64[64] out) {
  for i0 in 2 @gpu_thread {
    for i1 in 32 @gpu_thread {
      var v0: i64 = 0
      for i2 in i1 * (1 - i0) + 5 {
        let v1: i64 = i2
        v0 sum= v1
      }
      out[32 * i0 + i1] = v0
    }
  }
}
)";
  std::vector<int64_t> out(64);
  const Counts counts = run_text(text, {}, {}, out);
  for (int64_t i = 0; i < 64; ++i) {
    const int64_t length = i < 32 ? i + 5 : 5;
    EXPECT_EQ(out[static_cast<size_t>(i)], length * (length - 1) / 2);
  }
  EXPECT_EQ(counts.divergent_warps, 1);
}

TEST(LoopGpu, ContractionPerThread) {
  const std::string_view text =
      R"(kernel per_thread(a: f32[n * 8] in, b: f32[8 * 3] in, out: f32[n * 6] out; n) {
  for i0 in n // 2 @gpu_thread {
    contract v0: f32 over i1 in 2, i2 in 3, sum i3 in 8 of a[(i0 * 2 + i1) * 8 + i3], b[i3 * 3 + i2] {
      out[(i0 * 2 + i1) * 3 + i2] = v0
    }
  }
}
)";
  const auto a = random_vector(10 * 8, 6);
  const auto b = random_vector(8 * 3, 7);
  std::vector<float> out(60, 0.0f);
  run_text(text, {10}, {}, a, b, out);
  for (size_t i = 0; i < 10; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      float sum = 0;
      for (size_t k = 0; k < 8; ++k) {
        sum = std::fma(a[i * 8 + k], b[k * 3 + j], sum);
      }
      EXPECT_EQ(out[i * 3 + j], sum);
    }
  }
}

TEST(LoopGpu, NoThreadsNoWork) {
  const auto x = random_vector(1, 8);
  std::vector<float> out(1);
  EXPECT_EQ(run_text(kBlockSum, {0, 10}, {}, x, out).barriers, 0);
}

}  // namespace
}  // namespace ridge::loop::gpu_interpreter_test
