#include "ridge/ops/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ridge/ops/registry.h"
#include "ridge/reference/reference.h"
#include "ridge/ridge.h"

namespace ridge::arithmetic_test {
namespace {

using Floats = std::vector<float>;
using Integers = std::vector<int64_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const Floats& values) { return Tensor::of(values, {Size(values.size())}); }
Tensor integers(const Integers& values) { return Tensor::of(values, {Size(values.size())}); }

TEST(Arithmetic, OperatorsBroadcastAndNumbersAreWeak) {
  const Tensor column = Tensor::of<float>({1, 2}, {2, 1});
  const Tensor y = 2 * column + floats({10, 20, 30}) - 0.5;
  EXPECT_EQ(y.dtype(), f32);
  EXPECT_EQ(to_text(y.shape()), "[2, 3]");
  EXPECT_EQ(y.to_vector<float>(), (Floats{11.5, 21.5, 31.5, 13.5, 23.5, 33.5}));
  EXPECT_EQ((cast(column, bf16) * 3.7).dtype(), bf16);
  EXPECT_EQ((integers({1}) * 2).dtype(), i64);
  EXPECT_EQ((integers({1}) * 2.0).dtype(), f32);
}

TEST(Arithmetic, DivisionOfIntegersIsReal) {
  const Tensor y = integers({7, -7}) / 2;
  EXPECT_EQ(y.dtype(), f32);
  EXPECT_EQ(y.to_vector<float>(), (Floats{3.5, -3.5}));
  EXPECT_EQ((floats({1, -1, 0}) / 0).to_vector<float>()[1],
            -std::numeric_limits<float>::infinity());
}

TEST(Arithmetic, FloorDivAndRemainderRoundTowardsMinusInfinity) {
  const Tensor x = integers({7, -7, 7, -7}), y = integers({2, 2, -2, -2});
  EXPECT_EQ(floor_div(x, y).to_vector<int64_t>(), (Integers{3, -4, -4, 3}));
  EXPECT_EQ(remainder(x, y).to_vector<int64_t>(), (Integers{1, 1, -1, -1}));
  EXPECT_EQ(remainder(floats({-0.5, 3.5}), 2).to_vector<float>(), (Floats{1.5, 1.5}));
}

TEST(Arithmetic, IntegerDivisionByZeroIsAnError) {
  try {
    floor_div(integers({1}), 0);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    EXPECT_EQ(error.op(), "floor_div");
  }
}

TEST(Arithmetic, PowOfIntegersAndOfNegativeBases) {
  EXPECT_EQ(pow(integers({-3, 2, 0}), 3).to_vector<int64_t>(), (Integers{-27, 8, 0}));
  EXPECT_EQ(pow(floats({-2, 0}), 2).to_vector<float>(), (Floats{4, 0}));
  EXPECT_TRUE(std::isnan(pow(floats({-2}), 0.5).item<float>()));
  EXPECT_THROW(pow(integers({2}), -1), Error);
}

TEST(Arithmetic, PowHasNoGradientOfNanAtZero) {
  const Tensor x = floats({0, 0, 3}), y = floats({0, 2, 2});
  const auto grads = [&] {
    set_requires_grad(x);
    set_requires_grad(y);
    return gradients({sum(pow(x, y))}, {x, y});
  }();
  EXPECT_EQ(grads[0].to_vector<float>(), (Floats{0, 0, 6}));
  EXPECT_EQ(grads[1].to_vector<float>()[0], 0);
  EXPECT_EQ(grads[1].to_vector<float>()[1], 0);
}

TEST(Arithmetic, BoundsPropagateNan) {
  const Tensor x = floats({kNan, 1, -5, 5}), y = floats({0, kNan, 0, 0});
  for (const Tensor& bound : {minimum(x, y), maximum(x, y), clamp(x, y, 2)}) {
    EXPECT_TRUE(std::isnan(bound.to_vector<float>()[0]));
    EXPECT_TRUE(std::isnan(bound.to_vector<float>()[1]));
  }
  EXPECT_EQ(clamp(x, -1, 2).to_vector<float>()[2], -1);
  EXPECT_EQ(clamp(x, -1, 2).to_vector<float>()[3], 2);
  EXPECT_EQ(clamp(integers({5}), 3, 1).item<int64_t>(), 1) << "the upper bound wins";
}

TEST(Arithmetic, ClampIsDifferentiableOnItsBounds) {
  const Tensor x = floats({-2, -1, 0, 1, 2});
  set_requires_grad(x);
  backward(sum(clamp(x, -1, 1)));
  EXPECT_EQ(grad_of(x).to_vector<float>(), (Floats{0, 1, 1, 1, 0}));
}

TEST(Arithmetic, RoundsHalfToEven) {
  const Tensor x = floats({-1.5, -0.5, 0.5, 1.5, 2.5});
  EXPECT_EQ(round(x).to_vector<float>(), (Floats{-2, -0.f, 0, 2, 2}));
  EXPECT_EQ(trunc(x).to_vector<float>(), (Floats{-1, -0.f, 0, 1, 2}));
  EXPECT_EQ(floor(integers({-3})).item<int64_t>(), -3);
}

TEST(Arithmetic, SignAndAbsOfNanStayNan) {
  EXPECT_TRUE(std::isnan(sign(floats({kNan})).item<float>()));
  EXPECT_EQ(abs(floats({-0.f})).item<float>(), 0);
  EXPECT_EQ(sign(integers({-9, 0, 4})).to_vector<int64_t>(), (Integers{-1, 0, 1}));
}

TEST(Arithmetic, BooleansAddAndMultiplyButDoNotSubtract) {
  const Tensor t = Tensor::of<bool>({true, true, false}, {3});
  EXPECT_EQ((t + t).dtype(), boolean);
  EXPECT_EQ((t + t).to_vector<bool>(), (std::vector<bool>{true, true, false}));
  EXPECT_EQ((t * t).dtype(), boolean);
  try {
    t - t;
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::dtype);
  }
}

TEST(Cast, TruncatesToIntegersAndTestsForBool) {
  const Tensor x = floats({-1.9, 0.2, 0, 2.7});
  EXPECT_EQ(cast(x, i64).to_vector<int64_t>(), (Integers{-1, 0, 0, 2}));
  EXPECT_EQ(cast(x, boolean).to_vector<bool>(), (std::vector<bool>{true, true, false, true}));
}

// core/element_cast.h: the same on the reference, eagerly and in a program, where a cast is fused.
TEST(Cast, RealsThatDoNotFitSaturateEverywhere) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor x = floats({1e20, -1e20, kInfinity, -kInfinity, kNan, 300.7, -2.9});
  const std::pair<DType, Integers> expected[] = {
      {i64, {INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN, 0, 300, -2}},
      {i32, {INT32_MAX, INT32_MIN, INT32_MAX, INT32_MIN, 0, 300, -2}},
      {i8, {127, -128, 127, -128, 0, 127, -2}},
      {u8, {255, 0, 255, 0, 0, 255, 0}},
  };
  for (const auto& [dtype, integers_of_x] : expected) {
    const auto convert = [dtype = dtype](const Tensor& t) { return cast(t, dtype); };
    const auto fused = compile([&](const Tensor& t) { return cast(convert(t * 1), i64) + 0; });
    const auto by_reference = [&] {
      const reference::UseReference scope;
      return convert(x);
    };
    EXPECT_EQ(by_reference().to_vector<int64_t>(), integers_of_x) << name(dtype);
    EXPECT_EQ(convert(x).to_vector<int64_t>(), integers_of_x) << name(dtype);
    EXPECT_EQ(compile(convert)(x).to_vector<int64_t>(), integers_of_x) << name(dtype);
    EXPECT_EQ(fused(x).to_vector<int64_t>(), integers_of_x) << name(dtype);
  }
}

TEST(InPlace, WritesIntoTheTensorAndItsViews) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
  const Tensor row = select(x, 0, 1);
  row += 10;
  x *= 2;
  EXPECT_EQ(x.to_vector<float>(), (Floats{2, 4, 26, 28}));
  EXPECT_TRUE(add_(x, 1).is_same(x));
  zero_(select(x, 1, 0));
  EXPECT_EQ(x.to_vector<float>(), (Floats{0, 5, 0, 29}));
  in_place("clamp", x, {At(1), At(6)});
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 5, 1, 6}));
}

TEST(InPlace, KeepsShapeAndDtypeOfWhatIsWritten) {
  const Tensor x = integers({1, 2});
  fill_(x, 3.9);
  EXPECT_EQ(x.to_vector<int64_t>(), (Integers{3, 3}));
  EXPECT_THROW(x += 0.5, Error);
  EXPECT_THROW(x += Tensor::of<int64_t>({1, 2, 3, 4}, {2, 2}), Error);
  EXPECT_THROW(copy_(x, integers({1, 2, 3})), Error);
  EXPECT_EQ(x.to_vector<int64_t>(), (Integers{3, 3}));
}

TEST(Arithmetic, EveryPlainFunctionHasItsOp) {
  using expr::Function;
  for (int i = 0; i < expr::kFunctionCount; ++i) {
    const auto function = static_cast<Function>(i);
    if (function == Function::checked_index || function == Function::philox) continue;
    if (function == Function::shift_right || function == Function::f16_value) continue;
    EXPECT_NE(ops::registry().op_for(function), nullptr) << expr::info(function).name;
  }
}

TEST(Arithmetic, ErrorsNameTheOpAndTheLineOfTheUser) {
  try {
    floats({1, 2}) + floats({1, 2, 3});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape);
    EXPECT_EQ(error.op(), "add");
    ASSERT_TRUE(error.where().has_value());
    EXPECT_NE(std::string(error.where()->file_name()).find("arithmetic_test"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridge::arithmetic_test
