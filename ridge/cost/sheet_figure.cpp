#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"
#include "ridge/cost/units.h"

namespace ridge::cost {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> kDirections = {"read", "write", "copy", "one-way"};
constexpr double kLargestSpread = 10;

Unit read_key(const SheetLine& line, const Sheet& sheet, std::string_view key) {
  const auto unit = unit_of(key);
  if (!unit) {
    std::vector<std::string_view> names;
    for (const FigureKey& known : figure_keys()) names.push_back(known.name);
    line.fail("the key of a figure", quoted(key), did_you_mean(key, names));
  }
  if (sheet.find(key) != nullptr) line.fail("each figure once", concat(quoted(key), " again"));
  return *unit;
}

// Reads the number and takes what it consists of off the front of `words`.
double read_value(const SheetLine& line, std::string_view key, Unit unit, Words& words) {
  const auto number = words.empty() ? std::nullopt : read_number(words.front());
  if (!number) {
    line.fail(concat("a number behind `", key, "`"), words.empty() ? "nothing" : quoted(words[0]));
  }
  words = words.subspan(1);
  const auto scale = words.empty() ? std::nullopt : read_unit(words.front());
  const bool is_suited = unit == Unit::count ? !scale : scale && scale->unit == unit;
  if (!is_suited) {
    const bool is_missing = words.empty() || words[0].find('=') != std::string_view::npos;
    line.fail(concat(key, " in ", describe_unit(unit)), is_missing ? "no unit" : quoted(words[0]));
  }
  if (scale) words = words.subspan(1);
  const double value = *number * (scale ? scale->factor : 1);
  const Limits range = limits(unit);
  if (!(value >= range.least && value <= range.most)) {
    line.fail(concat(key, " between ", exact_text(range.least, unit), " and ",
                     exact_text(range.most, unit)),
              concat(*number, unit == Unit::count ? "" : " in the unit given"));
  }
  if (unit == Unit::count && value != std::floor(value)) {
    line.fail(concat("a whole number behind `", key, "`"), concat(value));
  }
  return value;
}

double read_spread(const SheetLine& line, std::string_view value) {
  const auto number = read_number(value);
  if (!number || !(*number >= 0 && *number <= kLargestSpread)) {
    line.fail("spread= with a fraction, 0 to 10", quoted(value));
  }
  return std::abs(*number);  // no negative zero
}

std::string read_source_name(const SheetLine& line, std::string_view value, const Sheet& sheet) {
  if (sheet.source(value) == nullptr) {
    std::vector<std::string_view> names;
    for (const Source& source : sheet.sources) names.push_back(source.name);
    line.fail("the name of a `source` line above", quoted(value), did_you_mean(value, names));
  }
  return std::string(value);
}

void read_attribute(const SheetLine& line, std::string_view word, const Sheet& sheet,
                    Figure& figure) {
  const size_t equals = std::min(word.find('='), word.size());
  const std::string_view attribute = word.substr(0, equals);
  const std::string_view value = word.substr(std::min(equals + 1, word.size()));
  if (word == "dense" || word == "sparse") {
    figure.is_dense = word == "dense";
  } else if (attribute == "accumulate") {
    if (!is_figure_dtype(value)) line.fail("accumulate= with a dtype", quoted(word));
    figure.accumulate = value;
  } else if (attribute == "direction") {
    if (std::ranges::find(kDirections, value) == kDirections.end()) {
      line.fail(concat("direction= with one of ", join(kDirections, ", ")), quoted(word));
    }
    figure.direction = value;
  } else if (attribute == "spread") {
    figure.spread = read_spread(line, value);
  } else if (attribute == "source") {
    figure.source = read_source_name(line, value, sheet);
  } else {
    line.fail("dense, sparse, accumulate=, direction=, spread= or source=", quoted(word));
  }
}

void check_figure(const SheetLine& line, std::string_view key, const Figure& figure) {
  if (figure.source.empty()) line.fail("a source= for every figure", concat("none for ", key));
  if (figure.is_dense == is_sparse_key(key)) {
    line.fail(is_sparse_key(key) ? "the word `sparse`" : "a rate of dense work",
              figure.is_dense ? "none" : "`sparse`",
              is_sparse_key(key) ? "" : "rates with sparsity belong under matrix.T.sparse");
  }
  if (is_link_bandwidth(key) && figure.direction != "one-way") {
    line.fail("direction=one-way for a link", figure.direction.empty() ? "none" : figure.direction,
              "datasheets often print both directions together: halve those");
  }
}

}  // namespace

void read_figure(const SheetLine& line, Sheet& sheet) {
  if (line.words().empty()) line.fail("a key behind `figure`", "nothing");
  const std::string_view key = line.words().front();
  Figure figure{.unit = read_key(line, sheet, key)};
  Words words = Words(line.words()).subspan(1);
  figure.value = read_value(line, key, figure.unit, words);
  for (const std::string_view word : words) read_attribute(line, word, sheet, figure);
  check_figure(line, key, figure);
  sheet.figures.emplace(key, std::move(figure));
}

}  // namespace ridge::cost
