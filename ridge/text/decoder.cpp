#include "ridge/text/decoder.h"

#include <array>

#include "ridge/text/normalizer.h"

namespace ridge::text {
namespace {

std::string cleaned_up(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kRules = {
      {{" .", "."},
       {" ?", "?"},
       {" !", "!"},
       {" ,", ","},
       {" ' ", "'"},
       {" n't", "n't"},
       {" 'm", "'m"},
       {" do not", " don't"},
       {" 's", "'s"},
       {" 've", "'ve"},
       {" 're", "'re"}}};
  for (const auto& [from, to] : kRules) text = replaced(text, from, to);
  return text;
}

}  // namespace

void Decoder::append(const Vocabulary& vocabulary, int32_t id, bool is_first,
                     std::string& text) const {
  const std::string_view token = vocabulary.token(id);
  if (has_byte_fallback) {
    if (const auto byte = byte_of_token(token)) {
      text += static_cast<char>(*byte);
      return;
    }
  }
  std::string piece = kind == Kind::byte_level ? vocabulary.bytes_of(id) : std::string(token);
  if (kind == Kind::word_piece) {
    if (!is_first) {
      piece = token.starts_with(prefix) ? piece.substr(prefix.size()) : " " + piece;
    }
    if (cleans_up) piece = cleaned_up(std::move(piece));
  }
  for (const auto& [from, to] : replacements) {
    piece = replaced(piece, from, to);
    check_growth(token.size(), piece.size());
  }
  if (is_first && strips_first_blank && piece.starts_with(' ')) piece.erase(0, 1);
  if (joins_with_blanks && !is_first) text += ' ';
  text += piece;
}

}  // namespace ridge::text
