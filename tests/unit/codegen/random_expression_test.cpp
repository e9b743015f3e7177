// Random integer and boolean expressions, with loads, guards and errors, in scalar code and in
// lanes: generated code leaves the same bytes and status as the interpreter.
#include "tests/unit/codegen/random_expression.h"

#include "ridge/loop/interpreter.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::random_expression_test {
namespace {

using expr::Expr;

// for i0 in 3 { for i1 in 37 { out[37 * i0 + i1] = e } }
loop::Kernel kernel_of(const Expr& e, loop::Place place) {
  loop::Kernel kernel;
  kernel.name = "random";
  kernel.buffers = {
      {.name = "x", .dtype = i64, .elements = Expr(kElements)},
      {.name = "y", .dtype = i8, .elements = Expr(kElements)},
      {.name = "out", .dtype = i64, .access = loop::Access::out, .elements = Expr(3 * kElements)}};
  kernel.sizes = {"n"};
  kernel.values = {{"value", i64}};
  kernel.axis_count = 2;
  loop::Loop inner{.axis = 1, .extent = Expr(kElements), .place = place, .body = {}};
  inner.body.push_back({loop::Let{0, f32, e}});
  inner.body.push_back({loop::Store{2, Expr(kElements) * expr::axis(0) + expr::axis(1), 0}});
  loop::Loop outer{.axis = 0, .extent = Expr(3), .place = loop::Place::cpu_thread, .body = {}};
  outer.body.push_back({std::move(inner)});
  kernel.body.push_back({std::move(outer)});
  return kernel;
}

TEST(CodegenRandomExpression, LikeTheInterpreter) {
  SplitMix64 random(17);
  std::vector<int64_t> x;
  std::vector<int8_t> y;
  for (int64_t i = 0; i < kElements; ++i) {
    x.push_back(static_cast<int64_t>(random.next() % 90) - 20);
    y.push_back(static_cast<int8_t>(random.next()));
  }
  const std::vector<int64_t> sizes = {5};
  int reported = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Expr e = RandomExpression(seed).integer(4);
    const auto place = seed % 4 == 0 ? loop::Place::serial : loop::Place::vector;
    const loop::Kernel kernel = kernel_of(e, place);
    std::vector<int64_t> expected(3 * kElements);
    std::vector<int64_t> actual(3 * kElements);
    const std::vector<void*> buffers = {x.data(), y.data(), expected.data()};
    const loop::Counts counts = loop::run(kernel, buffers, sizes);
    const KernelStatus status = Runnable(kernel)(sizes, x, y, actual);
    reported += status != KernelStatus::ok ? 1 : 0;
    // Where several things are wrong, either may be the first.
    ASSERT_EQ(status == KernelStatus::ok, counts.status == KernelStatus::ok)
        << seed << "\n"
        << loop::to_text(kernel);
    if (status == KernelStatus::ok) {
      ASSERT_EQ(actual, expected) << seed << "\n" << loop::to_text(kernel);
    }
  }
  EXPECT_GT(reported, 3);
  EXPECT_LT(reported, 40);
}

}  // namespace
}  // namespace ridge::codegen::random_expression_test
