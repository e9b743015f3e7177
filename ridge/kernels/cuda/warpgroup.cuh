// Roles of warps and warpgroups: their registers and barriers, matrices between registers and shared memory, and
// the order of wgmma. The products themselves are printed with the kernel, by shape (codegen/cuda/tiles_product.cpp).
#pragma once

namespace ridge {

// @ptx_helper uniform
// The value of the first lane: the compiler keeps it in a uniform register.
__device__ inline int uniform(int value) { return __shfl_sync(0xffffffffu, value, 0); }
__device__ inline unsigned uniform(unsigned value) { return __shfl_sync(0xffffffffu, value, 0); }

// @ptx_helper is_elected
// In one lane of the warp, always the same.
__device__ inline bool is_elected() {
  unsigned is_it;
  asm volatile(
      "{\n\t.reg .pred is_it;\n\t"
      "elect.sync _|is_it, 0xffffffff;\n\t"
      "selp.u32 %0, 1, 0, is_it;\n\t}"
      : "=r"(is_it));
  return is_it != 0;
}

// @ptx_helper registers_of_role
// All warps of a warpgroup take the same number. More are there when others have given theirs back.
template <int kCount>
__device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount));
}
template <int kCount>
__device__ inline void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount));
}

// @ptx_helper named_barrier
// A barrier of some of the warps of a block; number 0 is that of all.
__device__ inline void barrier_sync(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ inline void barrier_arrive(int number, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

// @ptx_helper store_matrices
// stmatrix: 8 x 8 matrices of 16-bit elements. Each lane names a line of 16 bytes, 8 lanes to a matrix.
__device__ inline void store_matrices(unsigned line, unsigned a, unsigned b, unsigned c,
                                      unsigned d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(line),
               "r"(a), "r"(b), "r"(c), "r"(d)
               : "memory");
}
__device__ inline void store_transposed(unsigned line, unsigned a, unsigned b, unsigned c,
                                        unsigned d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(line),
               "r"(a), "r"(b), "r"(c), "r"(d)
               : "memory");
}

// @ptx_helper load_matrix_lines
// ldmatrix, from an address in the window of shared memory.
__device__ inline void load_matrix_lines(unsigned* to, unsigned line) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(line)
               : "memory");
}
__device__ inline void load_transposed_lines(unsigned* to, unsigned line) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(line)
               : "memory");
}

// @ptx_helper wgmma_order
// Products of a warpgroup run while it goes on. Before the first of a batch its registers are fenced; a batch is committed;
// all but the last kLater batches are complete behind a wait.
__device__ inline void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kLater>
__device__ inline void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLater) : "memory");
}
// Nothing moves past this point: the compiler must not touch registers of a product in flight.
template <int kCount>
__device__ inline void pin(float (&registers)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(registers[i])::"memory");
}
template <int kCount>
__device__ inline void pin(unsigned (&registers)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+r"(registers[i])::"memory");
}

}  // namespace ridge
