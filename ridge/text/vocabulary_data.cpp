// make_tokenizer: the tokenizers that GGUF metadata describe, by the name of their model.
#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/files.h"
#include "ridge/base/json.h"
#include "ridge/base/text.h"
#include "ridge/text/tokenizer.h"
#include "ridge/text/tokenizer_parts.h"

namespace ridge::text {
namespace {

TokenKind kind_of(int32_t type) {
  switch (type) {
    case 2: return TokenKind::unknown;
    case 3: return TokenKind::control;
    case 4: return TokenKind::user_defined;
    case 5: return TokenKind::unused;
    case 6: return TokenKind::byte;
    default: return TokenKind::normal;
  }
}

void check_counts(const VocabularyData& data) {
  const auto fits = [&](size_t count) { return count == 0 || count == data.tokens.size(); };
  RIDGE_CHECK(!data.tokens.empty() && fits(data.scores.size()) && fits(data.types.size()),
              .code = ErrorCode::parse, .op = "make_tokenizer",
              .expected = "tokens, with as many scores and types as there are, or none",
              .given = concat(data.tokens.size(), " tokens, ", data.scores.size(), " scores, ",
                              data.types.size(), " types"));
  RIDGE_CHECK(std::ranges::all_of(data.scores, [](float score) { return std::isfinite(score); }),
              .code = ErrorCode::parse, .op = "make_tokenizer", .expected = "finite scores",
              .given = "an infinite one, or not a number");
}

void check_id(const VocabularyData& data, std::optional<int32_t> id, std::string_view name) {
  const auto count = static_cast<int64_t>(data.tokens.size());
  RIDGE_CHECK(!id || (*id >= 0 && *id < count), .code = ErrorCode::parse, .op = "make_tokenizer",
              .expected = concat("the id of the ", name, " token from 0 to ", count - 1),
              .given = to_text(*id));
}

// Tokens with ids and kinds, and those of them that are looked for in a text. `text_of` gives the token as
// the model looks for it.
template <class TextOf>
void add_tokens(const VocabularyData& data, TokenizerParts& parts, TextOf text_of) {
  for (size_t i = 0; i < data.tokens.size(); ++i) {
    const TokenKind kind = data.types.empty() ? TokenKind::normal : kind_of(data.types[i]);
    // Some files have tokens without a text, which nothing encodes to.
    const std::string text = data.tokens[i].empty() ? concat("[EMPTY_", i, "]") : text_of(i, kind);
    parts.vocabulary.add(text, static_cast<int64_t>(i), kind);
    const bool is_special = kind == TokenKind::control || kind == TokenKind::unknown;
    if (is_special || kind == TokenKind::user_defined) {
      parts.added.push_back(
          {.text = data.tokens[i], .id = static_cast<int32_t>(i), .is_special = is_special});
    }
  }
}

std::string as_it_is(const VocabularyData& data, size_t i) { return data.tokens[i]; }

std::vector<Merge> merges_of_lines(const std::vector<std::string>& lines,
                                   const Vocabulary& vocabulary) {
  RIDGE_CHECK(!lines.empty(), .code = ErrorCode::parse, .op = "make_tokenizer",
              .expected = "merges for a model of byte pairs", .given = "none");
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(lines.size());
  for (const std::string& line : lines) pairs.push_back(split_merge(line));
  return merges_of(pairs, vocabulary);
}

// What stands around a text.
void add_ends(const VocabularyData& data, TokenizerParts& parts, bool adds_bos, bool adds_eos) {
  if (data.add_bos.value_or(adds_bos) && data.bos) parts.prefix.push_back(*data.bos);
  if (data.add_eos.value_or(adds_eos) && data.eos) parts.suffix.push_back(*data.eos);
}

// Blanks as U+2581; one in front, unless the file says no.
void add_metaspace(const VocabularyData& data, TokenizerParts& parts, bool prepends) {
  const bool has_prefix = data.add_space_prefix.value_or(prepends);
  if (has_prefix) parts.normalizers.push_back(normalize_prepend(" "));
  parts.normalizers.push_back(normalize_replace(" ", std::string(kMetaspace)));
  parts.decoder = {.replacements = {{std::string(kMetaspace), " "}},
                   .has_byte_fallback = true,
                   .strips_first_blank = has_prefix};
}

// gpt2, gemma4: merges by rank.
TokenizerParts make_ranked(const VocabularyData& data) {
  const bool is_gemma = data.model == "gemma4";
  const NamedSplit& split = find_split(is_gemma           ? std::string_view("gemma4")
                                       : data.pre.empty() ? "default"
                                                          : data.pre);
  TokenizerParts parts;
  add_tokens(data, parts, [&](size_t i, TokenKind) { return as_it_is(data, i); });
  for (const Pattern pattern : split.patterns) {
    parts.pre_tokenizers.push_back(split_by(pattern, SplitBehavior::isolated));
  }
  if (split.is_byte_level) {
    parts.decoder.kind = Decoder::Kind::byte_level;
  } else {
    add_metaspace(data, parts, false);
  }
  parts.model = Bpe(parts.vocabulary, merges_of_lines(data.merges, parts.vocabulary),
                    {.is_byte_level = split.is_byte_level,
                     .has_byte_fallback = !split.is_byte_level,
                     .takes_whole_words = split.takes_whole_words,
                     .unknown = data.unknown});
  add_ends(data, parts, split.adds_bos, false);
  return parts;
}

// llama: merges by score.
TokenizerParts make_scored(const VocabularyData& data) {
  TokenizerParts parts;
  RIDGE_CHECK(!data.scores.empty(), .code = ErrorCode::parse, .op = "make_tokenizer",
              .expected = "a score for each token of the model `llama`", .given = "none");
  add_tokens(data, parts, [&](size_t i, TokenKind) { return as_it_is(data, i); });
  add_metaspace(data, parts, true);
  parts.model = Bpe(parts.vocabulary, merges_by_score(parts.vocabulary, data.scores),
                    {.has_byte_fallback = true, .unknown = data.unknown.value_or(0)});
  add_ends(data, parts, true, false);
  return parts;
}

// bert: the file has U+2581 in front of tokens that start a word, where WordPiece has ## in front of others.
TokenizerParts make_word_piece(const VocabularyData& data) {
  TokenizerParts parts;
  add_tokens(data, parts, [&](size_t i, TokenKind kind) {
    const std::string_view token = data.tokens[i];
    if (token.starts_with(kMetaspace)) return std::string(token.substr(kMetaspace.size()));
    const bool is_whole =
        kind != TokenKind::normal || (token.starts_with('[') && token.ends_with(']'));
    return is_whole ? std::string(token) : concat("##", token);
  });
  const int32_t unknown = data.unknown.value_or(100);
  check_id(data, unknown, "unknown");
  parts.normalizers.push_back(normalize_bert({}));
  parts.pre_tokenizers.push_back(split_by(match_space, SplitBehavior::removed));
  parts.pre_tokenizers.push_back(split_by(match_punctuation, SplitBehavior::isolated));
  parts.model = WordPiece(parts.vocabulary, {.unknown = unknown});
  parts.decoder = {.kind = Decoder::Kind::word_piece, .cleans_up = true};
  const std::optional<int32_t> first = data.cls ? data.cls : data.bos;
  if (data.add_bos.value_or(true) && first) parts.prefix.push_back(*first);
  const std::optional<int32_t> last = data.separator ? data.separator : data.eos;
  if (data.add_eos.value_or(true) && last) parts.suffix.push_back(*last);
  return parts;
}

// t5: Unigram behind the replacements of SentencePiece.
TokenizerParts make_unigram(const VocabularyData& data) {
  TokenizerParts parts;
  RIDGE_CHECK(!data.scores.empty(), .code = ErrorCode::parse, .op = "make_tokenizer",
              .expected = "a score for each token of the model `t5`", .given = "none");
  add_tokens(data, parts, [&](size_t i, TokenKind) { return as_it_is(data, i); });
  if (!data.precompiled_charsmap.empty()) {
    parts.normalizers.push_back(normalize_by_charsmap(data.precompiled_charsmap));
  }
  if (data.remove_extra_whitespaces.value_or(false)) {
    parts.normalizers.push_back(normalize_strip(true, true));
    parts.normalizers.push_back(normalize_blanks(" "));
  }
  add_metaspace(data, parts, true);
  const int32_t unknown = data.unknown.value_or(2);
  check_id(data, unknown, "unknown");
  parts.model =
      Unigram(parts.vocabulary, {data.scores.begin(), data.scores.end()}, {.unknown = unknown});
  add_ends(data, parts, false, true);
  return parts;
}

}  // namespace

Tokenizer make_tokenizer(VocabularyData data) {
  check_counts(data);
  check_id(data, data.unknown, "unknown");
  TokenizerParts parts;
  if (data.model == "gpt2" || data.model == "gemma4") {
    parts = make_ranked(data);
  } else if (data.model == "llama") {
    parts = make_scored(data);
  } else if (data.model == "bert") {
    parts = make_word_piece(data);
  } else if (data.model == "t5") {
    parts = make_unigram(data);
  } else {
    throw_error({.code = ErrorCode::unknown_name,
                 .op = "make_tokenizer",
                 .expected = "a tokenizer of the models gpt2, llama, gemma4, bert, t5",
                 .given = concat("`", data.model, "`")});
  }
  parts.bos = data.bos ? data.bos : data.cls;
  parts.eos = data.eos ? data.eos : data.separator;
  parts.unknown = data.unknown;
  parts.padding = data.padding;
  parts.end_of_turn = data.end_of_turn;
  parts.chat_template = std::move(data.chat_template);
  return Tokenizer(std::move(parts));
}

Tokenizer read_vocabulary_and_merges(const std::filesystem::path& vocabulary_json,
                                     const std::filesystem::path& merges_txt,
                                     std::string_view split) {
  const Json json = Json::parse(read_file(vocabulary_json), vocabulary_json.string());
  VocabularyData data{.model = "gpt2", .pre = std::string(split)};
  for (const auto& [token, id] : json.members()) {
    const int64_t at = id.integer(), most = Vocabulary::most_ids(json.members().size());
    RIDGE_CHECK(at >= 0 && at < most, .code = ErrorCode::parse, .op = "read_vocabulary_and_merges",
                .expected = concat("ids from 0 to ", most - 1), .given = to_text(at));
    if (static_cast<size_t>(at) >= data.tokens.size())
      data.tokens.resize(static_cast<size_t>(at) + 1);
    std::string& text = data.tokens[static_cast<size_t>(at)];
    RIDGE_CHECK(text.empty(), .code = ErrorCode::parse, .op = "read_vocabulary_and_merges",
                .expected = "one token for an id",
                .given = concat("`", text, "` and `", token, "` for ", at));
    text = token;
  }
  data.types.assign(data.tokens.size(), 1);
  const std::string merges = read_file(merges_txt);
  for (std::string_view line : split_at(merges, "\n")) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const bool is_comment = data.merges.empty() && line.starts_with("#version");
    if (!line.empty() && !is_comment) data.merges.emplace_back(line);
  }
  // GPT-2's one special token is both ends.
  const auto end = std::ranges::find(data.tokens, "<|endoftext|>");
  if (end != data.tokens.end()) {
    data.bos = data.eos = static_cast<int32_t>(end - data.tokens.begin());
    data.types[static_cast<size_t>(*data.eos)] = 3;
  }
  return make_tokenizer(std::move(data));
}

}  // namespace ridge::text
