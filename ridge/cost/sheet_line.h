// One line of a sheet: its words, and where it stands, so that every error can say so.
//
//   figure  dram.peak  3.35 TB/s  source=nvidia   # as printed
//   word()   "figure"
//   words()  "dram.peak", "3.35", "TB/s", "source=nvidia"
//   rest()   all behind the first word, for lines that hold a sentence
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridge/cost/sheet.h"

namespace ridge::cost {

class SheetLine {
 public:
  // Error{parse} where the text outside of comments is not printable ASCII, or a quote stays open.
  SheetLine(std::string_view text, std::string_view file, size_t number);

  bool is_empty() const { return word_.empty(); }
  std::string_view word() const { return word_; }
  std::string_view rest() const { return rest_; }
  // A quoted one keeps its opening quote, which tells it from a bare word.
  const std::vector<std::string_view>& words() const { return words_; }

  [[noreturn]] void fail(std::string expected, std::string given, std::string hint = {}) const;

 private:
  void check_characters(std::string_view text) const;
  void cut(std::string_view text);

  std::string_view file_;
  size_t number_;
  std::string_view word_;
  std::string_view rest_;
  std::vector<std::string_view> words_;
};

// `text`, as errors show it.
std::string quoted(std::string_view text);

// The `figure` lines of a sheet: key, value and unit, then what the value stands for.
//
//   figure  matrix.bf16  989.4 TFLOP/s  dense accumulate=f32 source=nvidia

// Adds the figure to `sheet`, whose sources up to this line must be there. Error{parse} at the
// line for all that parse_sheet refuses in a figure.
void read_figure(const SheetLine& line, Sheet& sheet);

// Self-checks of sheets: a figure that follows from others must do so.
//
//   check  matrix.bf16 = clock.matrix * 4096 * 132 within 1%
//   check  l2.latency  = 200 / 1.53 GHz

// Reads the words of a `check` line against the figures of `sheet`, which must be complete.
// Error{parse} at the line where a word is none of these, a key has no figure, or the figure and
// the product are further apart than the tolerance, 1% where none is given.
Check read_check(const SheetLine& line, const Sheet& sheet);

// The figure over the product: 1 where they agree.
double ratio(const Check& check, const Sheet& sheet);

// The tolerance as it stands behind `within`: "1%".
std::string percent_text(double fraction);

}  // namespace ridge::cost
