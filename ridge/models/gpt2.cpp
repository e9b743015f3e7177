#include "ridge/models/gpt2.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/models/model_folder.h"
#include "ridge/models/skeleton.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/view.h"

namespace ridge::models {

Gpt2Config Gpt2Config::read(const Config& config, Location where) {
  check_supported(config, "model_type", config.text("model_type", where), {"gpt2"}, where);
  check_supported(config, "activation_function", config.text_or("activation_function", "gelu_new"),
                  {"gelu_new", "gelu_pytorch_tanh"}, where);
  Gpt2Config c;
  c.vocabulary = config.integer("vocab_size", where);
  c.width = config.integer("n_embd", where);
  c.hidden = config.integer_or("n_inner", 4 * c.width);
  c.layers = config.integer("n_layer", where);
  c.heads = config.integer("n_head", where);
  c.context = config.integer_or("n_positions", 1024);
  c.norm_eps = config.real_or("layer_norm_epsilon", 1e-5);
  const bool is_possible =
      are_possible(c.layers, {c.vocabulary, c.width, c.hidden, c.heads, c.context}) &&
      c.width % c.heads == 0;
  RIDGE_CHECK(is_possible, .code = ErrorCode::value, .op = "Gpt2",
              .expected = concat("positive sizes in ", config.name(), ", at most ", kMostLayers,
                                 " layers, a width that heads divide"),
              .given = concat("width ", c.width, ", layers ", c.layers, ", heads ", c.heads),
              .where = where);
  return c;
}

Gpt2::Gpt2(const Gpt2Config& config_)
    : embedding(embedding_layer(config_.vocabulary, config_.width)),
      norm(layer_norm_layer(config_.width, config_.norm_eps)),
      config(config_) {
  positions.weight = embedding_layer(config.context, config.width).weight;
  for (int64_t i = 0; i < config.layers; ++i) {
    Gpt2Layer layer;
    layer.attention_norm = layer_norm_layer(config.width, config.norm_eps);
    layer.attention = attention_layer(config.width, {.heads = config.heads,
                                                     .kv_heads = config.heads,
                                                     .has_qkv_bias = true,
                                                     .has_output_bias = true});
    layer.mlp_norm = layer_norm_layer(config.width, config.norm_eps);
    layer.up = linear_layer(config.width, config.hidden);
    layer.down = linear_layer(config.hidden, config.width);
    layers.push_back(std::move(layer));
  }
}

namespace {

// `attend` is the attention of layer i.
template <class Attend>
Tensor hidden_states(const Gpt2& model, const At& ids, const Size& start, Attend&& attend) {
  const Location where = ids.where();
  RIDGE_CHECK(ids.tensor().rank(where) == 2, .code = ErrorCode::shape, .op = "Gpt2",
              .expected = "ids [batch, tokens]", .given = describe(ids.tensor()), .where = where);
  Tensor x = model.positions({model.embedding(ids), where}, start);
  for (size_t i = 0; i < model.layers.size(); ++i) {
    const LayerScope named = scope("layers", i);
    const Gpt2Layer& layer = model.layers[i];
    x = add({x, where}, attend(i, layer.attention_norm({x, where})));
    const Tensor hidden = gelu_tanh({layer.up({layer.mlp_norm({x, where}), where}), where});
    x = add({x, where}, layer.down({hidden, where}));
  }
  return x;
}

Tensor logits_of(const Gpt2& model, const Tensor& x, Location where) {
  return model.embedding.logits({model.norm({x, where}), where});
}

}  // namespace

Tensor Gpt2::operator()(const At& ids) const {
  const Location where = ids.where();
  const Tensor x = hidden_states(
      *this, ids, 0, [&](size_t i, const Tensor& in) { return layers[i].attention({in, where}); });
  return logits_of(*this, x, where);
}

Tensor Gpt2::operator()(const At& ids, nn::KvCache& cache) const {
  const Location where = ids.where();
  const Tensor x = hidden_states(*this, ids, cache.length, [&](size_t i, const Tensor& in) {
    return layers[i].attention({in, where}, cache.layers[i], cache.length);
  });
  return logits_of(*this, select({x, where}, 1, -1), where);
}

nn::KvCache Gpt2::make_cache(int64_t capacity, int64_t batch) const {
  return nn::KvCache(config.layers, {.heads = config.heads,
                                     .width = config.width / config.heads,
                                     .capacity = capacity,
                                     .batch = batch,
                                     .dtype = embedding.dtype(),
                                     .device = embedding.weight.device()});
}

// Products are stored as [in, out]; queries, keys and values as one. lm_head is the embedding again, and
// the masks of attention are buffers of older files.
LoadTable gpt2_table() {
  const std::string at = "h.{}.", to = "layers.{}.", qkv = to + "attention.";
  return {.prefixes = {"transformer."},
          .rules = {
              {"wte.weight", {"embedding.weight"}},
              {"wpe.weight", {"positions.weight"}},
              {at + "ln_1.weight", {to + "attention_norm.weight"}},
              {at + "ln_1.bias", {to + "attention_norm.bias"}},
              {at + "attn.c_attn.weight",
               {qkv + "query.weight", qkv + "key.weight", qkv + "value.weight"},
               Change::transpose},
              {at + "attn.c_attn.bias", {qkv + "query.bias", qkv + "key.bias", qkv + "value.bias"}},
              {at + "attn.c_proj.weight", {qkv + "output.weight"}, Change::transpose},
              {at + "attn.c_proj.bias", {qkv + "output.bias"}},
              {at + "ln_2.weight", {to + "mlp_norm.weight"}},
              {at + "ln_2.bias", {to + "mlp_norm.bias"}},
              {at + "mlp.c_fc.weight", {to + "up.weight"}, Change::transpose},
              {at + "mlp.c_fc.bias", {to + "up.bias"}},
              {at + "mlp.c_proj.weight", {to + "down.weight"}, Change::transpose},
              {at + "mlp.c_proj.bias", {to + "down.bias"}},
              {"ln_f.weight", {"norm.weight"}},
              {"ln_f.bias", {"norm.bias"}},
              {"lm_head.weight", {}},
              {at + "attn.bias", {}},
              {at + "attn.masked_bias", {}},
          }};
}

Gpt2 open_gpt2(const std::filesystem::path& path, const LoadOptions& options, Location where) {
  const ModelFolder folder = open_folder(path, where);
  Gpt2 model(Gpt2Config::read(folder.config, where));
  load(model, gpt2_table(), folder.weights, options, where);
  return model;
}

}  // namespace ridge::models
