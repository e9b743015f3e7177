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

}  // namespace ridge::cost
