// Prefix sums on a CPU: each element once, along rows and across them.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::cpu_scan_test {
namespace {

Function scanned(int64_t dim, bool reverse) {
  return [=](const std::vector<Tensor>& x) { return std::vector{cumsum(x[0], dim, reverse)}; };
}

// One kernel that reads each element once, and whose results are the definition's.
void expect_one_pass(DType dtype, const Shape& shape, int64_t dim, bool reverse) {
  SCOPED_TRACE(concat(name(dtype), " ", shape, " along ", dim, reverse ? " backwards" : ""));
  const graph::Graph graph = graph_of({{dtype, shape, kCpu, false}}, scanned(dim, reverse));
  const schedule::Plan plan = schedule::schedule(graph, {});
  ASSERT_EQ(plan.calls.size(), 1u);
  const Interpreted ours = expect_as_reference(
      graph, plan, static_cast<double>(*shape[static_cast<size_t>(dim)].known()));
  EXPECT_LE(ours.loaded, *numel(shape).known());
}

TEST(CpuScan, ReadsEachElementOnce) {
  for (const DType dtype : {f32, f64, bf16, i32, boolean}) {
    for (const bool reverse : {false, true}) {
      expect_one_pass(dtype, {1000}, 0, reverse);
      expect_one_pass(dtype, {3, 70}, 1, reverse);
      expect_one_pass(dtype, {70, 50}, 0, reverse);
      expect_one_pass(dtype, {4, 33, 5}, 1, reverse);
    }
  }
  expect_one_pass(f32, {7, 1}, 1, false);
}

TEST(CpuScan, IsFollowedByWhatComesAtEachPoint) {
  const graph::Graph graph = graph_of({floats({5, 300})}, [](const std::vector<Tensor>& x) {
    return std::vector{cumsum(x[0] * x[0], 1) * 0.5 + 1.0};
  });
  const schedule::Plan plan = schedule::schedule(graph, {});
  const Interpreted ours = expect_as_reference(graph, plan, 300);
  // The square is a kernel of its own.
  EXPECT_LE(ours.loaded, 2 * 1500);
}

// A reshape that cuts the rows of a scan does not make it quadratic.
TEST(CpuScan, StaysOnePassWhereItsRowsAreCut) {
  for (const schedule::Target target : {schedule::Target::cpu, schedule::Target::gpu}) {
    const graph::Graph graph = graph_of({floats({1024})}, [](const std::vector<Tensor>& x) {
      return std::vector{reshape(cumsum(x[0], 0), {32, 32}) * 2.0};
    });
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    const Interpreted ours = expect_as_reference(graph, plan, 1024);
    EXPECT_LE(ours.loaded, 4 * 1024);
  }
}

// Two scans of one tensor have nothing to win from each other, and together no kernel of their own.
TEST(CpuScan, SharesNoKernelWithAnother) {
  for (const schedule::Target target : {schedule::Target::cpu, schedule::Target::gpu}) {
    const graph::Graph graph = graph_of({floats({3, 200})}, [](const std::vector<Tensor>& x) {
      return std::vector{cumsum(x[0], 1) + cumsum(x[0], 1, true), max(x[0], {1})};
    });
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    const Interpreted ours = expect_as_reference(graph, plan, 200);
    EXPECT_LE(ours.loaded, 5 * 600 + 600);
  }
}

TEST(CpuScan, IsCountedOnce) {
  for (const schedule::Target target : {schedule::Target::cpu, schedule::Target::gpu}) {
    const int64_t length = int64_t{1} << 20;
    const graph::Graph graph = graph_of({floats({length})}, scanned(0, false));
    const schedule::Plan plan = schedule::schedule(graph, {.target = target});
    int64_t bytes = 0, flops = 0;
    for (const schedule::KernelCall& call : plan.calls) {
      bytes += *call.bytes.known();
      flops += *call.flops.known();
    }
    EXPECT_GE(bytes, 8 * length);
    EXPECT_LE(bytes, 13 * length);
    EXPECT_LE(flops, 16 * length);
  }
}

}  // namespace
}  // namespace ridge::testing::cpu_scan_test
