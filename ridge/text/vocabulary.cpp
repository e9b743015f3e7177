#include "ridge/text/vocabulary.h"

#include <array>
#include <charconv>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/base/utf8.h"

namespace ridge::text {
namespace {

// Bytes that are printable Latin-1 characters stand for themselves, the others for U+0100 and up.
std::array<char32_t, 256> make_alphabet() {
  std::array<char32_t, 256> alphabet{};
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool is_printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
                              (byte >= 0xAE && byte <= 0xFF);
    alphabet[byte] = is_printable ? byte : next++;
  }
  return alphabet;
}

const std::array<char32_t, 256>& alphabet() {
  static const std::array<char32_t, 256> all = make_alphabet();
  return all;
}

// The byte of a character of the alphabet; -1 for others. The last one is U+0143.
const std::array<int16_t, 0x144>& bytes_by_character() {
  static const auto all = [] {
    std::array<int16_t, 0x144> bytes;
    bytes.fill(-1);
    for (size_t byte = 0; byte < 256; ++byte) bytes[alphabet()[byte]] = static_cast<int16_t>(byte);
    return bytes;
  }();
  return all;
}

}  // namespace

void Vocabulary::add(std::string_view token, int64_t id, TokenKind kind) {
  RIDGE_CHECK(token.size() <= kLongestToken, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = concat("tokens of at most ", kLongestToken, " bytes"),
              .given = concat(token.size(), " for id ", id));
  RIDGE_CHECK(id >= 0 && id < most_ids_, .code = ErrorCode::parse, .op = "tokenizer",
              .expected = concat("ids from 0 to ", most_ids_ - 1),
              .given = concat(id, " for the token `", token, "`"));
  RIDGE_CHECK(
      !has(id), .code = ErrorCode::parse, .op = "tokenizer", .expected = "one token for an id",
      .given = concat("`", this->token(static_cast<int32_t>(id)), "` and `", token, "` for ", id));
  if (id >= size()) entries_.resize(static_cast<size_t>(id) + 1);
  Entry& entry = entries_[static_cast<size_t>(id)];
  entry = {std::make_unique<const std::string>(token), kind};
  const auto [known, is_new] = ids_.emplace(*entry.text, static_cast<int32_t>(id));
  RIDGE_CHECK(is_new, .code = ErrorCode::parse, .op = "tokenizer", .expected = "tokens that differ",
              .given = concat("`", token, "` for ", known->second, " and ", id));
  longest_bytes_ = std::max(longest_bytes_, token.size());
}

std::string_view Vocabulary::token(int32_t id) const {
  const auto& text = entries_[static_cast<size_t>(id)].text;
  return text ? std::string_view(*text) : std::string_view();
}

std::optional<int32_t> Vocabulary::find(std::string_view token) const {
  if (token.size() > longest_bytes_) return std::nullopt;
  const auto found = ids_.find(token);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int32_t> Vocabulary::find_plain(std::string_view token) const {
  const std::optional<int32_t> id = find(token);
  return id && !is_special(*id) && kind(*id) != TokenKind::byte ? id : std::nullopt;
}

std::string Vocabulary::bytes_of(int32_t id) const {
  const std::string_view text = token(id);
  std::string plain(text);
  if (is_special(id) || kind(id) == TokenKind::user_defined) return plain;
  // Some files do not say which tokens were added.
  return from_byte_level(text).value_or(std::move(plain));
}

std::optional<int32_t> Vocabulary::find_bytes(std::string_view bytes) const {
  const std::optional<int32_t> id = find(to_byte_level(bytes));
  return id && !is_special(*id) && bytes_of(*id) == bytes ? id : std::nullopt;
}

std::string to_byte_level(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) append_utf8(out, alphabet()[static_cast<unsigned char>(c)]);
  return out;
}

std::optional<std::string> from_byte_level(std::string_view token) {
  const auto& bytes = bytes_by_character();
  std::string out;
  for (size_t at = 0; at < token.size();) {
    const size_t length = utf8_length(token.substr(at));
    if (length == 0) return std::nullopt;
    const char32_t point = utf8_decode(token.data() + at, length);
    if (point >= bytes.size() || bytes[point] < 0) return std::nullopt;
    out += static_cast<char>(bytes[point]);
    at += length;
  }
  return out;
}

std::string describe_character(std::string_view character) {
  if (character.size() != 1) return concat("`", character, "`");
  const auto byte = static_cast<uint8_t>(character[0]);
  if (byte > 0x20 && byte < 0x7F) return concat("`", character, "`");
  return concat("the byte ", byte_token(byte).substr(1, 4));
}

std::string byte_token(uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return concat("<0x", std::string(1, kDigits[byte >> 4]), std::string(1, kDigits[byte & 15]), ">");
}

std::optional<uint8_t> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
  uint8_t byte = 0;
  const char* const end = token.data() + 5;
  const bool is_byte = std::from_chars(token.data() + 3, end, byte, 16).ptr == end;
  return is_byte ? std::optional(byte) : std::nullopt;
}

}  // namespace ridge::text
