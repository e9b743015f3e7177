#include "ridge/cost/units.h"

#include <array>
#include <charconv>
#include <cmath>

#include "ridge/base/text.h"

namespace ridge::cost {
namespace {

struct NamedScale {
  std::string_view name;
  Scale scale;
};

constexpr std::array kScales = {
    NamedScale{"FLOP/s", {Unit::flops_per_second, 1}},
    NamedScale{"MFLOP/s", {Unit::flops_per_second, 1e6}},
    NamedScale{"GFLOP/s", {Unit::flops_per_second, 1e9}},
    NamedScale{"TFLOP/s", {Unit::flops_per_second, 1e12}},
    NamedScale{"PFLOP/s", {Unit::flops_per_second, 1e15}},
    NamedScale{"OP/s", {Unit::ops_per_second, 1}},
    NamedScale{"MOP/s", {Unit::ops_per_second, 1e6}},
    NamedScale{"GOP/s", {Unit::ops_per_second, 1e9}},
    NamedScale{"TOP/s", {Unit::ops_per_second, 1e12}},
    NamedScale{"POP/s", {Unit::ops_per_second, 1e15}},
    NamedScale{"B/s", {Unit::bytes_per_second, 1}},
    NamedScale{"MB/s", {Unit::bytes_per_second, 1e6}},
    NamedScale{"GB/s", {Unit::bytes_per_second, 1e9}},
    NamedScale{"TB/s", {Unit::bytes_per_second, 1e12}},
    NamedScale{"Hz", {Unit::hertz, 1}},
    NamedScale{"MHz", {Unit::hertz, 1e6}},
    NamedScale{"GHz", {Unit::hertz, 1e9}},
    NamedScale{"ns", {Unit::seconds, 1e-9}},
    NamedScale{"us", {Unit::seconds, 1e-6}},
    NamedScale{"ms", {Unit::seconds, 1e-3}},
    NamedScale{"s", {Unit::seconds, 1}},
    NamedScale{"B", {Unit::bytes, 1}},
    NamedScale{"KiB", {Unit::bytes, 0x1p10}},
    NamedScale{"MB", {Unit::bytes, 1e6}},
    NamedScale{"MiB", {Unit::bytes, 0x1p20}},
    NamedScale{"GB", {Unit::bytes, 1e9}},
    NamedScale{"GiB", {Unit::bytes, 0x1p30}},
    NamedScale{"TB", {Unit::bytes, 1e12}},
    NamedScale{"TiB", {Unit::bytes, 0x1p40}},
};

double rounded_to_four_digits(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific, 3);
  return read_number(std::string_view(buffer.data(), end.ptr)).value_or(value);
}

}  // namespace

std::optional<Scale> read_unit(std::string_view text) {
  for (const NamedScale& candidate : kScales) {
    if (candidate.name == text) return candidate.scale;
  }
  return std::nullopt;
}

std::string_view base_name(Unit unit) {
  for (const NamedScale& candidate : kScales) {
    if (candidate.scale.unit == unit && candidate.scale.factor == 1) return candidate.name;
  }
  return {};
}

std::string describe_unit(Unit unit) {
  switch (unit) {
    case Unit::count: return "a plain number";
    case Unit::flops_per_second: return "FLOP/s, such as TFLOP/s";
    case Unit::ops_per_second: return "OP/s, such as TOP/s";
    case Unit::bytes_per_second: return "B/s, such as GB/s";
    case Unit::hertz: return "Hz, such as GHz";
    case Unit::seconds: return "s, such as ns";
    case Unit::bytes: return "B, such as KiB or GB";
  }
  return {};
}

std::string exact_text(double value, Unit unit) {
  if (unit == Unit::count) return concat(value);
  std::string best;
  size_t best_length = 0;
  for (const NamedScale& candidate : kScales) {
    if (candidate.scale.unit != unit) continue;
    const double amount = value / candidate.scale.factor;
    if (amount * candidate.scale.factor != value) continue;
    const std::string text = concat(amount, " ", candidate.name);
    // 500 GB/s rather than 0.5 TB/s, and 5 ns rather than 5e-09 s.
    const bool is_awkward = amount < 1 || text.find('e') != std::string::npos;
    const size_t length = text.size() + (is_awkward ? 8 : 0);
    if (!best.empty() && length > best_length) continue;
    best = text;
    best_length = length;
  }
  return best;
}

std::string readable_text(double value, Unit unit) {
  // A capacity is a power of two more often than not, and then reads best as it is.
  constexpr size_t kShort = 12;
  std::string exact = exact_text(value, unit);
  if (unit == Unit::count || (unit == Unit::bytes && exact.size() <= kShort)) return exact;
  const double rounded = rounded_to_four_digits(value);
  const NamedScale* largest = nullptr;
  for (const NamedScale& candidate : kScales) {
    if (candidate.scale.unit != unit) continue;
    if (largest == nullptr || rounded >= candidate.scale.factor) largest = &candidate;
  }
  return concat(rounded_to_four_digits(rounded / largest->scale.factor), " ", largest->name);
}

Limits limits(Unit unit) {
  switch (unit) {
    case Unit::count: return {.least = 1, .most = 1e9};
    case Unit::flops_per_second: return {.least = 1e6, .most = 1e19};
    case Unit::ops_per_second: return {.least = 1e6, .most = 1e19};
    case Unit::bytes_per_second: return {.least = 1e6, .most = 1e15};
    case Unit::hertz: return {.least = 1e6, .most = 1e11};
    case Unit::seconds: return {.least = 1e-11, .most = 10};
    case Unit::bytes: return {.least = 1, .most = 1e16};
  }
  return {};
}

std::optional<double> read_number(std::string_view text) {
  double value = 0;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [stop, failure] = std::from_chars(begin, end, value);
  if (failure != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace ridge::cost
