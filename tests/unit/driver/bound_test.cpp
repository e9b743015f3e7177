// bind(): prepared calls compute what calls do, and keep what they need.
#include "ridge/driver/bound.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::bound_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

struct Layer {
  Tensor weight, bias;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
  }
};

TEST(Bound, ComputesWhatTheCallDoes) {
  const auto f = compile([](const Layer& layer, const Tensor& x, const Tensor& rate) {
    return std::pair(x * layer.weight + layer.bias, sum(x) * rate);
  });
  const Layer layer{numbers({5}), numbers({5}, 2)};
  const Tensor x = numbers({5}, 3);
  const auto bound = f.bind(layer, x, 0.5);
  for (int i = 0; i < 3; ++i) {
    const auto [y, total] = bound();
    const auto [expected, expected_total] = f(layer, x, 0.5);
    EXPECT_EQ(y.to_vector<float>(), expected.to_vector<float>());
    EXPECT_EQ(total.item<float>(), expected_total.item<float>());
  }
  EXPECT_EQ(f.programs().size(), 1u);
}

TEST(Bound, EveryRunHasAResultOfItsOwn) {
  const auto f = compile([](const Tensor& x) { return x * 2; });
  Tensor x = numbers({4});
  const auto bound = f.bind(x);
  const Tensor first = bound();
  add_(x, 1);
  const Tensor second = bound();
  EXPECT_FALSE(first.shares_storage_with(second));
  EXPECT_EQ(second.to_vector<float>(), (x * 2).to_vector<float>()) << "elements may change";
}

TEST(Bound, TemporariesAreKept) {
  const auto f = compile(
      [](const Tensor& x, const std::vector<Tensor>& list) { return x + list[0] * list[1]; });
  const Tensor a = numbers({3}), b = numbers({3}, 2), c = numbers({3}, 3);
  const auto bound = f.bind(clone(a), std::vector<Tensor>{clone(b), clone(c)});
  EXPECT_EQ(bound().to_vector<float>(), f(a, std::vector<Tensor>{b, c}).to_vector<float>());
}

TEST(Bound, WhatTheFunctionReplacesIsUsedByTheNextRun) {
  const auto step = compile([](Layer& layer, const Tensor& g) {
    layer.weight = layer.weight - g;  // another tensor
    sub_(layer.bias, g);              // the same one, written
  });
  Layer ours{numbers({3}), numbers({3}, 2)};
  const Tensor g = numbers({3}, 3), weight = clone(ours.weight), bias = clone(ours.bias);
  const auto bound = step.bind(ours, g);
  for (int i = 0; i < 4; ++i) bound();
  const auto expected = [&](const Tensor& start) {
    return (start - g - g - g - g).to_vector<float>();
  };
  EXPECT_EQ(ours.weight.to_vector<float>(), expected(weight));
  EXPECT_EQ(ours.bias.to_vector<float>(), expected(bias));
}

TEST(Bound, OutlivesTheFunctionAndItsPlaceInTheCache) {
  auto f = std::make_unique<Compiled<Tensor (*)(const Tensor&)>>(
      +[](const Tensor& x) { return exp(x); }, CompileOptions{.programs = 1}, Location::current());
  const Tensor x = numbers({3}), other = numbers({4});
  const auto bound = f->bind(x);
  const std::vector<float> expected = exp(x).to_vector<float>();
  (*f)(other);
  EXPECT_EQ(f->counters().evictions, 1);
  f.reset();
  EXPECT_EQ(bound().to_vector<float>(), expected);
}

TEST(Bound, VerifyFindsABrokenPromise) {
  const auto f = compile([](const Tensor& x) { return x * 2; }, {.argument_names = {"x"}});
  Tensor x = numbers({3});
  const auto bound = f.bind(x);
  const ScopedKnob verify(Knob::verify, 2);
  EXPECT_EQ(bound().to_vector<float>(), (x * 2).to_vector<float>());
  x = numbers({4});
  try {
    bound();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
    EXPECT_NE(std::string(error.what()).find("x: f32[3] before, f32[4] now"), std::string::npos)
        << error.what();
  }
}

TEST(Bound, ACaptureCannotHoldOne) {
  const auto f = compile([](const Tensor& x) { return x * 2; }, {.name = "inner"});
  const Tensor x = numbers({3});
  const auto bound = f.bind(x);
  bool is_wrong = true;
  const auto outer = compile([&](const Tensor& y) { return is_wrong ? y + bound() : y + f(y); });
  try {
    outer(x);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::state);
    EXPECT_TRUE(error.where().has_value());
    EXPECT_NE(std::string(error.what()).find("inner"), std::string::npos) << error.what();
  }
  is_wrong = false;
  EXPECT_EQ(outer(x).to_vector<float>(), (x + x * 2).to_vector<float>());
}

}  // namespace
}  // namespace ridge::bound_test
