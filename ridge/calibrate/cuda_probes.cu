// Probes of a GPU: kernels that are bound by one thing each. Results are stored only where they have
// a value that they never have, so that the compiler cannot leave the work out.
#include "ridge/kernels/cuda/cluster.cuh"
#include "ridge/kernels/cuda/math.cuh"

extern "C" __global__ void probe_empty(float*, float*) {}

extern "C" __global__ void probe_add_one(float* x) { x[threadIdx.x] += 1; }

// Chains of dependent steps, kChains of them in a thread: enough to hide the latency of a step.
// Unrolled, so that counting is lost among them.
constexpr int kChains = 8;

#define CHAINS(NAME, TYPE, STEP)                                                     \
  extern "C" __global__ void NAME(TYPE* out, int count, TYPE a, TYPE b) {            \
    TYPE x[kChains];                                                                 \
    for (int c = 0; c < kChains; ++c) x[c] = a + static_cast<TYPE>(threadIdx.x + c); \
    _Pragma("unroll 8") for (int i = 0; i < count; ++i) {                            \
      _Pragma("unroll") for (int c = 0; c < kChains; ++c) x[c] = STEP;               \
    }                                                                                \
    TYPE sum = 0;                                                                    \
    for (int c = 0; c < kChains; ++c) sum += x[c];                                   \
    if (sum == static_cast<TYPE>(-12345.5)) out[0] = sum;                            \
  }

CHAINS(probe_f32_fma, float, __fmaf_rn(x[c], a, b))
CHAINS(probe_f32, float, __fadd_rn(x[c], b))
CHAINS(probe_f64_fma, double, __fma_rn(x[c], a, b))
CHAINS(probe_f64, double, __dadd_rn(x[c], b))
CHAINS(probe_special, float, ridge::exp2_16(x[c]))

// Goes `count` times over the vectors of a block's shared memory.
extern "C" __global__ void probe_shared(uint4* out, int count) {
  constexpr int kVectors = 2048;
  __shared__ uint4 memory[kVectors];
  for (int i = threadIdx.x; i < kVectors; i += blockDim.x) {
    memory[i] = make_uint4(i, threadIdx.x, blockIdx.x, count);
  }
  __syncthreads();
  uint4 sum = make_uint4(0, 0, 0, 0);
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const uint4 value = memory[(threadIdx.x + (8 * i + j) * 32) % kVectors];
      sum.x += value.x;
      sum.y ^= value.y;
      sum.z += value.z;
      sum.w ^= value.w;
    }
  }
  if (sum.x == 0x12345u && sum.y == 0x54321u) out[0] = sum;
}

// Reads `count` vectors, a multiple of 8 times all threads, `rounds` times, past the first cache.
extern "C" __global__ void probe_l2(const uint4* x, unsigned count, int rounds, uint4* out) {
  const unsigned all = gridDim.x * blockDim.x;
  uint4 sum = make_uint4(0, 0, 0, 0);
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += 8 * all) {
#pragma unroll
      for (unsigned j = 0; j < 8; ++j) {
        const uint4 value = __ldcg(x + i + j * all);
        sum.x += value.x;
        sum.y ^= value.y;
        sum.z += value.z;
        sum.w ^= value.w;
      }
    }
  }
  if (sum.x == 0x12345u && sum.y == 0x54321u) out[0] = sum;
}

extern "C" __global__ void probe_barrier(unsigned* out, int count) {
  __shared__ unsigned turn;
  for (int i = 0; i < count; ++i) {
    if (threadIdx.x == i % blockDim.x) turn = i;
    __syncthreads();
  }
  if (turn == 0xffffffffu) out[0] = turn;
}

// Launched with clusters, where there are any.
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void probe_cluster_barrier(unsigned* out, int count) {
  for (int i = 0; i < count; ++i) {
    ridge::cluster_arrive();
    ridge::cluster_wait();
  }
  if (count < 0) out[0] = 1;
}
#endif

// A chain through `lines` lines of 128 bytes, each naming one far away.
extern "C" __global__ void fill_chain(unsigned* next, unsigned lines, unsigned step) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x) {
    next[32ull * i] = (i + step) % lines * 32;
  }
}

// One thread follows it from a place where nobody was before.
extern "C" __global__ void probe_chain(const unsigned* next, unsigned start, int count,
                                       unsigned* out) {
  unsigned at = start;
  for (int i = 0; i < count; ++i) at = __ldcg(next + at);
  out[0] = at;
}
