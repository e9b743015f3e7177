#include "ridge/text/bpe.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"

namespace ridge::text {
namespace {

int32_t part_of_merge(std::string_view part, const Vocabulary& vocabulary) {
  const std::optional<int32_t> id = vocabulary.find(part);
  RIDGE_CHECK(id, .code = ErrorCode::parse, .op = "tokenizer", .expected = "merges of tokens",
              .given = concat("`", part, "`, which is no token"));
  return *id;
}

constexpr int32_t kMerged = -1;
// Words of fewer symbols are not searched for borders: their queue is in the cache anyway. A guess.
constexpr size_t kLongWord = 32;

// The bytes of a character, or of a byte that is none, as a number.
uint64_t character_key(std::string_view character) {
  uint64_t key = 0;
  for (const char c : character) key = (key << 8) | static_cast<unsigned char>(c);
  return key;
}

// Disjoint sets of ids.
class IdSets {
 public:
  explicit IdSets(size_t count) : parents_(count) {
    std::iota(parents_.begin(), parents_.end(), 0);
  }

  // The id that stands for the set.
  uint32_t find(int32_t id) {
    auto at = static_cast<uint32_t>(id);
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  void unite(int32_t a, int32_t b) { parents_[find(a)] = find(b); }

 private:
  std::vector<uint32_t> parents_;
};

}  // namespace

std::pair<std::string, std::string> split_merge(std::string_view line) {
  // A token may be a space itself: the separator is never the first character.
  const size_t at = line.find(' ', 1);
  RIDGE_CHECK(at != std::string_view::npos && at + 1 < line.size(), .code = ErrorCode::parse,
              .op = "tokenizer", .expected = "a merge: two tokens and a space between them",
              .given = concat("`", line, "`"));
  return {std::string(line.substr(0, at)), std::string(line.substr(at + 1))};
}

std::vector<Merge> merges_of(std::span<const std::pair<std::string, std::string>> pairs,
                             const Vocabulary& vocabulary) {
  std::vector<Merge> merges;
  merges.reserve(pairs.size());
  for (const auto& [left, right] : pairs) {
    merges.push_back({.rank = static_cast<uint32_t>(merges.size()),
                      .left = part_of_merge(left, vocabulary),
                      .right = part_of_merge(right, vocabulary),
                      .result = part_of_merge(left + right, vocabulary)});
  }
  return merges;
}

std::vector<Merge> merges_by_score(const Vocabulary& vocabulary, std::span<const float> scores) {
  std::vector<float> order(scores.begin(), scores.end());
  std::ranges::sort(order, std::greater());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  const auto rank_of = [&](float score) {
    const auto at = std::ranges::lower_bound(order, score, std::greater());
    return static_cast<uint32_t>(at - order.begin());
  };
  std::vector<Merge> merges;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view token = vocabulary.token(id);
    if (!vocabulary.find_plain(token)) continue;
    for (size_t cut = utf8_length(token); cut != 0 && cut < token.size();) {
      const auto left = vocabulary.find_plain(token.substr(0, cut));
      const auto right = left ? vocabulary.find_plain(token.substr(cut)) : std::nullopt;
      if (right) {
        merges.push_back({rank_of(scores[static_cast<size_t>(id)]), *left, *right, id});
      }
      const size_t length = utf8_length(token.substr(cut));
      cut = length == 0 ? token.size() : cut + length;
    }
  }
  return merges;
}

Bpe::Bpe(const Vocabulary& vocabulary, std::span<const Merge> merges, BpeOptions options)
    : options_(options), merges_(merges.size()) {
  byte_ids_.fill(-1);
  for (size_t byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::optional<int32_t> id;
    if (options_.is_byte_level) id = vocabulary.find_bytes({&c, 1});
    if (options_.has_byte_fallback) id = vocabulary.find(byte_token(static_cast<uint8_t>(byte)));
    byte_ids_[byte] = id.value_or(-1);
  }
  results_.reserve(merges.size());
  for (const Merge& merge : merges) {
    const uint64_t key =
        pair_key(static_cast<uint32_t>(merge.left), static_cast<uint32_t>(merge.right));
    const uint32_t known = merges_.find(key);
    // Of a pair that is there twice the better rank counts.
    if (known != FlatMap::kNone && results_[known].rank <= merge.rank) continue;
    merges_.insert(key, static_cast<uint32_t>(results_.size()));
    results_.push_back({merge.rank, merge.result});
  }
  if (!options_.is_byte_level) find_characters(vocabulary);
  find_borders(vocabulary, merges);
}

void Bpe::find_characters(const Vocabulary& vocabulary) {
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view token = vocabulary.token(id);
    const bool is_character =
        token.size() == 1 || (!token.empty() && utf8_length(token) == token.size());
    if (is_character && vocabulary.find_plain(token)) {
      characters_.insert(character_key(token), static_cast<uint32_t>(id));
    }
  }
}

void Bpe::find_borders(const Vocabulary& vocabulary, std::span<const Merge> merges) {
  const auto count = static_cast<size_t>(vocabulary.size());
  IdSets firsts(count), lasts(count);
  for (const Merge& merge : merges) {
    firsts.unite(merge.result, merge.left);
    lasts.unite(merge.result, merge.right);
  }
  for (const Merge& merge : merges) {
    joints_.insert(pair_key(lasts.find(merge.left), firsts.find(merge.right)), 1);
  }
  ends_.reserve(count);
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    ends_.push_back({firsts.find(id), lasts.find(id)});
  }
}

bool Bpe::is_border(int32_t left, int32_t right) const {
  const uint32_t last = ends_[static_cast<size_t>(left)].last;
  return joints_.find(pair_key(last, ends_[static_cast<size_t>(right)].first)) == FlatMap::kNone;
}

void Bpe::append_unknown(std::string_view character, std::vector<int32_t>& symbols) const {
  const auto id_of = [&](char c) { return byte_ids_[static_cast<unsigned char>(c)]; };
  if (options_.has_byte_fallback &&
      std::ranges::all_of(character, [&](char c) { return id_of(c) >= 0; })) {
    for (const char c : character) symbols.push_back(id_of(c));
    return;
  }
  RIDGE_CHECK(options_.unknown, .code = ErrorCode::value, .op = "tokenizer",
              .expected = "text whose characters are tokens, as there is no unknown token",
              .given = describe_character(character));
  const bool fuses =
      options_.fuses_unknown && !symbols.empty() && symbols.back() == *options_.unknown;
  if (!fuses) symbols.push_back(*options_.unknown);
}

void Bpe::append_symbols(std::string_view word, std::vector<int32_t>& symbols) const {
  for (size_t at = 0; at < word.size();) {
    if (options_.is_byte_level) {
      const int32_t id = byte_ids_[static_cast<unsigned char>(word[at])];
      if (id >= 0) {
        symbols.push_back(id);
      } else {
        append_unknown(word.substr(at, 1), symbols);
      }
      ++at;
      continue;
    }
    const size_t length = std::max<size_t>(utf8_length(word.substr(at)), 1);
    const std::string_view character = word.substr(at, length);
    const uint32_t id = characters_.find(character_key(character));
    if (id != FlatMap::kNone) {
      symbols.push_back(static_cast<int32_t>(id));
    } else {
      append_unknown(character, symbols);
    }
    at += length;
  }
}

uint32_t Bpe::find_pair(std::span<const Node> nodes, uint32_t at) const {
  const uint32_t next = nodes[at].next;
  if (next >= nodes.size()) return FlatMap::kNone;
  return merges_.find(
      pair_key(static_cast<uint32_t>(nodes[at].id), static_cast<uint32_t>(nodes[next].id)));
}

void Bpe::merge(std::span<const int32_t> symbols, Scratch& scratch,
                std::vector<int32_t>& ids) const {
  std::vector<Node>& nodes = scratch.nodes;
  std::vector<uint64_t>& candidates = scratch.candidates;
  nodes.clear();
  candidates.clear();
  const auto count = static_cast<uint32_t>(symbols.size());
  for (uint32_t i = 0; i < count; ++i) nodes.push_back({symbols[i], i - 1, i + 1, FlatMap::kNone});
  const auto add = [&](uint32_t at) {
    const uint32_t pair = nodes[at].pair = find_pair(nodes, at);
    if (pair != FlatMap::kNone) candidates.push_back(pair_key(results_[pair].rank, at));
    return pair != FlatMap::kNone;
  };
  for (uint32_t i = 0; i < count; ++i) add(i);
  std::ranges::make_heap(candidates, std::greater());
  const auto offer = [&](uint32_t at) {
    if (add(at)) std::ranges::push_heap(candidates, std::greater());
  };

  while (!candidates.empty()) {
    std::ranges::pop_heap(candidates, std::greater());
    const auto rank = static_cast<uint32_t>(candidates.back() >> 32);
    const auto at = static_cast<uint32_t>(candidates.back());
    candidates.pop_back();
    Node& left = nodes[at];
    // A pair of which a part has been merged since is no pair any more.
    if (left.pair == FlatMap::kNone || results_[left.pair].rank != rank) continue;
    Node& right = nodes[left.next];
    left.id = results_[left.pair].id;
    left.next = right.next;
    right.id = kMerged;
    right.pair = FlatMap::kNone;
    if (left.next < count) nodes[left.next].previous = at;
    if (at != 0) offer(left.previous);
    offer(at);
  }
  for (const Node& node : nodes) {
    if (node.id != kMerged) ids.push_back(node.id);
  }
}

void Bpe::encode(std::string_view word, const Vocabulary& vocabulary, Scratch& scratch,
                 std::vector<int32_t>& ids) const {
  if (options_.takes_whole_words) {
    const auto whole =
        options_.is_byte_level ? vocabulary.find_bytes(word) : vocabulary.find_plain(word);
    if (whole) {
      ids.push_back(*whole);
      return;
    }
  }
  scratch.symbols.clear();
  append_symbols(word, scratch.symbols);
  // Note [Borders].
  const std::span<const int32_t> symbols = scratch.symbols;
  size_t begin = 0;
  for (size_t i = 1; i < symbols.size() && symbols.size() >= kLongWord; ++i) {
    if (!is_border(symbols[i - 1], symbols[i])) continue;
    merge(symbols.subspan(begin, i - begin), scratch, ids);
    begin = i;
  }
  merge(symbols.subspan(begin), scratch, ids);
}

}  // namespace ridge::text
