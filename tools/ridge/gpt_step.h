// A training step of a language model as GPT-2 is one, for `ridge bench gpu.compile.*`: what a user
// of nn/ writes.
#pragma once

#include "ridge/ridge.h"

namespace ridge::command {

struct GptSizes {
  int64_t layers = 12, width = 768, heads = 12, vocabulary = 50257, tokens = 1024;
};

struct Gpt {
  nn::Embedding words, places;
  std::vector<nn::TransformerBlock> blocks;
  nn::LayerNorm norm;

  Gpt(const GptSizes& sizes, Generator& generator);
  // Tokens [batch, tokens] to logits; the embedding of words serves at both ends.
  Tensor operator()(const Tensor& tokens) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("words", self.words);
    visit("places", self.places);
    visit("blocks", self.blocks);
    visit("norm", self.norm);
  }
};

// Forward, backward and AdamW; gives the loss.
Tensor gpt_step(Gpt& model, nn::AdamW<Gpt>& optimizer, const Tensor& tokens, const Tensor& targets);

}  // namespace ridge::command
