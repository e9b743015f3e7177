#include "mutate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace ridge::parsers {
namespace {

// Numbers at which sizes, indices and conversions change their ways.
constexpr std::array<std::string_view, 16> kNumbers = {"0",
                                                       "1",
                                                       "-1",
                                                       "2",
                                                       "31",
                                                       "64",
                                                       "65",
                                                       "255",
                                                       "256",
                                                       "2147483647",
                                                       "2147483648",
                                                       "4611686018427387903",
                                                       "1e309",
                                                       "nan",
                                                       "9223372036854775807",
                                                       "99999999999999999999"};

struct Span {
  size_t begin, size;
};

size_t below(SplitMix64& random, size_t end) { return static_cast<size_t>(random.next() % end); }

// Runs of letters and digits, single other characters; spaces are none.
std::vector<Span> tokens_of(std::string_view text) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  std::vector<Span> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    if (text[i] != ' ' && text[i] != '\n') tokens.push_back({i, end - i});
    i = end;
  }
  return tokens;
}

std::vector<Span> lines_of(std::string_view text) {
  std::vector<Span> lines;
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
    lines.push_back({i, end - i});
    i = end;
  }
  return lines;
}

// One of the parts in the place of another, behind it, or away.
std::string rearranged(std::string text, const std::vector<Span>& parts, SplitMix64& random) {
  if (parts.empty()) return text;
  const Span at = parts[below(random, parts.size())];
  const Span other = parts[below(random, parts.size())];
  const std::string part = text.substr(other.begin, other.size);
  switch (below(random, 3)) {
    case 0: return text.replace(at.begin, at.size, part);
    case 1: return text.insert(at.begin, part);
    default: return text.erase(at.begin, at.size);
  }
}

std::string with_other_number(std::string text, SplitMix64& random) {
  std::vector<Span> numbers;
  for (const Span token : tokens_of(text)) {
    if (std::isdigit(static_cast<unsigned char>(text[token.begin])) != 0) numbers.push_back(token);
  }
  if (numbers.empty()) return text;
  const Span at = numbers[below(random, numbers.size())];
  return text.replace(at.begin, at.size, kNumbers[below(random, kNumbers.size())]);
}

std::string with_other_character(std::string text, SplitMix64& random) {
  if (text.empty()) return text;
  text[below(random, text.size())] = static_cast<char>(random.next() % 256);
  return text;
}

// What is left out may be most of it.
std::string cut(std::string text, SplitMix64& random) {
  const size_t begin = below(random, text.size() + 1);
  return text.erase(begin, below(random, text.size() - begin + 1));
}

std::string with_defect(std::string text, SplitMix64& random) {
  switch (below(random, 16)) {
    case 0: return cut(std::move(text), random);
    case 1:
    case 2: return with_other_character(std::move(text), random);
    case 3:
    case 4:
    case 5: return rearranged(text, lines_of(text), random);
    case 6:
    case 7:
    case 8:
    case 9: return with_other_number(std::move(text), random);
    default: return rearranged(text, tokens_of(text), random);
  }
}

}  // namespace

std::string mutated(std::string_view text, SplitMix64& random) {
  std::string result(text);
  const size_t defects = 1 + below(random, 4);
  for (size_t i = 0; i < defects; ++i) result = with_defect(std::move(result), random);
  return result;
}

}  // namespace ridge::parsers
