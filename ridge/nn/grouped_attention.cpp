#include "ridge/nn/grouped_attention.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/attention.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/view.h"

namespace ridge::nn {

KvCache::KvCache(int64_t layer_count, const KvCacheOptions& options, Location where) {
  const bool is_possible = layer_count >= 0 && options.heads > 0 && options.width > 0 &&
                           options.capacity > 0 && options.batch > 0;
  RIDGE_CHECK(is_possible, .code = ErrorCode::value, .op = "KvCache",
              .expected = "heads, width, capacity and batch of at least 1",
              .given = concat(options.heads, ", ", options.width, ", ", options.capacity, " and ",
                              options.batch),
              .where = where);
  const Shape shape = {options.batch, options.heads, options.capacity, options.width};
  for (int64_t i = 0; i < layer_count; ++i) {
    layers.push_back({zeros(shape, options.dtype, options.device, where),
                      zeros(shape, options.dtype, options.device, where)});
  }
}

int64_t KvCache::capacity() const { return layers.empty() ? 0 : layers[0].keys.size(2).value(); }

namespace {

Tensor call(const char* name, const Linear& layer, const At& x) {
  const LayerScope named = scope(name);
  return layer(x);
}

// [batch, tokens, heads * width] -> [batch, heads, tokens, width]
Tensor by_head(const Tensor& x, int64_t heads, Location where) {
  const Shape shape = {x.size(0), x.size(1), heads, x.size(2) / heads};
  return transpose({reshape({x, where}, shape), where}, 1, 2);
}

// Queries of the heads that share keys stand together: [batch, kv_heads, heads of each, tokens, width].
Tensor in_groups(const Tensor& q, int64_t kv_heads, Location where) {
  return reshape({q, where}, {q.size(0), kv_heads, q.size(1) / kv_heads, q.size(2), q.size(3)});
}

// Attends to keys and values [batch, kv_heads, keys, width]; q [batch, heads, tokens, width] and the
// result [batch, tokens, heads * width].
Tensor attended(const Tensor& q, const Tensor& keys, const Tensor& values, const Tensor& mask,
                bool is_causal, Location where) {
  const int64_t kv_heads = keys.size(1).value();
  const Shape joined = {q.size(0), q.size(2), q.size(1) * q.size(3)};
  // One token: the heads of a group are the queries of one product, and each key is read once for all.
  const bool is_single = q.size(2).known() == 1;
  if (is_single && !mask.defined()) {
    const Size group = q.size(1) / kv_heads;
    const Tensor rows = reshape({q, where}, {q.size(0), kv_heads, group, q.size(3)});
    const Tensor mixed = scaled_dot_product_attention({rows, where}, keys, values);
    return reshape({mixed, where}, joined);
  }
  const Tensor grouped = in_groups(q, kv_heads, where);
  const Tensor k = unsqueeze({keys, where}, 2);
  const Tensor v = unsqueeze({values, where}, 2);
  const Tensor mixed = scaled_dot_product_attention({grouped, where}, k, v, mask, is_causal);
  const Tensor heads = reshape({mixed, where}, {q.size(0), q.size(1), q.size(2), q.size(3)});
  return reshape({transpose({heads, where}, 1, 2), where}, joined);
}

// Which keys a token may see that has `length` tokens before it and its own position among `tokens`.
Tensor causal_mask(const Size& tokens, const Size& length, Device device, Location where) {
  const Tensor last =
      add({arange(tokens, i64, device, where), where}, element_count({length}, device, where));
  const Tensor key = arange(length + tokens, i64, device, where);
  return less_equal({key, where}, unsqueeze({last, where}, 1));
}

}  // namespace

GroupedQueryAttention::GroupedQueryAttention(int64_t width, const GroupedAttentionOptions& options,
                                             Generator& generator, DType dtype, Location where)
    : heads(options.heads), kv_heads(options.kv_heads), is_causal(options.is_causal) {
  const bool divides = heads > 0 && kv_heads > 0 && heads % kv_heads == 0 &&
                       (options.head_width > 0 || width % heads == 0);
  RIDGE_CHECK(divides, .code = ErrorCode::value, .op = "GroupedQueryAttention",
              .expected = "a width that the heads divide, and heads that the key heads divide",
              .given = concat(width, ", ", heads, " and ", kv_heads), .where = where);
  const int64_t each = options.head_width > 0 ? options.head_width : width / heads;
  query = Linear(width, heads * each, generator, options.has_qkv_bias, dtype, where);
  key = Linear(width, kv_heads * each, generator, options.has_qkv_bias, dtype, where);
  value = Linear(width, kv_heads * each, generator, options.has_qkv_bias, dtype, where);
  output = Linear(heads * each, width, generator, options.has_output_bias, dtype, where);
}

namespace {

struct Projected {
  Tensor q, k, v;
};

Projected projected(const GroupedQueryAttention& layer, const At& x, const RotaryAngles& angles) {
  const Location where = x.where();
  RIDGE_CHECK(x.tensor().rank(where) == 3, .code = ErrorCode::shape, .op = "GroupedQueryAttention",
              .expected = "x [batch, tokens, width]", .given = describe(x.tensor()),
              .where = where);
  Projected p{by_head(call("query", layer.query, x), layer.heads, where),
              by_head(call("key", layer.key, x), layer.kv_heads, where),
              by_head(call("value", layer.value, x), layer.kv_heads, where)};
  if (angles.cosine.defined()) {
    p.q = rotate({p.q, where}, angles);
    p.k = rotate({p.k, where}, angles);
  }
  return p;
}

}  // namespace

Tensor GroupedQueryAttention::operator()(const At& x, const RotaryAngles& angles,
                                         const Tensor& mask) const {
  const Projected p = projected(*this, x, angles);
  return call("output", output, {attended(p.q, p.k, p.v, mask, is_causal, x.where()), x.where()});
}

Tensor GroupedQueryAttention::operator()(const At& x, LayerCache& cache, const Size& length,
                                         const RotaryAngles& angles) const {
  const Location where = x.where();
  const Projected p = projected(*this, x, angles);
  const Size tokens = p.k.size(2), end = length + tokens;
  RIDGE_CHECK(
      end <= cache.keys.size(2), .code = ErrorCode::shape, .op = "GroupedQueryAttention",
      .expected = concat("at most ", cache.keys.size(2), " tokens, the capacity of the cache"),
      .given = concat(length, " and ", tokens), .where = where);
  copy_({slice({cache.keys, where}, 2, length, end), where}, p.k);
  copy_({slice({cache.values, where}, 2, length, end), where}, p.v);
  const Tensor keys = slice({cache.keys, where}, 2, 0, end);
  const Tensor values = slice({cache.values, where}, 2, 0, end);
  const Tensor mask =
      tokens.known() == 1 ? Tensor() : causal_mask(tokens, length, p.q.device(), where);
  return call("output", output, {attended(p.q, keys, values, mask, false, where), where});
}

}  // namespace ridge::nn
