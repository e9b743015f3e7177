#include "tokenizers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "../unit/text/small_tokenizers.h"
#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/text/split_patterns.h"
#include "texts.h"

namespace ridge::parsers {
namespace {

using text::Tokenizer;
using text::VocabularyData;

// WordPiece of the letters a to e.
Tokenizer word_piece_tokenizer() {
  VocabularyData data{.model = "bert"};
  for (const auto* token : {"[UNK]", "[CLS]", "[SEP]"}) data.tokens.emplace_back(token);
  for (char letter = 'a'; letter <= 'e'; ++letter) {
    data.tokens.push_back(std::string(text::kMetaspace) + letter);
    data.tokens.emplace_back(1, letter);
  }
  data.types.assign(data.tokens.size(), 1);
  for (size_t i = 0; i < 3; ++i) data.types[i] = 3;
  data.unknown = 0;
  return text::make_tokenizer(std::move(data));
}

Tokenizer unigram_tokenizer() {
  VocabularyData data = text::sentence_piece_data();
  data.model = "t5";
  return text::make_tokenizer(std::move(data));
}

// One byte-level tokenizer for each way to split. Most names are another name of the same way.
std::vector<Tokenizer> byte_level_tokenizers() {
  std::vector<Tokenizer> all;
  const auto splits = text::named_splits();
  for (const text::NamedSplit& split : splits) {
    const text::NamedSplit& first = *std::ranges::find_if(splits, [&](const auto& other) {
      return other.is_byte_level == split.is_byte_level && other.patterns == split.patterns &&
             other.takes_whole_words == split.takes_whole_words;
    });
    if (!split.is_byte_level || &first != &split) continue;
    VocabularyData data = text::byte_level_data();
    data.pre = split.name;
    all.push_back(text::make_tokenizer(std::move(data)));
  }
  return all;
}

void check_round_trip(const Tokenizer& tokenizer, std::string_view bytes) {
  if (tokenizer.decode(tokenizer.encode(bytes)) != bytes) throw Unclear("decoded text is another");
}

// What does not depend on how a text is split.
void check_stream_and_special(const Tokenizer& tokenizer, std::string_view bytes) {
  text::StreamDecoder stream(tokenizer);
  std::string streamed;
  for (const int32_t id : tokenizer.encode(bytes)) streamed += stream.push(id);
  if (streamed + stream.flush() != bytes) throw Unclear("streamed text is another");
  tokenizer.encode(bytes, {.add_special = true, .parse_special = true});
}

}  // namespace

bool read_tokenizer(std::string_view text) {
  const auto check_clear = [](const Error& error) {
    const bool is_clear = error.code() != ErrorCode::internal && !error.expected().empty();
    if (!is_clear) throw Unclear(error.what());
  };
  std::optional<Tokenizer> tokenizer;
  try {
    tokenizer = text::parse_tokenizer_json(text);
  } catch (const Error& error) {
    check_clear(error);
    return false;
  }
  for (const std::string_view given :
       {"Hello w\u00f6rld, 12345\n\n  \xFF", "a ab <s> \u6f22\u0301"}) {
    try {
      tokenizer->decode(tokenizer->encode(given, {.add_special = true, .parse_special = true}));
    } catch (const Error& error) {
      check_clear(error);  // a small vocabulary need not have these characters
    }
  }
  return true;
}

bool read_encoded(std::string_view text) {
  static const std::vector<Tokenizer> all = byte_level_tokenizers();
  static const Tokenizer pieces = text::sentence_piece_tokenizer();
  static const Tokenizer words = word_piece_tokenizer();
  static const Tokenizer unigram = unigram_tokenizer();
  for (const Tokenizer& tokenizer : all) check_round_trip(tokenizer, text);
  check_stream_and_special(all.front(), text);
  // U+2581 is a blank to SentencePiece.
  if (text.find(text::kMetaspace) == std::string_view::npos) {
    check_round_trip(pieces, text);
    check_stream_and_special(pieces, text);
  }
  words.decode(words.encode(text));
  unigram.decode(unigram.encode(text));
  return true;
}

}  // namespace ridge::parsers
