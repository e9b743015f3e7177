// Unicode: the classes of characters that tokenizers split by, and the normal forms they normalize to.
//
//   const CodePoints points("Äpfel 3");     points.flags[0] & kLetter, points.starts[1] == 2
//   normalized("\u00C4", NormalForm::nfd)   "A\u0308"
//   lower_case("ÄPFEL")                     "äpfel"
//
// Texts are bytes and may hold anything. A byte that belongs to no character of UTF-8 is a code point of
// its own, kNotUtf8, in no class; every function here leaves such bytes as they are. Categories and
// decompositions come from utf8proc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::text {

// Classes of a code point; general categories of Unicode in parentheses.
enum : uint16_t {
  kLetter = 1 << 0,       // L
  kMark = 1 << 1,         // M
  kNumber = 1 << 2,       // N
  kPunctuation = 1 << 3,  // P
  kSymbol = 1 << 4,       // S
  kSpace = 1 << 5,        // the property White_Space, which `\s` matches
  kUpper = 1 << 6,        // Lu, Lt
  kLower = 1 << 7,        // Ll
  kNonspacing = 1 << 8,   // Mn
  kOther = 1 << 9,        // Cc, Cf, Cs, Co: control, format, private use; not the unassigned
  kWord = 1 << 10,        // what `\w` matches: letters, marks, decimal digits, connectors
};

inline constexpr char32_t kNotUtf8 = 0xFFFF'FFFF;

uint16_t flags_of(char32_t point);

// A text as code points. `starts` has one more element than there are code points: the size of the text.
struct CodePoints {
  CodePoints() = default;
  explicit CodePoints(std::string_view text) { assign(text); }
  void assign(std::string_view text);  // keeps the memory it has

  size_t size() const { return points.size(); }
  // Whether the code point is there and in one of these classes.
  bool has(size_t at, unsigned classes) const {
    return at < flags.size() && (flags[at] & classes) != 0;
  }
  // Whether it is there and in none of them.
  bool lacks(size_t at, unsigned classes) const {
    return at < flags.size() && (flags[at] & classes) == 0;
  }
  bool is(size_t at, char32_t point) const { return at < points.size() && points[at] == point; }

  std::vector<char32_t> points;
  std::vector<uint16_t> flags;
  std::vector<uint32_t> starts;
};

bool is_ascii(std::string_view text);
bool is_ascii_punctuation(char32_t point);
// Blocks of Chinese characters that BERT puts spaces around.
bool is_chinese(char32_t point);

enum class NormalForm { nfc, nfd, nfkc, nfkd };
std::string normalized(std::string_view text, NormalForm form);

// Each character by itself, as Unicode maps it without context.
std::string lower_case(std::string_view text);

// The text without the characters of these classes.
std::string without(std::string_view text, unsigned classes);

// Calls `visit(point, bytes)` for each code point, where `bytes` are its own.
template <class Visit>
void for_each_code_point(std::string_view text, Visit visit) {
  const CodePoints all(text);
  for (size_t i = 0; i < all.size(); ++i) {
    visit(all.points[i], text.substr(all.starts[i], all.starts[i + 1] - all.starts[i]));
  }
}

}  // namespace ridge::text
