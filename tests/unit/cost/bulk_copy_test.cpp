// What the price of a GPU kernel says of runs that blocks copy to shared memory.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/cost/gpu_work.h"
#include "ridge/cost/traffic.h"
#include "round_sheet.h"

namespace ridge::cost::bulk_copy_test {
namespace {

constexpr int kRows = 1024;
constexpr int kRow = 8192;  // elements
constexpr double kElements = double{kRows} * kRow;

// A block for each row, which it walks over by pieces of 2048; `statements` stand in the loop.
std::string walk(std::string_view statements, std::string_view dtype = "f32") {
  return concat("kernel walk(x: ", dtype, "[8388608] in, n: i64[1] in, out: f32[262144] out) {\n",
                "shared row: ", dtype,
                "[2048]\nfor i0 in 1024 @gpu_block {\nfor i1 in 256 @gpu_thread {\n",
                "for i2 in 4 {\n", statements, "\n}\n}\n}\n}\n");
}
const std::string kCopy = "bulk_copy row = x[8192 * i0 + 2048 * i2] for 2048";

GpuWork work_of(const std::string& text) {
  const loop::Kernel kernel = loop::parse(text);
  loop::verify(kernel);
  const KernelNest nest = nest_of(kernel, {});
  return gpu_work(nest, {.l1_bytes = 1e5,
                         .l2_bytes = 1e6,
                         .resident = 1e12,
                         .sms = 132,
                         .blocks_per_sm = 8,
                         .block_threads = 256,
                         .latencies = {.l1 = 1e-8, .l2 = 1e-7, .dram = 1e-6}});
}

TEST(CostBulkCopy, CountsItsBytesOnceForABlock) {
  const GpuWork work = work_of(walk(kCopy));
  for (const double bytes : {work.read, work.issued, work.transactions, work.l2, work.shared}) {
    EXPECT_DOUBLE_EQ(bytes, 4 * kElements);
  }
  EXPECT_EQ(work.written, 0);
  const GpuWork narrow = work_of(walk(kCopy, "bf16"));
  EXPECT_DOUBLE_EQ(narrow.read, 2 * kElements);
  EXPECT_DOUBLE_EQ(narrow.shared, 2 * kElements);
}

TEST(CostBulkCopy, IsCompulsoryOnce) {
  const Compulsory all = compulsory_bytes(nest_of(loop::parse(walk(kCopy)), {}));
  EXPECT_DOUBLE_EQ(all.read, 4 * kElements);
  EXPECT_EQ(all.written, 0);
}

TEST(CostBulkCopy, TheLastPieceIsShorter) {
  const GpuWork work =
      work_of(walk("bulk_copy row = x[8192 * i0 + 2048 * i2] for min(2048, 7168 - 2048 * i2)"));
  EXPECT_DOUBLE_EQ(work.issued, 4.0 * 7168 * kRows);
  EXPECT_DOUBLE_EQ(work.read, 4.0 * 7168 * kRows);
}

TEST(CostBulkCopy, WhatOnlyTheKernelKnowsFillsTheBuffer) {
  const GpuWork work = work_of(walk("bulk_copy row = x[8192 * i0 + 2048 * i2] for n[0]"));
  EXPECT_DOUBLE_EQ(work.shared, 4 * kElements);
  EXPECT_EQ(work_of(walk("bulk_copy row = x[8192 * i0 + 2048 * i2] for -1")).shared, 0);
}

// What all blocks copy comes from memory once, and to each of them.
TEST(CostBulkCopy, WhatAllBlocksCopyStaysNear) {
  const GpuWork work = work_of(walk("bulk_copy row = x[2048 * i2] for 2048"));
  EXPECT_DOUBLE_EQ(work.read, 4 * kRow);
  EXPECT_DOUBLE_EQ(work.l2, 4 * kElements);
}

TEST(CostBulkCopy, NoThreadDoesOrWaitsForIt) {
  const auto price_of = [](const std::string& text) {
    return price(nest_of(loop::parse(text), {}), round_gpu(), {.resident = 1e12});
  };
  const auto seconds = [](const Price& price, Resource resource) {
    return price.seconds[static_cast<size_t>(resource)];
  };
  const Price copied = price_of(walk(kCopy));
  const Price loaded =
      price_of(walk("for i3 in 8 {\nlet v0: f32 = x[8192 * i0 + 2048 * i2 + 256 * i3 + i1]\n}"));
  EXPECT_EQ(copied.moved_bytes, loaded.moved_bytes);
  EXPECT_EQ(seconds(copied, Resource::alu), 0);
  EXPECT_EQ(seconds(copied, Resource::latency), 0);
  EXPECT_EQ(seconds(copied, Resource::l1), 0);
  EXPECT_GT(seconds(loaded, Resource::alu), 0);
  EXPECT_GT(seconds(loaded, Resource::latency), 0);
}

// Note [Pipelined loop] in loop/loop.h: sums travel while threads go on with other rows.
TEST(CostBulkCopy, NobodyWaitsForSumsOfAStream) {
  const std::string sum = "var v0: f32 = 1.0\nblock_reduce sum v0";
  const auto waits = [](const std::string& text) {
    return price(nest_of(loop::parse(text), {}), round_gpu(), {.resident = 1e12})
        .seconds[static_cast<size_t>(Resource::latency)];
  };
  EXPECT_EQ(waits(walk(kCopy + "\n" + sum)), 0);
  EXPECT_GT(waits(walk(sum)), 0);
}

}  // namespace
}  // namespace ridge::cost::bulk_copy_test
