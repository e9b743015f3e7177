// Reads the text of a kernel line by line, token by token.
//
//   reader.next_line();                    // "  for i1 in m @vector {"
//   reader.accept("for");                  // true; what follows is "i1 in m @vector {"
//   reader.numbered('i');                  // 1
//
// Every refusal is an Error{parse} with the line, its text and the column.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ridge/expr/text.h"

namespace ridge::loop {

class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  // Moves to the next line that is not blank; false at the end of the text.
  bool next_line();
  // Everything behind the tokens read so far: comments may hold any character.
  std::string_view rest_of_line();

  bool at_line_end();
  // A word is only accepted whole: `for` is no part of `format`.
  bool accept(std::string_view token);
  // Only with a blank behind it: `fill sum`, not `fill[i0]`.
  bool accept_before_blank(std::string_view word);
  void expect(std::string_view token);
  // i12 or v3: the letter and a number.
  bool at_numbered(char letter);
  int numbered(char letter);
  std::string word();  // letters, digits, points, underscores
  std::string name();  // a word, or anything in quotes
  expr::Expr expression(const expr::ParseContext& context);
  // Runs `read` at the place behind the first `mark` of this line outside of quotes, if there is
  // one, and comes back.
  void look_ahead(char mark, const std::function<void()>& read);

  [[noreturn]] void fail(std::string expected) const;

 private:
  void skip_space();

  std::string_view rest_;  // after this line
  std::string_view line_;
  size_t at_ = 0;
  int line_number_ = 0;
};

}  // namespace ridge::loop
