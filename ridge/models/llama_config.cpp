// The sizes of a Llama, and the names its tensors have in files.
#include "ridge/base/text.h"
#include "ridge/models/llama.h"

namespace ridge::models {

namespace {

void check_sizes(const LlamaConfig& c, const std::string& file, Location where) {
  const bool is_possible = are_possible(c.layers, {c.vocabulary, c.width, c.hidden, c.heads,
                                                   c.kv_heads, c.head_width, c.context}) &&
                           c.heads % c.kv_heads == 0 && c.head_width % 2 == 0;
  RIDGE_CHECK(
      is_possible, .code = ErrorCode::value, .op = "Llama",
      .expected = concat("positive sizes in ", file, ", at most ", kMostLayers,
                         " layers, heads that the key heads divide, an even width of a head"),
      .given = concat("width ", c.width, ", hidden ", c.hidden, ", layers ", c.layers, ", heads ",
                      c.heads, " and ", c.kv_heads, " of ", c.head_width, ", vocabulary ",
                      c.vocabulary, ", context ", c.context),
      .where = where);
}

// Files of transformers before 5 have theta by itself and the scaling as `rope_scaling`.
nn::RotaryOptions read_rotary(const Config& config, Location where) {
  const std::string group =
      config.has("rope_parameters.rope_theta") ? "rope_parameters." : "rope_scaling.";
  nn::RotaryOptions rotary;
  rotary.theta = config.real_or("rope_parameters.rope_theta", config.real_or("rope_theta", 10000));
  const std::string kind =
      config.text_or(group + "rope_type", config.text_or(group + "type", "default"));
  check_supported(config, group + "rope_type", kind, {"default", "llama3"}, where);
  if (kind == "default") return rotary;
  rotary.scaling = {.factor = config.real(group + "factor", where),
                    .low_frequency = config.real(group + "low_freq_factor", where),
                    .high_frequency = config.real(group + "high_freq_factor", where),
                    .context = config.integer(group + "original_max_position_embeddings", where)};
  return rotary;
}

// Attention of these models sees everything: a window only matters beyond its own length.
void check_window(const Config& config, int64_t context, Location where) {
  if (!config.has("sliding_window") || !config.flag_or("use_sliding_window", true)) return;
  const int64_t window = config.integer("sliding_window", where);
  RIDGE_CHECK(
      window >= context, .code = ErrorCode::value, .op = "Llama",
      .expected =
          concat("a sliding window of at least the context, ", context, ", in ", config.name()),
      .given = concat(window, ": attention within a window is not supported"), .where = where);
}

}  // namespace

LlamaConfig LlamaConfig::read(const Config& config, Location where) {
  const std::string kind = config.text("model_type", where);
  check_supported(config, "model_type", kind, {"llama", "mistral", "qwen2"}, where);
  check_supported(config, "hidden_act", config.text_or("hidden_act", "silu"), {"silu"}, where);
  for (const char* key : {"attention_bias", "mlp_bias"}) {
    check_supported(config, key, config.flag_or(key, false) ? "true" : "false", {"false"}, where);
  }
  LlamaConfig c;
  c.vocabulary = config.integer("vocab_size", where);
  c.width = config.integer("hidden_size", where);
  c.hidden = config.integer("intermediate_size", where);
  c.layers = config.integer("num_hidden_layers", where);
  c.heads = config.integer("num_attention_heads", where);
  c.kv_heads = config.integer_or("num_key_value_heads", c.heads);
  c.head_width = config.integer_or("head_dim", c.heads > 0 ? c.width / c.heads : 0);
  c.context = config.integer_or("max_position_embeddings", 2048);
  c.norm_eps = config.real_or("rms_norm_eps", 1e-6);
  c.rotary = read_rotary(config, where);
  c.is_tied = config.flag_or("tie_word_embeddings", false);
  c.has_qkv_bias = kind == "qwen2";
  check_sizes(c, config.name(), where);
  check_window(config, c.context, where);
  return c;
}

LlamaConfig LlamaConfig::read(const files::Gguf& gguf, Location where) {
  const Config config = Config::of(gguf);
  RIDGE_CHECK(!gguf.weights().tensors().empty(), .code = ErrorCode::value, .op = "Llama",
              .expected = concat("the tensors of a model in ", config.name()),
              .given = gguf.has("tokenizer.ggml.tokens") ? "a vocabulary alone, without tensors"
                                                         : "no tensors",
              .where = where);
  const std::string kind = config.text("general.architecture", where);
  check_supported(config, "general.architecture", kind, {"llama", "qwen2"}, where);
  check_supported(config, "rope.scaling.type", config.text_or("rope.scaling.type", "none"),
                  {"none"}, where);
  LlamaConfig c;
  const files::StoredTensor& table = gguf.weights().stored("token_embd.weight", where);
  c.vocabulary = table.shape.empty() ? 0 : table.shape[0];
  c.width = config.integer("embedding_length", where);
  c.hidden = config.integer("feed_forward_length", where);
  c.layers = config.integer("block_count", where);
  c.heads = config.integer("attention.head_count", where);
  c.kv_heads = config.integer_or("attention.head_count_kv", c.heads);
  c.head_width = config.integer_or("attention.key_length", c.heads > 0 ? c.width / c.heads : 0);
  c.context = config.integer_or("context_length", 2048);
  c.norm_eps = config.real("attention.layer_norm_rms_epsilon", where);
  c.rotary.theta = config.real_or("rope.freq_base", 10000);
  c.rotary.layout = kind == "llama" ? nn::RotaryLayout::pairs : nn::RotaryLayout::halves;
  c.is_tied = gguf.weights().find("output.weight") == nullptr;
  c.has_qkv_bias = gguf.weights().find("blk.0.attn_q.bias") != nullptr;
  check_sizes(c, config.name(), where);
  const int64_t turned = config.integer_or("rope.dimension_count", c.head_width, where);
  RIDGE_CHECK(turned == c.head_width, .code = ErrorCode::value, .op = "Llama",
              .expected = concat("\"rope.dimension_count\" in ", config.name(),
                                 " to be the width of a head, ", c.head_width),
              .given = concat(turned, ": heads that are turned in part are not supported"),
              .where = where);
  return c;
}

LoadTable llama_table(bool is_tied) {
  const std::string at = "layers.{}.", to = "layers.{}.";
  LoadTable table{
      .prefixes = {"model."},
      .rules = {{"embed_tokens.weight", {"embedding.weight"}}, {"norm.weight", {"norm.weight"}}}};
  for (const auto& [name, field] :
       std::vector<std::pair<std::string, std::string>>{{"self_attn.q_proj", "attention.query"},
                                                        {"self_attn.k_proj", "attention.key"},
                                                        {"self_attn.v_proj", "attention.value"}}) {
    table.rules.push_back({at + name + ".weight", {to + field + ".weight"}});
    table.rules.push_back({at + name + ".bias", {to + field + ".bias"}});
  }
  table.rules.insert(table.rules.end(),
                     {{at + "self_attn.o_proj.weight", {to + "attention.output.weight"}},
                      {at + "mlp.gate_proj.weight", {to + "mlp.gate.weight"}},
                      {at + "mlp.up_proj.weight", {to + "mlp.up.weight"}},
                      {at + "mlp.down_proj.weight", {to + "mlp.down.weight"}},
                      {at + "input_layernorm.weight", {to + "attention_norm.weight"}},
                      {at + "post_attention_layernorm.weight", {to + "mlp_norm.weight"}},
                      {at + "self_attn.rotary_emb.inv_freq", {}}});
  // A tied head may be in the file all the same.
  if (is_tied) table.rules.push_back({"lm_head.weight", {}});
  if (!is_tied) table.rules.push_back({"lm_head.weight", {"head.weight"}});
  return table;
}

LoadTable llama_gguf_table() {
  const std::string at = "blk.{}.", to = "layers.{}.";
  LoadTable table{.prefixes = {},
                  .rules = {{"token_embd.weight", {"embedding.weight"}},
                            {"output_norm.weight", {"norm.weight"}},
                            {"output.weight", {"head.weight"}},
                            {"rope_freqs.weight", {}}}};
  for (const auto& [name, field] :
       std::vector<std::pair<std::string, std::string>>{{"attn_q", "attention.query"},
                                                        {"attn_k", "attention.key"},
                                                        {"attn_v", "attention.value"}}) {
    table.rules.push_back({at + name + ".weight", {to + field + ".weight"}});
    table.rules.push_back({at + name + ".bias", {to + field + ".bias"}});
  }
  table.rules.insert(table.rules.end(),
                     {{at + "attn_output.weight", {to + "attention.output.weight"}},
                      {at + "ffn_gate.weight", {to + "mlp.gate.weight"}},
                      {at + "ffn_up.weight", {to + "mlp.up.weight"}},
                      {at + "ffn_down.weight", {to + "mlp.down.weight"}},
                      {at + "attn_norm.weight", {to + "attention_norm.weight"}},
                      {at + "ffn_norm.weight", {to + "mlp_norm.weight"}}});
  return table;
}

}  // namespace ridge::models
