#include "ridge/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <span>

namespace ridge {
namespace {

template <class Number, class... Format>
std::string number_text(Number value, Format... format) {
  std::array<char, 512> buffer;  // the longest is a double in fixed notation: 309 digits and sign
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  return std::string(buffer.data(), end.ptr);
}

struct Unit {
  std::string_view name;
  double size;
  bool is_whole = false;  // printed without a fraction, as there is no half byte
};

constexpr std::array kByteUnits = {
    Unit{"B", 1, true},  Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
    Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}, Unit{"PiB", 0x1p50},
};
constexpr std::array kTimeUnits = {
    Unit{"ns", 1e-3},
    Unit{"us", 1},
    Unit{"ms", 1e3},
    Unit{"s", 1e6},
};

// The largest unit that leaves at least 1 before the point, after rounding to one decimal:
// 1023.99 KiB prints as 1.0 MiB rather than as 1024.0 KiB.
std::string with_unit(double amount, std::span<const Unit> units) {
  const Unit* unit = &units.front();
  for (const Unit& candidate : units) {
    if (std::abs(amount) >= candidate.size * (1 - 0.5e-4)) unit = &candidate;
  }
  const int decimals = unit->is_whole ? 0 : 1;
  const std::string number = number_text(amount / unit->size, std::chars_format::fixed, decimals);
  return number + " " + std::string(unit->name);
}

}  // namespace

std::string to_text(Bytes bytes) { return with_unit(bytes.count, kByteUnits); }
std::string to_text(Microseconds time) { return with_unit(time.count, kTimeUnits); }
std::string to_text(double value) { return number_text(value); }
std::string integer_to_text(int64_t value) { return number_text(value); }
std::string integer_to_text(uint64_t value) { return number_text(value); }

std::vector<std::string_view> split_at(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t length = text.find_first_of(separators);
    parts.push_back(text.substr(0, length));
    if (length == std::string_view::npos) return parts;
    text.remove_prefix(length + 1);
  }
}

void TextWriter::write_lines(std::string_view lines) {
  while (true) {
    const size_t length = lines.find('\n');
    const std::string_view line = lines.substr(0, length);
    if (!line.empty()) text_.append(depth_ * spaces_per_level_, ' ');
    text_.append(line).push_back('\n');
    if (length == std::string_view::npos) return;
    lines.remove_prefix(length + 1);
  }
}

size_t edit_distance(std::string_view a, std::string_view b) {
  // One row of the usual table: row[j] is the distance from the read part of `a` to b[0, j).
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

bool is_plausible_typo(std::string_view given, std::string_view candidate, size_t distance) {
  return distance <= std::max<size_t>(2, given.size() / 3) &&
         distance < std::max(given.size(), candidate.size());
}

}  // namespace ridge
