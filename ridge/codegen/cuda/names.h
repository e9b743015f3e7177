// Identifiers of the generated text: readable, unique, and no words of C++ or of our own functions.
//
//   buffer "x.1"  ->  x_1        value 3 "softmax"  ->  softmax        value 4 ""  ->  v4
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ridge::codegen::cuda {

class Names {
 public:
  Names();

  // The identifier nearest to `wanted` that was not given out before.
  std::string add(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

// Letters, digits and underscores; others become underscores.
std::string as_identifier(std::string_view text);

}  // namespace ridge::codegen::cuda
