// Normalizers: what is done to a text before it is split into words, as a list of functions.
//
//   Normalizer n = normalize_bert({.lower_case = true, .strip_accents = true});
//   n("Äpfel\t2")      "apfel 2"
//
// Bytes that are no UTF-8 pass through.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ridge/text/unicode.h"

namespace ridge::text {

using Normalizer = std::function<std::string(std::string_view)>;

struct BertNormalizer {
  bool clean_text = true;  // no control characters, each white space a blank
  bool spaces_chinese = true;
  bool strip_accents = true;
  bool lower_case = true;
};
Normalizer normalize_bert(BertNormalizer options);

Normalizer normalize_to(NormalForm form);
Normalizer normalize_lower_case();
Normalizer normalize_strip_accents();
// In front of a text that is not empty.
Normalizer normalize_prepend(std::string prefix);
Normalizer normalize_replace(std::string from, std::string to);
Normalizer normalize_strip(bool left, bool right);
// Runs of two blanks or more become `to`.
Normalizer normalize_blanks(std::string to);
// SentencePiece's table of replacements, as tokenizer.json and GGUF carry it. Error{parse} for what is none.
Normalizer normalize_by_charsmap(std::string table);

// Each step of a tokenizer's file is harmless, and fifty that double a text are not: Error{parse} for a text
// that grew more than any real one does. What one step puts in place of another text is short for that.
inline constexpr size_t kLongestReplacement = 64;
void check_growth(size_t bytes_before, size_t bytes_after);

std::string replaced(std::string_view text, std::string_view from, std::string_view to);
// Base64, as tokenizer.json has that table. Error{parse} for what is none.
std::string from_base64(std::string_view text);

}  // namespace ridge::text
