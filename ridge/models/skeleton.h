// Layers of given sizes without elements, for a loader to fill, and random ones for models that are new.
//
//   nn::Linear query = linear_layer(576, 192, false);        weight: f32[192, 576] on kMeta
//   randomize(model, generator);                             every tensor of it with elements
#pragma once

#include "ridge/core/visit_tensors.h"
#include "ridge/nn/grouped_attention.h"
#include "ridge/nn/language_layers.h"
#include "ridge/ops/creation.h"

namespace ridge::models {

inline nn::Linear linear_layer(int64_t in, int64_t out, bool has_bias = true) {
  nn::Linear layer;
  layer.weight = Tensor::empty({out, in}, kDefaultFloat, kMeta);
  if (has_bias) layer.bias = Tensor::empty({out}, kDefaultFloat, kMeta);
  return layer;
}

inline nn::LayerNorm layer_norm_layer(int64_t width, double eps) {
  nn::LayerNorm layer;
  layer.weight = Tensor::empty({width}, kDefaultFloat, kMeta);
  layer.bias = Tensor::empty({width}, kDefaultFloat, kMeta);
  layer.eps = eps;
  return layer;
}

inline nn::RmsNorm rms_norm_layer(int64_t width, double eps) {
  nn::RmsNorm layer;
  layer.weight = Tensor::empty({width}, kDefaultFloat, kMeta);
  layer.eps = eps;
  return layer;
}

inline nn::Embedding embedding_layer(int64_t rows, int64_t width) {
  nn::Embedding layer;
  layer.weight = Tensor::empty({rows, width}, kDefaultFloat, kMeta);
  return layer;
}

inline nn::GroupedQueryAttention attention_layer(int64_t width,
                                                 const nn::GroupedAttentionOptions& options) {
  nn::GroupedQueryAttention layer;
  const int64_t each = options.head_width > 0 ? options.head_width : width / options.heads;
  layer.query = linear_layer(width, options.heads * each, options.has_qkv_bias);
  layer.key = linear_layer(width, options.kv_heads * each, options.has_qkv_bias);
  layer.value = linear_layer(width, options.kv_heads * each, options.has_qkv_bias);
  layer.output = linear_layer(options.heads * each, width, options.has_output_bias);
  layer.heads = options.heads;
  layer.kv_heads = options.kv_heads;
  layer.is_causal = options.is_causal;
  return layer;
}

// Normal values of deviation 0.02 for matrices, 1 for the scales of norms, 0 for biases.
template <class Model>
void randomize(Model& model, Generator& generator, Location where = Location::current()) {
  for_each_parameter(model, [&](const std::string& path, Tensor& tensor) {
    const Shape& shape = tensor.shape();
    const Device device = generator.state.device();
    const bool is_scale = shape.size() == 1 && path.ends_with("weight");
    tensor = shape.size() > 1 ? normal(shape, generator, 0, 0.02, kDefaultFloat, where)
             : is_scale       ? ones(shape, kDefaultFloat, device, where)
                              : zeros(shape, kDefaultFloat, device, where);
  });
}

}  // namespace ridge::models
