// What may be passed to a compiled function, and returned by it.
#include <gtest/gtest.h>

#include <map>

#include "ridge/driver/entry.h"
#include "ridge/ridge.h"

namespace ridge::arguments_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

struct Layer {
  Tensor weight;
  std::optional<Tensor> bias;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
  }
};

using Named = std::map<std::string, Tensor>;

TEST(Arguments, Maps) {
  const auto f = compile(
      [](const Named& inputs) {
        return Named{{"sum", inputs.at("a") + inputs.at("a longer name")},
                     {"twice", inputs.at("a") * 2}};
      },
      {.argument_names = {"inputs"}});
  const Named inputs{{"a", numbers({3})}, {"a longer name", numbers({3}, 2)}};
  for (int i = 0; i < 2; ++i) {
    const Named result = f(inputs);
    ASSERT_EQ(result.size(), 2u);
    EXPECT_EQ(result.at("sum").to_vector<float>(),
              (inputs.at("a") + inputs.at("a longer name")).to_vector<float>());
    EXPECT_EQ(result.at("twice").to_vector<float>(), (inputs.at("a") * 2).to_vector<float>());
  }
  EXPECT_EQ(f.programs().size(), 1u);
  Named more = inputs;
  more["b"] = numbers({3});
  f(more);
  EXPECT_EQ(f.programs().size(), 2u) << "its keys are part of the signature";
  Named other{{"a", inputs.at("a")}, {"a longer name", numbers({4})}};
  EXPECT_THROW(f(other), Error) << "3 and 4 elements";
  EXPECT_NE(f.programs().back()->captured.names.back().find("inputs.b"), std::string::npos);
}

TEST(Arguments, MapsOfStructsByInteger) {
  const auto f = [](std::map<int, Layer>& layers, const Tensor& x) {
    Tensor y = x;
    for (auto& [number, layer] : layers) {
      y = y * layer.weight * number;
      if (layer.bias) y = y + *layer.bias;
      layer.weight = layer.weight + 1;
    }
    return y;
  };
  const auto compiled = compile(f);
  std::map<int, Layer> ours{{2, {numbers({3}), {}}}, {5, {numbers({3}, 2), numbers({3}, 3)}}};
  std::map<int, Layer> theirs = ours;
  const Tensor x = numbers({3}, 4);
  for (int i = 0; i < 3; ++i) {
    const auto a = compiled(ours, x).to_vector<float>(), b = f(theirs, x).to_vector<float>();
    for (size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-4);
    EXPECT_EQ(ours.at(5).weight.to_vector<float>(), theirs.at(5).weight.to_vector<float>());
  }
  EXPECT_EQ(compiled.programs().size(), 1u);
  ours.at(2).bias = numbers({3}, 5);
  compiled(ours, x);
  EXPECT_EQ(compiled.programs().size(), 2u) << "an optional that is there is another signature";
}

TEST(Arguments, TuplesVectorsAndOptionalsInside) {
  using Nested = std::tuple<std::vector<Tensor>, std::optional<std::pair<Tensor, int64_t>>>;
  const auto f = [](const Nested& nested, bool is_on) {
    const auto& [list, maybe] = nested;
    Tensor y = list[0] + list[1];
    if (maybe && is_on) y = y * maybe->first * maybe->second;
    return std::tuple(y, std::optional<Tensor>(is_on ? y * 2 : Tensor()), int64_t{7});
  };
  const auto compiled = compile(f);
  const Nested nested{{numbers({2}), numbers({2}, 2)}, {{numbers({2}, 3), 3}}};
  for (const bool is_on : {true, false, true}) {
    const auto ours = compiled(nested, is_on);
    const auto theirs = f(nested, is_on);
    const auto a = std::get<0>(ours).to_vector<float>(), b = std::get<0>(theirs).to_vector<float>();
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4);
    EXPECT_EQ(std::get<1>(ours)->defined(), is_on);
    EXPECT_EQ(std::get<2>(ours), 7);
  }
  EXPECT_EQ(compiled.programs().size(), 2u);
}

TEST(Arguments, ACompiledFunctionInsideAnotherIsPartOfIt) {
  const auto inner = compile([](const Tensor& x) { return exp(x) + 1; }, {.name = "inner"});
  const auto outer = compile([&](const Tensor& x) { return inner(x) * inner(x * 0.5); });
  const Tensor x = numbers({4});
  const auto got = outer(x).to_vector<float>();
  const auto expected = ((exp(x) + 1) * (exp(x * 0.5) + 1)).to_vector<float>();
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-4);
  EXPECT_EQ(inner.counters().programs, 0u) << "it made none of its own";
  EXPECT_EQ(inner(x).to_vector<float>().size(), 4u);
  EXPECT_EQ(inner.counters().programs, 1u);
  // From a function that is not captured, it is a call like any other.
  const auto eager = [&](const Tensor& y) { return inner(y) + inner(y); };
  EXPECT_EQ(eager(x).to_vector<float>(), (inner(x) * 2).to_vector<float>());
  EXPECT_EQ(inner.counters().programs, 1u);
}

TEST(Arguments, ATensorFromOutsideAsAConstant) {
  const Tensor table = numbers({3});
  const auto f = compile([&](const Tensor& x) { return x + constant(table); });
  const Tensor x = numbers({3}, 2);
  const std::vector<float> expected = (x + table).to_vector<float>();
  EXPECT_EQ(f(x).to_vector<float>(), expected);
  mul_(table, 2);
  EXPECT_EQ(f(x).to_vector<float>(), expected) << "as it was at the capture";
}

}  // namespace
}  // namespace ridge::arguments_test
