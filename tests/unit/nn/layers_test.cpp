#include "ridge/nn/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "../capture/compiled.h"
#include "ridge/aot/transforms.h"
#include "ridge/capture/scope.h"
#include "ridge/nn/optimizer.h"

namespace ridge::testing::layers_test {
namespace {

// Images as rows of patches: an embedding, a few blocks, a mean over the patches, a head.
struct SmallVit {
  nn::Linear patches;
  Tensor positions;
  std::vector<nn::TransformerBlock> blocks;
  nn::LayerNorm norm;
  nn::Linear head;

  SmallVit(int64_t patch, int64_t tokens, int64_t width, int64_t classes, Generator& generator)
      : patches(patch, width, generator),
        positions(nn::clipped_normal({tokens, width}, 0.02, generator)),
        norm(width),
        head(width, classes, generator) {
    for (int i = 0; i < 2; ++i) blocks.emplace_back(width, 2, generator, 2 * width);
  }

  Tensor operator()(const At& images) const {
    Tensor x = patches(images) + positions;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const LayerScope layer = scope("block." + std::to_string(i));
      x = blocks[i](x);
    }
    return head(mean(norm(x), {1}));
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("patches", self.patches);
    visit("positions", self.positions);
    visit("blocks", self.blocks);
    visit("norm", self.norm);
    visit("head", self.head);
  }
};

TEST(Layers, LinearIsARowTimesAColumn) {
  Generator generator(1);
  const nn::Linear layer(3, 2, generator);
  const Tensor x = random({4, 3}, 5);
  const auto expected = (matmul(x, transpose(layer.weight, 0, 1)) + layer.bias).to_vector<float>();
  const auto actual = layer(x).to_vector<float>();
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-5);
  EXPECT_FALSE(nn::Linear(3, 2, generator, false).bias.defined());
}

TEST(Layers, StartingValuesComeFromTheSeed) {
  Generator a(7);
  Generator b(7);
  Generator c(8);
  const auto first = nn::Linear(64, 8, a).weight.to_vector<float>();
  EXPECT_EQ(first, nn::Linear(64, 8, b).weight.to_vector<float>());
  EXPECT_NE(first, nn::Linear(64, 8, c).weight.to_vector<float>());
  for (const float w : first) EXPECT_LE(std::fabs(w), 1 / std::sqrt(64.0) + 1e-7);
  for (const float w : nn::clipped_normal({1000}, 0.5, a).to_vector<float>()) {
    EXPECT_LE(std::fabs(w), 1 + 1e-6);
  }
}

// Attention of one head at a time, with its loops written out.
TEST(Layers, AttentionByHand) {
  constexpr int64_t kTokens = 5, kWidth = 6, kHeads = 2, kHead = kWidth / kHeads;
  for (const bool is_causal : {false, true}) {
    Generator generator(3);
    const nn::MultiHeadAttention layer(kWidth, kHeads, generator, is_causal, f64);
    const Tensor x = random({kTokens, kWidth}, 4, f64);
    const auto qkv = layer.qkv(x).to_vector<double>();
    const auto at = [&](int64_t token, int64_t part, int64_t head, int64_t i) {
      return qkv[static_cast<size_t>(token * 3 * kWidth + part * kWidth + head * kHead + i)];
    };
    std::vector<double> mixed(kTokens * kWidth);
    for (int64_t head = 0; head < kHeads; ++head) {
      for (int64_t q = 0; q < kTokens; ++q) {
        double total = 0;
        std::vector<double> value(kHead);
        for (int64_t k = 0; k < (is_causal ? q + 1 : kTokens); ++k) {
          double score = 0;
          for (int64_t i = 0; i < kHead; ++i) score += at(q, 0, head, i) * at(k, 1, head, i);
          const double weight = std::exp(score / std::sqrt(static_cast<double>(kHead)));
          total += weight;
          for (int64_t i = 0; i < kHead; ++i) {
            value[static_cast<size_t>(i)] += weight * at(k, 2, head, i);
          }
        }
        for (int64_t i = 0; i < kHead; ++i) {
          mixed[static_cast<size_t>(q * kWidth + head * kHead + i)] =
              value[static_cast<size_t>(i)] / total;
        }
      }
    }
    const Tensor expected = layer.output(Tensor::of<double>(mixed, {kTokens, kWidth}));
    const Tensor actual = layer(x);
    for (size_t i = 0; i < mixed.size(); ++i) {
      EXPECT_NEAR(actual.to_vector<double>()[i], expected.to_vector<double>()[i], 1e-13);
    }
    // Batches in front are independent.
    const Tensor both = cat({unsqueeze(random({kTokens, kWidth}, 9, f64), 0), unsqueeze(x, 0)}, 0);
    const auto second = select(layer(both), 0, 1).to_vector<double>();
    for (size_t i = 0; i < mixed.size(); ++i) {
      EXPECT_NEAR(second[i], actual.to_vector<double>()[i], 1e-13);
    }
  }
}

TEST(Layers, HeadsMustDivideTheWidth) {
  Generator generator(1);
  try {
    const nn::MultiHeadAttention layer(6, 4, generator);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::value);
    EXPECT_STREQ(error.where()->file_name(), __FILE__);
  }
}

TEST(Layers, AVisionTransformerTrains) {
  Generator generator(5);
  SmallVit model(12, 4, 8, 3, generator);
  nn::AdamW optimizer(model, {.learning_rate = 0.01});
  const Tensor images = random({6, 4, 12}, 11);
  const Tensor labels = Tensor::of<int64_t>({0, 1, 2, 0, 1, 2}, {6});
  const auto loss = [](const SmallVit& vit, const Tensor& x, const Tensor& y) {
    return cross_entropy(vit(x), y);
  };
  // Op by op, and as one captured step, from one start.
  SmallVit copy = model;
  for_each_tensor(copy, [](const std::string&, Tensor& t) { t = clone(t); });
  nn::AdamW copy_optimizer(copy, {.learning_rate = 0.01});
  Compiled step(
      [&](SmallVit& vit, nn::AdamW<SmallVit>& adam, const Tensor& x, const Tensor& y) {
        auto [value, gradient] = value_and_grad(loss)(vit, x, y);
        adam.update(vit, gradient);
        return value;
      },
      {"vit", "adam", "x", "y"});

  double first = 0;
  double last = 0;
  for (int i = 0; i < 12; ++i) {
    auto [value, gradient] = value_and_grad(loss)(model, images, labels);
    optimizer.update(model, gradient);
    last = value.item<double>();
    if (i == 0) first = last;
    const double captured = step(copy, copy_optimizer, images, labels).item<double>();
    EXPECT_NEAR(captured, last, 1e-4 * (1 + last)) << "step " << i;
  }
  EXPECT_LT(last, 0.5 * first);
  EXPECT_EQ(step.count(), 1u);

  const graph::Graph& graph = step.newest->graph;
  EXPECT_EQ(graph[graph.inputs[0]].name, "vit.patches.weight");
  std::set<std::string> layers;
  for (const graph::Node& node : graph.nodes) layers.insert(node.scope);
  for (const char* layer : {"block.1.attention", "block.1.attention.qkv", "block.0.mlp.down",
                            "block.0.mlp_norm", "block.1", "adamw"}) {
    EXPECT_EQ(layers.count(layer), 1u) << layer;
  }
}

TEST(Layers, EmbeddingTakesRows) {
  Generator generator(1);
  const nn::Embedding layer(5, 3, generator);
  const Tensor index = Tensor::of<int64_t>({4, 0, 4}, {3});
  EXPECT_EQ(layer(index).to_vector<float>(),
            index_select(layer.weight, 0, index).to_vector<float>());
  const auto gradient = grad([](const nn::Embedding& table, const Tensor& rows) {
    return sum(table(rows));
  })(layer, index);
  EXPECT_EQ(sum(gradient.weight, {1}).to_vector<float>(), (std::vector<float>{3, 0, 0, 0, 6}));
}

}  // namespace
}  // namespace ridge::testing::layers_test
