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

#include "ridge/core/block_format.h"
#include "ridge/core/visit_tensors.h"
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

// Note [Quantized layers]: a weight may be blocks of quantized numbers, u8 [rows, bytes of a row], with
// their format beside it. Such a weight is a buffer: it has no gradient, while what it is multiplied with has.
//
// Visits a weight, and its format where it has one.
void visit_weight(auto& self, auto&& visit) {
  if (self.format) {
    visit(buffer("weight"), self.weight);
    visit("format", *self.format);
  } else {
    visit("weight", self.weight);
  }
}

// x W^T + b over the last dimension.
struct Linear {
  Tensor weight;                        // [out, in], or blocks
  Tensor bias;                          // [out], or undefined
  std::optional<BlockFormat> format{};  // of a quantized weight
  std::optional<LowRank> adapter{};     // of an adapted model, which lora.h makes

  Linear() = default;
  Linear(int64_t in, int64_t out, Generator& generator, bool has_bias = true,
         DType dtype = kDefaultFloat, Location where = Location::current());
  Tensor operator()(const At& x) const;
  int64_t in_width() const;  // of x, quantized or not

  static void visit_tensors(auto& self, auto&& visit) {
    visit_weight(self, visit);
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
  Tensor weight;                        // [rows, width], or blocks
  std::optional<BlockFormat> format{};  // of a quantized weight

  Embedding() = default;
  Embedding(int64_t rows, int64_t width, Generator& generator, DType dtype = kDefaultFloat,
            Location where = Location::current());
  Tensor operator()(const At& index) const;
  Tensor logits(const At& x) const;  // x W^T: a head that shares the table
  // Rows [start, end) as numbers, quantized or not: of tables that are read in order.
  Tensor rows(const Size& start, const Size& end, Location where = Location::current()) const;
  DType dtype() const { return format ? f32 : weight.dtype(); }  // of the rows it gives

  static void visit_tensors(auto& self, auto&& visit) { visit_weight(self, visit); }
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
