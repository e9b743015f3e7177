// Tiles of a product: cp.async into shared memory, ldmatrix out of it, mma over what that gives.
//
// A warp multiplies pieces of 16 x 8, summed over 16 of k. Of a piece, lane l has columns 2 * (l % 4)
// and the next one, in rows l / 4 and l / 4 + 8. ldmatrix gives each lane what mma wants of 8 x 8
// matrices; each lane names one line of a matrix.
#pragma once

#include "ridge/kernels/cuda/cluster.cuh"

namespace ridge {

// @ptx_helper async_copy needs shared_address
// cp.async; copies of 16 bytes bypass L1.
template <int kBytes>
__device__ inline void async_copy(void* to, const void* from) {
  const unsigned address = shared_address(to);
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(kBytes)
                 : "memory");
  }
}

// @ptx_helper wait_async_copies
__device__ inline void wait_async_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// @ptx_helper wait_async_copies_but
// The copies between two calls are a group. The last kLater groups may still be in flight.
template <int kLater>
__device__ inline void wait_async_copies_but() {
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
}

// @ptx_helper load_matrices needs shared_address
// 8 x 8 matrices of 16-bit elements; each lane names a line of 16 bytes, 8 lanes to a matrix.
__device__ inline void load_matrices(unsigned (&to)[4], const void* line) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(line))
               : "memory");
}
__device__ inline void load_transposed(unsigned (&to)[4], const void* line) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(line))
               : "memory");
}
__device__ inline void load_matrices(unsigned (&to)[2], const void* line) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(to[0]), "=r"(to[1])
               : "r"(shared_address(line))
               : "memory");
}
__device__ inline void load_transposed(unsigned (&to)[2], const void* line) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(to[0]), "=r"(to[1])
               : "r"(shared_address(line))
               : "memory");
}

// @ptx_helper multiply_bf16
// Accumulators of a lane: two adjacent columns of a row, and of the row 8 below.
__device__ inline void multiply_bf16(float* upper, float* lower, const unsigned (&a)[4],
                                     unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(upper[0]), "+f"(upper[1]), "+f"(lower[0]), "+f"(lower[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// @ptx_helper multiply_f16
// Accumulators of a lane: two adjacent columns of a row, and of the row 8 below.
__device__ inline void multiply_f16(float* upper, float* lower, const unsigned (&a)[4], unsigned b0,
                                    unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(upper[0]), "+f"(upper[1]), "+f"(lower[0]), "+f"(lower[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace ridge
