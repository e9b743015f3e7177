#include "ridge/models/vit.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/models/model_folder.h"
#include "ridge/models/skeleton.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/join.h"
#include "ridge/ops/view.h"

namespace ridge::models {

namespace {

constexpr int64_t kLargestImage = 1 << 16;  // so that patches can be counted

}  // namespace

VitConfig VitConfig::read(const Config& config, Location where) {
  check_supported(config, "model_type", config.text_or("model_type", "vit"), {"vit"}, where);
  check_supported(config, "hidden_act", config.text_or("hidden_act", "gelu"), {"gelu"}, where);
  VitConfig c;
  c.image = config.integer("image_size", where);
  c.patch = config.integer("patch_size", where);
  c.channels = config.integer_or("num_channels", 3);
  c.width = config.integer("hidden_size", where);
  c.hidden = config.integer("intermediate_size", where);
  c.layers = config.integer("num_hidden_layers", where);
  c.heads = config.integer("num_attention_heads", where);
  c.norm_eps = config.real_or("layer_norm_eps", 1e-12);
  const bool is_possible =
      are_possible(c.layers, {c.image, c.patch, c.channels, c.width, c.hidden, c.heads}) &&
      c.image <= kLargestImage && c.image % c.patch == 0 && c.width % c.heads == 0;
  RIDGE_CHECK(
      is_possible, .code = ErrorCode::value, .op = "Vit",
      .expected = concat("positive sizes in ", config.name(), ", at most ", kMostLayers,
                         " layers, an image that patches divide, a width that heads divide"),
      .given =
          concat("image ", c.image, ", patch ", c.patch, ", width ", c.width, ", heads ", c.heads),
      .where = where);
  return c;
}

Vit::Vit(const VitConfig& config)
    : patches(linear_layer(config.channels * config.patch * config.patch, config.width)),
      class_token(Tensor::empty({1, 1, config.width}, kDefaultFloat, kMeta)),
      norm(layer_norm_layer(config.width, config.norm_eps)),
      patch(config.patch) {
  const int64_t side = config.image / config.patch;
  positions = Tensor::empty({1, 1 + side * side, config.width}, kDefaultFloat, kMeta);
  for (int64_t i = 0; i < config.layers; ++i) {
    VitLayer layer;
    layer.attention_norm = layer_norm_layer(config.width, config.norm_eps);
    layer.attention = attention_layer(config.width, {.heads = config.heads,
                                                     .kv_heads = config.heads,
                                                     .is_causal = false,
                                                     .has_qkv_bias = true,
                                                     .has_output_bias = true});
    layer.mlp_norm = layer_norm_layer(config.width, config.norm_eps);
    layer.up = linear_layer(config.width, config.hidden);
    layer.down = linear_layer(config.hidden, config.width);
    layers.push_back(std::move(layer));
  }
  if (config.classes > 0) head = linear_layer(config.width, config.classes);
}

namespace {

// [batch, channels, height, width] -> [batch, patches, channels * patch * patch]
Tensor cut_into_patches(const Tensor& images, const Vit& model, Location where) {
  const int64_t patch = model.patch;
  const Size channels = model.patches.in_width() / (patch * patch);
  const bool fits =
      images.rank(where) == 4 && images.size(1) == channels && images.size(2) % patch == 0 &&
      images.size(3) % patch == 0 &&
      (images.size(2) / patch) * (images.size(3) / patch) + 1 == model.positions.size(1);
  RIDGE_CHECK(fits, .code = ErrorCode::shape, .op = "Vit",
              .expected = concat("images [batch, ", channels, ", height, width] of ",
                                 model.positions.size(1) - 1, " patches of ", patch, " x ", patch),
              .given = describe(images), .where = where);
  const Size rows = images.size(2) / patch, columns = images.size(3) / patch;
  const Tensor split =
      reshape({images, where}, {images.size(0), channels, rows, patch, columns, patch});
  const Tensor ordered = permute({split, where}, {0, 2, 4, 1, 3, 5});
  return reshape({ordered, where}, {images.size(0), rows * columns, channels * (patch * patch)});
}

}  // namespace

Tensor Vit::operator()(const At& images) const {
  const Location where = images.where();
  const Tensor cut = cut_into_patches(images.tensor(), *this, where);
  const Tensor tokens = patches({cut, where});
  const Tensor first = expand({class_token, where}, {tokens.size(0), 1, tokens.size(2)});
  Tensor x = add({cat({first, tokens}, 1, where), where}, positions);
  for (size_t i = 0; i < layers.size(); ++i) {
    const LayerScope named = scope("layers", i);
    const VitLayer& layer = layers[i];
    x = add({x, where}, layer.attention({layer.attention_norm({x, where}), where}));
    const Tensor hidden = gelu({layer.up({layer.mlp_norm({x, where}), where}), where});
    x = add({x, where}, layer.down({hidden, where}));
  }
  const Tensor state = select({norm({x, where}), where}, 1, 0);
  return head.weight.defined() ? head({state, where}) : state;
}

namespace {

// Rules for weight and bias of a layer.
void add_both(LoadTable& table, const std::string& name, const std::string& field,
              Change of_weight = Change::none) {
  table.rules.push_back({name + ".weight", {field + ".weight"}, of_weight});
  table.rules.push_back({name + ".bias", {field + ".bias"}});
}

}  // namespace

LoadTable vit_table() {
  const std::string old = "encoder.layer.{}.", now = "layers.{}.", to = "layers.{}.";
  LoadTable table{.prefixes = {"vit."},
                  .rules = {{"embeddings.cls_token", {"class_token"}},
                            {"embeddings.position_embeddings", {"positions"}},
                            {"pooler.*", {}}}};
  add_both(table, "embeddings.patch_embeddings.projection", "patches", Change::flatten);
  add_both(table, "layernorm", "norm");
  add_both(table, "classifier", "head");
  for (const auto& [name, field] : std::vector<std::pair<std::string, std::string>>{
           {old + "attention.attention.query", "attention.query"},
           {old + "attention.attention.key", "attention.key"},
           {old + "attention.attention.value", "attention.value"},
           {old + "attention.output.dense", "attention.output"},
           {old + "intermediate.dense", "up"},
           {old + "output.dense", "down"},
           {old + "layernorm_before", "attention_norm"},
           {old + "layernorm_after", "mlp_norm"},
           {now + "attention.q_proj", "attention.query"},
           {now + "attention.k_proj", "attention.key"},
           {now + "attention.v_proj", "attention.value"},
           {now + "attention.o_proj", "attention.output"},
           {now + "mlp.fc1", "up"},
           {now + "mlp.fc2", "down"},
           {now + "layernorm_before", "attention_norm"},
           {now + "layernorm_after", "mlp_norm"}}) {
    add_both(table, name, to + field);
  }
  return table;
}

LoadTable vit_torchvision_table() {
  const std::string at = "encoder.layers.encoder_layer_{}.", to = "layers.{}.";
  const std::string qkv = to + "attention.";
  LoadTable table{.prefixes = {},
                  .rules = {{"class_token", {"class_token"}},
                            {"encoder.pos_embedding", {"positions"}},
                            {at + "self_attention.in_proj_weight",
                             {qkv + "query.weight", qkv + "key.weight", qkv + "value.weight"}},
                            {at + "self_attention.in_proj_bias",
                             {qkv + "query.bias", qkv + "key.bias", qkv + "value.bias"}}}};
  add_both(table, "conv_proj", "patches", Change::flatten);
  add_both(table, at + "ln_1", to + "attention_norm");
  add_both(table, at + "self_attention.out_proj", qkv + "output");
  add_both(table, at + "ln_2", to + "mlp_norm");
  add_both(table, at + "mlp.0", to + "up");
  add_both(table, at + "mlp.3", to + "down");
  add_both(table, "encoder.ln", "norm");
  add_both(table, "heads.head", "head");
  return table;
}

Vit open_vit(const std::filesystem::path& path, const LoadOptions& options, Location where) {
  const ModelFolder folder = open_folder(path, where);
  VitConfig config = VitConfig::read(folder.config, where);
  const files::StoredTensor* head = folder.weights.find("classifier.weight");
  config.classes = head != nullptr && !head->shape.empty() ? head->shape[0] : 0;
  Vit model(config);
  load(model, vit_table(), folder.weights, options, where);
  return model;
}

}  // namespace ridge::models
