// A position in a text of several lines, for parsers by recursive descent.
//
// Spaces, line ends and `// comments` between tokens are skipped. Every failure is an Error{parse}
// with line, column and what was expected; nothing is read beyond the end of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ridge/base/error.h"

namespace ridge::graph {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  bool at_end();
  char peek();                          // the next character that counts; 0 at the end
  bool accept(std::string_view token);  // moves behind it if it is next
  // As `accept`, where a longer word must not be taken for it: "in" is not next in "inputs".
  bool accept_word(std::string_view word);
  void expect(std::string_view token);

  std::string word(std::string_view what);  // letters, digits, `_`; starts with no digit
  std::string quoted(std::string_view what);
  int64_t integer(std::string_view what);
  double real(std::string_view what);  // also inf and nan

  // The rest of the current line, and moving on in it: for parsers of other languages.
  std::string_view line_left() const;
  void advance(size_t characters) { position_ += characters; }

  // Of the next character. Asked in order, it takes time for the text between alone.
  int64_t line();

  [[noreturn]] void fail(std::string_view expected) const;
  // Runs `read`; an error that leaves it becomes one of this text, at this place.
  template <class Read>
  auto here(Read read) {
    const size_t start = position_;
    try {
      return read();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::parse && error.op() == kName) throw;
      position_ = start;
      fail_with(error);
    }
  }

 private:
  static constexpr std::string_view kName = "graph text";
  [[noreturn]] void fail_with(const Error& error) const;
  std::string place() const;  // "line 2, column 5"

  void skip();
  bool is_word_at(size_t position) const;

  std::string_view text_;
  size_t position_ = 0;
  size_t counted_to_ = 0;  // line ends up to here are in lines_before_
  int64_t lines_before_ = 0;
};

}  // namespace ridge::graph
