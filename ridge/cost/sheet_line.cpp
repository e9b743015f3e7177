#include "ridge/cost/sheet_line.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::cost {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// What stands before the comment. A # inside a word or inside quotes starts none.
std::string_view without_comment(std::string_view line) {
  bool is_quoted = false;
  bool is_after_blank = true;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && is_after_blank && !is_quoted) return line.substr(0, i);
    if (line[i] == '"') is_quoted = !is_quoted;
    is_after_blank = kBlanks.find(line[i]) != std::string_view::npos;
  }
  return line;
}

}  // namespace

SheetLine::SheetLine(std::string_view text, std::string_view file, size_t number)
    : file_(file), number_(number) {
  const std::string_view content = trimmed(without_comment(text));
  check_characters(content);
  word_ = content.substr(0, content.find_first_of(kBlanks));
  rest_ = trimmed(content.substr(word_.size()));
  cut(rest_);
}

void SheetLine::fail(std::string expected, std::string given, std::string hint) const {
  throw Error({.code = ErrorCode::parse,
               .op = concat(file_, ":", number_),
               .expected = std::move(expected),
               .given = std::move(given),
               .hint = std::move(hint)});
}

void SheetLine::check_characters(std::string_view text) const {
  const auto is_good = [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; };
  const auto bad = std::ranges::find_if_not(text, is_good);
  if (bad == text.end()) return;
  fail("printable ASCII characters outside of comments",
       concat("byte ", static_cast<int>(static_cast<unsigned char>(*bad)), " at column ",
              bad - text.begin() + 1));
}

void SheetLine::cut(std::string_view text) {
  while (!text.empty()) {
    size_t length = text.find_first_of(kBlanks);
    if (text.front() == '"') {
      const size_t close = text.find('"', 1);
      if (close == std::string_view::npos) fail("a closing quote", concat("`", text, "`"));
      words_.push_back(text.substr(0, close));
      length = close + 1;
    } else {
      words_.push_back(text.substr(0, length));
    }
    text = trimmed(text.substr(std::min(length, text.size())));
  }
}

std::string quoted(std::string_view text) { return concat("`", text, "`"); }

}  // namespace ridge::cost
