// Self-attention in which several heads share their keys and values, with or without a cache of them.
//
//   nn::KvCache cache(layers, {.heads = 3, .width = 64, .capacity = 2048});
//   Tensor y = attention(x, cache.layers[0], cache.length, angles);
//   cache.length = cache.length + tokens;                       when all layers have run
//
// Note [Growing cache]
// A cache has memory for `capacity` tokens, of which `length` are used. A step writes the keys and values
// of its tokens in place at [length, length + tokens) and attends to [0, length + tokens): what lies behind
// is never read. `length` is a Size, so a compiled step takes it as a symbol: with its range declared,
//
//   compile(step, {.argument_names = {"model", "cache", "ids"},
//                  .dims = {{"cache.length", 0, Dim("length", 0, capacity - tokens)}}})
//
// one program serves every length, its loops over keys as long as the cache is at that moment. Nothing is
// compiled again as it grows, and no mask over the capacity is computed.
#pragma once

#include <vector>

#include "ridge/nn/layers.h"
#include "ridge/nn/rotary.h"

namespace ridge::nn {

// Keys and values of one layer: [batch, heads, capacity, width of a head].
struct LayerCache {
  Tensor keys;
  Tensor values;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("keys", self.keys);
    visit("values", self.values);
  }
};

struct KvCacheOptions {
  int64_t heads = 1;  // that keys and values have
  int64_t width = 1;  // of a head
  int64_t capacity = 1;
  int64_t batch = 1;
  DType dtype = kDefaultFloat;
  Device device = kCpu;
};

struct KvCache {
  std::vector<LayerCache> layers;
  Size length = 0;  // tokens in it; whoever calls the model adds what a step has written

  KvCache() = default;
  explicit KvCache(int64_t layers, const KvCacheOptions& options,
                   Location where = Location::current());
  int64_t capacity() const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit(buffer("layers"), self.layers);
    visit("length", self.length);
  }
};

struct GroupedAttentionOptions {
  int64_t heads = 1;
  int64_t kv_heads = 1;    // divides `heads`: as many heads share one of these
  int64_t head_width = 0;  // 0: width / heads
  bool is_causal = true;
  bool has_qkv_bias = false;
  bool has_output_bias = false;
};

struct GroupedQueryAttention {
  Linear query;   // width -> heads * head width
  Linear key;     // width -> kv_heads * head width
  Linear value;   // the same
  Linear output;  // heads * head width -> width
  int64_t heads = 1;
  int64_t kv_heads = 1;
  bool is_causal = true;

  GroupedQueryAttention() = default;
  // Error{value} for heads that do not divide.
  GroupedQueryAttention(int64_t width, const GroupedAttentionOptions& options, Generator& generator,
                        DType dtype = kDefaultFloat, Location where = Location::current());

  // x [batch, tokens, width], positions turned by `angles` where there are any. `mask` as in
  // scaled_dot_product_attention, to broadcast with [batch, kv_heads, heads of each, queries, keys].
  Tensor operator()(const At& x, const RotaryAngles& angles = {}, const Tensor& mask = {}) const;
  // The same for tokens that follow `length` others, Note [Growing cache]. Error{shape} if they do not fit.
  Tensor operator()(const At& x, LayerCache& cache, const Size& length,
                    const RotaryAngles& angles = {}) const;

  static void visit_tensors(auto& self, auto&& visit) {
    visit("query", self.query);
    visit("key", self.key);
    visit("value", self.value);
    visit("output", self.output);
    visit("heads", self.heads);
    visit("kv_heads", self.kv_heads);
    visit("is_causal", self.is_causal);
  }
};

}  // namespace ridge::nn
