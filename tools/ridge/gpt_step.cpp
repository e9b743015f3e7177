#include "gpt_step.h"

namespace ridge::command {
namespace {

Tensor loss_of(const Gpt& model, const Tensor& tokens, const Tensor& targets) {
  const Tensor logits = model(tokens);
  const int64_t rows = logits.size(0).value() * logits.size(1).value();
  return cross_entropy(reshape(logits, {rows, logits.size(2)}), reshape(targets, {rows}));
}

}  // namespace

Gpt::Gpt(const GptSizes& sizes, Generator& generator)
    : words(sizes.vocabulary, sizes.width, generator),
      places(sizes.tokens, sizes.width, generator),
      norm(sizes.width) {
  for (int64_t i = 0; i < sizes.layers; ++i) {
    blocks.emplace_back(sizes.width, sizes.heads, generator, 4 * sizes.width, /*is_causal=*/true);
  }
}

Tensor Gpt::operator()(const Tensor& tokens) const {
  Tensor x = words(tokens) + places.weight;
  for (const nn::TransformerBlock& block : blocks) x = block(x);
  return matmul(norm(x), transpose(words.weight, 0, 1));
}

Tensor gpt_step(Gpt& model, nn::AdamW<Gpt>& optimizer, const Tensor& tokens,
                const Tensor& targets) {
  auto [loss, gradient] = value_and_grad(loss_of)(model, tokens, targets);
  optimizer.update(model, gradient);
  return loss;
}

}  // namespace ridge::command
