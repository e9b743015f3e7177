#include "ridge/files/gguf_value.h"

#include <array>
#include <limits>

#include "ridge/base/text.h"

namespace ridge::files {
namespace {

constexpr std::array<GgufScalar, 13> kScalars = {{
    {"u8", 1, GgufKind::integer, false},
    {"i8", 1, GgufKind::integer, true},
    {"u16", 2, GgufKind::integer, false},
    {"i16", 2, GgufKind::integer, true},
    {"u32", 4, GgufKind::integer, false},
    {"i32", 4, GgufKind::integer, true},
    {"f32", 4, GgufKind::real, true},
    {"bool", 1, GgufKind::boolean, false},
    {"text", 0, GgufKind::text, false},
    {"array", 0, GgufKind::array, false},
    {"u64", 8, GgufKind::integer, false},
    {"i64", 8, GgufKind::integer, true},
    {"f64", 8, GgufKind::real, true},
}};

constexpr std::array<GgufTensorType, 38> kTensorTypes = {{
    {0, "F32", f32, {}},
    {1, "F16", f16, {}},
    {2, "Q4_0", {}, BlockFormat::q4_0},
    {3, "Q4_1", {}, BlockFormat::q4_1},
    {4, "Q4_2", {}, {}},
    {5, "Q4_3", {}, {}},
    {6, "Q5_0", {}, BlockFormat::q5_0},
    {7, "Q5_1", {}, BlockFormat::q5_1},
    {8, "Q8_0", {}, BlockFormat::q8_0},
    {9, "Q8_1", {}, {}},
    {10, "Q2_K", {}, BlockFormat::q2_k},
    {11, "Q3_K", {}, BlockFormat::q3_k},
    {12, "Q4_K", {}, BlockFormat::q4_k},
    {13, "Q5_K", {}, BlockFormat::q5_k},
    {14, "Q6_K", {}, BlockFormat::q6_k},
    {15, "Q8_K", {}, {}},
    {16, "IQ2_XXS", {}, {}},
    {17, "IQ2_XS", {}, {}},
    {18, "IQ3_XXS", {}, {}},
    {19, "IQ1_S", {}, {}},
    {20, "IQ4_NL", {}, BlockFormat::iq4_nl},
    {21, "IQ3_S", {}, {}},
    {22, "IQ2_S", {}, {}},
    {23, "IQ4_XS", {}, BlockFormat::iq4_xs},
    {24, "I8", i8, {}},
    {25, "I16", i16, {}},
    {26, "I32", i32, {}},
    {27, "I64", i64, {}},
    {28, "F64", f64, {}},
    {29, "IQ1_M", {}, {}},
    {30, "BF16", bf16, {}},
    {31, "Q4_0_4_4", {}, {}},
    {32, "Q4_0_4_8", {}, {}},
    {33, "Q4_0_8_8", {}, {}},
    {34, "TQ1_0", {}, {}},
    {35, "TQ2_0", {}, {}},
    {39, "MXFP4", {}, {}},
    {40, "NVFP4", {}, {}},
}};

[[noreturn]] void throw_kind(std::string_view expected, const GgufValue& value) {
  throw Error(
      {.code = ErrorCode::dtype, .expected = std::string(expected), .given = value.type_text()});
}

double real_at(const std::byte* data, uint64_t bytes) {
  if (bytes == sizeof(double)) {
    double value;
    std::memcpy(&value, data, sizeof(value));
    return value;
  }
  float value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

}  // namespace

std::optional<GgufScalar> gguf_scalar(uint32_t type) {
  return type < kScalars.size() ? std::optional(kScalars[type]) : std::nullopt;
}

std::span<const GgufTensorType> gguf_tensor_types() { return kTensorTypes; }

GgufKind GgufValue::kind() const { return kScalars[type_].kind; }

std::string GgufValue::type_text() const {
  if (type_ != kGgufArray) return std::string(kScalars[type_].name);
  return concat("an array of ", kScalars[element_type_].name);
}

bool GgufValue::flag() const {
  if (kind() != GgufKind::boolean) throw_kind("a bool", *this);
  return *data_ != std::byte{0};
}

int64_t GgufValue::integer() const {
  if (kind() != GgufKind::integer) throw_kind("an integer", *this);
  uint64_t word = 0;
  std::memcpy(&word, data_, bytes_);
  if (kScalars[type_].is_signed) {
    const int unused = 64 - static_cast<int>(bytes_) * 8;
    return static_cast<int64_t>(word << unused) >> unused;
  }
  RIDGE_CHECK(word <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()),
              .code = ErrorCode::value, .expected = "an integer below 2^63",
              .given = to_text(word));
  return static_cast<int64_t>(word);
}

double GgufValue::real() const {
  if (kind() == GgufKind::integer) return static_cast<double>(integer());
  if (kind() != GgufKind::real) throw_kind("a number", *this);
  return real_at(data_, bytes_);
}

std::string_view GgufValue::text() const {
  if (kind() != GgufKind::text) throw_kind("a text", *this);
  return {reinterpret_cast<const char*>(data_), bytes_};
}

uint64_t GgufValue::count() const {
  if (kind() != GgufKind::array) throw_kind("an array", *this);
  return count_;
}

namespace {

template <class T, class Read>
std::vector<T> each(const GgufValue& array, Read read) {
  std::vector<T> values;
  const std::vector<GgufValue> elements = array.elements();
  values.reserve(elements.size());
  for (const GgufValue& element : elements) values.push_back((element.*read)());
  return values;
}

}  // namespace

std::vector<bool> GgufValue::flags() const { return each<bool>(*this, &GgufValue::flag); }
std::vector<int64_t> GgufValue::integers() const {
  return each<int64_t>(*this, &GgufValue::integer);
}
std::vector<double> GgufValue::reals() const { return each<double>(*this, &GgufValue::real); }
std::vector<std::string_view> GgufValue::texts() const {
  return each<std::string_view>(*this, &GgufValue::text);
}

}  // namespace ridge::files
