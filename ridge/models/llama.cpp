#include "ridge/models/llama.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/core/device_copy.h"
#include "ridge/models/model_folder.h"
#include "ridge/models/skeleton.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/view.h"

namespace ridge::models {

Llama::Llama(const LlamaConfig& config_)
    : embedding(embedding_layer(config_.vocabulary, config_.width)),
      norm(rms_norm_layer(config_.width, config_.norm_eps)),
      rotary(config_.head_width, config_.rotary),
      config(config_) {
  for (int64_t i = 0; i < config.layers; ++i) {
    LlamaLayer layer;
    layer.attention_norm = rms_norm_layer(config.width, config.norm_eps);
    layer.attention = attention_layer(config.width, {.heads = config.heads,
                                                     .kv_heads = config.kv_heads,
                                                     .head_width = config.head_width,
                                                     .has_qkv_bias = config.has_qkv_bias});
    layer.mlp_norm = rms_norm_layer(config.width, config.norm_eps);
    layer.mlp.gate = linear_layer(config.width, config.hidden, false);
    layer.mlp.up = linear_layer(config.width, config.hidden, false);
    layer.mlp.down = linear_layer(config.hidden, config.width, false);
    layers.push_back(std::move(layer));
  }
  if (!config.is_tied) head = linear_layer(config.width, config.vocabulary, false);
}

namespace {

// The layers of a model over its embedded tokens; `attend` is the attention of layer i.
template <class Attend>
Tensor hidden_states(const Llama& model, const At& ids, Attend&& attend) {
  const Location where = ids.where();
  Tensor x = model.embedding(ids);
  for (size_t i = 0; i < model.layers.size(); ++i) {
    const LayerScope named = scope("layers", i);
    const LlamaLayer& layer = model.layers[i];
    x = add({x, where}, attend(i, layer.attention_norm({x, where})));
    x = add({x, where}, layer.mlp({layer.mlp_norm({x, where}), where}));
  }
  return x;
}

Tensor logits_of(const Llama& model, const Tensor& x, Location where) {
  const Tensor normed = model.norm({x, where});
  if (model.head.weight.defined()) return model.head({normed, where});
  return model.embedding.logits({normed, where});
}

void check_ids(const Tensor& ids, Location where) {
  RIDGE_CHECK(ids.rank(where) == 2, .code = ErrorCode::shape, .op = "Llama",
              .expected = "ids [batch, tokens]", .given = describe(ids), .where = where);
}

}  // namespace

Tensor Llama::operator()(const At& ids) const {
  const Location where = ids.where();
  check_ids(ids.tensor(), where);
  const nn::RotaryAngles angles = rotary(ids.tensor().size(1), 0, where);
  const Tensor x = hidden_states(*this, ids, [&](size_t i, const Tensor& in) {
    return layers[i].attention({in, where}, angles);
  });
  return logits_of(*this, x, where);
}

Tensor Llama::operator()(const At& ids, nn::KvCache& cache) const {
  const Location where = ids.where();
  check_ids(ids.tensor(), where);
  const nn::RotaryAngles angles = rotary(ids.tensor().size(1), cache.length, where);
  const Tensor x = hidden_states(*this, ids, [&](size_t i, const Tensor& in) {
    return layers[i].attention({in, where}, cache.layers[i], cache.length, angles);
  });
  return logits_of(*this, select({x, where}, 1, -1), where);
}

nn::KvCache Llama::make_cache(int64_t capacity, int64_t batch) const {
  return nn::KvCache(config.layers, {.heads = config.kv_heads,
                                     .width = config.head_width,
                                     .capacity = capacity,
                                     .batch = batch,
                                     .dtype = embedding.dtype(),
                                     .device = embedding.weight.device()});
}

Llama open_llama(const std::filesystem::path& given, const LoadOptions& options, Location where) {
  const std::filesystem::path path = find_model(given, where);
  if (is_gguf(path)) {
    const files::Gguf gguf = files::Gguf::open(path, where);
    Llama model(LlamaConfig::read(gguf, where));
    load(model, llama_gguf_table(), gguf.weights(), options, where);
    // Files of Llama 3.1 and later have their scaling as numbers to divide by.
    if (gguf.weights().find("rope_freqs.weight") != nullptr) {
      const Tensor divisors = gguf.weights().dense("rope_freqs.weight");
      RIDGE_CHECK(divisors.shape() == model.rotary.frequencies.shape(), .code = ErrorCode::value,
                  .op = "Llama",
                  .expected = concat("rope_freqs.weight ", model.rotary.frequencies.shape(), " in ",
                                     gguf.weights().name()),
                  .given = describe(divisors), .where = where);
      model.rotary.frequencies = div(model.rotary.frequencies, divisors);
    }
    model.rotary.frequencies = to_device(model.rotary.frequencies, options.device);
    return model;
  }
  const ModelFolder folder = open_folder(path, where);
  Llama model(LlamaConfig::read(folder.config, where));
  load(model, llama_table(model.config.is_tied), folder.weights, options, where);
  model.rotary.frequencies = to_device(model.rotary.frequencies, options.device);
  return model;
}

}  // namespace ridge::models
