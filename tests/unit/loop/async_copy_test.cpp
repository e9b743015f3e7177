// Elements that are copied asynchronously from global to shared memory.
#include <gtest/gtest.h>

#include "tests/unit/loop/run_kernel.h"

namespace ridge::loop::async_copy_test {
namespace {

// Each thread copies two elements of each of its rows, and prefetches the next row.
constexpr std::string_view kWalk = R"(kernel walk(x: f32[n * 64] in, out: f32[n * 64] out; n) {
  shared row: f32[128]
  for i0 in 2 @gpu_block {
    for i1 in 32 @gpu_thread {
      for i2 in 2 @vector {
        async_copy row[2 * i1 + i2] = x[64 * i0 + 2 * i1 + i2]
      }
      for i3 in n // 2 {
        wait_copies 0
        if i3 + 1 < n // 2 {
          for i2 in 2 @vector {
            async_copy row[64 * ((i3 + 1) % 2) + 2 * i1 + i2] = x[64 * (i0 + 2 * i3 + 2) + 2 * i1 + i2]
          }
        }
        for i2 in 2 @vector {
          let v0: f32 = row[64 * (i3 % 2) + 2 * i1 + i2]
          out[64 * (i0 + 2 * i3) + 2 * i1 + i2] = v0
        }
      }
    }
  }
}
)";

std::string with(std::string_view part, std::string_view other) {
  std::string text(kWalk);
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

std::string message(const std::string& text, int64_t n = 6) {
  const auto x = random_vector(n * 64, 1);
  std::vector<float> out(x.size());
  return refusal([&] { run_text(text, {n}, {}, x, out); });
}

TEST(LoopAsyncCopy, PrintsAndParses) { EXPECT_EQ(to_text(parse(kWalk)), kWalk); }

TEST(LoopAsyncCopy, ArrivesByTheWait) {
  const auto x = random_vector(6 * 64, 1);
  std::vector<float> out(x.size());
  const Counts counts = run_text(kWalk, {6}, {}, x, out);
  EXPECT_EQ(out, x);
  EXPECT_EQ(counts.loads.elements, 6 * 64);
  EXPECT_EQ(counts.loads.sectors, counts.loads.ideal_sectors);
  EXPECT_EQ(counts.shared_stores.elements, 6 * 64);
}

TEST(LoopAsyncCopy, ReadingWhatIsInFlightIsARace) {
  expect_part(message(with("        wait_copies 0\n", "")), "which is in flight");
}

TEST(LoopAsyncCopy, CopyingToWhatIsInFlightIsARace) {
  const std::string twice = "        async_copy row[2 * i1 + i2] = x[64 * i0 + 2 * i1 + i2]\n";
  expect_part(message(with(twice, twice + twice)), "which is in flight");
}

TEST(LoopAsyncCopy, OverwritingARowThatIsStillReadIsFoundByItsValues) {
  // The next row lands on this one, and is read before it is waited for.
  expect_part(message(with("64 * ((i3 + 1) % 2) + 2 * i1", "64 * (i3 % 2) + 2 * i1")),
              "which is in flight");
}

TEST(LoopAsyncCopy, OthersSeeItAfterABarrierOnly) {
  const std::string own = "row[64 * (i3 % 2) + 2 * i1 + i2]\n",
                    next = "row[64 * (i3 % 2) + 2 * ((i1 + 1) % 32) + i2]\n";
  expect_part(message(with("let v0: f32 = " + own, "let v0: f32 = " + next)), "a race at row");
  const std::string waits =
      with("        wait_copies 0\n", "        wait_copies 0\n        barrier\n");
  std::string all = waits;
  all.replace(all.find(own), own.size(), next);
  // Behind the barrier it is there; what is copied next goes elsewhere.
  EXPECT_EQ(message(all), "");
}

TEST(LoopAsyncCopy, LanesThatAreMaskedOffLeaveNothing) {
  const std::string text =
      with("        async_copy row[2 * i1 + i2] = x[64 * i0 + 2 * i1 + i2]\n",
           "        if 2 * i1 + i2 < 63 {\n          async_copy row[2 * i1 + i2] = "
           "x[64 * i0 + 2 * i1 + i2]\n        }\n");
  expect_part(message(text), "shared memory that was written before");
}

// A prefetch distance of two: while one is read, the next two are in flight, the second to where the one lay.
constexpr std::string_view kAhead = R"(kernel ahead(x: f32[n * 32] in, out: f32[n * 32] out; n) {
  shared row: f32[64]
  for i0 in 1 @gpu_block {
    for i1 in 32 @gpu_thread {
      async_copy row[i1] = x[i1]
      wait_copies 1
      async_copy row[32 + i1] = x[32 + i1]
      for i3 in n {
        wait_copies 1
        let v0: f32 = row[32 * (i3 % 2) + i1]
        if i3 + 2 < n {
          async_copy row[32 * (i3 % 2) + i1] = x[32 * i3 + i1 + 64]
        }
        out[32 * i3 + i1] = v0
      }
    }
  }
}
)";

std::string refused_ahead(std::string_view part, std::string_view other) {
  std::string text(kAhead);
  const size_t at = text.rfind(part);
  EXPECT_NE(at, std::string::npos) << part;
  text.replace(at, part.size(), other);
  const auto x = random_vector(7 * 32, 1);
  std::vector<float> out(x.size());
  return refusal([&] { run_text(text, {7}, {}, x, out); });
}

TEST(LoopAsyncCopy, AWaitLeavesTheLastGroupInFlight) {
  EXPECT_EQ(to_text(parse(kAhead)), kAhead);
  const auto x = random_vector(7 * 32, 1);
  std::vector<float> out(x.size());
  run_text(kAhead, {7}, {}, x, out);
  EXPECT_EQ(out, x);
  // To wait for more is as right; to wait for less, or for the row behind it, is not.
  const std::string inside = "        wait_copies 1\n";
  EXPECT_EQ(refused_ahead(inside, "        wait_copies 0\n"), "");
  expect_part(refused_ahead(inside, "        wait_copies 2\n"), "which is in flight");
  expect_part(refused_ahead("row[32 * (i3 % 2) + i1]\n", "row[32 * ((i3 + 1) % 2) + i1]\n"),
              "which is in flight");
}

// Both rows are of one turn then, and neither is there at the first one.
TEST(LoopAsyncCopy, RowsWithoutAWaitBetweenAreOneGroup) {
  expect_part(refused_ahead("      wait_copies 1\n      async_copy", "      async_copy"),
              "which is in flight");
}

TEST(LoopAsyncCopy, GoesAlongNeighbors) {
  expect_part(message(with("async_copy row[2 * i1 + i2] = x[64 * i0 + 2 * i1 + i2]",
                           "async_copy row[2 * i1 + i2] = x[64 * i0 + i1 + 32 * i2]")),
              "consecutive elements");
}

TEST(LoopAsyncCopy, VerifierKnowsWhereItMayGo) {
  expect_part(message(with("async_copy row[2 * i1 + i2] = x[64 * i0",
                           "async_copy out[2 * i1 + i2] = x[64 * i0")),
              "async_copy to shared buffers");
  expect_part(message(with("= x[64 * i0 + 2 * i1 + i2]", "= row[64 * i0 + 2 * i1 + i2]")),
              "async_copy from global buffers");
  expect_part(message(with("shared row: f32[128]", "shared row: f64[128]")), "of one dtype");
  expect_part(message(with("          let v0: f32 = row",
                           "          wait_copies 0\n          let v0: f32 = row")),
              "wait_copies outside of vector loops");
}

}  // namespace
}  // namespace ridge::loop::async_copy_test
