// Prefix sums on a GPU: each element once, along rows and across them.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_scan_test {
namespace {

graph::Type of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

// Runs it without races, within the bound of its dtype, reading each element `reads` times at most.
void check(const graph::Type& type, const Function& function, double length, int64_t reads = 1) {
  const graph::Graph graph = graph_of({type}, function);
  const schedule::Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
  const std::vector<Tensor> inputs = random_inputs(graph, 3);
  const Interpreted ours = interpret(graph, plan, inputs);
  const auto a = ours.outputs[0].to_vector<double>();
  const auto b = expected_outputs(graph, inputs)[0].to_vector<double>();
  double largest = 1;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  const DType dtype = ours.outputs[0].dtype();
  const double bound =
      is_integer(dtype)
          ? 0
          : (epsilon(dtype == f64 ? f64 : f32) * (8 + 2 * std::sqrt(length)) + 2 * epsilon(dtype)) *
                largest;
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], bound) << "element " << i;
  EXPECT_LE(ours.loaded, reads * numel(type.shape).value());
}

Function scanned(int64_t dim, bool reverse) {
  return [=](const std::vector<Tensor>& x) { return std::vector{cumsum(x[0], dim, reverse)}; };
}

TEST(GpuScan, RowsOfAnyLength) {
  for (const DType dtype : {f32, bf16, f64, i32}) {
    for (const int64_t length : {2, 7, 100, 1001}) {
      for (const bool reverse : {false, true}) {
        SCOPED_TRACE(concat(name(dtype), " ", length, reverse ? " backwards" : ""));
        check(of(dtype, {3, length}), scanned(1, reverse), static_cast<double>(length));
      }
    }
  }
  // Longer than a chunk.
  for (const bool reverse : {false, true}) {
    check(floats({1, 2600}), scanned(1, reverse), 2600);
    check(of(i32, {1, 1403}), scanned(1, reverse), 1403);
  }
}

TEST(GpuScan, AcrossRows) {
  for (const bool reverse : {false, true}) {
    check(floats({50, 70}), scanned(0, reverse), 50);
    check(floats({4, 33, 5}), scanned(1, reverse), 33);
  }
}

TEST(GpuScan, OneAxis) { check(floats({3001}), scanned(0, false), 3001); }

// A few long rows are cut: chunks are summed, their sums scanned, and chunks scanned behind these.
TEST(GpuScan, LongRowsInChunks) {
  for (const DType dtype : {f32, i32, f64}) {
    for (const bool reverse : {false, true}) {
      SCOPED_TRACE(concat(name(dtype), reverse ? " backwards" : ""));
      const graph::Graph graph = graph_of({of(dtype, {2, 17001})}, scanned(1, reverse));
      const schedule::Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
      EXPECT_EQ(plan.calls.size(), 3u);
      const Tensor whole = reshape(remainder(arange(2 * 17001), 97) - 48, {2, 17001});
      const std::vector<Tensor> inputs{cast(is_floating(dtype) ? whole * 0.37 : whole, dtype)};
      const Interpreted ours = interpret(graph, plan, inputs);
      const auto a = ours.outputs[0].to_vector<double>(), x = inputs[0].to_vector<double>();
      for (size_t row = 0; row < 2; ++row) {
        double sum = 0;
        for (size_t i = 0; i < 17001; ++i) {
          const size_t at = row * 17001 + (reverse ? 17000 - i : i);
          sum += x[at];
          ASSERT_NEAR(a[at], sum, dtype == f32 ? 1e-3 : 1e-9) << "element " << at;
        }
      }
      // Each thread of a chunk reads the sum that it starts with.
      EXPECT_LE(ours.loaded, 2 * 2 * 17001 + 2 * 17 * (1 + 256));
    }
  }
}

TEST(GpuScan, WithWhatComesBeforeAndAfter) {
  const auto function = [](const std::vector<Tensor>& x) {
    return std::vector{cumsum(x[0] * x[0], 1) * 0.5 + 1.0};
  };
  // The square is a kernel of its own: inlined it would count once for each prefix.
  check(floats({5, 300}), function, 300, 2);
}

}  // namespace
}  // namespace ridge::testing::gpu_scan_test
