// Byte pair encoding: a word as characters or bytes, whose pairs are merged, the best pair first.
//
//   Bpe bpe(vocabulary, merges_of({{"h", "e"}, {"he", "n"}}, vocabulary), {.is_byte_level = true});
//   bpe.encode("hen", vocabulary, scratch, ids);
//
// Merges have ranks: by their order in a file of merges (GPT-2), or by the score of the token they make
// (SentencePiece: every way to put a token together of two others is a merge, and equal scores are equal
// ranks). Of equal ranks the leftmost is merged first. A word of n bytes takes O(n log n).
//
// Note [Borders]: SentencePiece takes a whole text for one word, whose queue of pairs would be larger than
// any cache. It is cut where no merge can go across, between two symbols a and b such that no merge joins a
// token that ends with a to one that starts with b; in most vocabularies that is in front of each blank.
// Parts do not see each other's merges, so their ids are those of the whole.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ridge/text/trie.h"
#include "ridge/text/vocabulary.h"

namespace ridge::text {

struct Merge {
  uint32_t rank = 0;
  int32_t left = 0, right = 0, result = 0;
};

// In the order of their ranks. Error{parse} for a part or a result that is no token.
std::vector<Merge> merges_of(std::span<const std::pair<std::string, std::string>> pairs,
                             const Vocabulary& vocabulary);
// "a b" as a line of merges.txt and GGUF have it. Error{parse} for what is no pair.
std::pair<std::string, std::string> split_merge(std::string_view line);
// Every pair of tokens that is a token; scores by id.
std::vector<Merge> merges_by_score(const Vocabulary& vocabulary, std::span<const float> scores);

struct BpeOptions {
  bool is_byte_level = false;  // bytes are tokens of the byte alphabet; else characters are tokens
  bool has_byte_fallback = false;  // a character that is no token becomes tokens <0x00> to <0xFF>
  bool fuses_unknown = false;      // one unknown token for a run of characters that are none
  bool takes_whole_words = false;  // a word that is a token is not split
  std::optional<int32_t> unknown{};
};

class Bpe {
 public:
  Bpe() = default;
  Bpe(const Vocabulary& vocabulary, std::span<const Merge> merges, BpeOptions options);

  std::optional<int32_t> unknown() const { return options_.unknown; }
  // What no token stands for is an error from now on.
  void drop_unknown() { options_.unknown.reset(); }

  // Memory that the words of a text use one after the other.
  struct Node {
    int32_t id;  // of what was merged into its left neighbor: -1
    uint32_t previous, next;
    uint32_t pair;  // with its right neighbor: an index of results_, or FlatMap::kNone
  };
  struct Scratch {
    std::vector<int32_t> symbols;
    std::vector<Node> nodes;
    std::vector<uint64_t> candidates;  // rank << 32 | node, the smallest first
  };

  // Error{value} for a character or byte without a token, if there is no unknown token either.
  void encode(std::string_view word, const Vocabulary& vocabulary, Scratch& scratch,
              std::vector<int32_t>& ids) const;

 private:
  void find_characters(const Vocabulary& vocabulary);
  void find_borders(const Vocabulary& vocabulary, std::span<const Merge> merges);
  // Whether no merge goes across the place between two symbols.
  bool is_border(int32_t left, int32_t right) const;
  void append_symbols(std::string_view word, std::vector<int32_t>& symbols) const;
  void append_unknown(std::string_view character, std::vector<int32_t>& symbols) const;
  // The pair that starts at a node, as Node::pair has it.
  uint32_t find_pair(std::span<const Node> nodes, uint32_t at) const;
  void merge(std::span<const int32_t> symbols, Scratch& scratch, std::vector<int32_t>& ids) const;

  BpeOptions options_;
  std::array<int32_t, 256> byte_ids_{};  // -1 for a byte that has no token
  FlatMap characters_;                   // the bytes of a character to its id
  FlatMap merges_;                       // a pair of ids to an index of results_
  struct Result {
    uint32_t rank;
    int32_t id;
  };
  std::vector<Result> results_;
  // Tokens that start with the same symbol have the same `first`; those that end with one, `last`.
  struct Ends {
    uint32_t first, last;
  };
  std::vector<Ends> ends_;  // by id
  FlatMap joints_;          // the pairs of `last` and `first` that some merge joins
};

}  // namespace ridge::text
