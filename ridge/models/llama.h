// The Llama family: rotary positions, grouped heads, RMS norm, SwiGLU.
//
//   models::Llama llama = models::open_llama("smollm2.gguf");            or a folder of Hugging Face's
//   Tensor logits = llama(ids);                                          [batch, tokens, vocabulary]
//
// Llama 2 and 3, SmolLM2, Mistral and Qwen2 are this with other sizes. GGUF files of Llama keep the rows
// of queries and keys in the order of `RotaryLayout::pairs`; they stay so, and the rotation follows them.
#pragma once

#include <filesystem>

#include "ridge/models/config.h"
#include "ridge/models/loader.h"
#include "ridge/nn/grouped_attention.h"
#include "ridge/nn/language_layers.h"

namespace ridge::models {

struct LlamaConfig {
  int64_t vocabulary = 0;
  int64_t width = 0;
  int64_t hidden = 0;  // inside the MLP
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_width = 0;
  int64_t context = 0;  // positions it was trained with
  double norm_eps = 1e-5;
  nn::RotaryOptions rotary{};
  bool is_tied = false;  // logits by the weight of the embedding
  bool has_qkv_bias = false;

  // Error{value}, naming key and file, for a size that is missing, for sizes that do not divide and for
  // what is not supported: another activation, kind of rotary scaling, biases; a sliding window
  // shorter than the context.
  static LlamaConfig read(const Config& config, Location where = Location::current());
  static LlamaConfig read(const files::Gguf& gguf, Location where = Location::current());
};

struct LlamaLayer {
  nn::RmsNorm attention_norm;
  nn::GroupedQueryAttention attention;
  nn::RmsNorm mlp_norm;
  nn::SwiGlu mlp;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("attention_norm", self.attention_norm);
    visit("attention", self.attention);
    visit("mlp_norm", self.mlp_norm);
    visit("mlp", self.mlp);
  }
};

struct Llama {
  nn::Embedding embedding;
  std::vector<LlamaLayer> layers;
  nn::RmsNorm norm;
  nn::Linear head;  // its weight is undefined where it is the embedding's
  nn::Rotary rotary;
  LlamaConfig config;  // for whoever makes caches; no part of a program

  Llama() = default;
  explicit Llama(
      const LlamaConfig& config);  // tensors without elements: load, or randomize (skeleton.h)

  Tensor operator()(const At& ids) const;  // [batch, tokens] -> logits [batch, tokens, vocabulary]
  // Tokens that follow those in the cache; logits of the last one, [batch, vocabulary].
  Tensor operator()(const At& ids, nn::KvCache& cache) const;
  nn::KvCache make_cache(int64_t capacity, int64_t batch = 1) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("embedding", self.embedding);
    visit("layers", self.layers);
    visit("norm", self.norm);
    visit("head", self.head);
    visit("rotary", self.rotary);
  }
};

LoadTable llama_table(bool is_tied);  // names of Hugging Face
LoadTable llama_gguf_table();

// A GGUF file or a folder with one, or a folder with config.json and model.safetensors (or its index).
Llama open_llama(const std::filesystem::path& path, const LoadOptions& options = {},
                 Location where = Location::current());

}  // namespace ridge::models
