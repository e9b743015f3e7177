// A product as the work of a block: Note [Contraction] of loop/loop.h, with its threads arranged.
//
//   for i0, i1 @gpu_block {                       for i0, i1 @gpu_block { for t in 256 @gpu_thread {
//     contract v over m in 128, n in 128,           sums = 0
//       sum k in 512 of a[..], b[..] {      ->      for step in 16 {
//       out[..] = max(v, 0) } }                       tiles of a and b to shared memory, 32 of k; barrier
//                                                     sums += products of the tiles; barrier
//                                                   }
//                                                   v = sums[..]; out[..] = max(v, 0) } }
//
// The result is loop IR again, so it can be verified and run by the interpreter; what a thread sums
// stays in registers. Edges are filled with zeros. Sums run over k in increasing order; tensor cores
// take 16 of them at a time. They are used for 16-bit elements of one type that are summed in f32:
// then the loop over a tile's k is printed as mma instructions, which it defines.
#pragma once

#include <optional>

#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen::cuda {

// A tile in shared memory: [position][k], or [k][position] if not `is_along_k`.
struct SharedTile {
  int buffer;
  int64_t side;  // positions: rows of lhs, columns of rhs
  bool is_along_k;
  int64_t leading;  // elements from one line to the next, some of them unused
};

// The loop over a tile's k that tensor cores do. A warp has `rows` x `columns` of the tile, in pieces
// of 16 x 8; a thread has its elements of them in `sums`, two of each line.
struct TensorStep {
  int axis;    // of the loop
  int thread;  // axis of the threads
  DType dtype;
  SharedTile lhs, rhs;
  int sums;  // a local buffer
  int64_t rows, columns;
  int64_t depth;  // of a tile, along k
};

struct TiledContract {
  loop::Kernel kernel;
  std::optional<TensorStep> tensor_step;
};

// Nothing unless the kernel is one contraction in grid loops, of tiles of up to 128 x 128, that sums
// something.
std::optional<TiledContract> in_tiles(const loop::Kernel& kernel, const CudaTarget& target);

}  // namespace ridge::codegen::cuda
