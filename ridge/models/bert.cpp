#include "ridge/models/bert.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/models/model_folder.h"
#include "ridge/models/skeleton.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge::models {

BertConfig BertConfig::read(const Config& config, Location where) {
  check_supported(config, "model_type", config.text_or("model_type", "bert"), {"bert"}, where);
  check_supported(config, "hidden_act", config.text_or("hidden_act", "gelu"), {"gelu"}, where);
  check_supported(config, "position_embedding_type",
                  config.text_or("position_embedding_type", "absolute"), {"absolute"}, where);
  BertConfig c;
  c.vocabulary = config.integer("vocab_size", where);
  c.width = config.integer("hidden_size", where);
  c.hidden = config.integer("intermediate_size", where);
  c.layers = config.integer("num_hidden_layers", where);
  c.heads = config.integer("num_attention_heads", where);
  c.context = config.integer_or("max_position_embeddings", 512);
  c.token_types = config.integer_or("type_vocab_size", 2);
  c.norm_eps = config.real_or("layer_norm_eps", 1e-12);
  const bool is_possible = are_possible(c.layers, {c.vocabulary, c.width, c.hidden, c.heads,
                                                   c.context, c.token_types}) &&
                           c.width % c.heads == 0;
  RIDGE_CHECK(is_possible, .code = ErrorCode::value, .op = "Bert",
              .expected = concat("positive sizes in ", config.name(), ", at most ", kMostLayers,
                                 " layers, a width that heads divide"),
              .given = concat("width ", c.width, ", layers ", c.layers, ", heads ", c.heads),
              .where = where);
  return c;
}

Bert::Bert(const BertConfig& config)
    : words(embedding_layer(config.vocabulary, config.width)),
      positions(embedding_layer(config.context, config.width)),
      types(embedding_layer(config.token_types, config.width)),
      norm(layer_norm_layer(config.width, config.norm_eps)) {
  for (int64_t i = 0; i < config.layers; ++i) {
    BertLayer layer;
    layer.attention = attention_layer(config.width, {.heads = config.heads,
                                                     .kv_heads = config.heads,
                                                     .is_causal = false,
                                                     .has_qkv_bias = true,
                                                     .has_output_bias = true});
    layer.attention_norm = layer_norm_layer(config.width, config.norm_eps);
    layer.up = linear_layer(config.width, config.hidden);
    layer.down = linear_layer(config.hidden, config.width);
    layer.mlp_norm = layer_norm_layer(config.width, config.norm_eps);
    layers.push_back(std::move(layer));
  }
  if (config.has_pooler) pooler = linear_layer(config.width, config.width);
}

namespace {

void check_ids(const Tensor& ids, const Tensor& mask, const Tensor& positions, Location where) {
  RIDGE_CHECK(ids.rank(where) == 2 && ids.size(1) <= positions.size(0), .code = ErrorCode::shape,
              .op = "Bert",
              .expected = concat("ids [batch, tokens] of at most ", positions.size(0), " tokens"),
              .given = describe(ids), .where = where);
  const bool fits = !mask.defined() || (mask.shape() == ids.shape() && is_boolean(mask.dtype()));
  RIDGE_CHECK(fits, .code = ErrorCode::shape, .op = "Bert",
              .expected = concat("a bool mask ", ids.shape()), .given = describe(mask),
              .where = where);
}

}  // namespace

Tensor Bert::operator()(const At& ids, const Tensor& mask, const Tensor& token_types) const {
  const Location where = ids.where();
  check_ids(ids.tensor(), mask, positions.weight, where);
  const Tensor standing = positions.rows(0, ids.tensor().size(1), where);
  const Tensor kinds =
      token_types.defined() ? types({token_types, where}) : types.rows(0, 1, where);
  Tensor x = add({add({words(ids), where}, kinds), where}, standing);
  x = norm({x, where});
  Tensor seen;  // [batch, 1, 1, 1, keys]: by heads, groups of them and queries
  if (mask.defined())
    seen = unsqueeze({unsqueeze({unsqueeze({mask, where}, 1), where}, 1), where}, 1);
  for (size_t i = 0; i < layers.size(); ++i) {
    const LayerScope named = scope("layers", i);
    const BertLayer& layer = layers[i];
    const Tensor mixed = layer.attention({x, where}, nn::RotaryAngles(), seen);
    x = layer.attention_norm({add({x, where}, mixed), where});
    const Tensor hidden = gelu({layer.up({x, where}), where});
    x = layer.mlp_norm({add({x, where}, layer.down({hidden, where})), where});
  }
  return x;
}

Tensor Bert::embed(const At& ids, const Tensor& mask) const {
  const Location where = ids.where();
  const Tensor states = (*this)(ids, mask);
  Tensor total;
  if (mask.defined()) {
    const Tensor weight = unsqueeze({cast({mask, where}, states.dtype()), where}, -1);
    total =
        div({sum({mul({states, where}, weight), where}, {1}), where}, sum({weight, where}, {1}));
  } else {
    total = mean({states, where}, {1});
  }
  const Tensor length = sqrt({sum({square({total, where}), where}, {-1}, true), where});
  return div({total, where}, length);
}

Tensor Bert::pool(const At& states) const {
  const Location where = states.where();
  RIDGE_CHECK(pooler.weight.defined(), .code = ErrorCode::state, .op = "Bert",
              .expected = "a model with a pooler", .given = "one whose file has none",
              .where = where);
  return tanh({pooler({select(states, 1, 0), where}), where});
}

LoadTable bert_table() {
  const std::string at = "encoder.layer.{}.", to = "layers.{}.";
  LoadTable table{.prefixes = {"bert."},
                  .rules = {{"embeddings.word_embeddings.weight", {"words.weight"}},
                            {"embeddings.position_embeddings.weight", {"positions.weight"}},
                            {"embeddings.token_type_embeddings.weight", {"types.weight"}},
                            {"embeddings.position_ids", {}},
                            {"pooler.dense.weight", {"pooler.weight"}},
                            {"pooler.dense.bias", {"pooler.bias"}},
                            {"cls.*", {}}}};
  for (const auto& [name, field] : std::vector<std::pair<std::string, std::string>>{
           {"attention.self.query", "attention.query"},
           {"attention.self.key", "attention.key"},
           {"attention.self.value", "attention.value"},
           {"attention.output.dense", "attention.output"},
           {"intermediate.dense", "up"},
           {"output.dense", "down"}}) {
    table.rules.push_back({at + name + ".weight", {to + field + ".weight"}});
    table.rules.push_back({at + name + ".bias", {to + field + ".bias"}});
  }
  for (const auto& [name, field] : std::vector<std::pair<std::string, std::string>>{
           {"embeddings.LayerNorm", "norm"},
           {at + "attention.output.LayerNorm", to + "attention_norm"},
           {at + "output.LayerNorm", to + "mlp_norm"}}) {
    table.rules.push_back({name + ".weight", {field + ".weight"}});
    table.rules.push_back({name + ".bias", {field + ".bias"}});
    // As files of TensorFlow's time have it.
    table.rules.push_back({name + ".gamma", {field + ".weight"}});
    table.rules.push_back({name + ".beta", {field + ".bias"}});
  }
  return table;
}

Bert open_bert(const std::filesystem::path& path, const LoadOptions& options, Location where) {
  const ModelFolder folder = open_folder(path, where);
  BertConfig config = BertConfig::read(folder.config, where);
  config.has_pooler = folder.weights.find("pooler.dense.weight") != nullptr ||
                      folder.weights.find("bert.pooler.dense.weight") != nullptr;
  Bert model(config);
  load(model, bert_table(), folder.weights, options, where);
  return model;
}

}  // namespace ridge::models
