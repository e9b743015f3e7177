#include "ridge/autograd/custom_vjp.h"

#include <gtest/gtest.h>

#include "../../gradcheck.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::testing::custom_vjp_test {
namespace {

Tensor leaf(std::vector<double> values, const Shape& shape) {
  const Tensor t = Tensor::of<double>(values, shape);
  set_requires_grad(t);
  return t;
}

// x^3 and x * y, with gradients by hand.
CustomFunction cube_and_product() {
  return custom_vjp(
      [](const Tensors& in) -> Tensors {
        EXPECT_FALSE((in[0] * 1).requires_grad());  // not recorded
        return {in[0] * in[0] * in[0], in[0] * in[1]};
      },
      [](const CustomCall& call, const Tensors& g) -> Tensors {
        const Tensor &x = call.inputs[0], &y = call.inputs[1];
        return {g[0] * 3 * x * x + g[1] * y, g[1] * x};
      },
      "cube_and_product");
}

// x + 1 by way of a write to memory of its own, or to x.
CustomFunction writing(bool writes_input) {
  return custom_vjp(
      [writes_input](const Tensors& in) -> Tensors {
        const Tensor y = writes_input ? in[0] : clone(in[0]);
        add_(y, 1);
        return {y};
      },
      [](const CustomCall&, const Tensors& g) -> Tensors { return {g[0]}; }, "writing");
}

TEST(CustomVjp, MayWriteToMemoryOfItsOwnInACapture) {
  const auto f = compile([](const Tensor& x) { return writing(false)({x})[0] * 2; });
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  EXPECT_EQ(f(x).to_vector<float>(), (std::vector<float>{4, 6}));
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{1, 2}));
}

TEST(CustomVjp, IsRecordedOnceInACapture) {
  const auto f = compile([g = writing(false)](const Tensor& x) { return g({x})[0]; });
  f(Tensor::of<float>({1, 2}, {2}));
  EXPECT_EQ(f.programs()[0]->captured.graph.nodes.size(), 1u);
}

TEST(CustomVjp, MustNotWriteToAnInputInACapture) {
  const auto f = compile([g = writing(true)](const Tensor& x) { return g({x})[0]; });
  try {
    f(Tensor::of<float>({1, 2}, {2}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
    EXPECT_EQ(error.op(), "writing");
    EXPECT_NE(error.given().find("add_"), std::string::npos) << error.given();
  }
}

TEST(CustomVjp, UsesItsOwnGradient) {
  const auto constant_gradient =
      custom_vjp([](const Tensors& in) -> Tensors { return {in[0] * in[0]}; },
                 [](const CustomCall&, const Tensors& g) -> Tensors { return {g[0] * 42}; });
  const Tensor x = leaf({3}, {1});
  const Tensor y = constant_gradient({x})[0];
  EXPECT_EQ(y.item<double>(), 9);
  backward(y * 2);
  EXPECT_EQ(grad_of(x).item<double>(), 84);
}

TEST(CustomVjp, IsRightAtFirstAndSecondOrder) {
  const Program program = cube_and_product();
  const Tensors inputs = {Tensor::of<double>({1, -2, 0.5}, {3}),
                          Tensor::of<double>({3, 1, 2}, {3})};
  EXPECT_TRUE(gradcheck(program, inputs));
  EXPECT_TRUE(gradgradcheck(program, inputs));
}

TEST(CustomVjp, MayReadItsResultAtSecondOrder) {
  const Program my_exp = custom_vjp(
      [](const Tensors& in) -> Tensors { return {exp(in[0])}; },
      [](const CustomCall& call, const Tensors& g) -> Tensors { return {g[0] * call.results[0]}; });
  EXPECT_TRUE(gradcheck(my_exp, {Tensor::of<double>({0.3, -1}, {2})}));
  EXPECT_TRUE(gradgradcheck(my_exp, {Tensor::of<double>({0.3, -1}, {2})}));
}

TEST(CustomVjp, GetsZerosForResultsThatTookNoPart) {
  const Tensor x = leaf({2}, {1}), y = leaf({5}, {1});
  backward(cube_and_product()({x, y})[0]);
  EXPECT_EQ(grad_of(x).item<double>(), 12);
  EXPECT_EQ(grad_of(y).item<double>(), 0);
}

TEST(CustomVjp, SaysWhichGradientsAreNeeded) {
  std::vector<bool> needed;
  const auto f = custom_vjp([](const Tensors& in) -> Tensors { return {in[0] + in[1]}; },
                            [&](const CustomCall& call, const Tensors& g) -> Tensors {
                              needed = call.needed;
                              return {g[0], {}};
                            });
  const Tensor x = leaf({2}, {1});
  backward(f({x, Tensor::of<double>({1}, {1})})[0]);
  EXPECT_EQ(needed, (std::vector<bool>{true, false}));
}

TEST(CustomVjp, IsNotRecordedWithoutNeed) {
  const Tensor plain = Tensor::of<double>({1}, {1});
  EXPECT_FALSE(cube_and_product()({plain, plain})[0].requires_grad());
  const NoGrad scope;
  const Tensor x = leaf({2}, {1});
  EXPECT_FALSE(cube_and_product()({x, x})[0].requires_grad());
}

TEST(CustomVjp, CopiesAnInputThatIsReturned) {
  const auto identity = custom_vjp(
      [](const Tensors& in) -> Tensors { return {in[0]}; },
      [](const CustomCall&, const Tensors& g) -> Tensors { return {clamp(g[0], -1, 1)}; });
  const Tensor x = leaf({2}, {1});
  const Tensor y = identity({x})[0];
  EXPECT_FALSE(y.shares_storage_with(x));
  backward(y * 100);
  EXPECT_EQ(grad_of(x).item<double>(), 1);
}

TEST(CustomVjp, ChecksWhatBackwardReturns) {
  const auto too_few =
      custom_vjp([](const Tensors& in) -> Tensors { return {in[0] + in[1]}; },
                 [](const CustomCall&, const Tensors& g) -> Tensors { return {g[0]}; }, "too_few");
  const auto wrong_shape = custom_vjp(
      [](const Tensors& in) -> Tensors { return {in[0] * 2}; },
      [](const CustomCall&, const Tensors& g) -> Tensors { return {sum(g[0])}; }, "wrong_shape");
  const Tensor x = leaf({2, 3}, {2});
  const auto expect = [&](const Tensor& y, const char* name) {
    try {
      backward(sum(y));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::gradient);
      EXPECT_EQ(error.op(), name);
      EXPECT_STREQ(error.where()->file_name(), __FILE__);
    }
  };
  expect(too_few({x, x})[0], "too_few");
  expect(wrong_shape({x})[0], "wrong_shape");
}

TEST(CustomVjp, ChecksVersionsAndRetention) {
  const Tensor x = leaf({2}, {1});
  const Tensor a = x * 1;
  const Tensor y = cube_and_product()({a, a})[0];
  mul_(a, 2);
  EXPECT_THROW(backward(y), Error);
  const Tensor z = cube_and_product()({x, x})[0];
  backward(z);
  EXPECT_THROW(backward(z), Error);
}

TEST(CustomVjp, ThatThrowsLeavesEverythingUsable) {
  bool throws = true;
  const auto f = custom_vjp([](const Tensors& in) -> Tensors { return {in[0] * 2}; },
                            [&](const CustomCall&, const Tensors& g) -> Tensors {
                              if (throws) throw std::runtime_error("not yet");
                              return {g[0] * 2};
                            });
  const Tensor x = leaf({2}, {1});
  const Tensor y = f({x})[0];
  EXPECT_THROW(backward(y), std::runtime_error);
  EXPECT_TRUE(dispatch::thread_state().grad_enabled);
  EXPECT_EQ(dispatch::thread_state().outermost, nullptr);
  throws = false;
  backward(y);
  EXPECT_EQ(grad_of(x).item<double>(), 2);
}

}  // namespace
}  // namespace ridge::testing::custom_vjp_test
