// Random expressions as kernels: whatever expr::evaluate gives at each point, the interpreter gives
// in each lane, for CPU and GPU mappings, and the printed kernel is the same kernel.
#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "ridge/loop/interpreter.h"
#include "tests/unit/expr/random_expr.h"

namespace ridge::loop::expression_property_test {
namespace {

using expr::Kind;
using expr::Number;
using expr::Point;
using expr::RandomExpr;
using expr::Type;

constexpr size_t kPoints = 37;
constexpr int kAxes = 5;

DType dtype_of(Type type) {
  switch (type) {
    case Type::boolean: return boolean;
    case Type::integer: return i64;
    case Type::real: return f64;
  }
  return f64;
}

// Axes of the expression become loads at the point, inputs the values 0 to 2, symbols the params.
Expr as_kernel_expression(const Expr& e, const RandomExpr& random) {
  return transform(e, [&](const Expr& node) {
    if (node->kind == Kind::axis) return expr::load(node->index, Type::integer, {expr::axis(0)});
    if (node->kind == Kind::symbol) {
      const bool is_first = node->symbol->id() == random.symbols()[0]->symbol->id();
      return expr::param(is_first ? 0 : 1, Type::integer);
    }
    return node;
  });
}

Kernel kernel_of(const Expr& e, Place place) {
  Kernel kernel;
  kernel.name = "points";
  for (int i = 0; i < kAxes; ++i) {
    kernel.buffers.push_back({.name = concat("a", i), .dtype = i64, .elements = Expr(kPoints)});
  }
  for (const DType dtype : {boolean, i64, f64}) {
    const std::string name = concat("x", kernel.buffers.size());
    kernel.buffers.push_back({.name = name, .dtype = dtype, .elements = Expr(kPoints)});
  }
  kernel.buffers.push_back({.name = "out",
                            .dtype = dtype_of(e->type),
                            .access = Access::out,
                            .elements = Expr(kPoints)});
  kernel.sizes = {"n", "m"};
  kernel.axis_count = 1;
  kernel.values = {{"", boolean}, {"", i64}, {"", f64}, {"result", dtype_of(e->type)}};
  Loop loop{.axis = 0, .extent = Expr(kPoints), .place = place, .body = {}};
  for (int i = 0; i < 3; ++i) {
    const Type type = RandomExpr::input_type(i);
    loop.body.push_back({Let{i, f64, expr::load(kAxes + i, type, {expr::axis(0)}), {}}});
  }
  loop.body.push_back({Let{3, f64, e, {}}});
  loop.body.push_back({Store{kAxes + 3, expr::axis(0), 3}});
  kernel.body.push_back({std::move(loop)});
  return kernel;
}

// The points, laid out as the buffers of the kernel.
struct Data {
  std::vector<std::vector<int64_t>> axes{kAxes};
  std::vector<uint8_t> booleans;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<int64_t> out = std::vector<int64_t>(kPoints);

  explicit Data(const std::vector<Point>& points) {
    for (const Point& point : points) {
      for (size_t i = 0; i < kAxes; ++i) axes[i].push_back(point.axes[i]);
      booleans.push_back(point.boolean_input ? 1 : 0);
      integers.push_back(point.integer_input);
      reals.push_back(point.real_input);
    }
  }
  std::vector<void*> buffers() {
    std::vector<void*> data;
    for (std::vector<int64_t>& axis : axes) data.push_back(axis.data());
    data.insert(data.end(), {booleans.data(), integers.data(), reals.data(), out.data()});
    return data;
  }
};

TEST(LoopExpressions, EveryLaneGivesWhatEvaluateGives) {
  RandomExpr random(5);
  int exact_count = 0;
  for (int round = 0; round < 1500; ++round) {
    const Type type = static_cast<Type>(round % 3);
    // Loads of RandomExpr are no buffers of ours.
    const Expr e = transform(random.make(type, 1 + round % 5), [](const Expr& node) {
      return node->kind == Kind::load ? mod(node->args[0], 1000) : node;
    });
    std::vector<Point> points;
    for (size_t i = 0; i < kPoints; ++i) {
      points.push_back(random.point());
      points.back().symbols = points.front().symbols;
    }
    const Place place = round % 2 == 0 ? Place::vector : Place::gpu_thread;
    const Kernel kernel = kernel_of(as_kernel_expression(e, random), place);
    const std::string text = to_text(kernel);
    ASSERT_EQ(to_text(parse(text)), text);

    Data data(points);
    const Counts counts = run(parse(text), data.buffers(), points.front().symbols);
    bool has_error = false;
    for (size_t i = 0; i < kPoints; ++i) {
      const std::optional<Number> expected = random.value(e, points[i]);
      has_error |= !expected;
      if (!expected) continue;
      const Number given =
          load_element(dtype_of(e->type), data.out.data(), static_cast<int64_t>(i));
      ASSERT_TRUE(is_identical(given, *expected)) << text << "at point " << i;
      ++exact_count;
    }
    EXPECT_EQ(counts.status != KernelStatus::ok, has_error) << text;
  }
  EXPECT_GT(exact_count, 20000);
}

}  // namespace
}  // namespace ridge::loop::expression_property_test
