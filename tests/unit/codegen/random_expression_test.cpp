// Random integer and boolean expressions, with loads, guards and errors, in scalar code and in
// lanes: generated code leaves the same bytes and status as the interpreter.
#include "ridge/loop/interpreter.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen {
namespace {

using expr::Expr;
using expr::Type;

constexpr int64_t kElements = 37;

class RandomExpression {
 public:
  explicit RandomExpression(uint64_t seed) : random_(seed) {}

  Expr integer(int depth) {
    if (depth == 0) return leaf();
    const auto a = [&] { return integer(depth - 1); };
    switch (random_.next() % 14) {
      case 0: return a() + a();
      case 1: return a() - a();
      case 2: return a() * a();
      case 3: return expr::min(a(), a());
      case 4: return expr::max(a(), a());
      case 5: return expr::abs(a());
      case 6: return expr::sign(a());
      case 7: return -a();
      // A divisor is 0 now and then, mostly behind a guard.
      case 8: return guarded(depth, [](Expr x, Expr y) { return expr::floor_div(x, y); });
      case 9: return guarded(depth, [](Expr x, Expr y) { return expr::mod(x, y); });
      case 10: return expr::select(boolean(depth - 1), a(), a());
      case 11: return expr::floor_div(a(), Expr(int64_t(random_.next() % 9) + 1));
      case 12: return load(expr::mod(a(), Expr(kElements)));
      default: return guarded_load(depth);
    }
  }

  Expr boolean(int depth) {
    if (depth == 0) return leaf() < leaf();
    switch (random_.next() % 7) {
      case 0: return integer(depth - 1) < integer(depth - 1);
      case 1: return integer(depth - 1) <= integer(depth - 1);
      case 2: return expr::equal(integer(depth - 1), integer(depth - 1));
      case 3: return boolean(depth - 1) && boolean(depth - 1);
      case 4: return boolean(depth - 1) || boolean(depth - 1);
      case 5: return !boolean(depth - 1);
      default:
        return expr::call(expr::Function::logical_xor, {boolean(depth - 1), boolean(depth - 1)});
    }
  }

 private:
  Expr leaf() {
    switch (random_.next() % 5) {
      case 0: return expr::axis(0);
      case 1: return expr::axis(1);
      case 2: return expr::param(0, Type::integer);
      case 3: return Expr(static_cast<int64_t>(random_.next() % 21) - 10);
      default: return load(random_.next() % 2 == 0 ? expr::axis(1) : expr::axis(0) * Expr(2));
    }
  }
  Expr load(Expr index) {
    return expr::load(static_cast<int>(random_.next() % 2), Type::integer, {std::move(index)});
  }
  template <class Divide>
  Expr guarded(int depth, Divide divide) {
    const Expr divisor = integer(depth - 1);
    const Expr quotient = divide(integer(depth - 1), divisor);
    if (random_.next() % 8 == 0) return quotient;
    return expr::select(expr::not_equal(divisor, Expr(0)), quotient, integer(depth - 1));
  }
  Expr guarded_load(int depth) {
    const Expr index = integer(depth - 1);
    if (random_.next() % 4 == 0) return load(expr::checked_index(index, Expr(kElements)));
    const Expr is_inside = Expr(0) <= index && index < Expr(kElements);
    return expr::select(is_inside, load(index), integer(depth - 1));
  }

  SplitMix64 random_;
};

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
  loop::Loop outer{.axis = 0, .extent = Expr(3), .place = loop::Place::thread, .body = {}};
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
}  // namespace ridge::codegen
