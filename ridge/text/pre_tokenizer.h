// Pre-tokenizers: a normalized text into words, which the model then encodes one by one.
//
//   Pieces pieces("Hello, world");
//   split_by(match_punctuation, SplitBehavior::isolated)(pieces);     "Hello" "," " world"
//
// Pieces are spans of one text, in order. A step splits each of them further; a step that changes the text
// (Metaspace) makes a new one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/text/split_patterns.h"

namespace ridge::text {

struct Pieces {
  struct Span {
    size_t begin, end;
  };
  explicit Pieces(std::string whole, bool starts_text = true)
      : text(std::move(whole)), spans{{0, text.size()}}, is_first(starts_text) {}

  std::string_view view(Span span) const {
    return std::string_view(text).substr(span.begin, span.end - span.begin);
  }

  std::string text;
  std::vector<Span> spans;
  bool is_first;  // nothing of the user's text is before these
};

using PreTokenizer = std::function<void(Pieces&)>;

// What becomes of a match; text between matches is always a word.
enum class SplitBehavior {
  isolated,  // a word of its own
  removed,
  merged_with_previous,  // the end of the word before
  merged_with_next,      // the start of the word behind
  contiguous,            // matches that follow each other are one word
};

PreTokenizer split_by(Pattern pattern, SplitBehavior behavior);
// Where the text between matches is what matches.
PreTokenizer split_between(Pattern pattern, SplitBehavior behavior);
// By a text that is looked for as it is.
PreTokenizer split_at_text(std::string text, SplitBehavior behavior);
// Words and runs of signs, without the white space: `\w+|[^\w\s]+`.
PreTokenizer split_words_and_signs();
// Digits as they are in the byte alphabet of GPT-2, which has six bytes beside 0 to 9 that look like some.
PreTokenizer split_digits_of_byte_level(bool each);

enum class PrependScheme { always, first, never };
// Blanks become `sign`, one is put in front, and each starts a word.
PreTokenizer split_metaspace(std::string sign, PrependScheme prepend, bool splits);
// A blank in front of each piece that starts with none.
PreTokenizer prepend_space();

}  // namespace ridge::text
