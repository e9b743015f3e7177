// Which forms of functions serve for a value. Chosen once for a value of a graph
// (graph/passes/passes.h), so that all kernels that compute it give it the same bits.
#pragma once

#include <cstdint>
#include <string>

namespace ridge {

enum class Precision : uint8_t {
  full,      // below 2 units in the last place
  exponent,  // exponentials as exact as their rounded argument: 2^(x log2 e)
  half,      // off by up to 2^-14 of the result
};

struct FunctionForms {
  Precision precision = Precision::full;
  bool is_near = false;  // arguments of its sines and cosines lie between -1 and 1

  bool operator==(const FunctionForms&) const = default;
};

// As graphs and kernels print it: " for half near"; nothing for the full ones.
std::string to_text(const FunctionForms& forms);

}  // namespace ridge
