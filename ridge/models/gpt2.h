// GPT-2: learned positions, layer norm before each part, gelu by tanh, the head tied to the embedding.
//
//   models::Gpt2 gpt2 = models::open_gpt2("gpt2");        a folder of Hugging Face's
//   Tensor logits = gpt2(ids);                            [batch, tokens, vocabulary]
#pragma once

#include <filesystem>

#include "ridge/models/config.h"
#include "ridge/models/loader.h"
#include "ridge/nn/grouped_attention.h"
#include "ridge/nn/language_layers.h"

namespace ridge::models {

struct Gpt2Config {
  int64_t vocabulary = 50257;
  int64_t width = 768;
  int64_t hidden = 3072;
  int64_t layers = 12;
  int64_t heads = 12;
  int64_t context = 1024;
  double norm_eps = 1e-5;

  static Gpt2Config read(const Config& config, Location where = Location::current());
};

struct Gpt2Layer {
  nn::LayerNorm attention_norm;
  nn::GroupedQueryAttention attention;
  nn::LayerNorm mlp_norm;
  nn::Linear up;
  nn::Linear down;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("attention_norm", self.attention_norm);
    visit("attention", self.attention);
    visit("mlp_norm", self.mlp_norm);
    visit("up", self.up);
    visit("down", self.down);
  }
};

struct Gpt2 {
  nn::Embedding embedding;  // and head
  nn::LearnedPositions positions;
  std::vector<Gpt2Layer> layers;
  nn::LayerNorm norm;
  Gpt2Config config;  // for whoever makes caches; no part of a program

  Gpt2() = default;
  explicit Gpt2(
      const Gpt2Config& config);  // tensors without elements: load, or randomize (skeleton.h)

  Tensor operator()(const At& ids) const;  // [batch, tokens] -> logits [batch, tokens, vocabulary]
  // Tokens that follow those in the cache; logits of the last one, [batch, vocabulary].
  Tensor operator()(const At& ids, nn::KvCache& cache) const;
  nn::KvCache make_cache(int64_t capacity, int64_t batch = 1) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("embedding", self.embedding);
    visit("positions", self.positions);
    visit("layers", self.layers);
    visit("norm", self.norm);
  }
};

LoadTable gpt2_table();  // names of Hugging Face
Gpt2 open_gpt2(const std::filesystem::path& folder, const LoadOptions& options = {},
               Location where = Location::current());

}  // namespace ridge::models
