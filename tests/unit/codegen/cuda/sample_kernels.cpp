// All families of samples in one list.
#include "tests/unit/codegen/cuda/sample_kernels.h"

#include <vector>

namespace ridge::codegen {

// Tests ask for it while they are registered, so it is made when it is first needed; the families are constants.
std::span<const Sample> samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> list;
    for (const std::span<const Sample> family :
         {map_samples(), arithmetic_samples(), move_samples(), reduction_samples(),
          register_row_samples()}) {
      list.insert(list.end(), family.begin(), family.end());
    }
    return list;
  }();
  return all;
}

}  // namespace ridge::codegen
