// Vocabulary: tokens by id, ids by token, and the byte alphabet of GPT-2.
//
//   vocabulary.find("Ġthe")            262, or nothing
//   to_byte_level(" the")              "Ġthe": each byte as a character that can be seen
//   from_byte_level("Ġthe")            " the"
//   byte_token(0xE2)                   "<0xE2>", how SentencePiece writes a byte
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ridge::text {

// What a token stands for. Control tokens (and unknown) are never made from the text of a user.
enum class TokenKind : uint8_t { normal, unknown, control, user_defined, unused, byte };

class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;  // the map points into the tokens
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  // Error{parse} for two equal tokens, an id that is taken, or one beyond most_ids: `tokens` of an object
  // of JSON name their ids, and those of GGUF are counted. Also for a token longer than kLongestToken: what
  // looks for tokens in tokens takes the square of it.
  static constexpr int64_t kMostTokens = int64_t{1} << 22;
  static constexpr size_t kLongestToken = 4096;
  void add(std::string_view token, int64_t id, TokenKind kind = TokenKind::normal);
  // Ids may have gaps, but a few tokens do not make room for millions.
  static int64_t most_ids(size_t tokens) {
    constexpr int64_t kMostGaps = int64_t{1} << 16;
    return std::min(kMostTokens, 16 * static_cast<int64_t>(tokens) + kMostGaps);
  }
  void expect(size_t tokens) { most_ids_ = most_ids(tokens); }
  void set_kind(int32_t id, TokenKind kind) { entries_[static_cast<size_t>(id)].kind = kind; }

  // One more than the highest id; ids in between may have no token, and an empty text then.
  int32_t size() const { return static_cast<int32_t>(entries_.size()); }
  bool has(int64_t id) const {
    return id >= 0 && id < size() && entries_[static_cast<size_t>(id)].text != nullptr;
  }
  std::string_view token(int32_t id) const;
  TokenKind kind(int32_t id) const { return entries_[static_cast<size_t>(id)].kind; }
  bool is_special(int32_t id) const {
    return kind(id) == TokenKind::control || kind(id) == TokenKind::unknown;
  }

  std::optional<int32_t> find(std::string_view token) const;
  // A token that text may become: nothing for control tokens, unknown and bytes.
  std::optional<int32_t> find_plain(std::string_view token) const;

  // Of a byte-level vocabulary: the bytes that a token stands for. What somebody added, special or not, is
  // plain text: an added "ö" is C3 B6, where a token "ö" of the byte alphabet is the byte F6.
  std::string bytes_of(int32_t id) const;
  // The token that stands for these bytes in the byte alphabet; nothing for special tokens.
  std::optional<int32_t> find_bytes(std::string_view bytes) const;
  size_t longest_bytes() const { return longest_bytes_; }

 private:
  struct Entry {
    std::unique_ptr<const std::string> text;
    TokenKind kind = TokenKind::normal;
  };

  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, int32_t> ids_;
  size_t longest_bytes_ = 0;
  int64_t most_ids_ = kMostTokens;
};

std::string to_byte_level(std::string_view bytes);
// Nothing if a character is not one of the 256.
std::optional<std::string> from_byte_level(std::string_view token);

// A character that no token stands for, as an error names it: "`é`", or "the byte 0xC0".
std::string describe_character(std::string_view character);

std::string byte_token(uint8_t byte);
std::optional<uint8_t> byte_of_token(std::string_view token);

// U+2581, which SentencePiece writes for a space.
inline constexpr std::string_view kMetaspace = "\xE2\x96\x81";

}  // namespace ridge::text
