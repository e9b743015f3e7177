#include <gtest/gtest.h>

#include <limits>

#include "../../gradcheck.h"
#include "ridge/autograd/gradient_rule.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/registry.h"
#include "ridge/ridge.h"

namespace ridge::testing::body_gradient_test {
namespace {

using autograd::BodyGradient;
using expr::Type;

ops::OpRecord record_of(std::string_view name) {
  ops::OpRecord record = ops::registry().at(name);
  record.grad = {};  // as if the body were all there is
  return record;
}

TEST(BodyGradient, ReadsOnlyWhatTheDerivativeNeeds) {
  const ops::OpRecord add = record_of("add");
  const ops::OpRecord mul = record_of("mul");
  const ops::OpRecord tanh = record_of("tanh");
  const BodyGradient sum(add, {Type::real, Type::real});
  EXPECT_FALSE(sum.reads_operand(0, {true, true}));
  EXPECT_FALSE(sum.reads_operand(1, {true, true}));
  EXPECT_FALSE(sum.reads_result({true, true}));

  const BodyGradient product(mul, {Type::real, Type::real});
  EXPECT_TRUE(product.reads_operand(0, {true, true}));
  EXPECT_FALSE(product.reads_operand(0, {true, false}));  // d/dx is y
  EXPECT_TRUE(product.reads_operand(1, {true, false}));

  const BodyGradient of_tanh(tanh, {Type::real});
  EXPECT_FALSE(of_tanh.reads_operand(0, {true}));
  EXPECT_TRUE(of_tanh.reads_result({true}));
}

TEST(BodyGradient, OfIntegersIsNone) {
  const ops::OpRecord mul = record_of("mul");
  const BodyGradient product(mul, {Type::integer, Type::integer});
  EXPECT_FALSE(product.reads_operand(0, {true, true}));
}

Tensor values(const Shape& shape, double low, double high) {
  std::vector<double> list(static_cast<size_t>(numel(shape).value()));
  for (size_t i = 0; i < list.size(); ++i) {
    list[i] = low + (high - low) * std::fmod(0.754877666 * static_cast<double>(i + 1), 1.0);
  }
  return Tensor::of<double>(list, shape);
}

// A record with a body only, whose gradient uses everything a body can hold.
const ops::OpRecord& mixed_op() {
  static const ops::OpRecord& record = ops::registry().add(
      {.schema = "test_mixed(Tensor x, Tensor y, Tensor n, Float scale, Int power, Bool squared) "
                 "-> Tensor",
       .doc = "parameters, a choice, an integer operand and casts in one body",
       .traits = ops::Trait::Pointwise,
       .dtype = {"floating, and an integer",
                 {ops::Accept::floating, ops::Accept::floating, ops::Accept::integer},
                 [](const ops::Call& call) {
                   const DType dtype = ops::promoted(call.operands().subspan(0, 2));
                   return ops::DTypes{.inputs = {dtype, dtype, i64}, .outputs = {dtype}};
                 }},
       .body = [](const ops::Scalars& s) {
         const expr::Expr x = s[0] * s.param("scale");
         const expr::Expr y = expr::select(s.param("squared"), s[1] * s[1], expr::exp(s[1]));
         const expr::Expr n = expr::mod(s[2] + s.param("power"), 3);
         return expr::select(s[0] < s[1], x * y, x / (1 + y)) * n + expr::floor(s[0]) + n;
       }});
  return record;
}

TEST(BodyGradient, TranslatesParametersChoicesAndCasts) {
  const Tensor n = Tensor::of<int64_t>({1, 2, 3, 4}, {4});
  for (const bool squared : {false, true}) {
    const Program program = [&](const Tensors& in) {
      const ops::Arg args[] = {in[0], in[1], n, 0.1, int64_t{2}, squared};
      return dispatch::call_values(*mixed_op().op, args);
    };
    const Tensors inputs = {values({3, 4}, 0.1, 0.9), values({4}, 0.2, 0.8)};
    EXPECT_TRUE(gradcheck(program, inputs));
    EXPECT_TRUE(gradgradcheck(program, inputs));
  }
}

TEST(BodyGradient, KeepsTheDigitsOfPlainNumbers) {
  const Tensor x = values({3}, 1, 2);
  set_requires_grad(x);
  backward(sum(x * 0.1));
  for (const double g : grad_of(x).to_vector<double>()) EXPECT_EQ(g, 0.1);
}

TEST(BodyGradient, OfSeveralStepsIsWidenedForSixteenBits) {
  for (const DType dtype : {f16, bf16}) {
    const Tensor x = cast(values({50}, -3, 3), dtype);
    const Tensor exact = cast(x, f64);
    set_requires_grad(x);
    set_requires_grad(exact);
    backward(sum(tanh(x)));
    backward(sum(tanh(exact)));
    EXPECT_EQ(grad_of(x).dtype(), dtype);
    const auto narrow = grad_of(x).to_vector<double>(), wide = grad_of(exact).to_vector<double>();
    for (size_t i = 0; i < wide.size(); ++i) {
      // What is left is the rounding of the saved result and of the gradient itself.
      EXPECT_NEAR(narrow[i], wide[i], 1.5 * epsilon(dtype)) << i;
    }
  }
}

TEST(BodyGradient, OfAChoiceIgnoresTheOtherSide) {
  const Tensor x = Tensor::of<double>({0, 4}, {2});
  set_requires_grad(x);
  backward(sum(where(x > 0, sqrt(x), 0)));
  EXPECT_EQ(grad_of(x).to_vector<double>()[1], 0.25);
  // 0 times the infinite slope of sqrt at 0; `where` itself passed exactly zero to it.
  clear_grad(x);
  const Tensor infinite = full({2}, std::numeric_limits<double>::infinity(), f64);
  backward(where(x > 0, x, 0), infinite);
  EXPECT_EQ(grad_of(x).to_vector<double>()[0], 0);
}

}  // namespace
}  // namespace ridge::testing::body_gradient_test
