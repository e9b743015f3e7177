#include "ridge/text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"

namespace ridge::text {
namespace {

bool is_white_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

// Symbols that Unicode counts as alphabetic, so that `\w` matches them: letters in circles and squares.
bool is_enclosed_letter(char32_t c) {
  return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) ||
         (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

unsigned category_flags(char32_t point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT: return kLetter | kUpper | kWord;
    case UTF8PROC_CATEGORY_LL: return kLetter | kLower | kWord;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return kLetter | kWord;
    case UTF8PROC_CATEGORY_MN: return kMark | kNonspacing | kWord;
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME: return kMark | kWord;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL: return kNumber | kWord;
    case UTF8PROC_CATEGORY_NO: return kNumber;
    case UTF8PROC_CATEGORY_PC: return kPunctuation | kWord;
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO: return kPunctuation;
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_SO: return kSymbol;
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO: return kOther;
    default: return 0;  // separators, which are white space; unassigned
  }
}

uint16_t computed_flags(char32_t point) {
  unsigned flags = category_flags(point);
  if (is_white_space(point)) flags |= kSpace;
  // Zero-width joiners are of `\w` too.
  if (is_enclosed_letter(point) || point == 0x200C || point == 0x200D) flags |= kWord;
  return static_cast<uint16_t>(flags);
}

constexpr size_t kTabled = 0x10000;

const std::vector<uint16_t>& flag_table() {
  static const std::vector<uint16_t> table = [] {
    std::vector<uint16_t> flags(kTabled);
    for (size_t point = 0; point < kTabled; ++point) {
      flags[point] = computed_flags(static_cast<char32_t>(point));
    }
    return flags;
  }();
  return table;
}

using Points = std::vector<utf8proc_int32_t>;

int combining_class(utf8proc_int32_t point) {
  return utf8proc_get_property(point)->combining_class;
}

// Marks behind a starter by their class, as the canonical order is defined. A sort, since a text of
// nothing but marks would take a bubble sort quadratic time.
void order_marks(Points& points) {
  for (size_t i = 0; i < points.size();) {
    if (combining_class(points[i]) == 0) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < points.size() && combining_class(points[end]) != 0) ++end;
    std::stable_sort(points.begin() + static_cast<ptrdiff_t>(i),
                     points.begin() + static_cast<ptrdiff_t>(end),
                     [](auto a, auto b) { return combining_class(a) < combining_class(b); });
    i = end;
  }
}

// Appends the normal form of points that hold no kNotUtf8.
void append_normalized(std::string& out, const std::vector<char32_t>& points, NormalForm form) {
  const bool composes = form == NormalForm::nfc || form == NormalForm::nfkc;
  const bool is_compatible = form == NormalForm::nfkc || form == NormalForm::nfkd;
  const int options = UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | (is_compatible ? UTF8PROC_COMPAT : 0);
  Points decomposed;
  for (const char32_t point : points) {
    std::array<utf8proc_int32_t, 32> parts;
    const auto count =
        utf8proc_decompose_char(static_cast<utf8proc_int32_t>(point), parts.data(), parts.size(),
                                static_cast<utf8proc_option_t>(options), nullptr);
    RIDGE_INTERNAL_CHECK(count >= 0 && count <= 32, "utf8proc could not decompose a character");
    decomposed.insert(decomposed.end(), parts.begin(), parts.begin() + count);
  }
  order_marks(decomposed);
  if (composes && !decomposed.empty()) {
    const auto count = utf8proc_normalize_utf32(
        decomposed.data(), static_cast<utf8proc_ssize_t>(decomposed.size()),
        static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
    RIDGE_INTERNAL_CHECK(count >= 0, "utf8proc could not compose characters");
    decomposed.resize(static_cast<size_t>(count));
  }
  for (const auto point : decomposed) append_utf8(out, static_cast<char32_t>(point));
}

}  // namespace

uint16_t flags_of(char32_t point) {
  if (point < kTabled) return flag_table()[point];
  return point == kNotUtf8 ? uint16_t{0} : computed_flags(point);
}

void CodePoints::assign(std::string_view text) {
  RIDGE_CHECK(text.size() < UINT32_MAX, .code = ErrorCode::value, .op = "tokenizer",
              .expected = "a text below 4 GiB", .given = to_text(Bytes(text.size())));
  points.clear();
  flags.clear();
  starts.clear();
  points.reserve(text.size());
  flags.reserve(text.size());
  starts.reserve(text.size() + 1);
  const std::vector<uint16_t>& table = flag_table();
  for (size_t at = 0; at < text.size();) {
    starts.push_back(static_cast<uint32_t>(at));
    const size_t length = utf8_length(text.substr(at));
    const char32_t point = length == 0 ? kNotUtf8 : utf8_decode(text.data() + at, length);
    points.push_back(point);
    flags.push_back(point < kTabled ? table[point] : flags_of(point));
    at += std::max<size_t>(length, 1);
  }
  starts.push_back(static_cast<uint32_t>(text.size()));
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_ascii_punctuation(char32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool is_chinese(char32_t c) {
  // 2B920 and not 2B820: what BERT's tokenizers were trained and are run with.
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

std::string normalized(std::string_view text, NormalForm form) {
  if (is_ascii(text)) return std::string(text);
  std::string out;
  std::vector<char32_t> run;
  for_each_code_point(text, [&](char32_t point, std::string_view bytes) {
    if (point != kNotUtf8) {
      run.push_back(point);
      return;
    }
    append_normalized(out, run, form);
    run.clear();
    out += bytes;
  });
  append_normalized(out, run, form);
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_code_point(text, [&](char32_t point, std::string_view bytes) {
    if (point == 0x130) {  // the one character whose lower case is two
      out += "i\u0307";
    } else if (point == kNotUtf8) {
      out += bytes;
    } else {
      append_utf8(out,
                  static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(point))));
    }
  });
  return out;
}

std::string without(std::string_view text, unsigned classes) {
  std::string out;
  out.reserve(text.size());
  for_each_code_point(text, [&](char32_t point, std::string_view bytes) {
    if ((flags_of(point) & classes) == 0) out += bytes;
  });
  return out;
}

}  // namespace ridge::text
