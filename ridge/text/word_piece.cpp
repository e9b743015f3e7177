#include "ridge/text/word_piece.h"

#include <algorithm>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"

namespace ridge::text {
namespace {

constexpr int32_t kUnknown = -1;
constexpr double kUnreached = -std::numeric_limits<double>::infinity();
// What SentencePiece takes off the lowest score for a character that is no token.
constexpr double kUnknownPenalty = 10;

// The character at `at`, or the byte that is none.
size_t character_bytes(std::string_view text, size_t at) {
  return std::max<size_t>(utf8_length(text.substr(at)), 1);
}

size_t count_characters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += character_bytes(text, at)) ++count;
  return count;
}

}  // namespace

WordPiece::WordPiece(const Vocabulary& vocabulary, WordPieceOptions options)
    : options_(std::move(options)) {
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view token = vocabulary.token(id);
    if (token.empty() || vocabulary.is_special(id)) continue;
    first_.insert(token, static_cast<uint32_t>(id));
    if (token.starts_with(options_.prefix)) {
      rest_.insert(token.substr(options_.prefix.size()), static_cast<uint32_t>(id));
    }
  }
}

void WordPiece::encode(std::string_view word, std::vector<int32_t>& ids) const {
  const size_t before = ids.size();
  bool is_unknown =
      word.size() > options_.most_characters && count_characters(word) > options_.most_characters;
  for (size_t at = 0; at < word.size() && !is_unknown;) {
    const Trie::Match match = (at == 0 ? first_ : rest_).longest_prefix(word.substr(at));
    is_unknown = match.length == 0;
    if (!is_unknown) ids.push_back(static_cast<int32_t>(match.value));
    at += match.length;
  }
  if (!is_unknown) return;
  ids.resize(before);
  ids.push_back(options_.unknown);
}

Unigram::Unigram(const Vocabulary& vocabulary, std::vector<double> scores, UnigramOptions options)
    : options_(options), scores_(std::move(scores)) {
  double lowest = std::numeric_limits<double>::infinity();
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view token = vocabulary.token(id);
    if (token.empty() || vocabulary.is_special(id) || vocabulary.kind(id) == TokenKind::byte)
      continue;
    const double score = scores_[static_cast<size_t>(id)];
    if (vocabulary.kind(id) == TokenKind::normal) lowest = std::min(lowest, score);
    tokens_.insert(token, static_cast<uint32_t>(id));
  }
  unknown_score_ =
      (lowest == std::numeric_limits<double>::infinity() ? 0 : lowest) - kUnknownPenalty;
  for (size_t byte = 0; byte < 256; ++byte) {
    byte_ids_[byte] = vocabulary.find(byte_token(static_cast<uint8_t>(byte))).value_or(kUnknown);
  }
}

// For each end of a character: how the best way to it arrives.
std::vector<Unigram::Best> Unigram::best_ends(std::string_view word) const {
  std::vector<Best> best(word.size() + 1, {kUnreached, 0, kUnknown});
  best[0].score = 0;
  const auto offer = [&](size_t from, size_t to, double score, int32_t id) {
    if (best[to].score < best[from].score + score) best[to] = {best[from].score + score, from, id};
  };
  for (size_t at = 0; at < word.size();) {
    const size_t length = character_bytes(word, at);
    bool has_character = false;
    if (best[at].score != kUnreached) {
      tokens_.for_each_prefix(word.substr(at), [&](size_t bytes, uint32_t id) {
        has_character |= bytes == length;
        offer(at, at + bytes, scores_[id], static_cast<int32_t>(id));
      });
      if (!has_character) offer(at, at + length, unknown_score_, kUnknown);
    }
    at += length;
  }
  return best;
}

void Unigram::append_unknown(std::string_view characters, std::vector<int32_t>& ids) const {
  const auto id_of = [&](char c) { return byte_ids_[static_cast<unsigned char>(c)]; };
  if (options_.has_byte_fallback &&
      std::ranges::all_of(characters, [&](char c) { return id_of(c) >= 0; })) {
    for (const char c : characters) ids.push_back(id_of(c));
    return;
  }
  RIDGE_CHECK(options_.unknown, .code = ErrorCode::value, .op = "tokenizer",
              .expected = "text whose characters are tokens, as there is no unknown token",
              .given = describe_character(characters.substr(0, character_bytes(characters, 0))));
  ids.push_back(*options_.unknown);
}

void Unigram::encode(std::string_view word, std::vector<int32_t>& ids) const {
  const std::vector<Best> best = best_ends(word);
  struct Piece {
    size_t from, to;
    int32_t id;
  };
  std::vector<Piece> pieces;
  for (size_t end = word.size(); end > 0; end = best[end].from) {
    const Best& piece = best[end];
    // One unknown token for a run of unknown characters.
    if (piece.id == kUnknown && !pieces.empty() && pieces.back().id == kUnknown) {
      pieces.back().from = piece.from;
    } else {
      pieces.push_back({piece.from, end, piece.id});
    }
  }
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    if (piece->id == kUnknown) {
      append_unknown(word.substr(piece->from, piece->to - piece->from), ids);
    } else {
      ids.push_back(piece->id);
    }
  }
}

}  // namespace ridge::text
