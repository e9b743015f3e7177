#include "ridge/base/json_reader.h"

#include <algorithm>
#include <charconv>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"

namespace ridge {
namespace {

constexpr int kDeepestJson = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_high_surrogate(uint32_t code) { return code >= 0xd800 && code < 0xdc00; }
bool is_low_surrogate(uint32_t code) { return code >= 0xdc00 && code < 0xe000; }

}  // namespace

JsonReader::JsonReader(std::string_view text, std::string_view file) : text_(text), file_(file) {
  if (!is_utf8(text)) refuse("JSON in UTF-8", "other bytes");
}

void JsonReader::refuse(std::string_view expected, std::string_view given) const {
  const auto line = 1 + std::ranges::count(text_.substr(0, position_), '\n');
  throw_error({.code = ErrorCode::parse,
               .op = "json",
               .expected = std::string(expected),
               .given = concat(given, " in line ", line, " of `", file_, "`")});
}

char JsonReader::peek() {
  const size_t found = text_.find_first_not_of(" \t\n\r", position_);
  position_ = found == std::string_view::npos ? text_.size() : found;
  return position_ < text_.size() ? text_[position_] : '\0';
}

void JsonReader::expect(char c) {
  if (peek() != c) {
    refuse(concat("`", c, "`"),
           position_ < text_.size() ? concat("`", text_[position_], "`") : std::string("the end"));
  }
  ++position_;
}

void JsonReader::expect_word(std::string_view word) {
  peek();
  if (!text_.substr(position_).starts_with(word)) refuse(concat("`", word, "`"), "something else");
  position_ += word.size();
}

JsonKind JsonReader::kind() {
  switch (peek()) {
    case '{': return JsonKind::object;
    case '[': return JsonKind::array;
    case '"': return JsonKind::text;
    case 't':
    case 'f': return JsonKind::flag;
    case 'n': return JsonKind::null;
    default: return JsonKind::number;
  }
}

void JsonReader::list(char open, char close, FunctionRef<void()> element) {
  expect(open);
  if (++depth_ > kDeepestJson)
    refuse(concat("lists nested at most ", kDeepestJson, " deep"), "a deeper one");
  if (peek() != close) {
    element();
    while (peek() == ',') {
      ++position_;
      element();
    }
  }
  expect(close);
  --depth_;
}

void JsonReader::object(FunctionRef<void(const std::string& key)> member) {
  list('{', '}', [&] {
    const std::string key = text();
    expect(':');
    member(key);
  });
}

void JsonReader::array(FunctionRef<void()> element) { list('[', ']', element); }

uint32_t JsonReader::four_digits() {
  const std::string_view digits = text_.substr(position_, 4);
  uint32_t code = 0;
  const auto [stop, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (digits.size() != 4 || failure != std::errc() || stop != digits.data() + 4) {
    refuse("four hexadecimal digits", "something else");
  }
  position_ += 4;
  return code;
}

void JsonReader::escape(std::string& out) {
  const char c = position_ < text_.size() ? text_[position_++] : '\0';
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  if (const size_t found = c == '\0' ? kNames.npos : kNames.find(c); found != kNames.npos) {
    out += kMeanings[found];
    return;
  }
  if (c != 'u') refuse("an escape of JSON", "another");
  uint32_t code = four_digits();
  if (is_high_surrogate(code) && text_.substr(position_).starts_with("\\u")) {
    position_ += 2;
    const uint32_t low = four_digits();
    if (!is_low_surrogate(low)) refuse("the second half of a surrogate pair", "another escape");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (is_high_surrogate(code) || is_low_surrogate(code)) refuse("a surrogate pair", "half of one");
  append_utf8(out, code);
}

std::string JsonReader::text() {
  expect('"');
  std::string out;
  for (;;) {
    const size_t stop = std::min(text_.find_first_of("\"\\", position_), text_.size());
    for (; position_ < stop; ++position_) {
      if (static_cast<unsigned char>(text_[position_]) < 0x20) {
        refuse("text without control characters", "one");
      }
      out += text_[position_];
    }
    if (position_ == text_.size()) refuse("the end of a text", "the end of the JSON");
    if (text_[position_++] == '"') return out;
    escape(out);
  }
}

std::string_view JsonReader::number() {
  peek();
  const size_t start = position_;
  const auto at = [&] { return position_ < text_.size() ? text_[position_] : '\0'; };
  const auto digits = [&] {
    if (!is_digit(at())) refuse("a value of JSON", "something else");
    while (is_digit(at())) ++position_;
  };
  if (at() == '-') ++position_;
  const bool starts_with_zero = at() == '0';
  const size_t first = position_;
  digits();
  if (starts_with_zero && position_ != first + 1) refuse("a number", "one with leading zeros");
  if (at() == '.') {
    ++position_;
    digits();
  }
  if (at() == 'e' || at() == 'E') {
    ++position_;
    if (at() == '+' || at() == '-') ++position_;
    digits();
  }
  return text_.substr(start, position_ - start);
}

double JsonReader::real() {
  const std::string_view digits = number();
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc()) refuse("a number that a double can hold", digits);
  return value;
}

int64_t JsonReader::integer() {
  const std::string_view digits = number();
  int64_t value = 0;
  const auto [stop, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || stop != digits.data() + digits.size()) {
    refuse("an integer of 64 bits", digits);
  }
  return value;
}

bool JsonReader::boolean() {
  const bool value = peek() == 't';
  expect_word(value ? "true" : "false");
  return value;
}

void JsonReader::null() { expect_word("null"); }

void JsonReader::skip() {
  switch (kind()) {
    case JsonKind::object: return object([&](const std::string&) { skip(); });
    case JsonKind::array: return array([&] { skip(); });
    case JsonKind::text: text(); return;
    case JsonKind::number: number(); return;
    case JsonKind::flag: boolean(); return;
    case JsonKind::null: null(); return;
  }
}

void JsonReader::end() {
  if (peek() != '\0' || position_ != text_.size()) refuse("the end of the JSON", "more");
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      out += concat("\\u00", kDigits[static_cast<size_t>(c) >> 4], kDigits[c & 15]);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace ridge
