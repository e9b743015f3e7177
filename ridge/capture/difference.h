// Why one call cannot use the program of another: the guards that do not hold.
//
//   f(x: f32[2, 3])  after  f(x: f32[4, 3])   ->   {guard "size 0", argument "x", before "4", now "2"}
//                                                  "x: f32[4, 3] before, f32[2, 3] now"
#pragma once

#include <optional>
#include <span>
#include <string>

#include "ridge/capture/signature.h"

namespace ridge::capture {

struct Difference {
  // "size 0", "rank", "dtype", "device", "strides", "row-major", "alignment", "weak",
  // "requires_grad", "defined", "kind", "value", "aliasing", "autocast", "grad mode"
  std::string guard;
  std::string argument;  // "model.head.weight"; empty for what belongs to the whole call
  std::string before;    // what the guard holds for
  std::string now;       // what it was given
  std::string text;      // in one line, the whole argument before and now
};

// The first one. `names` are those of tensors and numbers in visiting order, as far as known.
std::optional<Difference> first_difference(const Signature& kept, const Signature& given,
                                           std::span<const std::string> names = {});
// Its text, or "no difference".
std::string describe_difference(const Signature& kept, const Signature& given,
                                std::span<const std::string> names = {});
// How many items differ, for finding the program that nearly served a call.
size_t count_differences(const Signature& kept, const Signature& given);

}  // namespace ridge::capture
