// UTF-8: characters of a byte string that may hold anything.
//
//   utf8_length("\xC3\xA4...")     2: the bytes of the first character
//   utf8_length("\xC3...")         0: no character starts here
//   append_utf8(out, 0x1F999)      four bytes
//   utf8_unfinished("a\xC3")       1: a byte more makes it a character
//
// A character is as Unicode defines it: shortest form, no surrogates, at most U+10FFFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ridge {

// The bytes of the character that `text` starts with; 0 for an empty text, or one that starts with none.
constexpr size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first < 0xC2   ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (length == 0 || text.size() < length) return 0;
  // What the second byte must be in beyond 80 to BF: overlong forms, surrogates, above U+10FFFF.
  const unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// Is it characters from its first byte to its last?
constexpr bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// The code point of a character of `length` bytes, as utf8_length gave it.
constexpr char32_t utf8_decode(const char* text, size_t length) {
  const auto byte = [&](size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  if (length == 1) return byte(0);
  if (length == 2) return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
  if (length == 3) return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
  return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) |
         (byte(3) & 0x3F);
}

inline void append_utf8(std::string& out, char32_t point) {
  const auto add = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xC0 | (point >> 6));
    add(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    add(0xE0 | (point >> 12));
    add(0x80 | ((point >> 6) & 0x3F));
    add(0x80 | (point & 0x3F));
  } else {
    add(0xF0 | (point >> 18));
    add(0x80 | ((point >> 12) & 0x3F));
    add(0x80 | ((point >> 6) & 0x3F));
    add(0x80 | (point & 0x3F));
  }
}

// How many bytes at the end of `text` may be the start of a character whose rest is still to come.
constexpr size_t utf8_unfinished(std::string_view text) {
  for (size_t count = 1; count <= 3 && count <= text.size(); ++count) {
    const std::string_view tail = text.substr(text.size() - count);
    const auto first = static_cast<unsigned char>(tail[0]);
    if ((first & 0xC0) == 0x80) continue;  // not the first byte of one
    const size_t length = first < 0xC2   ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF5 ? 4
                                         : 0;
    if (length <= count) return 0;
    // Filled up with what any rest could be: the second byte decides whether a character can come of it.
    const char fill = first == 0xE0 || first == 0xF0 ? '\xBF' : '\x80';
    char whole[4] = {fill, fill, fill, fill};
    for (size_t i = 0; i < count; ++i) whole[i] = tail[i];
    return utf8_length({whole, length}) == length ? count : 0;
  }
  return 0;
}

}  // namespace ridge
