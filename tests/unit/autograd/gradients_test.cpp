#include <gtest/gtest.h>

#include <cmath>

#include "ridge/ridge.h"

namespace ridge::gradients_test {
namespace {

using Values = std::vector<double>;

Tensor leaf(Values values, const Shape& shape) {
  const Tensor t = Tensor::of<double>(values, shape);
  set_requires_grad(t);
  return t;
}

template <class Mistake>
Error error_of(Mistake mistake) {
  try {
    mistake();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error({});
}

TEST(Gradients, OfAnyTensorWithoutTouchingLeaves) {
  const Tensor x = leaf({3}, {1}), w = leaf({2}, {1});
  const Tensor h = x * w;
  const Tensor y = h * h;
  const auto g = gradients({y}, {h, x, w});
  EXPECT_EQ(g[0].to_vector<double>(), (Values{12}));
  EXPECT_EQ(g[1].to_vector<double>(), (Values{24}));
  EXPECT_EQ(g[2].to_vector<double>(), (Values{36}));
  EXPECT_FALSE(grad_of(x).defined());
}

TEST(Gradients, OfSeveralOutputsAddUp) {
  const Tensor x = leaf({3}, {1});
  const auto g = gradients({x * 2, x * x}, {x});
  EXPECT_EQ(g[0].to_vector<double>(), (Values{8}));
  const Tensor seed = Tensor::of<double>({10}, {1});
  EXPECT_EQ(gradients({x * 2, x * x}, {x}, {seed, {}})[0].to_vector<double>(), (Values{26}));
}

TEST(Gradients, OfATensorByItself) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = x * 2;
  EXPECT_EQ(gradients({y}, {y, x})[0].to_vector<double>(), (Values{1}));
}

TEST(Gradients, RunOnlyWhatLeadsToTheInputs) {
  const Tensor x = leaf({3}, {1}), w = leaf({2}, {1});
  const Tensor h = x * w;
  int calls = 0;
  add_hook(w, [&](const Tensor&) {
    ++calls;
    return Tensor();
  });
  gradients({h * h}, {h});
  EXPECT_EQ(calls, 0);
  // The product that made h did not run, so what it saved is still there.
  EXPECT_EQ(gradients({h}, {w})[0].to_vector<double>(), (Values{3}));
}

TEST(Gradients, TellUnusedFromZero) {
  const Tensor x = leaf({3}, {1}), other = leaf({1}, {1});
  const auto g = gradients({x * 2}, {x, other}, {}, {.allow_unused = true});
  EXPECT_TRUE(g[0].defined());
  EXPECT_FALSE(g[1].defined());
  const Error error = error_of([&] { gradients({x * 2}, {x, other}); });
  EXPECT_EQ(error.code(), ErrorCode::gradient);
  EXPECT_NE(error.given().find("input 1"), std::string::npos) << error.what();
  // A step function depends on x; its derivative is zero.
  EXPECT_EQ(gradients({floor(x)}, {x})[0].to_vector<double>(), (Values{0}));
}

TEST(Gradients, NeedTensorsThatRequireGrad) {
  const Tensor x = leaf({3}, {1});
  const Tensor plain = Tensor::of<double>({1}, {1});
  EXPECT_EQ(error_of([&] { gradients({x * 2}, {plain}); }).code(), ErrorCode::gradient);
  EXPECT_EQ(error_of([&] { gradients({plain}, {x}); }).code(), ErrorCode::gradient);
  EXPECT_EQ(error_of([&] { backward(plain); }).code(), ErrorCode::gradient);
}

TEST(Gradients, NeedAScalarOrAGradientThatFits) {
  const Tensor x = leaf({3, 4}, {2});
  const Error error = error_of([&] { backward(x * 2); });
  EXPECT_EQ(error.code(), ErrorCode::gradient);
  EXPECT_STREQ(error.where()->file_name(), __FILE__);
  EXPECT_EQ(error_of([&] { backward(x * 2, Tensor::of<double>({1}, {1})); }).code(),
            ErrorCode::gradient);
  EXPECT_EQ(error_of([&] { gradients({x}, {x}, {{}, {}}); }).code(), ErrorCode::gradient);
}

TEST(RetainGraph, LetsBackwardRunAgain) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = x * x;
  backward(y, {}, {.retain_graph = true});
  backward(y);
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Values{12}));
}

TEST(RetainGraph, IsAskedForByName) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = exp(x);
  const auto line = __LINE__ - 1;
  backward(y);
  const Error error = error_of([&] { backward(y); });
  EXPECT_EQ(error.code(), ErrorCode::gradient);
  EXPECT_EQ(error.op(), "exp");
  EXPECT_NE(error.hint().find("retain_graph"), std::string::npos) << error.what();
  EXPECT_NE(error.hint().find(std::to_string(line)), std::string::npos) << error.what();
  EXPECT_STREQ(error.where()->file_name(), __FILE__);
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Values{std::exp(3.0)}));  // added once
}

TEST(RetainGraph, IsNotNeededWhereNothingWasSaved) {
  const Tensor x = leaf({3}, {1});
  const Tensor y = x + 1;
  backward(y);
  backward(y);
  EXPECT_EQ(grad_of(x).to_vector<double>(), (Values{2}));
}

TEST(CreateGraph, GivesGradientsOfGradients) {
  const Tensor x = leaf({2}, {1});
  const Tensor y = x * x * x;
  const Tensor first = gradients({y}, {x}, {}, {.create_graph = true})[0];
  const Tensor second = gradients({first}, {x}, {}, {.create_graph = true})[0];
  const Tensor third = gradients({second}, {x})[0];
  EXPECT_EQ(first.item<double>(), 12);
  EXPECT_EQ(second.item<double>(), 12);
  EXPECT_EQ(third.item<double>(), 6);
}

TEST(CreateGraph, AccumulatesWithHistory) {
  const Tensor x = leaf({2}, {1});
  backward(x * x * x, {}, {.create_graph = true});
  const Tensor first = grad_of(x);
  EXPECT_TRUE(first.requires_grad());
  EXPECT_EQ(gradients({first}, {x})[0].item<double>(), 12);
  clear_grad(x);
  backward(x * x);
  EXPECT_FALSE(grad_of(x).requires_grad());
}

// Memory that says when it is freed.
struct Probe {
  double value = 2;
  bool is_freed = false;
  Tensor tensor() {
    return Tensor::from_blob(&value, {1}, f64, [this](void*) { is_freed = true; });
  }
};

TEST(CreateGraph, DoesNotKeepALeafAlive) {
  Probe probe;
  {
    const Tensor x = probe.tensor();
    set_requires_grad(x);
    backward(x * x * x, {}, {.create_graph = true});
    EXPECT_TRUE(grad_of(x).requires_grad());
  }
  EXPECT_TRUE(probe.is_freed);
}

}  // namespace
}  // namespace ridge::gradients_test
