// The patterns by which models split text into words before they look for tokens, as functions.
//
// Models write them as regular expressions; each one known here is a function that says where a match
// which starts at a code point ends. Unknown expressions are refused with the list of known ones: a word
// split elsewhere gives other tokens, which no error would ever show.
//
//   find_pattern("\\p{N}{1,3}")(points, 0)      3 for "1234", 0 for "x1"
//
// A pattern may leave text out; what is between matches is a word too (for_each_match).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/text/unicode.h"

namespace ridge::text {

// The end of the match that starts at `at`, or `at` if none does.
using Pattern = size_t (*)(const CodePoints& text, size_t at);

// By the text of the regular expression. Error{unknown_name} with the known ones.
Pattern find_pattern(std::string_view regex);

// What GGUF calls a pre-tokenizer: the patterns in the order they are applied, each inside the words that
// the one before made.
struct NamedSplit {
  std::string_view name{};
  std::vector<Pattern> patterns{};
  bool takes_whole_words = false;  // a word that is a token stays whole, whatever the merges say
  bool adds_bos = false;           // unless the file says otherwise
  bool is_byte_level = true;
};
// Error{unknown_name} with the known ones.
const NamedSplit& find_split(std::string_view name);
std::span<const NamedSplit> named_splits();

// Patterns that the pre-tokenizers of tokenizer.json are made of.
size_t match_gpt2(const CodePoints& text, size_t at);
size_t match_number(const CodePoints& text, size_t at);        // one character
size_t match_numbers(const CodePoints& text, size_t at);       // a run
size_t match_three_digits(const CodePoints& text, size_t at);  // [0-9][0-9][0-9]
size_t match_punctuation(const CodePoints& text, size_t at);   // one character, ASCII symbols too
size_t match_punctuation_run(const CodePoints& text, size_t at);
size_t match_space(const CodePoints& text, size_t at);           // one character
size_t match_spaces(const CodePoints& text, size_t at);          // a run
size_t match_words_or_signs(const CodePoints& text, size_t at);  // \w+|[^\w\s]+

}  // namespace ridge::text
