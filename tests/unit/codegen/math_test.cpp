// Every function of expressions in f32 and f64 lanes against its definition in double. Prints the
// largest error found, in units in the last place, and holds it to what math.h states.
#include <cstdio>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::codegen::math_test {
namespace {

using expr::Function;
using expr::Number;

// The distance of `actual` from the exact value, in units in the last place of the result type.
template <class T>
double ulps(T actual, double exact) {
  const T nearest = static_cast<T>(exact);
  if (std::isnan(nearest) || std::isnan(actual)) {
    return std::isnan(nearest) == std::isnan(actual) ? 0 : INFINITY;
  }
  if (nearest == actual) {
    // The sign of zero counts.
    if (nearest == 0) return std::signbit(nearest) == std::signbit(actual) ? 0 : INFINITY;
    if (std::isinf(nearest)) return 0;
  }
  if (std::isinf(actual) || std::isinf(nearest)) return INFINITY;
  const int exponent = std::max(std::ilogb(exact == 0 ? double(actual) : exact),
                                std::numeric_limits<T>::min_exponent - 1);
  const double unit = std::ldexp(1.0, exponent - std::numeric_limits<T>::digits + 1);
  return std::abs(double(actual) - exact) / unit;
}

template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T(0),
                           T(-0.0),
                           T(1),
                           T(-1),
                           T(0.5),
                           T(-0.5),
                           T(1.5),
                           T(2.5),
                           T(-2.5),
                           Limits::infinity(),
                           -Limits::infinity(),
                           Limits::quiet_NaN(),
                           Limits::max(),
                           Limits::lowest(),
                           Limits::min(),
                           -Limits::min(),
                           Limits::denorm_min(),
                           -Limits::denorm_min(),
                           Limits::min() / T(3),
                           Limits::epsilon(),
                           T(88.7228),
                           T(88.73),
                           T(-87.3),
                           T(-87.4),
                           T(-103.9),
                           T(-104.5),
                           T(0.625),
                           T(0.6249999),
                           T(0.927734375),
                           T(0.92773444),
                           T(4),
                           T(3.9),
                           T(-4.1),
                           T(9.5),
                           T(-20),
                           T(1e4),
                           T(-39000.5),
                           T(1e5),
                           T(3e9),
                           T(-1e30),
                           T(3.14159274),
                           T(1.57079637),
                           T(6.2831855),
                           T(0.70710677),
                           T(0.70710683),
                           T(8388607.5),
                           T(-8388608.5),
                           T(2147483648.0)};
  return values;
}

struct Range {
  double low, high;
};

template <class T>
std::vector<T> arguments(std::vector<Range> ranges, uint64_t seed) {
  std::vector<T> values = special_values<T>();
  SplitMix64 random(seed);
  for (const Range& range : ranges) {
    for (int i = 0; i < 60000; ++i)
      values.push_back(static_cast<T>(random.uniform(range.low, range.high)));
  }
  // All magnitudes, of both signs.
  for (int i = 0; i < 20000; ++i) {
    const double magnitude = std::exp(random.uniform(-80, 80));
    values.push_back(static_cast<T>(random.next() % 2 == 0 ? magnitude : -magnitude));
  }
  return values;
}

template <class T>
double largest_error(Function function, const std::vector<T>& x, const std::vector<T>& y,
                     const CpuTarget& target) {
  const std::string_view type = sizeof(T) == 4 ? "f32" : "f64";
  const expr::FunctionInfo& info = expr::info(function);
  const std::string call = concat(info.name, "(x[i0]", info.arity > 1 ? ", y[i0])" : ")");
  loop::Kernel kernel =
      loop::parse(concat("kernel apply(x: ", type, "[n] in, y: ", type, "[n] in, out: ", type,
                         "[n] out; n) {\n  for i0 in n @vector {\n    let v0: ", type,
                         " = x[i0] + y[i0]\n", "    out[i0] = v0\n  }\n}\n"));
  // Built, not parsed: the text may write the function as an operator.
  auto& loop = std::get<loop::Loop>(kernel.body[0].kind);
  auto& let = std::get<loop::Let>(loop.body[0].kind);
  std::vector<expr::Expr> args(let.expression->args.begin(), let.expression->args.end());
  args.resize(static_cast<size_t>(info.arity));
  let.expression = expr::cast(expr::call(function, args), expr::Type::real);

  std::vector<T> out(x.size());
  EXPECT_EQ(Runnable(kernel, target)({static_cast<int64_t>(x.size())}, x, y, out),
            KernelStatus::ok);
  double largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const Number numbers[] = {Number::of(double(x[i])), Number::of(double(y[i]))};
    const double exact =
        expr::apply(function, std::span(numbers).first(static_cast<size_t>(info.arity))).as_real();
    const double error = ulps(out[i], exact);
    if (error > largest) {
      largest = error;
      if (error > 8) {
        ADD_FAILURE() << call << " at " << double(x[i]) << ", " << double(y[i]) << " is "
                      << double(out[i]) << ", not " << exact;
        return largest;
      }
    }
  }
  return largest;
}

struct Claim {
  Function function;
  double ulp;  // half an ulp is rounding once
  std::vector<Range> ranges;
};

const std::vector<Claim>& claims() {
  static const std::vector<Claim> table = {
      {Function::exp, 1.0, {{-1, 1}, {-104, 89}, {-90, -87}}},
      {Function::log, 1.0, {{0, 2}, {0.5, 1.5}, {0, 1e30}, {0, 1e-37}}},
      {Function::tanh, 1.5, {{-1, 1}, {-10, 10}, {0.5, 0.8}}},
      {Function::erf, 1.2, {{-1, 1}, {-4.5, 4.5}, {0.8, 1}}},
      {Function::sin, 1.6, {{-4, 4}, {-100, 100}, {-1e4, 1e4}, {-1e6, 1e6}}},
      {Function::cos, 1.6, {{-4, 4}, {-100, 100}, {-1e4, 1e4}, {-1e6, 1e6}}},
      {Function::sqrt, 0.5001, {{0, 10}, {0, 1e30}}},
      {Function::rsqrt, 1.5, {{0, 10}, {0, 1e30}}},
      {Function::floor, 0, {{-10, 10}}},
      {Function::ceil, 0, {{-10, 10}}},
      {Function::round, 0, {{-10, 10}}},
      {Function::trunc, 0, {{-10, 10}}},
      {Function::abs, 0, {{-10, 10}}},
      {Function::neg, 0, {{-10, 10}}},
      {Function::sign, 0, {{-10, 10}}},
      {Function::is_nan, 0, {{-10, 10}}},
  };
  return table;
}

TEST(CodegenMath, UnaryFunctionsInFloat) {
  for (const CpuTarget& target : targets()) {
    for (const Claim& claim : claims()) {
      const auto x = arguments<float>(claim.ranges, 1);
      const double error = largest_error(claim.function, x, x, target);
      std::printf("%-16s %-8s f32 %.3f ulp\n", target.cpu.c_str(),
                  std::string(expr::info(claim.function).name).c_str(), error);
      EXPECT_LE(error, claim.ulp) << expr::info(claim.function).name << " on " << target.cpu;
    }
  }
}

TEST(CodegenMath, UnaryFunctionsInDouble) {
  for (const Claim& claim : claims()) {
    const auto x = arguments<double>({{-10, 10}}, 2);
    // libm itself is the definition; only rsqrt rounds twice, as the definition does.
    EXPECT_EQ(largest_error(claim.function, x, x, host_target()), 0)
        << expr::info(claim.function).name;
  }
}

TEST(CodegenMath, BinaryFunctions) {
  const std::vector<std::pair<Function, double>> table = {
      {Function::add, 0.5001},    {Function::sub, 0.5001},   {Function::mul, 0.5001},
      {Function::div, 0.5001},    {Function::min, 0},        {Function::max, 0},
      {Function::equal, 0},       {Function::not_equal, 0},  {Function::less, 0},
      {Function::less_equal, 0},  {Function::mod, 0.5001},   {Function::pow, 1.0},
      {Function::logical_and, 0}, {Function::logical_or, 0}, {Function::logical_xor, 0},
  };
  // Each special value with each.
  std::vector<float> x;
  std::vector<float> y;
  for (const float a : special_values<float>()) {
    for (const float b : special_values<float>()) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  SplitMix64 random(3);
  for (int i = 0; i < 20000; ++i) {
    x.push_back(static_cast<float>(random.uniform(-20, 20)));
    y.push_back(static_cast<float>(random.uniform(-5, 5)));
  }
  for (const CpuTarget& target : targets()) {
    for (const auto& [function, allowed] : table) {
      if (expr::info(function).result == expr::ResultType::boolean &&
          function >= Function::logical_and && function <= Function::logical_xor) {
        continue;  // their operands are booleans: the interpreter test covers them
      }
      const double error = largest_error(function, x, y, target);
      EXPECT_LE(error, allowed) << expr::info(function).name << " on " << target.cpu;
    }
  }
}

// Quotients round in f32 here and in f64 in the definition: whole numbers show the rule itself.
TEST(CodegenMath, FloorDivision) {
  std::vector<float> x;
  std::vector<float> y;
  for (int a = -40; a <= 40; ++a) {
    for (int b = -7; b <= 7; ++b) {
      x.push_back(static_cast<float>(a) / 2);
      y.push_back(static_cast<float>(b));
    }
  }
  for (const CpuTarget& target : targets()) {
    EXPECT_EQ(largest_error(Function::floor_div, x, y, target), 0) << target.cpu;
    EXPECT_EQ(largest_error(Function::mod, x, y, target), 0) << target.cpu;
  }
}

TEST(CodegenMath, LogicAndSelect) {
  const std::string_view text =
      R"(kernel logic(x: bool[n] in, y: bool[n] in, z: f32[n] in, out: bool[4 * n] out, chosen: f32[n] out; n) {
  for i0 in n @vector {
    let v0: bool = x[i0] && y[i0]
    let v1: bool = x[i0] || !y[i0]
    let v2: bool = logical_xor(x[i0], y[i0])
    let v3: bool = x[i0] <= y[i0] && (x[i0] < y[i0] || x[i0] == y[i0])
    let v4: f32 = select(v2, z[i0], select(v0, -z[i0], 3.0))
    out[4 * i0] = v0
    out[4 * i0 + 1] = v1
    out[4 * i0 + 2] = v2
    out[4 * i0 + 3] = v3
    chosen[i0] = v4
  }
}
)";
  std::vector<uint8_t> x;
  std::vector<uint8_t> y;
  for (int i = 0; i < 45; ++i) {
    x.push_back(static_cast<uint8_t>(i / 2 % 2));
    y.push_back(static_cast<uint8_t>(i % 2));
  }
  expect_like_interpreter(text, {45}, x, y, random_vector(45, 1), std::vector<uint8_t>(180),
                          std::vector<float>(45));
}

}  // namespace
}  // namespace ridge::codegen::math_test
