#include "ridge/graph/text_cursor.h"

#include <algorithm>
#include <charconv>

#include "ridge/base/text.h"

namespace ridge::graph {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_control_character(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

void TextCursor::skip() {
  while (position_ < text_.size()) {
    const std::string_view left = text_.substr(position_);
    if (left[0] == ' ' || left[0] == '\n' || left[0] == '\t' || left[0] == '\r') {
      ++position_;
    } else if (left.starts_with("//")) {
      position_ += std::min(left.find('\n'), left.size());
    } else {
      return;
    }
  }
}

bool TextCursor::at_end() {
  skip();
  return position_ == text_.size();
}

char TextCursor::peek() { return at_end() ? '\0' : text_[position_]; }

bool TextCursor::accept(std::string_view token) {
  skip();
  if (!text_.substr(position_).starts_with(token)) return false;
  position_ += token.size();
  return true;
}

bool TextCursor::is_word_at(size_t position) const {
  return position < text_.size() && (is_letter(text_[position]) || is_digit(text_[position]));
}

bool TextCursor::accept_word(std::string_view word) {
  skip();
  if (!text_.substr(position_).starts_with(word) || is_word_at(position_ + word.size())) {
    return false;
  }
  position_ += word.size();
  return true;
}

void TextCursor::expect(std::string_view token) {
  if (!accept(token)) fail(concat("`", token, "`"));
}

std::string TextCursor::word(std::string_view what) {
  if (!is_letter(peek())) fail(what);
  const size_t start = position_;
  while (is_word_at(position_)) ++position_;
  return std::string(text_.substr(start, position_ - start));
}

std::string TextCursor::quoted(std::string_view what) {
  if (peek() != '"') fail(what);
  std::string text;
  for (++position_; position_ < text_.size() && text_[position_] != '"'; ++position_) {
    if (text_[position_] == '\\' && position_ + 1 < text_.size()) ++position_;
    // Names stand in comments of generated code, which a line end would leave.
    if (is_control_character(text_[position_])) break;
    text += text_[position_];
  }
  if (position_ >= text_.size() || text_[position_] != '"') fail("the closing quote");
  ++position_;
  return text;
}

int64_t TextCursor::integer(std::string_view what) {
  skip();
  int64_t value = 0;
  const char* const first = text_.data() + position_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error != std::errc()) fail(what);
  position_ += static_cast<size_t>(end - first);
  return value;
}

double TextCursor::real(std::string_view what) {
  skip();
  double value = 0;
  const char* const first = text_.data() + position_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error != std::errc()) fail(what);
  position_ += static_cast<size_t>(end - first);
  return value;
}

std::string_view TextCursor::line_left() const {
  const std::string_view left = text_.substr(position_);
  return left.substr(0, left.find('\n'));
}

int64_t TextCursor::line() {
  lines_before_ += std::ranges::count(text_.substr(counted_to_, position_ - counted_to_), '\n');
  counted_to_ = position_;
  return lines_before_ + 1;
}

std::string TextCursor::place() const {
  const std::string_view before = text_.substr(0, std::min(position_, text_.size()));
  const size_t line_start = before.rfind('\n') + 1;  // 0 where there is none
  return concat("line ", 1 + std::ranges::count(before, '\n'), ", column ",
                before.size() - line_start + 1);
}

void TextCursor::fail(std::string_view expected) const {
  const std::string_view rest = text_.substr(std::min(position_, text_.size()));
  const std::string_view shown = rest.substr(0, std::min<size_t>(rest.find('\n'), 40));
  throw Error(
      {.code = ErrorCode::parse,
       .op = std::string(kName),
       .expected = std::string(expected),
       .given = concat(shown.empty() ? "the end" : concat("`", shown, "`"), " at ", place())});
}

void TextCursor::fail_with(const Error& error) const {
  throw Error({.code = ErrorCode::parse,
               .op = std::string(kName),
               .expected = error.expected(),
               .given = concat(error.given(), " at ", place()),
               .hint = error.hint()});
}

}  // namespace ridge::graph
