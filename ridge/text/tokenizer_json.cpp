// parse_tokenizer_json: the model, its vocabulary and its added tokens.
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/json.h"
#include "ridge/base/text.h"
#include "ridge/text/tokenizer.h"
#include "ridge/text/tokenizer_json_steps.h"
#include "ridge/text/tokenizer_parts.h"

namespace ridge::text {
namespace {

// Tokens that are special or added, which decides how the model may use them.
void mark_added(const Json& json, TokenizerParts& parts) {
  const Json* added = json.find("added_tokens");
  if (!added || added->is_null()) return;
  for (const Json& one : added->elements()) {
    AddedToken token{.text = one.text("content"),
                     .is_special = one.flag_or("special", false),
                     .strips_left = one.flag_or("lstrip", false),
                     .strips_right = one.flag_or("rstrip", false),
                     .is_single_word = one.flag_or("single_word", false),
                     .is_normalized = one.flag_or("normalized", false)};
    const int64_t id = one.integer("id");
    const std::optional<int32_t> known = parts.vocabulary.find(token.text);
    RIDGE_CHECK(!known || *known == id, .code = ErrorCode::parse, .op = "tokenizer",
                .expected = concat("the added token `", token.text,
                                   "` with its id of the vocabulary, ", known.value_or(0)),
                .given = to_text(id));
    if (!known) parts.vocabulary.add(token.text, id);
    token.id = static_cast<int32_t>(id);
    parts.vocabulary.set_kind(token.id,
                              token.is_special ? TokenKind::control : TokenKind::user_defined);
    parts.added.push_back(std::move(token));
  }
}

void add_vocabulary(const Json& model, TokenizerParts& parts) {
  for (const auto& [token, id] : model["vocab"].members())
    parts.vocabulary.add(token, id.integer());
}

// An unknown token that the model names, which then must be there.
std::optional<int32_t> unknown_of(const Json& model, const Vocabulary& vocabulary) {
  const std::string name = model.text_or("unk_token", "");
  if (name.empty()) return std::nullopt;
  const std::optional<int32_t> id = vocabulary.find(name);
  RIDGE_CHECK(id, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = "the unknown token in the vocabulary", .given = concat("`", name, "`"));
  return id;
}

std::vector<std::pair<std::string, std::string>> merge_pairs(const Json& merges) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& merge : merges.elements()) {
    if (merge.kind() == Json::Kind::text) {
      pairs.push_back(split_merge(merge.text()));
      continue;
    }
    const Json::Array& two = merge.elements();
    RIDGE_CHECK(two.size() == 2, .code = ErrorCode::parse, .op = "tokenizer",
                .expected = "merges of two tokens", .given = to_text(two.size()));
    pairs.emplace_back(two[0].text(), two[1].text());
  }
  return pairs;
}

void refuse_option(const Json& model, std::string_view key) {
  const Json* value = model.find(key);
  const bool is_unset = !value || value->is_null() ||
                        (value->kind() == Json::Kind::text && value->text().empty()) ||
                        (value->kind() == Json::Kind::real && value->real() == 0);
  RIDGE_CHECK(is_unset, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = concat("a BPE model without `", key, "`"), .given = "one that has it");
}

Bpe make_bpe(const Json& model, TokenizerParts& parts, bool is_byte_level) {
  refuse_option(model, "dropout");
  refuse_option(model, "continuing_subword_prefix");
  refuse_option(model, "end_of_word_suffix");
  parts.unknown = unknown_of(model, parts.vocabulary);
  const auto merges = merges_of(merge_pairs(model["merges"]), parts.vocabulary);
  return Bpe(parts.vocabulary, merges,
             {.is_byte_level = is_byte_level,
              .has_byte_fallback = model.flag_or("byte_fallback", false),
              .fuses_unknown = model.flag_or("fuse_unk", false),
              .takes_whole_words = model.flag_or("ignore_merges", false),
              .unknown = parts.unknown});
}

WordPiece make_word_piece(const Json& model, TokenizerParts& parts) {
  parts.unknown = unknown_of(model, parts.vocabulary);
  RIDGE_CHECK(parts.unknown, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = "a WordPiece model with `unk_token`", .given = "none");
  const int64_t most = model.integer_or("max_input_chars_per_word", 100);
  RIDGE_CHECK(most >= 0, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = "`max_input_chars_per_word` of 0 or more", .given = to_text(most));
  return WordPiece(parts.vocabulary, {.prefix = model.text_or("continuing_subword_prefix", "##"),
                                      .most_characters = static_cast<size_t>(most),
                                      .unknown = *parts.unknown});
}

// Pairs of token and score, whose places are the ids.
std::vector<double> add_scored_vocabulary(const Json& model, TokenizerParts& parts) {
  std::vector<double> scores;
  for (const Json& entry : model["vocab"].elements()) {
    const Json::Array& pair = entry.elements();
    RIDGE_CHECK(pair.size() == 2 && std::isfinite(pair[1].real()), .code = ErrorCode::parse,
                .op = "tokenizer", .expected = "tokens of a Unigram model with finite scores",
                .given = concat(pair.size(), " values"));
    parts.vocabulary.add(pair[0].text(), static_cast<int64_t>(scores.size()));
    scores.push_back(pair[1].real());
  }
  return scores;
}

Unigram make_unigram(const Json& model, TokenizerParts& parts, std::vector<double> scores) {
  const int64_t unknown = model.integer_or("unk_id", -1);
  if (unknown >= 0) {
    RIDGE_CHECK(parts.vocabulary.has(unknown), .code = ErrorCode::parse, .op = "tokenizer",
                .expected = "`unk_id` in the vocabulary", .given = to_text(unknown));
    parts.unknown = static_cast<int32_t>(unknown);
    parts.vocabulary.set_kind(*parts.unknown, TokenKind::unknown);
  }
  scores.resize(static_cast<size_t>(parts.vocabulary.size()));
  return Unigram(
      parts.vocabulary, std::move(scores),
      {.unknown = parts.unknown, .has_byte_fallback = model.flag_or("byte_fallback", false)});
}

// Files from before models said their type are told by what they have.
std::string type_of(const Json& model) {
  if (const Json* type = model.find("type")) return type->text();
  return model.find("merges") ? "BPE" : model["vocab"].is_object() ? "WordPiece" : "Unigram";
}

void add_model(const Json& json, TokenizerParts& parts, bool is_byte_level) {
  const Json& model = json["model"];
  const std::string type = type_of(model);
  const Json& vocabulary = model["vocab"];
  const Json* added = json.find("added_tokens");
  parts.vocabulary.expect(
      (vocabulary.is_object() ? vocabulary.members().size() : vocabulary.elements().size()) +
      (added && !added->is_null() ? added->elements().size() : 0));
  if (type == "Unigram") {
    std::vector<double> scores = add_scored_vocabulary(model, parts);
    mark_added(json, parts);
    parts.model = make_unigram(model, parts, std::move(scores));
    return;
  }
  RIDGE_CHECK(type == "BPE" || type == "WordPiece", .code = ErrorCode::unknown_name,
              .op = "tokenizer", .expected = "a model BPE, WordPiece or Unigram",
              .given = concat("`", type, "`"));
  add_vocabulary(model, parts);
  mark_added(json, parts);
  if (type == "BPE") {
    parts.model = make_bpe(model, parts, is_byte_level);
  } else {
    parts.model = make_word_piece(model, parts);
  }
}

// A special token of tokenizer_config.json: its text, or an object around it.
std::optional<int32_t> configured(const Json& config, std::string_view key,
                                  const Vocabulary& vocabulary) {
  const Json* value = config.find(key);
  if (value && value->is_object()) value = value->find("content");
  if (!value || value->kind() != Json::Kind::text) return std::nullopt;
  return vocabulary.find(value->text());
}

void add_config(std::string_view text, TokenizerParts& parts) {
  const Json config = Json::parse(text, "tokenizer_config.json");
  const auto set = [&](std::optional<int32_t>& id, std::string_view key) {
    if (const auto found = configured(config, key, parts.vocabulary)) id = found;
  };
  set(parts.bos, "bos_token");
  set(parts.eos, "eos_token");
  set(parts.padding, "pad_token");
  set(parts.unknown, "unk_token");
  const Json* chat = config.find("chat_template");
  if (chat && chat->kind() == Json::Kind::text) parts.chat_template = chat->text();
}

// Where no configuration names them, the ends are known by their usual names.
std::optional<int32_t> first_of(const Vocabulary& vocabulary,
                                std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const std::optional<int32_t> id = vocabulary.find(name);
    if (id && vocabulary.is_special(*id)) return id;
  }
  return std::nullopt;
}

}  // namespace

Tokenizer parse_tokenizer_json(std::string_view text, std::string_view config,
                               std::string_view chat_template) {
  const Json json = Json::parse(text, "tokenizer.json");
  TokenizerParts parts;
  JsonSteps steps = read_steps(json);
  add_model(json, parts, steps.is_byte_level);
  parts.normalizers = std::move(steps.normalizers);
  parts.pre_tokenizers = std::move(steps.pre_tokenizers);
  parts.decoder = std::move(steps.decoder);
  add_post_processor(json, parts);
  const Vocabulary& vocabulary = parts.vocabulary;
  parts.bos = first_of(vocabulary, {"<s>", "<|begin_of_text|>", "<bos>", "[CLS]", "<|endoftext|>"});
  parts.eos = first_of(vocabulary, {"</s>", "<|end_of_text|>", "<eos>", "[SEP]", "<|endoftext|>"});
  parts.padding = first_of(vocabulary, {"<pad>", "[PAD]"});
  if (!config.empty()) add_config(config, parts);
  if (!chat_template.empty()) parts.chat_template = chat_template;
  return Tokenizer(std::move(parts));
}

Tokenizer read_tokenizer_json(const std::filesystem::path& path) {
  const auto beside = [&](std::string_view name) {
    return read_file_if_there(path.parent_path() / name).value_or("");
  };
  return parse_tokenizer_json(read_file(path), beside("tokenizer_config.json"),
                              beside("chat_template.jinja"));
}

}  // namespace ridge::text
