// The layers of a transformer: plain structs of tensors, called like functions.
//
//   nn::Linear head(768, 1000, generator);
//   Tensor logits = head(x);                    // [..., 768] -> [..., 1000]
//   for_each_tensor(head, ...);                 // "weight", "bias"
//
// A layer is an argument of a captured function like any other struct: its tensors are inputs, its
// integers part of the signature. Nothing is hidden in it, so copying one copies handles, and two
// copies train the same tensors. Ops of a layer carry the line where it was called, and a layer made
// of others names their ops after its members: "attention.qkv".
#pragma once

#include <bit>
#include <optional>

#include "ridge/nn/initialize.h"
#include "ridge/ops/at.h"

namespace ridge::nn {

// A change of a weight that has few parameters: scale * up down is added to it (nn/lora.h).
struct LowRank {
  Tensor down;  // [rank, in]
  Tensor up;    // [out, rank]
  double scale = 1;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("down", self.down);
    visit("up", self.up);
    const auto scale_bits = std::bit_cast<int64_t>(self.scale);
    visit("scale", scale_bits);
  }
};

// x W^T + b over the last dimension.
struct Linear {
  Tensor weight;                     // [out, in]
  Tensor bias;                       // [out], or undefined
  std::optional<LowRank> adapter{};  // of an adapted model, which lora.h makes

  Linear() = default;
  Linear(int64_t in, int64_t out, Generator& generator, bool has_bias = true,
         DType dtype = kDefaultFloat, Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
    if (self.adapter) visit("adapter", *self.adapter);
  }
};

// Over the last dimension: mean 0, variance 1, then scaled and shifted.
struct LayerNorm {
  Tensor weight;  // [width]
  Tensor bias;
  double eps = 1e-5;

  LayerNorm() = default;
  explicit LayerNorm(int64_t width, DType dtype = kDefaultFloat, Device device = kCpu,
                     Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("weight", self.weight);
    visit("bias", self.bias);
    const int64_t eps_bits = std::bit_cast<int64_t>(self.eps);  // another eps, another program
    visit("eps", eps_bits);
  }
};

// Rows of a table by integer index.
struct Embedding {
  Tensor weight;  // [rows, width]

  Embedding() = default;
  Embedding(int64_t rows, int64_t width, Generator& generator, DType dtype = kDefaultFloat,
            Location where = Location::current());
  Tensor operator()(const At& index) const;

  static void visit_tensors(auto& self, auto&& visit) { visit("weight", self.weight); }
};

// Self-attention: x [..., tokens, width] attends to itself with `heads` heads.
struct MultiHeadAttention {
  Linear qkv;     // width -> 3 * width: queries, keys, values, heads inside each
  Linear output;  // width -> width
  int64_t heads = 1;
  bool is_causal = false;

  MultiHeadAttention() = default;
  MultiHeadAttention(int64_t width, int64_t heads, Generator& generator, bool is_causal = false,
                     DType dtype = kDefaultFloat, Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("qkv", self.qkv);
    visit("output", self.output);
    visit("heads", self.heads);
    visit("is_causal", self.is_causal);
  }
};

// Two linear layers with gelu between them.
struct Mlp {
  Linear up;
  Linear down;

  Mlp() = default;
  Mlp(int64_t width, int64_t hidden, Generator& generator, DType dtype = kDefaultFloat,
      Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("up", self.up);
    visit("down", self.down);
  }
};

// Pre-norm: x + attention(norm(x)), then x + mlp(norm(x)).
struct TransformerBlock {
  LayerNorm attention_norm;
  MultiHeadAttention attention;
  LayerNorm mlp_norm;
  Mlp mlp;

  TransformerBlock() = default;
  // `hidden` is the width inside the MLP; 0 means four times the width.
  TransformerBlock(int64_t width, int64_t heads, Generator& generator, int64_t hidden = 0,
                   bool is_causal = false, DType dtype = kDefaultFloat,
                   Location where = Location::current());
  Tensor operator()(const At& x) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("attention_norm", self.attention_norm);
    visit("attention", self.attention);
    visit("mlp_norm", self.mlp_norm);
    visit("mlp", self.mlp);
  }
};

}  // namespace ridge::nn
