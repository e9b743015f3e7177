// On a GPU: vector loops of one thread, buffers of its own, and values that threads combine.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "tests/unit/loop/run_kernel.h"

namespace ridge::loop::gpu_vector_test {
namespace {

constexpr std::string_view kWideMap = R"(kernel wide(x: f32[n] in, out: f32[n] out; n) {
  for i0 in n // 256 @gpu_block {
    for i1 in 64 @gpu_thread {
      for i2 in 4 @vector {
        let v0: f32 = x[256 * i0 + 4 * i1 + i2] * 2.0
        out[256 * i0 + 4 * i1 + i2] = v0
      }
    }
  }
}
)";

// A row of 512 for each block: 64 threads hold eight of its elements each in registers.
constexpr std::string_view kRowSoftmax =
    R"(kernel softmax(x: f32[n * 512] in, out: f32[n * 512] out; n) {
  local row: f32[8]
  for i0 in n @gpu_block {
    for i1 in 64 @gpu_thread {
      var v0: f32 = -inf
      for i2 in 2 {
        for i3 in 4 @vector {
          let v1: f32 = x[512 * i0 + 256 * i2 + 4 * i1 + i3]
          row[4 * i2 + i3] = v1
          v0 max= v1
        }
      }
      block_reduce max v0
      var v2: f32 = 0.0
      for i2 in 2 {
        for i3 in 4 @vector {
          let v3: f32 = exp(row[4 * i2 + i3] - v0)
          row[4 * i2 + i3] = v3
          v2 sum= v3
        }
      }
      block_reduce sum v2
      for i2 in 2 {
        for i3 in 4 @vector {
          let v4: f32 = row[4 * i2 + i3] / v2
          out[512 * i0 + 256 * i2 + 4 * i1 + i3] = v4
        }
      }
    }
  }
}
)";

// One block of threads, each with the value i1.
std::string thread_program(int threads, std::string_view body, std::string_view local = "") {
  return concat("kernel k(x: f32[4096] in, out: f32[4096] in_out) {\n", local, "for i1 in ",
                threads, " @gpu_thread {\n", body, "}\n}\n");
}

TEST(LoopGpuVector, WideAccessesAreOneForAWarp) {
  const auto x = random_vector(1024, 1);
  std::vector<float> out(1024);
  const Counts counts = run_text(kWideMap, {1024}, {}, x, out);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], x[i] * 2.0f);
  EXPECT_EQ(counts.loads, (Traffic{8, 128, 128, 1024, 4096}));
  EXPECT_EQ(counts.stores, counts.loads);
  EXPECT_EQ(counts.divergent_warps, 0);
}

TEST(LoopGpuVector, StridedAccessesAreOneForEachIteration) {
  const std::string text = thread_program(
      32, "for i2 in 4 @vector {\nlet v0: f32 = x[64 * i2 + 2 * i1]\nout[4 * i1 + i2] = v0\n}\n");
  const auto x = random_vector(4096, 2);
  std::vector<float> out(4096);
  const Counts counts = run_text(text, {}, {}, x, out);
  EXPECT_EQ(counts.loads, (Traffic{4, 32, 16, 128, 512}));
  EXPECT_EQ(counts.stores, (Traffic{1, 16, 16, 128, 512}));
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(out[4 * i + 3], x[192 + 2 * i]);
}

TEST(LoopGpuVector, SoftmaxHeldInRegisters) {
  const int64_t n = 3;
  const auto x = random_vector(n * 512, 3);
  std::vector<float> out(x.size());
  const Counts counts = run_text(kRowSoftmax, {n}, {}, x, out);
  for (size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (size_t j = 0; j < 512; ++j) sum += std::exp(double{x[512 * i + j]});
    for (size_t j = 0; j < 512; ++j) {
      const double expected = std::exp(double{x[512 * i + j]}) / sum;
      EXPECT_NEAR(out[512 * i + j], expected, 1e-5 * expected);
    }
  }
  EXPECT_EQ(counts.loads.elements, n * 512);
  EXPECT_EQ(counts.loads.sectors, n * 64);
  EXPECT_EQ(counts.shared_loads.elements, 0);
  EXPECT_EQ(counts.exchanges, n * 2);
}

TEST(LoopGpuVector, PartialsAreCombinedByHalves) {
  const std::string text = thread_program(1,
                                          "var v0: f32 = 16.0\nfor i2 in 4 @vector {\nlet v1: f32 "
                                          "= x[i2]\nv0 sum= v1\n}\nout[0] = v0\n");
  std::vector<float> x(4096), out(4096);
  x[0] = 1e8f, x[1] = 3, x[2] = -1e8f, x[3] = 4;
  run_text(text, {}, {}, x, out);
  EXPECT_EQ(out[0], 23.0f);  // 16 + ((1e8 - 1e8) + (3 + 4))
}

TEST(LoopGpuVector, ReductionsOfConsecutiveThreads) {
  const auto result = [](int threads, std::string_view reduction) {
    const std::string text = thread_program(
        threads,
        concat("var v0: i64 = i1\n", reduction, "\nlet v1: f32 = real(v0)\nout[i1] = v1\n"));
    std::vector<float> x(4096), out(4096);
    run_text(text, {}, {}, x, out);
    return out;
  };
  const auto sum = [](int first, int count) {
    return static_cast<float>(count * first + count * (count - 1) / 2);
  };
  EXPECT_EQ(result(96, "block_reduce sum v0")[5], sum(0, 96));
  EXPECT_EQ(result(96, "warp_reduce sum v0")[64], sum(64, 32));
  EXPECT_EQ(result(64, "warp_reduce sum v0 width 8")[17], sum(16, 8));
  EXPECT_EQ(result(128, "block_reduce sum v0 width 64")[127], sum(64, 64));
}

// A row of 256 for each cluster of 2 blocks; shared memory is that of a block.
TEST(LoopGpuVector, ClusterReduction) {
  const std::string_view text = R"(kernel rows(x: f32[n * 256] in, out: f32[n * 2] out; n) {
  shared own: f32[1]
  for i0 in n @gpu_block {
    for i1 in 2 @gpu_cluster_block {
      for i2 in 32 @gpu_thread {
        var v0: f32 = 0.0
        for i3 in 4 @vector {
          let v1: f32 = x[256 * i0 + 128 * i1 + 4 * i2 + i3]
          v0 sum= v1
        }
        var v2: f32 = v0
        block_reduce sum v2
        if i2 == 0 {
          own[0] = v2
        }
        barrier
        cluster_reduce sum v0
        let v3: f32 = own[0] / v0
        if i2 == 31 {
          out[2 * i0 + i1] = v3
        }
      }
    }
  }
}
)";
  const auto x = random_vector(3 * 256, 8, 1, 2);
  std::vector<float> out(6);
  const Counts counts = run_text(text, {3}, {}, x, out);
  for (size_t i = 0; i < 6; ++i) {
    double part = 0, whole = 0;
    for (size_t j = 0; j < 128; ++j) part += x[128 * i + j];
    for (size_t j = 0; j < 256; ++j) whole += x[256 * (i / 2) + j];
    EXPECT_NEAR(out[i], part / whole, 1e-6);
  }
  EXPECT_EQ(counts.exchanges, 12);
  EXPECT_EQ(counts.barriers, 6);
  // Blocks of a cluster are not ordered by a barrier.
  const std::string_view race = R"(kernel race(out: f32[32] in_out) {
  for i0 in 2 @gpu_cluster_block {
    for i1 in 32 @gpu_thread {
      let v0: f32 = real(i0)
      barrier
      if i0 == 0 {
        out[i1] = v0
      }
    }
  }
}
)";
  std::vector<float> one(32);
  EXPECT_EQ(refusal([&] { run_text(race, {}, {}, one); }), "");
  std::string both(race);
  both.replace(both.find("if i0 == 0"), 10, "if i0 >= 0");
  expect_part(refusal([&] { run_text(both, {}, {}, one); }),
              "a race at out[0] between thread 0 of block 0 and thread 0 of block 1");
}

TEST(LoopGpuVector, LocalBuffersBelongToAThread) {
  const std::string own =
      "let v0: f32 = real(i1)\nrow[0] = v0\nlet v1: f32 = row[0]\nout[i1] = v1\n";
  std::vector<float> x(4096), out(4096);
  const Counts counts = run_text(thread_program(64, own, "local row: f32[2]\n"), {}, {}, x, out);
  EXPECT_EQ(out[63], 63.0f);
  EXPECT_EQ(counts.loads.accesses, 0);
  const std::string early = "let v1: f32 = row[1]\nout[i1] = v1\n";
  expect_part(
      refusal([&] { run_text(thread_program(64, early, "local row: f32[2]\n"), {}, {}, x, out); }),
      "loads of local memory that was written before");
}

TEST(LoopGpuVector, IterationsRaceButThreadsDoNotWithThemselves) {
  std::vector<float> x(4096), out(4096);
  const auto message = [&](std::string_view body) {
    return refusal([&] { run_text(thread_program(32, body), {}, {}, x, out); });
  };
  const std::string own = "for i2 in 4 @vector {\nlet v0: f32 = x[i2]\nout[4 * i1 + i2] = v0\n}\n";
  EXPECT_EQ(message(own + "let v1: f32 = out[4 * i1 + 3]\n"), "");
  expect_part(message("for i2 in 4 @vector {\nlet v0: f32 = x[i2]\nout[i1] = v0\n}\n"),
              "a race at out[0] between iteration 0 of thread 0 of block 0 and iteration 1 of "
              "thread 0 of block 0");
  expect_part(message("for i2 in 4 @vector {\nlet v0: f32 = x[i2]\nout[i1 + i2] = v0\n}\n"),
              "a race at");
  expect_part(message("for i2 in 4 @vector {\nlet v0: f32 = out[4 * i1 + 3 - i2]\nout[4 * i1 + i2] "
                      "= v0\n}\n"),
              "a race at");
}

}  // namespace
}  // namespace ridge::loop::gpu_vector_test
