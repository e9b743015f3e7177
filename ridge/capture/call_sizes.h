// The sizes of a call's arguments, apart from all else that its signature has.
//
//   f(x: f32[8, 3], y: f32[3, 8] transposed)    skeleton: {f32 row-major rank 2}, {f32 permuted 1 0}
//                                                values: 8, 3, 3, 8
//
// Calls with equal skeletons have the same slots in the same order, so their values can be compared
// one by one. A slot is a size of a tensor, a stride of one that is neither row-major nor a
// permutation of that, or an argument of type Size. Made where no program is known for the exact
// signature, so it may cost a microsecond.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ridge/capture/arguments.h"

namespace ridge::capture {

struct SizeSlot {
  enum class Kind : uint8_t { size, stride, argument };
  Kind kind;
  uint32_t item;     // a tensor of FlatArguments::tensors, or the number of the Size argument
  uint32_t dim = 0;  // of the tensor
  bool operator==(const SizeSlot&) const = default;
};

struct CallSizes {
  std::vector<uint64_t> skeleton;
  std::vector<SizeSlot> slots;
  std::vector<int64_t> values;  // by slot
  // Do arguments share a storage? Then which elements they share depends on sizes.
  bool shares_memory = false;
};

CallSizes sizes_of(const FlatArguments& flat);

// The dimensions of a tensor from the outermost in memory to the innermost, if it is dense so.
std::optional<std::vector<uint32_t>> dense_order(const Tensor& tensor);

}  // namespace ridge::capture
