// Random integer and boolean expressions in the lanes of GPU threads, run on the host: the same
// bytes and status as the interpreter.
#include "tests/unit/codegen/random_expression.h"

#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/loop/interpreter.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::codegen::random_expression_test {
namespace {

using expr::axis;
using expr::Expr;

constexpr int64_t kThreads = 9;
constexpr int64_t kLanes = 4;
constexpr int64_t kRow = kThreads * kLanes;
static_assert(kRow <= kElements);

// Every thread computes e for four neighboring values of its second axis.
loop::Kernel kernel_of(const Expr& e, uint64_t seed) {
  const auto input = [](std::string_view name, DType dtype) {
    return loop::Buffer{.name = std::string(name), .dtype = dtype, .elements = Expr(kElements)};
  };
  loop::Kernel kernel;
  kernel.name = concat("random_", seed);
  kernel.buffers = {
      input("x", i64),
      input("y", i8),
      {.name = "out", .dtype = i64, .access = loop::Access::out, .elements = Expr(3 * kRow)}};
  kernel.sizes = {"n"};
  kernel.values = {{"value", i64}};
  kernel.axis_count = 3;
  const Expr along = Expr(kLanes) * axis(2) + axis(1);
  const Expr in_lane = expr::transform(e, [&](const Expr& node) {
    return node->kind == expr::Kind::axis && node->index == 1 ? along : node;
  });
  loop::Loop lanes{.axis = 1, .extent = Expr(kLanes), .place = loop::Place::vector, .body = {}};
  lanes.body.push_back({loop::Let{0, f32, in_lane}});
  lanes.body.push_back({loop::Store{2, Expr(kRow) * axis(0) + along, 0}});
  loop::Loop block{
      .axis = 2, .extent = Expr(kThreads), .place = loop::Place::gpu_thread, .body = {}};
  block.body.push_back({std::move(lanes)});
  loop::Loop grid{.axis = 0, .extent = Expr(3), .place = loop::Place::gpu_block, .body = {}};
  grid.body.push_back({std::move(block)});
  kernel.body.push_back({std::move(grid)});
  return kernel;
}

TEST(CudaRandomExpression, LikeTheInterpreter) {
  if (!has_host_compiler()) GTEST_SKIP() << "no C++ compiler on this machine";
  SplitMix64 random(17);
  std::vector<int64_t> x;
  std::vector<int8_t> y;
  for (int64_t i = 0; i < kElements; ++i) {
    x.push_back(static_cast<int64_t>(random.next() % 90) - 20);
    y.push_back(static_cast<int8_t>(random.next()));
  }
  const std::vector<int64_t> sizes = {5};
  std::vector<loop::Kernel> kernels;
  std::vector<CudaKernel> generated;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    kernels.push_back(kernel_of(RandomExpression(seed).integer(4), seed));
    generated.push_back(generate(kernels.back(), {}));
  }
  const HostLibrary library(generated);
  int reported = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    std::vector<int64_t> expected(3 * kRow), actual(3 * kRow);
    const std::vector<void*> theirs = {x.data(), y.data(), expected.data()};
    const std::vector<void*> ours = {x.data(), y.data(), actual.data()};
    const bool is_ok = loop::run(kernels[i], theirs, sizes).status == KernelStatus::ok;
    reported += is_ok ? 0 : 1;
    ASSERT_EQ(library.run(generated[i], ours, sizes) == 0, is_ok) << generated[i].source;
    if (!is_ok) continue;
    ASSERT_EQ(actual, expected) << loop::to_text(kernels[i]) << generated[i].source;
  }
  EXPECT_GT(reported, 3);
  EXPECT_LT(reported, 40);
}

}  // namespace
}  // namespace ridge::codegen::random_expression_test
