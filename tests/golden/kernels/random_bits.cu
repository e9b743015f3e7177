// launched with input 0, output 0
// random_bits_a7469991
// ops: random_bits
namespace ridge {
#ifdef RIDGE_ON_HOST  // how tests bring their own
RIDGE_ON_HOST
#else
// One instruction; the compiler does not see that the upper half of a 32-bit constant is 0.
__device__ inline unsigned long long wide_product(unsigned a, unsigned b) {
  unsigned long long result;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(result) : "r"(a), "r"(b));
  return result;
}
#endif

// Philox4x32-10.
__device__ inline long long philox(unsigned long long seed, unsigned long long rank,
                                   unsigned long long call, unsigned long long element, int word) {
  unsigned c0 = static_cast<unsigned>(element), c1 = static_cast<unsigned>(element >> 32);
  unsigned c2 = static_cast<unsigned>(call), c3 = static_cast<unsigned>(call >> 32);
  unsigned key0 = static_cast<unsigned>(seed);
  unsigned key1 = static_cast<unsigned>(seed >> 32) ^ static_cast<unsigned>(rank);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p0 = wide_product(c0, 0xD2511F53u), p1 = wide_product(c2, 0xCD9E8D57u);
    c0 = static_cast<unsigned>(p1 >> 32) ^ c1 ^ key0;
    c1 = static_cast<unsigned>(p1);
    c2 = static_cast<unsigned>(p0 >> 32) ^ c3 ^ key1;
    c3 = static_cast<unsigned>(p0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  const unsigned low = (word & 1) != 0 ? c1 : c0, high = (word & 1) != 0 ? c3 : c2;
  return (word & 2) != 0 ? high : low;
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(32)
random_bits_a7469991(
    const long long* __restrict__ state_0,
    long long* __restrict__ b1_1) {
  const int i3 = int(threadIdx.x);
  const long long state = state_0[0];
  const long long state_2 = state_0[1];
  const long long state_3 = state_0[2];
  const long long random_bits = ridge::philox(state, state_2, state_3, i3 >> 2, i3 & 3);
  b1_1[i3] = random_bits;
}
