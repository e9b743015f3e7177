#include "ridge/text/tokenizer_json_steps.h"

#include <array>
#include <span>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::text {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view known, std::string_view given) {
  throw_error({.code = ErrorCode::unknown_name,
               .op = "tokenizer",
               .expected = concat("a ", what, " among ", known),
               .given = concat("`", given, "`")});
}

const Json* member_of(const Json& json, std::string_view key) {
  const Json* value = json.find(key);
  return value && !value->is_null() ? value : nullptr;
}

// What a step puts into a text (check_growth).
std::string checked_replacement(std::string text) {
  RIDGE_CHECK(text.size() <= kLongestReplacement, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = concat("replacements of at most ", kLongestReplacement, " bytes"),
              .given = to_text(text.size()));
  return text;
}

void add_normalizer(const Json& json, std::vector<Normalizer>& steps) {
  const std::string& type = json.text("type");
  if (type == "Sequence") {
    for (const Json& step : json["normalizers"].elements()) add_normalizer(step, steps);
  } else if (type == "NFC") {
    steps.push_back(normalize_to(NormalForm::nfc));
  } else if (type == "NFD") {
    steps.push_back(normalize_to(NormalForm::nfd));
  } else if (type == "NFKC") {
    steps.push_back(normalize_to(NormalForm::nfkc));
  } else if (type == "NFKD") {
    steps.push_back(normalize_to(NormalForm::nfkd));
  } else if (type == "Lowercase") {
    steps.push_back(normalize_lower_case());
  } else if (type == "StripAccents") {
    steps.push_back(normalize_strip_accents());
  } else if (type == "BertNormalizer") {
    const bool lower = json.flag_or("lowercase", true);
    steps.push_back(normalize_bert({.clean_text = json.flag_or("clean_text", true),
                                    .spaces_chinese = json.flag_or("handle_chinese_chars", true),
                                    .strip_accents = json.flag_or("strip_accents", lower),
                                    .lower_case = lower}));
  } else if (type == "Prepend") {
    steps.push_back(normalize_prepend(checked_replacement(json.text("prepend"))));
  } else if (type == "Strip") {
    steps.push_back(
        normalize_strip(json.flag_or("strip_left", true), json.flag_or("strip_right", true)));
  } else if (type == "Precompiled") {
    steps.push_back(normalize_by_charsmap(from_base64(json.text("precompiled_charsmap"))));
  } else if (type == "Replace") {
    const Json& pattern = json["pattern"];
    const std::string content = checked_replacement(json.text("content"));
    if (pattern.find("String")) {
      steps.push_back(normalize_replace(pattern.text("String"), content));
    } else if (pattern.text("Regex") == " {2,}") {
      steps.push_back(normalize_blanks(content));
    } else {
      refuse("Replace", "a text, the expression ` {2,}`", pattern.text("Regex"));
    }
  } else {
    refuse(
        "normalizer",
        "NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, BertNormalizer, Prepend, Replace, Strip, "
        "Precompiled, Sequence",
        type);
  }
}

SplitBehavior behavior_of(const Json& json) {
  const std::string name = json.text_or("behavior", "Isolated");
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  refuse("behavior", "Isolated, Removed, MergedWithPrevious, MergedWithNext, Contiguous", name);
}

PreTokenizer split_of(const Json& json) {
  const Json& pattern = json["pattern"];
  const SplitBehavior behavior = behavior_of(json);
  const bool inverts = json.flag_or("invert", false);
  if (pattern.find("String")) {
    RIDGE_CHECK(!inverts, .code = ErrorCode::parse, .op = "tokenizer",
                .expected = "a Split by a text that is not inverted", .given = "one that is");
    return split_at_text(pattern.text("String"), behavior);
  }
  const Pattern found = find_pattern(pattern.text("Regex"));
  return inverts ? split_between(found, behavior) : split_by(found, behavior);
}

PreTokenizer metaspace_of(const Json& json) {
  const std::string sign = checked_replacement(json.text_or("replacement", kMetaspace));
  // Older files have a flag in place of the scheme.
  std::string scheme = json.flag_or("add_prefix_space", true) ? "always" : "never";
  scheme = json.text_or("prepend_scheme", scheme);
  if (scheme != "always" && scheme != "first" && scheme != "never") {
    refuse("prepend_scheme", "always, first, never", scheme);
  }
  const PrependScheme prepend = scheme == "always"  ? PrependScheme::always
                                : scheme == "first" ? PrependScheme::first
                                                    : PrependScheme::never;
  return split_metaspace(sign, prepend, json.flag_or("split", true));
}

void add_byte_level(const Json& json, JsonSteps& steps) {
  steps.is_byte_level = true;
  if (json.flag_or("add_prefix_space", true)) steps.pre_tokenizers.push_back(prepend_space());
  if (json.flag_or("use_regex", true)) {
    steps.pre_tokenizers.push_back(split_by(match_gpt2, SplitBehavior::isolated));
  }
}

// Behind a ByteLevel step the text is in the byte alphabet, where most patterns see other characters.
void add_behind_byte_level(const Json& json, const std::string& type, JsonSteps& steps) {
  if (type == "Digits") {
    steps.pre_tokenizers.push_back(
        split_digits_of_byte_level(json.flag_or("individual_digits", false)));
    return;
  }
  const bool is_digits = type == "Split" && json["pattern"].find("Regex") &&
                         find_pattern(json["pattern"].text("Regex")) == &match_three_digits;
  if (!is_digits) refuse("step behind ByteLevel", "Digits, Split by [0-9][0-9][0-9]", type);
  steps.pre_tokenizers.push_back(split_of(json));
}

void add_pre_tokenizer(const Json& json, JsonSteps& steps) {
  const std::string& type = json.text("type");
  if (type == "Sequence") {
    for (const Json& step : json["pretokenizers"].elements()) add_pre_tokenizer(step, steps);
  } else if (steps.is_byte_level) {
    add_behind_byte_level(json, type, steps);
  } else if (type == "ByteLevel") {
    add_byte_level(json, steps);
  } else if (type == "Split") {
    steps.pre_tokenizers.push_back(split_of(json));
  } else if (type == "Digits") {
    const bool each = json.flag_or("individual_digits", false);
    steps.pre_tokenizers.push_back(
        split_by(match_number, each ? SplitBehavior::isolated : SplitBehavior::contiguous));
  } else if (type == "Punctuation") {
    steps.pre_tokenizers.push_back(split_by(match_punctuation, behavior_of(json)));
  } else if (type == "Whitespace") {
    steps.pre_tokenizers.push_back(split_words_and_signs());
  } else if (type == "WhitespaceSplit") {
    steps.pre_tokenizers.push_back(split_by(match_space, SplitBehavior::removed));
  } else if (type == "BertPreTokenizer") {
    steps.pre_tokenizers.push_back(split_by(match_space, SplitBehavior::removed));
    steps.pre_tokenizers.push_back(split_by(match_punctuation, SplitBehavior::isolated));
  } else if (type == "Metaspace") {
    steps.pre_tokenizers.push_back(metaspace_of(json));
  } else {
    refuse("pre-tokenizer",
           "ByteLevel, Split, Digits, Punctuation, Whitespace, WhitespaceSplit, BertPreTokenizer, "
           "Metaspace, "
           "Sequence",
           type);
  }
}

void add_decoder(const Json& json, Decoder& decoder) {
  const std::string& type = json.text("type");
  if (type == "Sequence") {
    for (const Json& step : json["decoders"].elements()) add_decoder(step, decoder);
  } else if (type == "ByteLevel") {
    decoder.kind = Decoder::Kind::byte_level;
  } else if (type == "WordPiece") {
    decoder.kind = Decoder::Kind::word_piece;
    decoder.prefix = json.text_or("prefix", "##");
    decoder.cleans_up = json.flag_or("cleanup", true);
  } else if (type == "Metaspace") {
    decoder.replacements.emplace_back(json.text_or("replacement", kMetaspace), " ");
    decoder.strips_first_blank = json.flag_or("add_prefix_space", true) &&
                                 json.text_or("prepend_scheme", "always") != "never";
  } else if (type == "Replace" && json["pattern"].find("String")) {
    decoder.replacements.emplace_back(json["pattern"].text("String"),
                                      checked_replacement(json.text("content")));
  } else if (type == "ByteFallback") {
    decoder.has_byte_fallback = true;
  } else if (type == "Strip" && json.text_or("content", " ") == " " &&
             json.integer_or("stop", 0) == 0 && json.integer_or("start", 0) <= 1) {
    decoder.strips_first_blank = json.integer_or("start", 0) == 1;
  } else if (type != "Fuse") {  // which joins tokens, as is done anyway
    refuse("decoder",
           "ByteLevel, WordPiece, Metaspace, Replace of a text, ByteFallback, Fuse, Strip of one "
           "blank in "
           "front, Sequence",
           type);
  }
}

int32_t id_of(const Vocabulary& vocabulary, std::string_view token) {
  const std::optional<int32_t> id = vocabulary.find(token);
  RIDGE_CHECK(id, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = "tokens of the vocabulary in the post-processor",
              .given = concat("`", token, "`"));
  return *id;
}

// The ids in front of and behind the text, for one text.
void add_template(const Json& json, TokenizerParts& parts) {
  constexpr size_t kMostItems = 64;
  const Json::Array& items = json["single"].elements();
  // Each is looked for in a list.
  RIDGE_CHECK(items.size() <= kMostItems, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = concat("a post-processor of at most ", kMostItems, " tokens"),
              .given = to_text(items.size()));
  bool is_behind = false;
  for (const Json& item : items) {
    if (item.find("Sequence")) {
      is_behind = true;
      continue;
    }
    const std::string& name = item["SpecialToken"].text("id");
    std::vector<int32_t>& ids = is_behind ? parts.suffix : parts.prefix;
    const Json* special = member_of(json, "special_tokens");
    const Json* known = special ? special->find(name) : nullptr;
    if (!known) {
      ids.push_back(id_of(parts.vocabulary, name));
      continue;
    }
    for (const Json& id : (*known)["ids"].elements()) {
      RIDGE_CHECK(parts.vocabulary.has(id.integer()), .code = ErrorCode::parse, .op = "tokenizer",
                  .expected = "ids of the vocabulary in the post-processor",
                  .given = to_text(id.integer()));
      ids.push_back(static_cast<int32_t>(id.integer()));
    }
  }
}

// A pair of token and id, as BERT's processor has `cls` and `sep`.
int32_t id_of_pair(const Json& json, const Vocabulary& vocabulary) {
  const Json::Array& pair = json.elements();
  RIDGE_CHECK(pair.size() == 2, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = "a token and its id", .given = concat(pair.size(), " values"));
  return id_of(vocabulary, pair[0].text());
}

void add_processor(const Json& json, TokenizerParts& parts) {
  const std::string& type = json.text("type");
  if (type == "Sequence") {
    for (const Json& step : json["processors"].elements()) add_processor(step, parts);
  } else if (type == "TemplateProcessing") {
    add_template(json, parts);
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    parts.prefix.push_back(id_of_pair(json["cls"], parts.vocabulary));
    parts.suffix.push_back(id_of_pair(json["sep"], parts.vocabulary));
  } else if (type != "ByteLevel") {  // which changes offsets, not ids
    refuse("post-processor",
           "TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel, Sequence", type);
  }
}

}  // namespace

JsonSteps read_steps(const Json& json) {
  JsonSteps steps;
  if (const Json* normalizer = member_of(json, "normalizer")) {
    add_normalizer(*normalizer, steps.normalizers);
  }
  if (const Json* pre_tokenizer = member_of(json, "pre_tokenizer")) {
    add_pre_tokenizer(*pre_tokenizer, steps);
  }
  if (const Json* decoder = member_of(json, "decoder")) {
    add_decoder(*decoder, steps.decoder);
  } else {
    steps.decoder.joins_with_blanks = true;
  }
  return steps;
}

void add_post_processor(const Json& json, TokenizerParts& parts) {
  if (const Json* processor = member_of(json, "post_processor")) add_processor(*processor, parts);
}

}  // namespace ridge::text
