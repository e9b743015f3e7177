#include "ridge/loop/line_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::loop {
namespace {

constexpr int kLargestNumber = 100'000;  // of an axis or value: a slip must not exhaust the memory

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || is_digit(c);
}

}  // namespace

bool LineReader::next_line() {
  do {
    if (rest_.empty()) {
      line_ = {};
      at_ = 0;
      ++line_number_;
      return false;
    }
    const size_t length = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    at_ = 0;
    ++line_number_;
  } while (line_.find_first_not_of(' ') == std::string_view::npos);
  return true;
}

std::string_view LineReader::rest_of_line() {
  return line_.substr(std::exchange(at_, line_.size()));
}

void LineReader::skip_space() {
  while (at_ < line_.size() && line_[at_] == ' ') ++at_;
}

bool LineReader::at_line_end() {
  skip_space();
  return at_ == line_.size();
}

bool LineReader::accept(std::string_view token) {
  skip_space();
  const std::string_view here = line_.substr(at_);
  if (!here.starts_with(token)) return false;
  const bool is_part_of_word =
      is_word_char(token.back()) && here.size() > token.size() && is_word_char(here[token.size()]);
  if (is_part_of_word) return false;
  at_ += token.size();
  return true;
}

bool LineReader::accept_before_blank(std::string_view word) {
  skip_space();
  const std::string_view here = line_.substr(at_);
  const bool is_before = here.starts_with(word) && here.substr(word.size()).starts_with(' ');
  if (is_before) at_ += word.size();
  return is_before;
}

void LineReader::expect(std::string_view token) {
  if (!accept(token)) fail(concat("`", token, "`"));
}

bool LineReader::at_numbered(char letter) {
  skip_space();
  const std::string_view here = line_.substr(at_);
  const size_t length =
      static_cast<size_t>(std::ranges::find_if_not(here, is_word_char) - here.begin());
  return length > 1 && here[0] == letter &&
         std::ranges::all_of(here.substr(1, length - 1), is_digit);
}

int LineReader::numbered(char letter) {
  if (!at_numbered(letter)) fail(concat("`", letter, "` and a number"));
  const char* const begin = line_.data() + at_ + 1;
  int number = 0;
  const auto end = std::from_chars(begin, line_.data() + line_.size(), number);
  if (end.ec != std::errc() || number > kLargestNumber) fail("a smaller number");
  at_ += 1 + static_cast<size_t>(end.ptr - begin);
  return number;
}

std::string LineReader::word() {
  skip_space();
  const size_t begin = at_;
  while (at_ < line_.size() && is_word_char(line_[at_])) ++at_;
  if (at_ == begin) fail("a word");
  return std::string(line_.substr(begin, at_ - begin));
}

std::string LineReader::name() {
  if (!accept("\"")) return word();
  std::string name;
  for (; at_ < line_.size() && line_[at_] != '"'; ++at_) {
    if (line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
    name += line_[at_];
  }
  expect("\"");
  return name;
}

expr::Expr LineReader::expression(const expr::ParseContext& context) {
  try {
    return expr::parse_prefix(line_, at_, context);
  } catch (const Error& error) {
    throw_error({.code = ErrorCode::parse,
                 .op = "kernel text",
                 .expected = error.expected(),
                 .given = concat("line ", line_number_, ": ", error.given())});
  }
}

void LineReader::look_ahead(char mark, const std::function<void()>& read) {
  bool is_quoted = false;
  for (size_t i = at_; i < line_.size(); ++i) {
    if (is_quoted && line_[i] == '\\') {
      ++i;
    } else if (line_[i] == '"') {
      is_quoted = !is_quoted;
    } else if (line_[i] == mark && !is_quoted) {
      const size_t here = std::exchange(at_, i + 1);
      read();
      at_ = here;
      return;
    }
  }
}

void LineReader::fail(std::string expected) const {
  throw_error({.code = ErrorCode::parse,
               .op = "kernel text",
               .expected = std::move(expected),
               .given = concat("line ", line_number_, ": `", line_, "`, column ", at_ + 1)});
}

}  // namespace ridge::loop
