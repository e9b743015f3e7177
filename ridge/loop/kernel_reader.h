// What the parsers of statements share: a kernel as far as it has been read, and how the words of its
// text are looked up there.
//
//   in.lines.accept("let");       in.defined_value();      // "v1: f32": the value is known from here on
//   in.lines.expect("=");         in.expression();         // "v0 * x[i1]"
//   in.end_of_line();
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/loop/line_reader.h"
#include "ridge/loop/statement_text.h"

namespace ridge::loop {

class KernelReader {
 public:
  explicit KernelReader(std::string_view text);
  KernelReader(const KernelReader&) = delete;  // the context of expressions refers to this
  KernelReader& operator=(const KernelReader&) = delete;

  LineReader lines;
  Kernel kernel;

  int number(const char* expected);
  int axis();
  Expr expression() { return lines.expression(context_); }
  std::vector<Expr> expressions();  // one or more, with commas between
  Expr in_extent();                 // in m
  Expr position();                  // [2 * i0]
  DType dtype();
  // The arithmetic of a statement that defines or assigns the value, where it is written.
  DType arithmetic(int value);
  Combine combine(const char* expected);
  template <class Enum>
  Enum one_of(std::span<const Enum> choices, const char* expected) {
    const std::string word = lines.word();
    const auto found = std::ranges::find(choices, word, [](Enum e) { return loop::name(e); });
    if (found == choices.end()) lines.fail(concat(expected, ", but `", word, "` is none"));
    return *found;
  }

  ValueInfo& value_info(int value) { return kernel.values[static_cast<size_t>(value)]; }
  int defined_value();  // v3: f32, where it is defined
  int known_value();
  int find_buffer(std::string_view name) const;  // -1: none
  int known_buffer(const char* expected);

  void value_name(int value);  // the comment behind the definition, up to the end of the line
  void end_of_line();

 private:
  bool is_known(int value) const {
    return std::cmp_less(value, is_known_.size()) && is_known_[static_cast<size_t>(value)];
  }
  // What a bare word in an expression means: a value or a size. Nothing: the reader refuses.
  Expr named(std::string_view name) const;
  Expr element(std::string_view name, std::vector<Expr> position) const;

  expr::ParseContext context_;
  std::vector<bool> is_known_;  // values defined so far
};

}  // namespace ridge::loop
