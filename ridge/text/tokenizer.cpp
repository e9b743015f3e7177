#include "ridge/text/tokenizer.h"

#include <algorithm>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"
#include "ridge/text/tokenizer_parts.h"

namespace ridge::text {
namespace {

using Ranges = std::span<const AddedTokens::Range>;

std::string normalize_all(const TokenizerParts& parts, std::string_view text) {
  std::string out(text);
  for (const Normalizer& step : parts.normalizers) {
    out = step(out);
    check_growth(text.size(), out.size());
  }
  return out;
}

// The steps of encoding one text.
class Encoder {
 public:
  Encoder(const TokenizerParts& parts, std::vector<int32_t>& ids) : parts_(parts), ids_(ids) {}

  void encode(std::string_view text, Ranges special_ranges) {
    // Places in the normalized text are not those of the text: special tokens are looked for there only if
    // they may be anywhere. Of a text of parts they are found before it is normalized.
    const bool may_be_anywhere = special_ranges.size() == 1 && special_ranges[0].begin == 0 &&
                                 special_ranges[0].end >= text.size();
    const bool has_parts = !may_be_anywhere && !special_ranges.empty();
    const AddedTokens& found = has_parts ? parts_.found_in_parts : parts_.found_raw;
    for (const Section& section : found.cut(text, special_ranges)) {
      if (section.id >= 0) {
        ids_.push_back(section.id);
        continue;
      }
      std::string part =
          normalize_all(parts_, text.substr(section.begin, section.end - section.begin));
      const bool is_first = section.begin == 0;
      if (parts_.found_normalized.empty()) {
        encode_plain(std::move(part), is_first);
        continue;
      }
      const AddedTokens::Range everywhere = {0, part.size()};
      const Ranges ranges = may_be_anywhere ? Ranges(&everywhere, 1) : Ranges();
      for (const Section& inner : parts_.found_normalized.cut(part, ranges)) {
        if (inner.id >= 0) {
          ids_.push_back(inner.id);
        } else {
          encode_plain(part.substr(inner.begin, inner.end - inner.begin),
                       is_first && inner.begin == 0);
        }
      }
    }
  }

 private:
  void encode_plain(std::string text, bool is_first) {
    if (text.empty()) return;
    const size_t bytes = text.size();
    Pieces pieces(std::move(text), is_first);
    for (const PreTokenizer& step : parts_.pre_tokenizers) {
      step(pieces);
      check_growth(bytes, pieces.text.size());
    }
    for (const Pieces::Span span : pieces.spans) encode_word(pieces.view(span));
  }

  void encode_word(std::string_view word) {
    if (word.empty()) return;
    if (const Bpe* bpe = std::get_if<Bpe>(&parts_.model)) {
      bpe->encode(word, parts_.vocabulary, scratch_, ids_);
    } else if (const WordPiece* pieces = std::get_if<WordPiece>(&parts_.model)) {
      pieces->encode(word, ids_);
    } else {
      std::get<Unigram>(parts_.model).encode(word, ids_);
    }
  }

  const TokenizerParts& parts_;
  std::vector<int32_t>& ids_;
  Bpe::Scratch scratch_;
};

constexpr std::string_view kTurnEnds[] = {"<|im_end|>",      "<|eot_id|>",    "<|eom_id|>",
                                          "<|end|>",         "<end_of_turn>", "<|endoftext|>",
                                          "<|end_of_text|>", "</s>"};

bool ends_text(const TokenizerParts& parts, int32_t id) {
  if (id == parts.eos || id == parts.end_of_turn) return true;
  const Vocabulary& vocabulary = parts.vocabulary;
  return vocabulary.is_special(id) &&
         std::ranges::find(kTurnEnds, vocabulary.token(id)) != std::end(kTurnEnds);
}

}  // namespace

Tokenizer::Tokenizer(TokenizerParts parts) {
  std::vector<AddedToken> raw, normalized, in_parts;
  for (AddedToken token : parts.added) {
    RIDGE_CHECK(parts.vocabulary.has(token.id), .code = ErrorCode::parse, .op = "tokenizer",
                .expected = "added tokens of the vocabulary",
                .given = concat("`", token.text, "` with id ", token.id));
    if (token.is_special || !token.is_normalized) in_parts.push_back(token);
    if (token.is_normalized) {
      token.text = normalize_all(parts, token.text);
      normalized.push_back(std::move(token));
    } else {
      raw.push_back(std::move(token));
    }
  }
  parts.found_raw = AddedTokens(std::move(raw));
  parts.found_normalized = AddedTokens(std::move(normalized));
  parts.found_in_parts = AddedTokens(std::move(in_parts));
  const auto check = [&](std::optional<int32_t> id, std::string_view name) {
    RIDGE_CHECK(
        !id || parts.vocabulary.has(*id), .code = ErrorCode::parse, .op = "tokenizer",
        .expected = concat("the id of the ", name, " token below ", parts.vocabulary.size()),
        .given = to_text(*id));
  };
  check(parts.bos, "bos");
  check(parts.eos, "eos");
  check(parts.unknown, "unknown");
  check(parts.padding, "padding");
  check(parts.end_of_turn, "end-of-turn");
  for (const int32_t id : parts.prefix) check(id, "first");
  for (const int32_t id : parts.suffix) check(id, "last");
  // GPT-NeoX and StarCoder have one token for everything: a byte that no token stands for would end the text.
  Bpe* const bpe = std::get_if<Bpe>(&parts.model);
  if (bpe && bpe->unknown() && (ends_text(parts, *bpe->unknown()) || bpe->unknown() == parts.bos)) {
    bpe->drop_unknown();
  }
  parts_ = std::make_shared<const TokenizerParts>(std::move(parts));
}

std::vector<int32_t> Tokenizer::encode(std::string_view text, EncodeOptions options) const {
  std::vector<int32_t> ids;
  if (options.add_special) ids = parts_->prefix;
  const AddedTokens::Range whole = {0, text.size()};
  Encoder(*parts_, ids).encode(text, options.parse_special ? Ranges(&whole, 1) : Ranges());
  if (options.add_special) ids.insert(ids.end(), parts_->suffix.begin(), parts_->suffix.end());
  return ids;
}

std::vector<int32_t> Tokenizer::encode(std::span<const TextPart> parts, bool add_special) const {
  std::string text;
  std::vector<AddedTokens::Range> ranges;
  for (const TextPart& part : parts) {
    if (part.parse_special) ranges.push_back({text.size(), text.size() + part.text.size()});
    text += part.text;
  }
  std::vector<int32_t> ids;
  if (add_special) ids = parts_->prefix;
  Encoder(*parts_, ids).encode(text, ranges);
  if (add_special) ids.insert(ids.end(), parts_->suffix.begin(), parts_->suffix.end());
  return ids;
}

std::string Tokenizer::decode(std::span<const int32_t> ids, DecodeOptions options) const {
  std::string text;
  bool is_first = true;
  for (const int32_t id : ids) {
    check_id("decode", id);
    if (options.skip_special && parts_->vocabulary.is_special(id)) continue;
    parts_->decoder.append(parts_->vocabulary, id, is_first, text);
    is_first = false;
  }
  return text;
}

void Tokenizer::check_id(std::string_view function, int32_t id) const {
  RIDGE_CHECK(id >= 0 && id < size(), .code = ErrorCode::index, .op = std::string(function),
              .expected = concat("ids from 0 to ", size() - 1), .given = to_text(id));
}

int32_t Tokenizer::size() const { return parts_->vocabulary.size(); }

std::string_view Tokenizer::token(int32_t id) const {
  check_id("token", id);
  return parts_->vocabulary.token(id);
}

int32_t Tokenizer::id(std::string_view token) const {
  const std::optional<int32_t> found = find(token);
  RIDGE_CHECK(found, .code = ErrorCode::unknown_name, .op = "id",
              .expected = concat("one of the ", size(), " tokens of the vocabulary"),
              .given = concat("`", token, "`"));
  return *found;
}

std::optional<int32_t> Tokenizer::find(std::string_view token) const {
  return parts_->vocabulary.find(token);
}

bool Tokenizer::is_special(int32_t id) const {
  check_id("is_special", id);
  return parts_->vocabulary.is_special(id);
}

std::optional<int32_t> Tokenizer::bos() const { return parts_->bos; }
std::optional<int32_t> Tokenizer::eos() const { return parts_->eos; }
std::optional<int32_t> Tokenizer::unknown() const { return parts_->unknown; }
std::optional<int32_t> Tokenizer::padding() const { return parts_->padding; }
const std::string& Tokenizer::chat_template() const { return parts_->chat_template; }

bool Tokenizer::is_end(int32_t id) const {
  check_id("is_end", id);
  return ends_text(*parts_, id);
}

std::string StreamDecoder::push(int32_t id) {
  tokenizer_.check_id("push", id);
  const TokenizerParts& parts = *tokenizer_.parts_;
  if (!options_.skip_special || !parts.vocabulary.is_special(id)) {
    parts.decoder.append(parts.vocabulary, id, is_first_, pending_);
    is_first_ = false;
  }
  std::string complete = pending_.substr(0, pending_.size() - utf8_unfinished(pending_));
  pending_.erase(0, complete.size());
  return complete;
}

std::string StreamDecoder::flush() {
  is_first_ = true;
  return std::exchange(pending_, {});
}

}  // namespace ridge::text
