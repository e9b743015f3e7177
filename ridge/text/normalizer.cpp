#include "ridge/text/normalizer.h"

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"

namespace ridge::text {
namespace {

// One character becomes at most 33 bytes of its compatibility form, of 3; a short text may get prefixes.
constexpr size_t kMostGrowth = 16, kMostAdded = 4096;

// Control characters go, white space becomes a blank.
std::string cleaned(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_code_point(text, [&](char32_t point, std::string_view bytes) {
    const uint16_t flags = flags_of(point);
    const bool is_usual_space = point == '\t' || point == '\n' || point == '\r';
    if (point == 0xFFFD || ((flags & kOther) && !is_usual_space)) return;
    out += flags & kSpace ? std::string_view(" ") : bytes;
  });
  return out;
}

std::string with_spaces_around_chinese(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_code_point(text, [&](char32_t point, std::string_view bytes) {
    const bool is_one = is_chinese(point);
    if (is_one) out += ' ';
    out += bytes;
    if (is_one) out += ' ';
  });
  return out;
}

// A double-array trie of 32-bit units over the replacements, which end with a zero byte each.
class Charsmap {
 public:
  explicit Charsmap(const std::string& table) {
    uint32_t bytes = 0;
    if (table.size() >= 4) bytes = unit_at(table, 0);
    RIDGE_CHECK(table.size() >= 4 && bytes >= 4 && bytes % 4 == 0 && bytes <= table.size() - 4,
                .code = ErrorCode::parse, .op = "tokenizer",
                .expected = "a table of characters: the bytes of its trie, the trie, the texts",
                .given = to_text(Bytes(table.size())));
    for (size_t at = 0; at < bytes; at += 4) units_.push_back(unit_at(table, 4 + at));
    texts_ = table.substr(4 + size_t{bytes});
  }

  std::string normalize(std::string_view text) const {
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
      const auto [length, value] = longest_prefix(text.substr(at));
      if (length > 0) {
        out += replacement(value);
        at += length;
        continue;
      }
      const size_t bytes = std::max<size_t>(utf8_length(text.substr(at)), 1);
      out += text.substr(at, bytes);
      at += bytes;
    }
    return out;
  }

 private:
  static constexpr size_t kLongestKey = 256;

  static uint32_t unit_at(std::string_view bytes, size_t at) {
    uint32_t unit = 0;
    for (size_t i = 0; i < 4; ++i) {
      unit |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    }
    return unit;
  }
  static uint32_t offset(uint32_t unit) { return (unit >> 10) << ((unit & 0x200) >> 6); }

  std::pair<size_t, uint32_t> longest_prefix(std::string_view text) const {
    std::pair<size_t, uint32_t> longest = {0, 0};
    size_t node = offset(units_[0]);
    // A table can have circles, and keys of real ones are a few characters.
    const size_t most = std::min(text.size(), kLongestKey);
    for (size_t i = 0; i < most && text[i] != '\0'; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      node ^= byte;
      if (node >= units_.size() || (units_[node] & 0x8000'00FF) != byte) break;
      const bool has_value = (units_[node] & 0x100) != 0;
      node ^= offset(units_[node]);
      if (has_value && node < units_.size()) longest = {i + 1, units_[node] & 0x7FFF'FFFF};
    }
    return longest;
  }

  std::string_view replacement(uint32_t at) const {
    if (at >= texts_.size()) return {};
    const std::string_view rest = std::string_view(texts_).substr(at);
    const std::string_view text = rest.substr(0, rest.find('\0'));
    RIDGE_CHECK(text.size() <= kLongestReplacement, .code = ErrorCode::parse, .op = "tokenizer",
                .expected = concat("a table of texts of at most ", kLongestReplacement, " bytes"),
                .given = to_text(text.size()));
    return text;
  }

  std::vector<uint32_t> units_;
  std::string texts_;
};

std::string stripped(std::string_view text, bool left, bool right) {
  const CodePoints points(text);
  size_t first = 0, last = points.size();
  while (left && points.has(first, kSpace)) ++first;
  while (right && last > first && points.has(last - 1, kSpace)) --last;
  return std::string(text.substr(points.starts[first], points.starts[last] - points.starts[first]));
}

}  // namespace

void check_growth(size_t bytes_before, size_t bytes_after) {
  RIDGE_CHECK(bytes_after <= kMostGrowth * bytes_before + kMostAdded, .code = ErrorCode::parse,
              .op = "tokenizer",
              .expected = concat("steps that make at most ", kMostGrowth, " times a text of it"),
              .given = concat(Bytes(bytes_after), " of ", Bytes(bytes_before)));
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  while (!from.empty()) {
    const size_t at = text.find(from);
    if (at == std::string_view::npos) break;
    out += text.substr(0, at);
    out += to;
    text.remove_prefix(at + from.size());
  }
  out += text;
  return out;
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    RIDGE_CHECK(digit != std::string_view::npos, .code = ErrorCode::parse, .op = "tokenizer",
                .expected = "base64", .given = concat("byte ", static_cast<int>(c)));
    bits = (bits << 6) | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> count) & 0xFF);
    }
  }
  return out;
}

Normalizer normalize_bert(BertNormalizer options) {
  return [options](std::string_view text) {
    std::string out = options.clean_text ? cleaned(text) : std::string(text);
    if (is_ascii(out)) return options.lower_case ? lower_case(out) : out;
    if (options.spaces_chinese) out = with_spaces_around_chinese(out);
    if (options.strip_accents) out = without(normalized(out, NormalForm::nfd), kNonspacing);
    if (options.lower_case) out = lower_case(out);
    return out;
  };
}

Normalizer normalize_to(NormalForm form) {
  return [form](std::string_view text) { return normalized(text, form); };
}
Normalizer normalize_lower_case() { return lower_case; }
Normalizer normalize_strip_accents() {
  return [](std::string_view text) { return without(text, kMark); };
}
Normalizer normalize_prepend(std::string prefix) {
  return [prefix](std::string_view text) {
    return text.empty() ? std::string() : concat(prefix, text);
  };
}
Normalizer normalize_replace(std::string from, std::string to) {
  return [from, to](std::string_view text) { return replaced(text, from, to); };
}
Normalizer normalize_strip(bool left, bool right) {
  return [left, right](std::string_view text) { return stripped(text, left, right); };
}
Normalizer normalize_blanks(std::string to) {
  return [to](std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find_first_not_of(' ', at), text.size());
      if (end - at >= 2) {
        out += to;
        at = end;
      } else {
        out += text[at++];
      }
    }
    return out;
  };
}
Normalizer normalize_by_charsmap(std::string table) {
  return [map = Charsmap(table)](std::string_view text) { return map.normalize(text); };
}

}  // namespace ridge::text
