// Statements over the elements of tiles, as loops over what each thread has of them.
//
//   tile sum: f32[64, 256] accumulator      local sum: f32[128]
//   each i3, i4 of sum within R, C {        if (R >= 64 && C >= 256) {
//     read v0: f32 = sum              ->      for i7 in 32 { for i8 in 2 { for i9 in 2 @vector {
//     let v1 = v0 + bias[256 * i1 + i4]         let v0 = sum[4 * i7 + 2 * i8 + i9]
//     write sum = v1                            let v1 = v0 + bias[256 * i1 + 8 * i7 + 2 * quad + i9]
//   }                                           sum[4 * i7 + 2 * i8 + i9] = v1  } } }
//                                           }
//                                           if (not so) { the same loops, each element under a condition }
//
// So the printer of expressions, vectors and branches serves them too. What is left over tiles after it are copies,
// products, moves, rings, roles and barriers.
#pragma once

#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::codegen::cuda {

// Axes that stand for a thread's place in its instance of a role.
struct ThreadAxes {
  int thread = -1;  // its number
  int row = -1;     // of its first register in an accumulator
  int quad = -1;    // its number in its quad, which has one row
};

struct TileElements {
  loop::Kernel kernel;
  ThreadAxes axes;
  std::vector<int> buffers;  // by tile: that of its registers or of its shared memory; -1: none
};

// `kernel` is one that can_write_tiles, with the barriers of tiles_barriers.h.
TileElements in_elements(loop::Kernel kernel);

// A fill with 0 of an accumulator costs nothing: the next product overwrites what was there. A `fill` without a value
// stands where somebody else looks at it first: it is zeroed unless there was a product.
inline bool is_clear_unless_set(const loop::FillTile& fill) { return fill.value.get() == nullptr; }

// Puts those in. `in_elements` does, first.
void place_clears(loop::Kernel& kernel);

}  // namespace ridge::codegen::cuda
