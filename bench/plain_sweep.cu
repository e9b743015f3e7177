// Plain kernels of 16-byte accesses: what a GPU reaches when it does nothing but read some arrays
// and write others. The fastest of a fixed sweep over them is the 100 % of a case of `ridge bench`.
//
// Compiled once for each variant, with these macros:
//   READS, WRITES              how many arrays are read and written; 8 at most of each
//   READ_SHARES, WRITE_SHARES  how many vectors of each array belong to one step: a list with commas,
//                              1,2 for an array of bf16 beside one of f32
//   READ_VECTORS               the sum of READ_SHARES, 1 where nothing is read
//   VECTORS                    steps of a thread, 1 to 8; all loads come before the first store
//   HINTS                      1: accesses say that the data is not used again
//
// Where nothing is written, a block stores one value, which depends on all that it read.

struct Arrays {
  const uint4* read[8];
  uint4* write[8];
  unsigned long long read_count[8];  // in vectors
  unsigned long long write_count[8];
};

static __device__ __forceinline__ uint4 load(const uint4* from) {
#if HINTS
  return __ldcs(from);
#else
  return *from;
#endif
}

static __device__ __forceinline__ void store(uint4* to, uint4 value) {
#if HINTS
  __stcs(to, value);
#else
  *to = value;
#endif
}

static __device__ __forceinline__ uint4 mixed(uint4 a, uint4 b) {
  return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}

// `sums`: one value a block.
extern "C" __global__ void plain_sweep(const __grid_constant__ Arrays arrays, unsigned* sums) {
  constexpr int read_shares[] = {READ_SHARES};
  constexpr int write_shares[] = {WRITE_SHARES};
  const unsigned long long chunk = 1ull * blockIdx.x * VECTORS * blockDim.x;
  uint4 loaded[VECTORS][READ_VECTORS];
#pragma unroll
  for (int v = 0; v < VECTORS; ++v) {
    int slot = 0;
#pragma unroll
    for (int a = 0; a < READS; ++a) {
#pragma unroll
      for (int j = 0; j < read_shares[a]; ++j, ++slot) {
        const unsigned long long at =
            chunk * read_shares[a] + (v * read_shares[a] + j) * blockDim.x + threadIdx.x;
        loaded[v][slot] = make_uint4(0, 0, 0, 0);
        if (at < arrays.read_count[a]) loaded[v][slot] = load(arrays.read[a] + at);
      }
    }
  }
  uint4 all = make_uint4(threadIdx.x, 0, 0, 0);
#pragma unroll
  for (int v = 0; v < VECTORS; ++v) {
    uint4 value = make_uint4(threadIdx.x, blockIdx.x, v, 1);
#pragma unroll
    for (int slot = 0; slot < READ_VECTORS; ++slot) {
      if (READS > 0) value = mixed(value, loaded[v][slot]);
    }
    all = mixed(all, value);
#pragma unroll
    for (int a = 0; a < WRITES; ++a) {
#pragma unroll
      for (int j = 0; j < write_shares[a]; ++j) {
        const unsigned long long at =
            chunk * write_shares[a] + (v * write_shares[a] + j) * blockDim.x + threadIdx.x;
        if (at < arrays.write_count[a]) store(arrays.write[a] + at, value);
      }
    }
  }
  if (WRITES > 0) return;
  __shared__ unsigned of_warp[32];
  const unsigned own = __reduce_xor_sync(0xffffffffu, all.x ^ all.y ^ all.z ^ all.w);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) sum ^= of_warp[warp];
  sums[blockIdx.x] = sum;
}
