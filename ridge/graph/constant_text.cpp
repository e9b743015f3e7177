#include "ridge/graph/constant_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <vector>

#include "ridge/base/hash.h"
#include "ridge/base/text.h"

namespace ridge::graph {
namespace {

constexpr int64_t kLongestList = 16;
constexpr std::string_view kDigits = "0123456789abcdef";

std::string element_text(DType dtype, const expr::Number& value) {
  if (is_boolean(dtype)) return value.integer != 0 ? "true" : "false";
  if (is_integer(dtype)) return ridge::to_text(value.integer);
  if (dtype == f64) return ridge::to_text(value.real);
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(value.real));
  return {buffer.data(), end.ptr};
}

bool has_exact_digits(const Tensor& constant, int64_t count) {
  if (count > kLongestList || is_storage_only(constant.dtype())) return false;
  if (!is_floating(constant.dtype())) return true;
  for (int64_t i = 0; i < count; ++i) {
    if (std::isnan(load_element(constant.dtype(), constant.raw_data(), i).real)) return false;
  }
  return true;
}

[[noreturn]] void fail(std::string expected, std::string_view given) {
  throw Error({.code = ErrorCode::parse,
               .expected = std::move(expected),
               .given = concat("`", given.substr(0, 80), "`")});
}

template <class T>
T number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) fail("a number", text);
  return value;
}

void store(const Tensor& tensor, int64_t index, std::string_view text) {
  const DType dtype = tensor.dtype();
  expr::Number value = expr::Number::of(false);
  if (is_boolean(dtype)) {
    if (text != "true" && text != "false") fail("true or false", text);
    value = expr::Number::of(text == "true");
  } else if (is_integer(dtype)) {
    value = expr::Number::of(number<int64_t>(text));
  } else {
    value = expr::Number::of(dtype == f64 ? number<double>(text)
                                          : static_cast<double>(number<float>(text)));
  }
  store_element(dtype, tensor.raw_data(), index, value);
  const expr::Number stored = load_element(dtype, tensor.raw_data(), index);
  const bool is_exact = is_floating(dtype) ? std::isnan(value.real) || stored.real == value.real
                                           : stored.integer == value.integer;
  if (!is_exact) fail(concat("a number that ", name(dtype), " can hold"), text);
}

// What stands between commas, without the spaces around it; nothing in a list of spaces alone.
std::vector<std::string_view> list_items(std::string_view list) {
  if (list.find_first_not_of(' ') == std::string_view::npos) return {};
  std::vector<std::string_view> items = split_at(list, ",");
  for (std::string_view& item : items) {
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
  }
  return items;
}

Tensor from_bytes(std::string_view hex, DType dtype, const Shape& shape, int64_t count) {
  if (hex.size() % 2 != 0 || hex.size() / 2 != bytes_for(dtype, count)) {
    fail(concat(bytes_for(dtype, count), " bytes, two digits each"), hex);
  }
  Tensor tensor = Tensor::empty(shape, dtype);
  auto* bytes = static_cast<uint8_t*>(tensor.raw_data());
  for (size_t i = 0; i < hex.size(); i += 2) {
    const size_t high = kDigits.find(hex[i]), low = kDigits.find(hex[i + 1]);
    if (high == kDigits.npos || low == kDigits.npos) fail("hexadecimal digits", hex);
    bytes[i / 2] = static_cast<uint8_t>(high * 16 + low);
  }
  return tensor;
}

std::string digits_text(const Tensor& constant, int64_t count) {
  std::string text;
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += element_text(constant.dtype(), load_element(constant.dtype(), constant.raw_data(), i));
  }
  return constant.shape().empty() ? text : "[" + text + "]";
}

std::span<const uint8_t> bytes_of(const Tensor& constant) {
  return {static_cast<const uint8_t*>(constant.raw_data()),
          bytes_for(constant.dtype(), constant.numel().value())};
}

}  // namespace

std::string constant_text(const Tensor& constant) {
  const int64_t count = constant.numel().value();
  if (has_exact_digits(constant, count)) return digits_text(constant, count);
  std::string text = "\"";
  for (const uint8_t byte : bytes_of(constant)) {
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
  }
  return text + "\"";
}

std::string constant_digest(const Tensor& constant) {
  const int64_t count = constant.numel().value();
  if (has_exact_digits(constant, count)) return digits_text(constant, count);
  const std::span<const uint8_t> bytes = bytes_of(constant);
  return concat("#", hash_bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

Tensor parse_constant(std::string_view text, DType dtype, const Shape& shape) {
  const auto count = numel(shape).known();
  if (!count) fail("a constant of known size", to_text(shape));
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  if (is_quoted) return from_bytes(text.substr(1, text.size() - 2), dtype, shape, *count);
  if (is_storage_only(dtype)) fail("bytes in quotes", text);
  const bool is_list = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  const auto items =
      is_list ? list_items(text.substr(1, text.size() - 2)) : std::vector<std::string_view>{text};
  if (std::cmp_not_equal(items.size(), *count)) fail(concat(*count, " elements"), text);
  Tensor tensor = Tensor::empty(shape, dtype);
  for (size_t i = 0; i < items.size(); ++i) store(tensor, static_cast<int64_t>(i), items[i]);
  return tensor;
}

}  // namespace ridge::graph
