// A small transformer over tokens, the model of bench/export_transformer.py, and one step of training.
#pragma once

#include <vector>

#include "ridge/ridge.h"

namespace ridge::testing {

struct TransformerSizes {
  int64_t vocabulary = 64, tokens = 16, width = 32, heads = 4, depth = 2;
};

struct Transformer {
  nn::Embedding token;  // its transpose makes the logits
  Tensor position;      // [tokens, width]
  std::vector<nn::TransformerBlock> blocks;
  nn::LayerNorm norm;

  Transformer(const TransformerSizes& sizes, Generator& generator, DType dtype = f32)
      : token(sizes.vocabulary, sizes.width, generator, dtype),
        position(normal({sizes.tokens, sizes.width}, generator, 0, 0.2, dtype)),
        norm(sizes.width, dtype) {
    mul_(token.weight, 0.2);
    for (int64_t i = 0; i < sizes.depth; ++i) {
      blocks.emplace_back(sizes.width, sizes.heads, generator, 0, true, dtype);
    }
  }

  // [batch, tokens] of integers -> logits [batch, tokens, vocabulary]
  Tensor operator()(const Tensor& tokens) const {
    Tensor x = token(tokens) + position;
    for (size_t i = 0; i < blocks.size(); ++i) {
      const LayerScope layer = scope("block", i);
      x = blocks[i](x);
    }
    return linear(norm(x), token.weight);
  }

  static void visit_tensors(auto& self, auto&& visit) {
    visit("token", self.token);
    visit("position", self.position);
    visit("blocks", self.blocks);
    visit("norm", self.norm);
  }
};

using TransformerOptimizer = nn::AdamW<Transformer>;

// Of the token that follows each, `tokens` [batch, length + 1].
inline Tensor loss_of(const Transformer& model, const Tensor& tokens) {
  const Tensor logits = model(slice(tokens, 1, 0, -1));
  return cross_entropy(flatten(logits, 0, 1), flatten(slice(tokens, 1, 1)));
}

// All of a step in one program: the loss, and the norm of its gradients before they are clipped.
inline std::pair<Tensor, Tensor> train_step(Transformer& model, TransformerOptimizer& optimizer,
                                            const nn::Schedule& schedule, const Tensor& tokens) {
  auto [loss, gradient] = value_and_grad(loss_of)(model, tokens);
  const Tensor norm = nn::clip_by_norm(gradient, 1.0);
  copy_(optimizer.learning_rate, schedule(optimizer.step));
  optimizer.update(model, gradient);
  return {loss, norm};
}

}  // namespace ridge::testing
