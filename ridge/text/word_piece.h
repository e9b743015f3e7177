// WordPiece: a word as the longest tokens from its start, those behind the first with a prefix ("##").
// Unigram: a word as the tokens whose scores (log probabilities) have the greatest sum.
//
//   word_piece.encode("embeddings", ids);     em ##bed ##ding ##s
//
// Both read a word of n bytes in O(n m), m the bytes of the longest token.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/text/trie.h"
#include "ridge/text/vocabulary.h"

namespace ridge::text {

struct WordPieceOptions {
  std::string prefix = "##";
  size_t most_characters = 100;  // a longer word is unknown
  int32_t unknown = 0;
};

class WordPiece {
 public:
  WordPiece() = default;
  WordPiece(const Vocabulary& vocabulary, WordPieceOptions options);

  void encode(std::string_view word, std::vector<int32_t>& ids) const;

 private:
  WordPieceOptions options_;
  Trie first_, rest_;
};

struct UnigramOptions {
  std::optional<int32_t> unknown{};
  bool has_byte_fallback = false;
};

class Unigram {
 public:
  Unigram() = default;
  // A score for each id.
  Unigram(const Vocabulary& vocabulary, std::vector<double> scores, UnigramOptions options);

  // Error{value} for a character without a token, if there is no unknown token either.
  void encode(std::string_view word, std::vector<int32_t>& ids) const;

 private:
  struct Best {
    double score;
    size_t from;
    int32_t id;
  };
  std::vector<Best> best_ends(std::string_view word) const;
  void append_unknown(std::string_view characters, std::vector<int32_t>& ids) const;

  UnigramOptions options_;
  Trie tokens_;
  std::vector<double> scores_;
  double unknown_score_ = 0;
  std::array<int32_t, 256> byte_ids_{};
};

}  // namespace ridge::text
