// Where the table of a batch (CudaBatch in kernel_abi.h) has what: code generation prints it as a struct, a launch
// fills it in.
//
//   batch_layout({.entries = 150, .is_common = {false, true}}, 1, 32)    ->   float* p[150]        at 0
//                                                                             int n[150]           at 1200
//                                                                             int first_block[150] at 1800
//                                                                             2400 bytes
//
// In: the batch, how many params a call has and the bits of each. Out: the arrays in the order of the struct, each at
// the offset that C++ gives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ridge/core/kernel_abi.h"

namespace ridge {

struct BatchLayout {
  enum class Holds : uint8_t { address, param, first_block };
  // One element for each entry.
  struct Array {
    Holds holds;
    size_t index;  // of the buffer, of the param; 0
    size_t element_bytes;
    size_t offset;
  };
  std::vector<Array> arrays;
  size_t bytes = 0;  // of the table

  // The offset of what belongs to an entry; internal Error where the table has no such array.
  size_t offset(Holds holds, size_t index, size_t entry) const;
};

BatchLayout batch_layout(const CudaBatch& batch, size_t params, int size_bits);

}  // namespace ridge
