#include "ridge/text/added_tokens.h"

#include <algorithm>

#include "ridge/base/utf8.h"
#include "ridge/text/unicode.h"

namespace ridge::text {
namespace {

// The start of the character that ends at `end`.
size_t character_before(std::string_view text, size_t end) {
  for (size_t bytes = 2; bytes <= 4 && bytes <= end; ++bytes) {
    if (utf8_length(text.substr(end - bytes, bytes)) == bytes) return end - bytes;
  }
  return end - 1;
}

uint16_t flags_at(std::string_view text, size_t at) {
  const size_t length = utf8_length(text.substr(at));
  return length == 0 ? uint16_t{0} : flags_of(utf8_decode(text.data() + at, length));
}

bool is_in_word(std::string_view text, size_t begin, size_t end) {
  return (begin > 0 && (flags_at(text, character_before(text, begin)) & kWord) != 0) ||
         (end < text.size() && (flags_at(text, end) & kWord) != 0);
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::erase_if(tokens_, [](const AddedToken& token) { return token.text.empty(); });
  for (size_t i = 0; i < tokens_.size(); ++i) {
    trie_.insert(tokens_[i].text, static_cast<uint32_t>(i));
    starts_[static_cast<unsigned char>(tokens_[i].text[0])] = true;
  }
}

bool AddedTokens::can_be(const AddedToken& token, std::string_view text, size_t begin, size_t end,
                         std::span<const Range> special_ranges) const {
  if (token.is_special && std::ranges::none_of(special_ranges, [&](Range range) {
        return range.begin <= begin && end <= range.end;
      })) {
    return false;
  }
  return !token.is_single_word || !is_in_word(text, begin, end);
}

std::vector<Section> AddedTokens::cut(std::string_view text,
                                      std::span<const Range> special_ranges) const {
  std::vector<Section> sections;
  const auto add_text = [&](size_t begin, size_t end) {
    if (begin < end) sections.push_back({begin, end});
  };
  size_t rest = 0;
  for (size_t at = 0; at < text.size() && !tokens_.empty();) {
    Trie::Match match;
    if (starts_[static_cast<unsigned char>(text[at])]) {
      trie_.for_each_prefix(text.substr(at), [&](size_t length, uint32_t index) {
        if (can_be(tokens_[index], text, at, at + length, special_ranges)) match = {length, index};
      });
    }
    if (match.length == 0) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[match.value];
    size_t begin = at, end = at + match.length;
    while (token.strips_left && begin > rest) {
      const size_t before = character_before(text, begin);
      if ((flags_at(text, before) & kSpace) == 0) break;
      begin = before;
    }
    while (token.strips_right && end < text.size() && (flags_at(text, end) & kSpace) != 0) {
      end += utf8_length(text.substr(end));
    }
    add_text(rest, begin);
    sections.push_back({begin, end, token.id});
    at = rest = end;
  }
  add_text(rest, text.size());
  return sections;
}

}  // namespace ridge::text
