// Element types of the calculator: what a device sheet has rates for.
//
//   find_element_type("int8")     i8: 1 byte, an integer
//   compute_type(bf16, i8)        bf16: the narrow operand is converted
//
// These are not the DTypes of tensors: tf32 is a way to compute and not to store, and the two
// 8-bit floats share one rate.
#pragma once

#include <string_view>
#include <vector>

namespace ridge::cost {

struct ElementType {
  std::string_view name = "bf16";  // as keys of sheets end: matrix.bf16
  double bytes = 2;                // half a byte for i4
  bool is_float = true;
  bool operator==(const ElementType&) const = default;
};

// By name or alias: int8, i8, fp8, f8, fp16, float16, float32, ... Error{dtype} otherwise.
ElementType find_element_type(std::string_view name);
std::vector<std::string_view> element_type_names();

// The type in which a product of the two is formed. Equal types stay; an integer is converted to
// the float beside it, a narrow type to the wide one. Error{dtype} for bf16 with f16: neither holds
// the other.
ElementType compute_type(ElementType a, ElementType b);

// What a product is written in where nobody says: bf16 for types of 8 bits and fewer, else the type.
ElementType default_output(ElementType operand);

}  // namespace ridge::cost
