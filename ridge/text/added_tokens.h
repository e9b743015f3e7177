// AddedTokens: the tokens that are looked for in a text before it is split: special ones (`<|im_end|>`),
// and those that somebody added to a vocabulary.
//
//   tokens.cut("a<|im_end|>b", all)     "a" 151645 "b"
//
// At each place the longest token counts. Special tokens are found only where the caller allows them: what
// a user types stays text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/text/trie.h"

namespace ridge::text {

struct AddedToken {
  std::string text;
  int32_t id = 0;
  bool is_special = false;
  bool strips_left = false;     // takes the white space in front of it
  bool strips_right = false;    // and behind it
  bool is_single_word = false;  // not inside a word
  bool is_normalized = false;   // looked for in the normalized text
};

// A part of a text: a token, or text in which there is none.
struct Section {
  size_t begin, end;
  int32_t id = -1;
};

class AddedTokens {
 public:
  AddedTokens() = default;
  explicit AddedTokens(std::vector<AddedToken> tokens);

  bool empty() const { return tokens_.empty(); }

  // Where a special token may be, as ranges of the text.
  struct Range {
    size_t begin, end;
  };
  std::vector<Section> cut(std::string_view text, std::span<const Range> special_ranges) const;

 private:
  bool can_be(const AddedToken& token, std::string_view text, size_t begin, size_t end,
              std::span<const Range> special_ranges) const;

  std::vector<AddedToken> tokens_;
  Trie trie_;  // to indices of tokens_
  bool starts_[256] = {};
};

}  // namespace ridge::text
