#include "ridge/expr/interval.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <unordered_map>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/expr/integer.h"

namespace ridge::expr {
namespace {

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();
constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();

int64_t saturating_add(int64_t a, int64_t b) {
  if (const auto sum = checked_add(a, b)) return *sum;
  return a < 0 ? kLowest : kHighest;
}
int64_t saturating_neg(int64_t a) { return a == kLowest ? kHighest : -a; }
int64_t saturating_mul(int64_t a, int64_t b) {
  if (const auto product = checked_mul(a, b)) return *product;
  return (a < 0) == (b < 0) ? kHighest : kLowest;
}
int64_t saturating_floor_div(int64_t a, int64_t b) {
  return b == -1 ? saturating_neg(a) : floor_divide(a, b);
}

// Products and quotients are monotone in each operand, so their extremes lie at the corners.
template <class Operation>
Interval over_corners(Interval a, Interval b, Operation operation) {
  const std::initializer_list<int64_t> corners = {operation(a.low, b.low), operation(a.low, b.high),
                                                  operation(a.high, b.low),
                                                  operation(a.high, b.high)};
  return {std::min(corners), std::max(corners)};
}

}  // namespace

Interval operator-(Interval a) { return {saturating_neg(a.high), saturating_neg(a.low)}; }

Interval operator+(Interval a, Interval b) {
  return {saturating_add(a.low, b.low), saturating_add(a.high, b.high)};
}

Interval operator-(Interval a, Interval b) {
  // Not a + (-b): the negation would saturate first, and lose the lowest value of b.
  const auto sub = [](int64_t x, int64_t y) {
    int64_t difference = 0;
    if (!__builtin_sub_overflow(x, y, &difference)) return difference;
    return x < 0 ? kLowest : kHighest;
  };
  return {sub(a.low, b.high), sub(a.high, b.low)};
}

Interval operator*(Interval a, Interval b) { return over_corners(a, b, saturating_mul); }

Interval floor_div(Interval a, Interval b) {
  // A divisor of zero is an error with no value, so the divisors on each side of it are enough.
  std::optional<Interval> result;
  for (const Interval side : {Interval{kLowest, -1}, Interval{1, kHighest}}) {
    const auto divisors = intersect(b, side);
    if (!divisors) continue;
    const Interval part = over_corners(a, *divisors, saturating_floor_div);
    result = result ? hull(*result, part) : part;
  }
  return result.value_or(Interval::all());
}

Interval mod(Interval a, Interval b) {
  // The remainder has the sign of the divisor and is smaller; a dividend in range stays as it is.
  if (b.low > 0 && a.low >= 0 && a.high < b.low) return a;
  if (b.high < 0 && a.high <= 0 && a.low > b.high) return a;
  if (b.low > 0 && a.low >= 0) return {0, std::min(a.high, b.high - 1)};
  return {b.low < 0 ? b.low + 1 : 0, b.high > 0 ? b.high - 1 : 0};
}

Interval min(Interval a, Interval b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
Interval max(Interval a, Interval b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }
Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

std::optional<Interval> intersect(Interval a, Interval b) {
  const Interval both = {std::max(a.low, b.low), std::min(a.high, b.high)};
  if (both.low > both.high) return std::nullopt;
  return both;
}

std::string to_text(Interval interval) {
  const std::string low = interval.low == kLowest ? "-inf" : ridge::to_text(interval.low);
  const std::string high = interval.high == kHighest ? "inf" : ridge::to_text(interval.high);
  return concat("[", low, ", ", high, "]");
}

namespace {

RealRange hull(const RealRange& a, const RealRange& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Only where all ends are finite: 0 * inf says nothing.
RealRange product(const RealRange& a, const RealRange& b) {
  const double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  if (std::ranges::any_of(ends, [](double end) { return !std::isfinite(end); })) return {};
  return {*std::ranges::min_element(ends), *std::ranges::max_element(ends)};
}

}  // namespace

RealRange range_of_call(Function function, std::span<const RealRange> arguments) {
  const RealRange a = arguments[0];
  const RealRange b = arguments.size() > 1 ? arguments[1] : RealRange{};
  const bool is_wave = function == Function::sin || function == Function::cos;
  const bool is_sigmoid =
      function == Function::tanh || function == Function::erf || function == Function::sign;
  if (is_wave || is_sigmoid) return {-1, 1};
  if (function == Function::neg) return {-a.high, -a.low};
  if (function == Function::min) return {std::min(a.low, b.low), std::min(a.high, b.high)};
  if (function == Function::max) return {std::max(a.low, b.low), std::max(a.high, b.high)};
  if (function == Function::abs) return {0, std::max(std::fabs(a.low), std::fabs(a.high))};
  if (function == Function::exp) return {.low = 0};
  if (function == Function::select) return hull(b, arguments[2]);
  if (function == Function::mul) return product(a, b);
  return {};
}

}  // namespace ridge::expr
