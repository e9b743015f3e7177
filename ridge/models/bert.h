// The BERT family, and sentence embeddings by it.
//
//   models::Bert minilm = models::open_bert("all-MiniLM-L6-v2");
//   Tensor states = minilm(ids);                             [batch, tokens, width]
//   Tensor vectors = minilm.embed(ids, mask);                [batch, width], of length 1
//
// `mask` is bool [batch, tokens], true where there is a token: shorter texts of a batch are filled up.
#pragma once

#include <filesystem>
#include <optional>

#include "ridge/models/config.h"
#include "ridge/models/loader.h"
#include "ridge/nn/grouped_attention.h"

namespace ridge::models {

struct BertConfig {
  int64_t vocabulary = 30522;
  int64_t width = 768;
  int64_t hidden = 3072;
  int64_t layers = 12;
  int64_t heads = 12;
  int64_t context = 512;
  int64_t token_types = 2;
  double norm_eps = 1e-12;
  bool has_pooler = false;

  static BertConfig read(const Config& config, Location where = Location::current());
};

// Norms come after each part and its residual.
struct BertLayer {
  nn::GroupedQueryAttention attention;
  nn::LayerNorm attention_norm;
  nn::Linear up;
  nn::Linear down;
  nn::LayerNorm mlp_norm;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("attention", self.attention);
    visit("attention_norm", self.attention_norm);
    visit("up", self.up);
    visit("down", self.down);
    visit("mlp_norm", self.mlp_norm);
  }
};

struct Bert {
  nn::Embedding words;
  nn::Embedding positions;
  nn::Embedding types;
  nn::LayerNorm norm;
  std::vector<BertLayer> layers;
  nn::Linear pooler;  // its weight is undefined where the file has none

  Bert() = default;
  explicit Bert(
      const BertConfig& config);  // tensors without elements: load, or randomize (skeleton.h)

  // ids [batch, tokens] -> [batch, tokens, width]. `token_types` says which text a token is of; none: 0.
  Tensor operator()(const At& ids, const Tensor& mask = {}, const Tensor& token_types = {}) const;
  // The mean of a text's states, divided by its norm.
  Tensor embed(const At& ids, const Tensor& mask = {}) const;
  // tanh of a Linear of the first token's state. Error{state} for a model without it.
  Tensor pool(const At& states) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("words", self.words);
    visit("positions", self.positions);
    visit("types", self.types);
    visit("norm", self.norm);
    visit("layers", self.layers);
    visit("pooler", self.pooler);
  }
};

LoadTable bert_table();  // names of Hugging Face
Bert open_bert(const std::filesystem::path& folder, const LoadOptions& options = {},
               Location where = Location::current());

}  // namespace ridge::models
