// Decoder: what a token adds to a text.
//
//   decoder.append(vocabulary, id, text);
//
// Every source of tokenizers comes down to these few fields, so that a stream of tokens can be decoded one by
// one: what a token adds depends on it and on whether it is the first, never on what follows.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ridge/text/vocabulary.h"

namespace ridge::text {

struct Decoder {
  enum class Kind {
    plain,       // the token itself
    byte_level,  // its characters are bytes of GPT-2's alphabet
    word_piece,  // a blank in front, unless it has the prefix
  };
  Kind kind = Kind::plain;
  std::vector<std::pair<std::string, std::string>> replacements{};  // within a token, in order
  bool has_byte_fallback = false;                                   // <0xE2> is a byte
  bool strips_first_blank = false;                                  // of the whole text
  bool joins_with_blanks = false;
  std::string prefix = "##";
  bool cleans_up = false;  // no blank in front of punctuation and contractions

  void append(const Vocabulary& vocabulary, int32_t id, bool is_first, std::string& text) const;
};

}  // namespace ridge::text
