#include "ridge/nn/layers.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/attention.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/dequantize.h"
#include "ridge/ops/indexing.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/view.h"

namespace ridge::nn {

namespace {

// Calls a member of a layer, its ops named after it.
template <class Layer>
Tensor call(std::string_view name, const Layer& layer, const At& x) {
  const LayerScope named = scope(name);
  return layer(x);
}

}  // namespace

Linear::Linear(int64_t in, int64_t out, Generator& generator, bool has_bias, DType dtype,
               Location where)
    : weight(uniform_by_fan_in({out, in}, in, generator, dtype, where)) {
  if (has_bias) bias = uniform_by_fan_in({out}, in, generator, dtype, where);
}

Tensor Linear::operator()(const At& x) const {
  const Tensor y =
      format ? quantized_linear(x, {weight, x.where()}, *format, bias) : linear(x, weight, bias);
  if (!adapter) return y;
  // Two products with `rank` between them: the weight itself is never changed, nor has it a gradient.
  const Tensor inner = linear(x, adapter->down);
  const Tensor change = linear({inner, x.where()}, adapter->up);
  return add({y, x.where()}, mul({change, x.where()}, adapter->scale));
}

int64_t Linear::in_width() const {
  const int64_t stored = weight.size(1).value();
  if (!format) return stored;
  const BlockLayout& layout = layout_of(*format);
  return stored / layout.bytes * layout.elements;
}

LayerNorm::LayerNorm(int64_t width, DType dtype, Device device, Location where)
    : weight(ones({width}, dtype, device, where)), bias(zeros({width}, dtype, device, where)) {}

Tensor LayerNorm::operator()(const At& x) const { return layer_norm(x, weight, bias, eps); }

Embedding::Embedding(int64_t rows, int64_t width, Generator& generator, DType dtype, Location where)
    : weight(normal({rows, width}, generator, 0, 1, dtype, where)) {}

Tensor Embedding::operator()(const At& index) const {
  const At table(weight, index.where());
  return format ? quantized_embedding(table, *format, index) : embedding(table, index);
}

Tensor Embedding::logits(const At& x) const {
  return format ? quantized_linear(x, {weight, x.where()}, *format) : linear(x, weight);
}

Tensor Embedding::rows(const Size& start, const Size& end, Location where) const {
  const Tensor part = slice({weight, where}, 0, start, end);
  return format ? dequantize({part, where}, *format) : part;
}

MultiHeadAttention::MultiHeadAttention(int64_t width, int64_t heads_, Generator& generator,
                                       bool is_causal_, DType dtype, Location where)
    : qkv(width, 3 * width, generator, true, dtype, where),
      output(width, width, generator, true, dtype, where),
      heads(heads_),
      is_causal(is_causal_) {
  RIDGE_CHECK(heads > 0 && width % heads == 0, .code = ErrorCode::value, .op = "MultiHeadAttention",
              .expected = "a width that the heads divide",
              .given = concat(width, " and ", heads, " heads"), .where = where);
}

Tensor MultiHeadAttention::operator()(const At& x) const {
  const Location where = x.where();
  const Shape shape = x.tensor().shape();
  RIDGE_CHECK(shape.size() >= 2, .code = ErrorCode::shape, .op = "MultiHeadAttention",
              .expected = "x [..., tokens, width]", .given = describe(x.tensor()), .where = where);

  // [..., tokens, 3 * width] -> three times [..., heads, tokens, width of a head]
  Shape split = shape;
  split.back() = 3;
  split.push_back(heads);
  split.push_back(shape.back() / heads);
  const Tensor joint = reshape({call("qkv", qkv, x), where}, split);
  const auto part = [&](int64_t index) {
    return transpose({select({joint, where}, -3, index), where}, -3, -2);
  };
  const Tensor q = part(0);
  const Tensor k = part(1);
  const Tensor v = part(2);
  const Tensor mixed = scaled_dot_product_attention({q, where}, k, v, {}, is_causal);
  const Tensor joined = transpose({mixed, where}, -3, -2);
  return call("output", output, {reshape({joined, where}, shape), where});
}

Mlp::Mlp(int64_t width, int64_t hidden, Generator& generator, DType dtype, Location where)
    : up(width, hidden, generator, true, dtype, where),
      down(hidden, width, generator, true, dtype, where) {}

Tensor Mlp::operator()(const At& x) const {
  const Location where = x.where();
  return call("down", down, {gelu({call("up", up, x), where}), where});
}

TransformerBlock::TransformerBlock(int64_t width, int64_t heads, Generator& generator,
                                   int64_t hidden, bool is_causal, DType dtype, Location where)
    : attention_norm(width, dtype, generator.state.device(), where),
      attention(width, heads, generator, is_causal, dtype, where),
      mlp_norm(width, dtype, generator.state.device(), where),
      mlp(width, hidden > 0 ? hidden : 4 * width, generator, dtype, where) {}

Tensor TransformerBlock::operator()(const At& x) const {
  const Location where = x.where();
  const Tensor mixed =
      call("attention", attention, {call("attention_norm", attention_norm, x), where});
  const Tensor attended = add(x, mixed);
  const Tensor changed = call("mlp", mlp, {call("mlp_norm", mlp_norm, {attended, where}), where});
  return add({attended, where}, changed);
}

}  // namespace ridge::nn
