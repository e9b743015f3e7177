// Numbers that a user wrote, on a command line or in a file: all of the text must be one.
//
//   parse_whole("12")       12
//   parse_whole("-1")       nothing; neither is "", "1e3", " 12" or "12x"
//   parse_real("0.5")       0.5; nothing for "nan" and "inf"
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge {

namespace detail {

template <class Number>
std::optional<Number> parse_all(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace detail

// Digits alone, up to 2^64 - 1.
inline std::optional<uint64_t> parse_whole(std::string_view text) {
  return detail::parse_all<uint64_t>(text);
}

// Finite.
inline std::optional<double> parse_real(std::string_view text) {
  const std::optional<double> number = detail::parse_all<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace ridge
