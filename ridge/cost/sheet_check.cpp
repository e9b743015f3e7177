#include <cmath>
#include <span>

#include "ridge/base/text.h"
#include "ridge/cost/sheet.h"
#include "ridge/cost/sheet_line.h"
#include "ridge/cost/units.h"

namespace ridge::cost {
namespace {

using Words = std::span<const std::string_view>;

constexpr double kLargestTolerance = 0.5;

double tolerance(const SheetLine& line, std::string_view word) {
  const bool is_percentage = word.ends_with('%');
  const auto number = read_number(word.substr(0, word.size() - (is_percentage ? 1 : 0)));
  if (!is_percentage || !number || *number <= 0 || *number > 100 * kLargestTolerance) {
    line.fail("a tolerance above 0% and up to 50% after `within`", concat("`", word, "`"));
  }
  return *number / 100;
}

double figure_of(const SheetLine& line, const Sheet& sheet, std::string_view key) {
  const auto value = sheet.value(key);
  if (!value) {
    line.fail("a number, or the key of a figure of this sheet", concat("`", key, "`"),
              unit_of(key) ? "the key exists, but this sheet has no figure for it" : "");
  }
  return *value;
}

// Takes one factor off the front: a key, a number, or a number and its unit.
double take_factor(const SheetLine& line, const Sheet& sheet, Words& words) {
  if (words.empty()) line.fail("a factor", "the end of the formula");
  const std::string_view first = words.front();
  words = words.subspan(1);
  const auto number = read_number(first);
  if (!number) return figure_of(line, sheet, first);
  const auto scale = words.empty() ? std::nullopt : read_unit(words.front());
  if (!scale) return *number;
  words = words.subspan(1);
  return *number * scale->factor;
}

double product(const SheetLine& line, const Sheet& sheet, Words words) {
  double result = take_factor(line, sheet, words);
  while (!words.empty()) {
    const std::string_view sign = words.front();
    if (sign != "*" && sign != "/") line.fail("`*` or `/`", concat("`", sign, "`"));
    words = words.subspan(1);
    const double factor = take_factor(line, sheet, words);
    result = sign == "*" ? result * factor : result / factor;
  }
  if (!std::isfinite(result) || result <= 0) line.fail("a positive product", concat(result));
  return result;
}

}  // namespace

Check read_check(const SheetLine& line, const Sheet& sheet) {
  Words words = line.words();
  if (words.size() < 3 || words[1] != "=") {
    line.fail("`check KEY = FACTOR * FACTOR ... within N%`", concat("`", line.rest(), "`"));
  }
  Check check;
  check.key = words[0];
  figure_of(line, sheet, check.key);
  Words formula = words.subspan(2);
  if (formula.size() >= 2 && formula[formula.size() - 2] == "within") {
    check.tolerance = tolerance(line, formula.back());
    formula = formula.first(formula.size() - 2);
  }
  check.formula = join(formula, " ");
  check.product = product(line, sheet, formula);
  if (std::abs(ratio(check, sheet) - 1) > check.tolerance) {
    const Unit unit = sheet.find(check.key)->unit;
    line.fail(concat(check.key, " = ", check.formula, " = ", readable_text(check.product, unit),
                     " within ", percent_text(check.tolerance)),
              readable_text(figure_of(line, sheet, check.key), unit));
  }
  return check;
}

double ratio(const Check& check, const Sheet& sheet) {
  return sheet.value(check.key).value_or(0) / check.product;
}

std::string percent_text(double fraction) {
  // Multiplying may round away from the number that was read, which is then a neighbor.
  const double near = fraction * 100;
  for (const double candidate : {near, std::nextafter(near, 0), std::nextafter(near, 1e3)}) {
    if (candidate / 100 == fraction) return concat(candidate, "%");
  }
  return concat(near, "%");
}

}  // namespace ridge::cost
