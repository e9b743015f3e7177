// Random inputs of `ridge bench`, made where they are used: the host would take seconds for a GB.
// Element i depends on i and the seed only.
#include "ridge/kernels/cuda/element.cuh"

static __device__ __forceinline__ unsigned bits(unsigned long long i, unsigned seed) {
  // The finalizer of a 64-bit mixing hash: every input bit changes every output bit.
  unsigned long long x = i * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull + 1;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return static_cast<unsigned>((x ^ (x >> 31)) >> 16);
}

// Mean 0, deviation 1, by Box and Muller.
static __device__ __forceinline__ float normal(unsigned long long i, unsigned seed) {
  const float radius = (bits(2 * i, seed) + 0.5f) * 0x1p-32f;
  const float angle = bits(2 * i + 1, seed) * 0x1p-31f;
  return sqrtf(-2 * logf(fminf(radius, 0.9999999f))) * cospif(angle);
}

#define FOR_EACH(i)                                                                    \
  for (unsigned long long i = 1ull * blockIdx.x * blockDim.x + threadIdx.x; i < count; \
       i += 1ull * gridDim.x * blockDim.x)

extern "C" __global__ void fill_f32(float* out, unsigned long long count, unsigned seed,
                                    long long) {
  FOR_EACH(i) out[i] = normal(i, seed);
}

extern "C" __global__ void fill_bf16(unsigned short* out, unsigned long long count, unsigned seed,
                                     long long) {
  FOR_EACH(i) out[i] = ridge::bf16_bits(normal(i, seed));
}

extern "C" __global__ void fill_f16(unsigned short* out, unsigned long long count, unsigned seed,
                                    long long) {
  FOR_EACH(i) out[i] = ridge::f16_bits(normal(i, seed));
}

// Integers from 0 to below `below`.
extern "C" __global__ void fill_i64(long long* out, unsigned long long count, unsigned seed,
                                    long long below) {
  FOR_EACH(i) out[i] = static_cast<long long>(bits(i, seed)) * below >> 32;
}

extern "C" __global__ void fill_u8(unsigned char* out, unsigned long long count, unsigned seed,
                                   long long) {
  FOR_EACH(i) out[i] = static_cast<unsigned char>(bits(i, seed));
}
