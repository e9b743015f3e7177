#include "ridge/cost/roofline/element_type.h"

#include <algorithm>
#include <array>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::cost {

namespace {

constexpr std::array<ElementType, 9> kTypes = {{{"bf16", 2, true},
                                                {"f16", 2, true},
                                                {"f8", 1, true},
                                                {"i8", 1, false},
                                                {"i4", 0.5, false},
                                                {"tf32", 4, true},
                                                {"f32", 4, true},
                                                {"f64", 8, true},
                                                {"i32", 4, false}}};

struct Alias {
  std::string_view given, name;
};
constexpr std::array<Alias, 16> kAliases = {{{"bfloat16", "bf16"},
                                             {"fp16", "f16"},
                                             {"float16", "f16"},
                                             {"half", "f16"},
                                             {"fp8", "f8"},
                                             {"float8", "f8"},
                                             {"f8e4m3", "f8"},
                                             {"f8e5m2", "f8"},
                                             {"int8", "i8"},
                                             {"int4", "i4"},
                                             {"fp32", "f32"},
                                             {"float32", "f32"},
                                             {"float", "f32"},
                                             {"fp64", "f64"},
                                             {"float64", "f64"},
                                             {"int32", "i32"}}};

}  // namespace

std::vector<std::string_view> element_type_names() {
  std::vector<std::string_view> names;
  for (const ElementType& type : kTypes) names.push_back(type.name);
  return names;
}

ElementType find_element_type(std::string_view name) {
  const auto alias = std::ranges::find(kAliases, name, &Alias::given);
  const std::string_view own = alias == kAliases.end() ? name : alias->name;
  const auto type = std::ranges::find(kTypes, own, &ElementType::name);
  RIDGE_CHECK(type != kTypes.end(), .code = ErrorCode::dtype,
              .expected = "an element type out of " + join(element_type_names(), ", "),
              .given = concat("`", name, "`"), .hint = did_you_mean(name, element_type_names()));
  return *type;
}

ElementType compute_type(ElementType a, ElementType b) {
  if (a == b) return a;
  if (a.is_float != b.is_float) return a.is_float ? a : b;
  RIDGE_CHECK(a.bytes != b.bytes, .code = ErrorCode::dtype,
              .expected = "operands of which one type holds the other",
              .given = concat(a.name, " and ", b.name));
  return a.bytes > b.bytes ? a : b;
}

ElementType default_output(ElementType operand) {
  return operand.bytes <= 1 ? find_element_type("bf16") : operand;
}

}  // namespace ridge::cost
