// What a kernel brings in past a cache, counted by hand.
#include "ridge/cost/traffic.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ridge/base/error.h"
#include "ridge/cost/axis_set.h"

namespace ridge::cost::traffic_test {
namespace {

double total(const std::vector<double>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), 0.0);
}

KernelNest nest_of_text(std::string_view text, std::vector<int64_t> sizes = {}) {
  return nest_of(loop::parse(text), sizes);
}

// Rows of 1024 floats, 4 KiB each, gone over twice.
constexpr std::string_view kTwoPasses = R"(
kernel two_passes(x: f32[65536] in, out: f32[65536] out) grain 1 {
  for i0 in 64 @cpu_thread {
    var v0: f32 = 0.0
    for i1 in 1024 @vector {
      let v1: f32 = x[1024 * i0 + i1]
      v0 sum= v1
    }
    for i1 in 1024 @vector {
      let v2: f32 = x[1024 * i0 + i1] - v0
      out[1024 * i0 + i1] = v2
    }
  }
}
)";

TEST(Traffic, ARowThatFitsIsReadOnce) {
  const KernelNest nest = nest_of_text(kTwoPasses);
  const std::vector<double> bytes = miss_bytes(nest, {.capacity = 16384});
  ASSERT_EQ(bytes.size(), 3U);
  EXPECT_EQ(bytes[0], 262144);  // the first pass pays
  EXPECT_EQ(bytes[1], 0);       // the second finds it
  EXPECT_EQ(bytes[2], 262144);
}

TEST(Traffic, ARowThatDoesNotFitIsReadInEachPass) {
  const KernelNest nest = nest_of_text(kTwoPasses);
  const std::vector<double> bytes = miss_bytes(nest, {.capacity = 4096});
  EXPECT_EQ(bytes[0], 262144);
  EXPECT_EQ(bytes[1], 262144);
}

TEST(Traffic, ALaunchAfterAnotherFindsWhatFits) {
  const KernelNest nest = nest_of_text(kTwoPasses);
  EXPECT_EQ(total(miss_bytes(nest, {.capacity = 1 << 20})), 0);
  // Unless the program around it has touched more in between.
  EXPECT_GT(total(miss_bytes(nest, {.capacity = 1 << 20, .resident = 1 << 21})), 0);
}

// Down the columns, 32 lanes at once: a line serves 16 of them.
constexpr std::string_view kColumns = R"(
kernel columns(x: f32[n * m] in, out: f32[m] out; n, m) grain 1 {
  for i0 in m / 32 @cpu_thread {
    for i1 in 32 @vector {
      var v0: f32 = 0.0
      for i2 in n {
        let v1: f32 = x[m * i2 + 32 * i0 + i1]
        v0 sum= v1
      }
      out[32 * i0 + i1] = v0
    }
  }
}
)";

TEST(Traffic, LanesShareLines) {
  const KernelNest nest = nest_of_text(kColumns, {512, 1024});
  const std::vector<double> bytes = miss_bytes(nest, {.capacity = 4096});
  EXPECT_EQ(bytes[0], 512 * 1024 * 4);
}

constexpr std::string_view kTranspose = R"(
kernel transpose(x: f32[n * n] in, out: f32[n * n] out; n) grain 1 {
  for i0 in n @cpu_thread {
    for i1 in n @vector {
      let v0: f32 = x[n * i1 + i0]
      out[n * i0 + i1] = v0
    }
  }
}
)";

TEST(Traffic, AColumnKeepsItsLinesOnlyIfTheyFit) {
  const KernelNest nest = nest_of_text(kTranspose, {1000});
  // 1000 lines of 64 bytes, and a row of the result, stay for the next column.
  EXPECT_EQ(miss_bytes(nest, {.capacity = 1 << 17})[0], 4e6);
  // Else each element brings in its line.
  EXPECT_EQ(miss_bytes(nest, {.capacity = 1 << 15})[0], 64e6);
}

TEST(Traffic, LinesAPowerOfTwoApartShareSets) {
  const KernelNest nest = nest_of_text(kTranspose, {1024});
  EXPECT_EQ(miss_bytes(nest, {.capacity = 1 << 17})[0], 4.0 * 1024 * 1024);
  EXPECT_EQ(miss_bytes(nest, {.capacity = 1 << 17, .way = 4096})[0], 64.0 * 1024 * 1024);
}

TEST(Compulsory, CountsEachElementOnce) {
  const Compulsory rows = compulsory_bytes(nest_of_text(kTwoPasses));
  EXPECT_EQ(rows.read, 262144);
  EXPECT_EQ(rows.written, 262144);
  EXPECT_EQ(rows.footprint, 524288);
  EXPECT_EQ(compulsory_bytes(nest_of_text(kTranspose, {1000})).read, 4e6);
}

// Reads x twice, at i0 and at `other`.
Compulsory of_two_reads(std::string_view other, int64_t trips, std::string_view first = "i0") {
  const std::string n = std::to_string(trips);
  return compulsory_bytes(
      nest_of_text("kernel k(x: f32[4096] in, out: f32[" + n + "] out) grain 1 {\n  for i0 in " +
                   n + " @vector {\n    let v0: f32 = x[" + std::string(first) + "] + x[" +
                   std::string(other) + "]\n    out[i0] = v0\n  }\n}\n"));
}

TEST(Compulsory, HalvesOfABufferAreTwo) {
  EXPECT_EQ(of_two_reads("i0 + 2048", 2048).read, 4 * 4096);
  EXPECT_EQ(of_two_reads("i0 + 1", 2048).read, 4 * 2049);  // neighbors overlap
  EXPECT_EQ(of_two_reads("i0", 2048).read, 4 * 2048);
  EXPECT_EQ(of_two_reads("2047 - i0", 2048).read, 4 * 2048);  // the same, from the end
  EXPECT_EQ(of_two_reads("4095 - i0", 2048).read, 4 * 4096);
  EXPECT_EQ(of_two_reads("2 * i0 + 1", 2048, "2 * i0").read, 4 * 4096);  // even and odd ones
  EXPECT_EQ(of_two_reads("2 * i0", 2048, "2 * i0").read, 4 * 2048);
}

TEST(Traffic, HalvesOfABufferAreBothBroughtIn) {
  const KernelNest nest = nest_of_text(R"(
kernel halves(x: f32[131072] in, out: f32[65536] out) grain 1 {
  for i0 in 65536 @vector {
    let v0: f32 = x[i0] + x[i0 + 65536]
    out[i0] = v0
  }
}
)");
  const std::vector<double> bytes = miss_bytes(nest, {.capacity = 4096});
  EXPECT_EQ(bytes[0], 262144);
  EXPECT_EQ(bytes[1], 262144);
}

TEST(Nest, ABodyCountsForTheThreadsThatEnterIt) {
  const auto share = [](std::string_view condition) {
    const KernelNest nest = nest_of_text(
        "kernel k(x: f32[n] in; n) {\n  for i0 in 4 @gpu_block {\n    "
        "for i1 in 256 @gpu_thread {\n      if " +
            std::string(condition) +
            " {\n        let v0: f32 = x[i1]\n      }\n    }\n  "
            "}\n}\n",
        {1000});
    return accesses_of(nest)[0].executions / 1024;
  };
  EXPECT_DOUBLE_EQ(share("i1 == 0"), 1.0 / 256);
  EXPECT_DOUBLE_EQ(share("i1 % 32 == 0"), 1.0 / 32);
  EXPECT_DOUBLE_EQ(share("256 * i0 + i1 < n"), 1000.0 / 1024);
  EXPECT_DOUBLE_EQ(share("i1 == 0 && i0 == 0"), 1.0 / 1024);
  EXPECT_DOUBLE_EQ(share("i1 * i1 < n"), 1);  // not known
}

TEST(Nest, TheBodyOfAContractionIsAllOfIt) {
  const KernelNest nest = nest_of_text(R"(
kernel k(a: f32[4096] in, b: f32[4096] in, c: f32[4096] in, out: f32[4096] out) grain 1 {
  contract v0: f32 over i0 in 64, i1 in 64, sum i2 in 64 of a[64 * i0 + i2], b[64 * i2 + i1] {
    if i0 < 64 {
      let v1: f32 = v0 + sin(c[64 * i0 + i1])
      out[64 * i0 + i1] = v1
    }
    if i0 < 32 {
      let v2: f32 = cos(c[64 * i0 + i1])
      out[64 * i0 + i1] = v2
    }
  }
}
)");
  const auto& product = std::get<Product>(nest.root.items[0]);
  EXPECT_EQ(product.epilogue.accesses.size(), 4U);
  EXPECT_EQ(product.epilogue.operations.calls[static_cast<size_t>(expr::Function::sin)], 1);
  EXPECT_EQ(product.epilogue.operations.calls[static_cast<size_t>(expr::Function::cos)], 1);
  EXPECT_TRUE(product.is_lhs_along_k && product.is_rhs_along_n);
}

TEST(Nest, SinesOfAnotherBlockAreNoSincos) {
  const KernelNest nest = nest_of_text(R"(
kernel k(a: f32[64] in, b: f32[64] in, out: f32[64] out) grain 1 {
  contract v0: f32 over i0 in 8, i1 in 8, sum i2 in 8 of sin(a[8 * i0 + i2]), cos(b[8 * i2 + i1]) {
    let v1: f32 = v0 + sin(b[8 * i0 + i1])
    out[8 * i0 + i1] = v1
  }
}
)");
  const auto& product = std::get<Product>(nest.root.items[0]);
  EXPECT_EQ(product.lhs.operations.sincos_pairs + product.rhs.operations.sincos_pairs, 0);
  EXPECT_EQ(product.epilogue.operations.sincos_pairs, 0);
}

TEST(AxisSet, KnowsItsLimit) {
  AxisSet axes;
  axes.add(63);
  axes.add(-1);
  EXPECT_TRUE(axes.has(63));
  EXPECT_FALSE(axes.has(62) || axes.has(-1));
  EXPECT_THROW(axes.add(64), Error);
}

TEST(Nest, CountsTheLastPieceOfACutAxis) {
  const KernelNest nest = nest_of_text(R"(
kernel cut(x: f32[n] in, out: f32[n] out; n) grain 1 {
  for i0 in (n + 4095) // 4096 @cpu_thread {
    for i1 in min(4096, n - 4096 * i0) @vector {
      let v0: f32 = x[4096 * i0 + i1]
      out[4096 * i0 + i1] = v0
    }
  }
}
)",
                                       {10000});
  EXPECT_EQ(nest.tasks, 3);
  const std::vector<PlacedAccess> accesses = accesses_of(nest);
  ASSERT_EQ(accesses.size(), 2U);
  EXPECT_NEAR(accesses[0].executions, 10000, 1e-6);
}

TEST(Nest, KnowsWhatIsLookedUp) {
  const KernelNest nest = nest_of_text(R"(
kernel rows(at: i64[8] in, x: f32[1000] in, out: f32[160] out) grain 1 {
  for i0 in 8 @cpu_thread {
    let v0: i64 = at[i0]
    for i1 in 20 @vector {
      let v1: f32 = x[20 * checked_index(v0, 50) + i1]
      out[20 * i0 + i1] = v1
    }
  }
}
)");
  const std::vector<PlacedAccess> accesses = accesses_of(nest);
  ASSERT_EQ(accesses.size(), 3U);
  const auto& steps = accesses[1].access->steps;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_TRUE(steps[0].is_random);   // which row
  EXPECT_FALSE(steps[1].is_random);  // along it
  EXPECT_EQ(steps[1].stride, 1);
}

}  // namespace
}  // namespace ridge::cost::traffic_test
