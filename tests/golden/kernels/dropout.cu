// launched with input 1, input 0, output 0
// fused_mul_random_bits_less_where_16fda5fb
// ops: mul, random_bits, less, where
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

template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Wide {
  T at[kCount];
};

// Access policies of vectorized loads and stores: Cached and Streaming.
struct Cached {
  template <class T>
  __device__ static T load(const T* from) {
    return *from;
  }
  template <class T>
  __device__ static void store(T* to, T value) {
    *to = value;
  }
};

// Consecutive elements, kBytes with each access.
template <int kBytes, class Access = Cached, class Register, class Element, int kLanes>
__device__ inline void load_wide(Register (&lanes)[kLanes], const Element* from) {
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    const auto chunk = Access::load(reinterpret_cast<const Wide<Element, kEach>*>(from + first));
#pragma unroll
    for (int i = 0; i < kEach; ++i) lanes[first + i] = Register(chunk.at[i]);
  }
}

template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_wide(Element* to, const Element (&lanes)[kLanes]) {
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    Wide<Element, kEach> chunk;
#pragma unroll
    for (int i = 0; i < kEach; ++i) chunk.at[i] = lanes[first + i];
    Access::store(reinterpret_cast<Wide<Element, kEach>*>(to + first), chunk);
  }
}

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

extern "C" __global__ void __launch_bounds__(256)
fused_mul_random_bits_less_where_16fda5fb(
    const long long* __restrict__ state_1,
    const float* __restrict__ x_0,
    float* __restrict__ b8_5) {
  const int i1 = int(blockIdx.x);
  const int i2 = int(threadIdx.x);
  if (256 * i1 + i2 < 1250) {
    const long long state = state_1[0];
    const long long state_2 = state_1[1];
    const long long state_3 = state_1[2];
    float x_0_lanes[4];
    ridge::load_wide<16>(x_0_lanes, &x_0[1024 * i1 + 4 * i2]);
    float b8_5_lanes[4];
    #pragma unroll
    for (int i3 = 0; i3 < 4; ++i3) {
      const long long random_bits = ridge::philox(state, state_2, state_3, 256 * i1 + i2, i3);
      const bool less_2 = unsigned(random_bits) < unsigned(3221225472LL);
      const float x = x_0_lanes[i3];
      const float mul_2 = x * 1.3333334f;
      const float where = less_2 ? mul_2 : 0.0f;
      b8_5_lanes[i3] = where;
    }
    ridge::store_wide<16>(&b8_5[1024 * i1 + 4 * i2], b8_5_lanes);
  }
}
