#include "ridge/capture/capture.h"

#include <gtest/gtest.h>

#include "compiled.h"
#include "ridge/capture/constant.h"
#include "ridge/capture/scope.h"

namespace ridge::testing::capture_test {
namespace {

struct Layer {
  Tensor weight;
  Tensor bias;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
  }
};

struct Model {
  std::vector<Layer> layers;
  Tensor mean;
  int64_t power = 1;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("layers", self.layers);
    visit("mean", self.mean);
    visit("power", self.power);
  }
};

Model make_model(int count) {
  Model model;
  for (int i = 0; i < count; ++i) {
    const auto seed = static_cast<uint64_t>(10 * i);
    model.layers.push_back({random({3, 3}, seed + 1), random({3}, seed + 2)});
  }
  model.mean = random({3}, 77);
  return model;
}

Tensor run_model(const Model& model, Tensor x) {
  for (const Layer& layer : model.layers) {
    x = matmul(x, layer.weight);
    if (layer.bias.defined()) x = x + layer.bias;
  }
  return model.power == 2 ? square(x) : x;
}

std::vector<float> values(const Tensor& tensor) { return tensor.to_vector<float>(); }

TEST(Capture, InputsAreNamedByTheirPath) {
  Compiled f(run_model, {"model", "x"});
  Model model = make_model(2);
  const Tensor x = random({2, 3}, 5);
  EXPECT_EQ(values(f(model, x)), values(run_model(model, x)));
  const graph::Graph& graph = f.newest->graph;
  ASSERT_EQ(graph.inputs.size(), 6u);
  EXPECT_EQ(graph[graph.inputs[0]].name, "model.layers.0.weight");
  EXPECT_EQ(graph[graph.inputs[3]].name, "model.layers.1.bias");
  EXPECT_EQ(graph[graph.inputs[5]].name, "x");
  EXPECT_NO_THROW(verify(graph));
}

TEST(Capture, OneProgramServesOtherValues) {
  Compiled f(run_model);
  for (uint64_t seed = 1; seed < 4; ++seed) {
    Model model = make_model(2);
    model.layers[1].weight = random({3, 3}, seed);
    const Tensor x = random({2, 3}, seed + 100);
    EXPECT_EQ(values(f(model, x)), values(run_model(model, x)));
  }
  EXPECT_EQ(f.count(), 1u);
}

TEST(Capture, NumbersListLengthsAndUndefinedTensorsAreInTheSignature) {
  Compiled f(run_model, {"model", "x"});
  const Tensor x = random({2, 3}, 5);
  Model model = make_model(2);
  f(model, x);
  model.power = 2;
  EXPECT_EQ(values(f(model, x)), values(run_model(model, x)));
  EXPECT_EQ(f.missed, "model.power: 1 before, 2 now");
  model.layers[1].bias = Tensor();
  EXPECT_EQ(values(f(model, x)), values(run_model(model, x)));
  EXPECT_EQ(f.missed, "model.layers.1.bias: f32[3] before, undefined now");
  model.layers.pop_back();
  EXPECT_EQ(values(f(model, x)), values(run_model(model, x)));
  EXPECT_EQ(f.missed, "model.layers: 2 before, 1 now");
  EXPECT_EQ(f.count(), 4u);
}

TEST(Capture, AFloatingPointArgumentIsAnInput) {
  Compiled f([](const Tensor& x, const Tensor& rate) { return x * rate; });
  const Tensor x = random({4}, 1);
  for (const double rate : {0.1, 0.25, -3.0}) {
    const Tensor y = f(x, rate);
    EXPECT_EQ(y.dtype(), f32) << "the number is weak";
    EXPECT_EQ(values(y), values(x * rate));
  }
  EXPECT_EQ(f.count(), 1u);
  EXPECT_TRUE(f.newest->graph[f.newest->graph.inputs[1]].type.is_weak);
}

TEST(Capture, ReplacedMembersAreAssignedOnEveryCall) {
  Compiled f([](Model& model, const Tensor& x) {
    model.mean = model.mean * 0.5 + x;
    std::swap(model.layers[0].weight, model.layers[1].weight);
    return sum(model.mean);
  });
  Model model = make_model(2);
  Model expected = make_model(2);
  const Tensor first = model.layers[0].weight;
  for (uint64_t seed = 1; seed < 4; ++seed) {
    const Tensor x = random({3}, seed);
    expected.mean = expected.mean * 0.5 + x;
    EXPECT_EQ(values(f(model, x)), values(sum(expected.mean)));
    EXPECT_EQ(values(model.mean), values(expected.mean));
    EXPECT_TRUE(model.layers[seed % 2].weight.is_same(first)) << "they change places";
  }
  EXPECT_EQ(f.count(), 1u);
}

TEST(Capture, AMemberMayBecomeDefinedAndUndefined) {
  Compiled f([](Model& model) {
    model.mean = sum(model.layers[0].weight, {0});
    model.layers[0].bias = Tensor();
  });
  Model model = make_model(1);
  model.mean = Tensor();
  const std::vector<float> expected = values(sum(model.layers[0].weight, {0}));
  f(model);
  EXPECT_EQ(values(model.mean), expected);
  EXPECT_FALSE(model.layers[0].bias.defined());
}

TEST(Capture, InPlaceWritesReachTheCallersTensor) {
  Compiled f([](Model& model, const Tensor& x) { model.mean += x; });
  Model model = make_model(0);
  const Tensor mean = model.mean;
  std::vector<float> expected = values(mean + random({3}, 1));
  f(model, random({3}, 1));
  EXPECT_TRUE(model.mean.is_same(mean));
  EXPECT_EQ(values(mean), expected);
  expected = values(mean + random({3}, 2));
  f(model, random({3}, 2));
  EXPECT_EQ(values(mean), expected);
}

struct Both {
  Tensor a;
  std::vector<Tensor> rest;
  int64_t count = 0;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("a", self.a);
    visit("rest", self.rest);
    visit("count", self.count);
  }
};

TEST(Capture, ResultsOfAllForms) {
  Compiled f([](const Tensor& x) {
    const Tensor twice = x * 2;
    return std::tuple(Both{twice, {x, Tensor(), twice}, 7}, std::pair(x + 1, true));
  });
  for (uint64_t seed = 1; seed < 3; ++seed) {
    const Tensor x = random({4}, seed);
    const auto [both, pair] = f(x);
    EXPECT_EQ(values(both.a), values(x * 2));
    EXPECT_TRUE(both.rest[0].is_same(x)) << "an argument comes back as itself";
    EXPECT_FALSE(both.rest[1].defined());
    EXPECT_TRUE(both.rest[2].is_same(both.a));
    EXPECT_EQ(both.count, 7);
    EXPECT_EQ(values(pair.first), values(x + 1));
    EXPECT_TRUE(pair.second);
  }
  EXPECT_EQ(f.newest->graph.outputs.size(), 2u);
}

TEST(Capture, AnotherCompiledFunctionIsInlined) {
  Compiled inner([](const Tensor& x, const Tensor& rate) { return exp(x) * rate; });
  Compiled outer([&](const Tensor& x) { return inner(x, 0.5) + inner(x * 2, 0.25); });
  const Tensor x = random({5}, 3);
  EXPECT_EQ(values(outer(x)), values(exp(x) * 0.5 + exp(x * 2) * 0.25));
  EXPECT_EQ(inner.count(), 0u);
}

TEST(Capture, ConstantFreezesATensorFromOutside) {
  const Tensor table = random({3}, 8);
  const std::vector<float> sum_before = values(table + ones({3}));
  Compiled f([&](const Tensor& x) { return x + constant(table); });
  EXPECT_EQ(values(f(ones({3}))), sum_before);
  fill_(table, 100);
  EXPECT_EQ(values(f(ones({3}))), sum_before) << "as it was when captured";
  EXPECT_TRUE(constant(table).is_same(table)) << "outside of a capture";
}

TEST(Capture, ScopesNameTheLayers) {
  Compiled f([](const Tensor& x) {
    const LayerScope outer = scope("block.3");
    Tensor y = exp(x);
    {
      const LayerScope inner = scope("mlp");
      y = sqrt(y);
    }
    return y + y;
  });
  f(random({2}, 1));
  const auto& nodes = f.newest->graph.nodes;
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[0].scope, "block.3");
  EXPECT_EQ(nodes[1].scope, "block.3.mlp");
  EXPECT_EQ(nodes[2].scope, "block.3");
}

TEST(Capture, NodesHaveTheUsersLines) {
  Compiled f([](const Tensor& x) {
    const Tensor y = exp(x);
    return layer_norm(y);
  });
  f(random({2}, 1));
  const auto& nodes = f.newest->graph.nodes;
  ASSERT_EQ(nodes.size(), 2u) << "composites are kept whole";
  EXPECT_STREQ(nodes[0].where.file_name(), __FILE__);
  EXPECT_EQ(nodes[0].where.line() + 1, nodes[1].where.line());
}

}  // namespace
}  // namespace ridge::testing::capture_test
