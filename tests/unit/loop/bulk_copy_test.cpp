// Runs of elements that a block copies from global to shared memory.
#include <gtest/gtest.h>

#include "tests/unit/loop/run_kernel.h"

namespace ridge::loop::bulk_copy_test {
namespace {

// Each block goes through its row by pieces of 128, of which threads read what others would have brought.
constexpr std::string_view kWalk = R"(kernel walk(x: f32[2 * n] in, out: f32[2 * n] out; n) {
  shared row: f32[128]
  for i0 in 2 @gpu_block {
    for i1 in 128 @gpu_thread {
      for i2 in (n + 127) // 128 {
        bulk_copy row = x[n * i0 + 128 * i2] for min(128, n - 128 * i2)
        if 128 * i2 + 127 - i1 < n {
          let v0: f32 = row[127 - i1]
          out[n * i0 + 128 * i2 + 127 - i1] = v0
        }
      }
    }
  }
}
)";
constexpr std::string_view kCopy =
    "bulk_copy row = x[n * i0 + 128 * i2] for min(128, n - 128 * i2)\n";

std::string with(std::string_view part, std::string_view other, std::string_view text = kWalk) {
  std::string result(text);
  const size_t at = result.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return result.replace(at, part.size(), other);
}
// With a statement in front of the copy, or behind it.
std::string before(const std::string& statement) {
  return with(kCopy, statement + "\n" + std::string(kCopy));
}
std::string behind(const std::string& statement) {
  return with(kCopy, std::string(kCopy) + statement + "\n");
}

std::string message(const std::string& text, int64_t n = 200) {
  const auto x = random_vector(2 * n, 1);
  std::vector<float> out(x.size());
  return refusal([&] { run_text(text, {n}, {}, x, out); });
}

TEST(LoopBulkCopy, PrintsAndParses) {
  const std::string text = to_text(parse(kWalk));
  EXPECT_EQ(to_text(parse(text)), text);
  expect_part(text, "        bulk_copy row = x[n * i0 + 128 * i2] for min(");
  const auto without_name = [](std::string_view part, std::string_view other) {
    try {
      parse(with(part, other));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::parse);
      return std::string(error.what());
    }
    return std::string();
  };
  expect_part(without_name("bulk_copy row", "bulk_copy rows"), "`rows` is none");
  expect_part(without_name("] for min", "] of min"), "for");
  // A buffer of that name is not taken for the statement.
  const std::string quoted =
      with("x: f32[2 * n] in", "\"bulk_copy\": f32[2 * n] in", with("= x[n", "= \"bulk_copy\"[n"));
  expect_part(to_text(parse(quoted)), "bulk_copy row = \"bulk_copy\"[n * i0");
}

TEST(LoopBulkCopy, BringsRunsThatAllThreadsSee) {
  for (const int64_t n : {4, 128, 200, 512}) {
    const auto x = random_vector(2 * n, 1);
    std::vector<float> out(x.size());
    const Counts counts = run_text(kWalk, {n}, {}, x, out);
    EXPECT_EQ(out, x);
    EXPECT_EQ(counts.loads.elements, 2 * n);
    EXPECT_EQ(counts.loads.bytes, 8 * n);
    EXPECT_EQ(counts.loads.accesses, 2 * ((n + 127) / 128));
    EXPECT_EQ(counts.shared_stores.elements, 2 * n);
    EXPECT_EQ(counts.bank_conflicts, 0);
    EXPECT_EQ(counts.races, 0);
  }
}

TEST(LoopBulkCopy, CountsTheSectorsItReachesInto) {
  std::vector<float> x(512), out(512);
  const Counts whole = run_text(kWalk, {256}, {}, x, out);
  EXPECT_EQ(whole.loads.sectors, 512 * 4 / 32);
  EXPECT_EQ(whole.loads.ideal_sectors, whole.loads.sectors);
  // The second row starts in the middle of a sector.
  const Counts part = run_text(with("for min(128, n - 128 * i2)", "for min(64, n - 128 * i2)",
                                    with("127 - i1 < n", "127 - i1 < 0")),
                               {100}, {}, x, out);
  EXPECT_EQ(part.loads.ideal_sectors, 2 * 8);
  EXPECT_EQ(part.loads.sectors, 8 + 9);
}

TEST(LoopBulkCopy, OfNothingBringsNothing) {
  std::vector<float> x(256), out(256);
  for (const char* const count : {"for 0 * i2", "for i2 - 5"}) {
    const std::string none = with("for min(128, n - 128 * i2)", count);
    const std::string unread = with("127 - i1 < n", "127 - i1 < 0", none);
    EXPECT_EQ(run_text(unread, {128}, {}, x, out).loads.accesses, 0);
    expect_part(refusal([&] { run_text(none, {128}, {}, x, out); }),
                "shared memory that was written before");
  }
}

// Not even what the round before brought.
TEST(LoopBulkCopy, BehindItsEndNothingHasAValue) {
  EXPECT_EQ(message(std::string(kWalk)), "");
  expect_part(message(with("if 128 * i2 + 127 - i1 < n {", "if 128 * i2 + 127 - i1 < n + 1 {")),
              "row[72]");
}

TEST(LoopBulkCopy, OrdersNothingButItsElements) {
  const std::string own = "        let v1: f32 = x[i1]\n        tile[i1] = v1\n";
  const auto text = [&](std::string_view index) {
    const std::string reads = "        let v2: f32 = tile[" + std::string(index) + "]\n";
    return with(
        "  shared row", "  shared tile: f32[128]\n  shared row",
        with("        " + std::string(kCopy), own + "        " + std::string(kCopy) + reads));
  };
  EXPECT_EQ(message(text("i1"), 128), "");
  expect_part(message(text("127 - i1"), 128), "a race at tile[");
}

TEST(LoopBulkCopy, StaysInItsBuffers) {
  expect_part(message(with("for min(128, n - 128 * i2)", "for 128")), "x[455]");
  expect_part(message(with("shared row: f32[128]", "shared row: f32[124]")), "row[127]");
  expect_part(message(with("x[n * i0 + 128 * i2]", "x[n * i0 + 128 * i2 - 4]")), "x[-4]");
}

TEST(LoopBulkCopy, StartsAtMultiplesOf16Bytes) {
  expect_part(message(std::string(kWalk), 202), "bulk copies from multiples of 16 bytes");
}

// Each block of a cluster has its own half of the row.
TEST(LoopBulkCopy, BlocksOfAClusterCopyForThemselves) {
  constexpr std::string_view kHalves = R"(kernel halves(x: f32[128] in, out: f32[128] out) {
  shared half: f32[64]
  for i0 in 2 @gpu_cluster_block {
    for i1 in 64 @gpu_thread {
      bulk_copy half = x[64 * i0] for 64 - 4 * i0
      if i1 < 64 - 4 * i0 {
        let v0: f32 = half[63 - 4 * i0 - i1]
        out[64 * i0 + i1] = v0
      }
    }
  }
}
)";
  const auto x = random_vector(128, 1);
  std::vector<float> out(128);
  const Counts counts = run_text(kHalves, {}, {}, x, out);
  EXPECT_EQ(counts.loads.elements, 124);
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], x[63 - i]);
  for (size_t i = 0; i < 60; ++i) EXPECT_EQ(out[64 + i], x[123 - i]);
  const std::string one =
      with("      bulk_copy half = x[64 * i0] for 64 - 4 * i0\n",
           "      if i0 < 1 {\n        bulk_copy half = x[64 * i0] for 64\n      }\n",
           with("if i1 < 64 - 4 * i0 {", "if i0 < 1 {", kHalves));
  EXPECT_EQ(run_text(one, {}, {}, x, out).loads.elements, 64);
}

TEST(LoopBulkCopy, VerifierKnowsItsBuffers) {
  expect_part(message(with("bulk_copy row = x", "bulk_copy out = x")),
              "bulk_copy to shared buffers");
  expect_part(message(with("bulk_copy row = x", "bulk_copy row = row")),
              "bulk_copy from global buffers");
  expect_part(message(with("x: f32[2 * n] in,", "x: f32[2 * n] in_out,")), "that are in");
  expect_part(message(with("shared row: f32", "shared row: f64")), "of one dtype");
  expect_part(message(with("for i0 in 2 @gpu_block", "for i0 in 2 @cpu_thread",
                           with("for i1 in 128 @gpu_thread", "for i1 in 128"))),
              "shared buffers in GPU kernels only");
}

TEST(LoopBulkCopy, NobodyElseWritesToItsBuffers) {
  const std::string value = "let v1: f32 = x[0]\n";
  expect_part(message(behind(value + "row[i1] = v1")),
              "no store to the destination of a bulk_copy");
  expect_part(message(before(value + "row[i1] = v1")),
              "no store to the destination of a bulk_copy");
  expect_part(message(before("async_copy row[i1] = x[i1]")),
              "no async_copy to the destination of a bulk_copy");
  expect_part(message(before("bulk_copy row = x[0] for 4")), "one bulk_copy to a buffer");
  expect_part(message(behind(value + "x[i1] = v1")), "stores to out and in_out buffers only");
}

TEST(LoopBulkCopy, AllThreadsOfABlockAgreeOnIt) {
  const std::string agree = "elements on which all threads of the block agree";
  expect_part(message(with("x[n * i0 + 128 * i2]", "x[n * i0 + 4 * i1]")), agree);
  expect_part(message(with("for min(128, n", "for min(i1, n")), agree);
  const std::string by_value = with("min(128, n", "min(v1, n", before("let v1: i64 = i1"));
  expect_part(message(by_value), agree);
  const std::string local =
      with("  shared row", "  local own: i64[1]\n  shared row",
           with("min(128, n", "min(own[0], n", before("let v1: i64 = i1\nown[0] = v1")));
  // Buffers of a thread are its own, whatever stands in them.
  expect_part(message(local), agree);
  EXPECT_EQ(message(with("min(128, n", "min(v1, n", before("let v1: i64 = 128"))), "");
}

TEST(LoopBulkCopy, AllThreadsOfABlockReachIt) {
  const std::string reach = "a bulk_copy that all threads of the block reach";
  expect_part(message(with(kCopy, "if i1 < 64 {\n" + std::string(kCopy) + "}\n")), reach);
  EXPECT_EQ(message(with(kCopy, "if i0 < 2 {\n" + std::string(kCopy) + "}\n")), "");
  expect_part(message(with(kCopy, "for i3 in 4 @vector {\n" + std::string(kCopy) + "}\n")),
              "bulk_copy outside of vector loops");
}

TEST(LoopBulkCopy, ReadsExpressionsOfIntegers) {
  expect_part(message(with("for min(128, n - 128 * i2)", "for 4.0")), "of type integer");
  expect_part(message(with("x[n * i0 + 128 * i2]", "x[4.0]")), "of type integer");
}

}  // namespace
}  // namespace ridge::loop::bulk_copy_test
