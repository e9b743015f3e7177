// Random real expressions of what IEEE 754 rounds correctly: generated code leaves the same bits as
// the interpreter, in scalar code and in lanes, for infinities, NaN, subnormals and signed zeros too.
#include <bit>
#include <cmath>
#include <limits>

#include "ridge/base/random.h"
#include "ridge/loop/interpreter.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::real_bits_test {
namespace {

using expr::Expr;

constexpr int64_t kElements = 67;

class RandomReal {
 public:
  explicit RandomReal(uint64_t seed) : random_(seed) {}

  Expr real(int depth) {
    if (depth == 0) return leaf();
    const auto a = [&] { return real(depth - 1); };
    switch (random_.next() % 11) {
      case 0: return a() + a();
      case 1: return a() - a();
      case 2: return a() * a();
      case 3: return a() * a() + a();  // stays two roundings
      case 4: return expr::fma(a(), a(), a());
      case 5: return a() / a();
      case 6: return expr::sqrt(expr::abs(a()));
      case 7: return expr::min(a(), a());
      case 8: return expr::max(a(), a());
      case 9: return expr::select(a() < a(), a(), a());
      default: return -a();
    }
  }

 private:
  Expr leaf() {
    const auto buffer = static_cast<int>(random_.next() % 3);
    if (buffer == 2) return Expr(static_cast<double>(random_.next() % 9) / 8 - 0.5);
    return expr::load(buffer, expr::Type::real, {expr::axis(0)});
  }
  SplitMix64 random_;
};

template <class T>
loop::Kernel kernel_of(const Expr& e, loop::Place place) {
  const DType dtype = std::is_same_v<T, float> ? f32 : f64;
  loop::Kernel kernel;
  kernel.name = "random_reals";
  kernel.buffers = {
      {.name = "x", .dtype = dtype, .elements = Expr(kElements)},
      {.name = "y", .dtype = dtype, .elements = Expr(kElements)},
      {.name = "out", .dtype = dtype, .access = loop::Access::out, .elements = Expr(kElements)}};
  kernel.values = {{"value", dtype}};
  kernel.axis_count = 1;
  loop::Loop loop{.axis = 0, .extent = Expr(kElements), .place = place, .body = {}};
  loop.body.push_back({loop::Let{0, dtype, e}});
  loop.body.push_back({loop::Store{2, expr::axis(0), 0}});
  kernel.body.push_back({std::move(loop)});
  return kernel;
}

template <class T>
std::vector<T> drawn(uint64_t seed) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),           -T(0),         Limits::infinity(),   -Limits::infinity(),
                           Limits::max(),  Limits::min(), Limits::denorm_min(), Limits::quiet_NaN(),
                           -Limits::max(), T(1)};
  SplitMix64 random(seed);
  while (std::cmp_less(values.size(), kElements)) {
    const double unit = static_cast<double>(random.next() >> 11) * 0x1p-53;
    values.push_back(
        static_cast<T>((unit - 0.5) * std::exp2(static_cast<double>(random.next() % 40) - 20)));
  }
  std::rotate(values.begin(), values.begin() + static_cast<ptrdiff_t>(seed % 7), values.end());
  return values;
}

template <class T>
bool same_bits(T a, T b) {
  using Bits = std::conditional_t<std::is_same_v<T, float>, uint32_t, uint64_t>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
void expect_same_bits() {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const auto place = seed % 4 == 0 ? loop::Place::serial : loop::Place::vector;
    const loop::Kernel kernel = kernel_of<T>(RandomReal(seed).real(4), place);
    std::vector<T> x = drawn<T>(seed), y = drawn<T>(seed + 1000);
    std::vector<T> expected(kElements), actual(kElements);
    const std::vector<void*> buffers = {x.data(), y.data(), expected.data()};
    loop::run(kernel, buffers, {});
    const std::vector<int64_t> none;
    ASSERT_EQ(Runnable(kernel)(none, x, y, actual), KernelStatus::ok);
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(same_bits(actual[i], expected[i]))
          << actual[i] << " and " << expected[i] << " of " << x[i] << " and " << y[i] << "\n"
          << loop::to_text(kernel);
    }
  }
}

TEST(CodegenRealBits, LikeTheInterpreterInF32) { expect_same_bits<float>(); }
TEST(CodegenRealBits, LikeTheInterpreterInF64) { expect_same_bits<double>(); }

// Nothing may contract what stands apart: no flag that allows it, no intrinsic that means "if it pays".
TEST(CodegenRealBits, NothingIsContracted) {
  const loop::Kernel kernel =
      loop::parse(R"(kernel apart(x: f32[n] in, y: f32[n] in, out: f32[n] out; n) {
  for i0 in n @vector {
    let v0: f32 = x[i0] * y[i0] + x[i0]
    let v1: f32 = fma(x[i0], y[i0], v0)
    let v2: f32 = tanh(v1) * y[i0] - erf(v0) * sin(v1) + exp(v0)
    out[i0] = v2
  }
}
)");
  const std::string ir = generate(kernel, host_target(), true).ir;
  EXPECT_EQ(ir.find("contract"), std::string::npos);
  EXPECT_EQ(ir.find("fmuladd"), std::string::npos);
  EXPECT_NE(ir.find("fmul <"), std::string::npos);
  EXPECT_NE(ir.find("llvm.fma"), std::string::npos);
}

// A CPU without the instruction rounds once too, by a call of the C library.
TEST(CodegenRealBits, AnFmaIsRoundedOnceOnAnyCpu) {
  const loop::Kernel kernel =
      loop::parse(R"(kernel once(x: f32[n] in, y: f32[n] in, out: f32[n] out; n) {
  for i0 in n {
    let v0: f32 = fma(x[i0], x[i0], y[i0])
    out[i0] = v0
  }
}
)");
  const CpuTarget plain{.cpu = "x86-64", .features = "", .vector_bytes = 16};
  EXPECT_NE(generate(kernel, plain, true).ir.find("llvm.fma"), std::string::npos);
  EXPECT_NE(assembly(kernel, plain).find("fmaf"), std::string::npos);
}

}  // namespace
}  // namespace ridge::codegen::real_bits_test
