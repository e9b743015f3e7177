// launched with input 0, input 1, output 0
// fused_add_gelu_ca49f0f4
// ops: add, gelu
namespace ridge {
#ifdef RIDGE_ON_HOST  // how tests bring their own
RIDGE_ON_HOST
#else
__device__ inline unsigned short bf16_bits(float x) {
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
__device__ inline unsigned bf16_pair(float low, float high) {
  unsigned bits;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
  return bits;
}

// For 16-bit results: the error is a few units in the last place of a float.
__device__ inline float reciprocal_16(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ inline float exp2_16(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
#endif

struct bf16 {
  unsigned short bits;
  bf16() = default;
  __device__ explicit bf16(float x) : bits(bf16_bits(x)) {}
  __device__ operator float() const { return __uint_as_float(unsigned(bits) << 16); }
  __device__ static unsigned pair(float low, float high) { return bf16_pair(low, high); }
  __device__ static float low(unsigned pair) { return __uint_as_float(pair << 16); }
  __device__ static float high(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }
};

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

// 16-bit elements to floats: a word holds two, and each takes one instruction to widen.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void load_widened(float (&lanes)[kLanes], const Element* from) {
  using Chunk = Wide<unsigned, kBytes / 4>;
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    const auto chunk = Access::load(reinterpret_cast<const Chunk*>(from + first));
#pragma unroll
    for (int i = 0; i < kEach; i += 2) {
      lanes[first + i] = Element::low(chunk.at[i / 2]);
      lanes[first + i + 1] = Element::high(chunk.at[i / 2]);
    }
  }
}

// Floats rounded to 16 bits, two with each conversion.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_rounded(Element* to, const float (&lanes)[kLanes]) {
  using Chunk = Wide<unsigned, kBytes / 4>;
  constexpr int kEach = kBytes / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    Chunk chunk;
#pragma unroll
    for (int i = 0; i < kEach; i += 2) {
      chunk.at[i / 2] = Element::pair(lanes[first + i], lanes[first + i + 1]);
    }
    Access::store(reinterpret_cast<Chunk*>(to + first), chunk);
  }
}

// Of numbers that are not negative.
__device__ inline int quotient(int a, int b) { return int(unsigned(a) / unsigned(b)); }
__device__ inline int remainder(int a, int b) { return int(unsigned(a) % unsigned(b)); }
__device__ inline long long quotient(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) / static_cast<Word>(b));
}
__device__ inline long long remainder(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) % static_cast<Word>(b));
}

// Keeps a divisor, and its reciprocal, in the range of floats.
__device__ inline float scale_of(float b) {
  return fabsf(b) > 0x1p100f ? 0x1p-40f : fabsf(b) < 0x1p-100f ? 0x1p40f : 1.0f;
}

// The reciprocal and its scale are loop-invariant where a row is divided by one number.
__device__ inline float div_16(float a, float b) {
  const float scale = scale_of(b);
  return a * scale * reciprocal_16(b * scale);
}

__device__ inline float one_plus_erf_16(float x) {
  const float t = reciprocal_16(fmaf(fabsf(x), 0.525f, 1.0f));
  float p = fmaf(-1.795522965e-01f, t, 4.120648605e-01f);
  p = fmaf(p, t, 1.584210067e-01f);
  p = fmaf(p, t, 3.141188104e-01f);
  p = fmaf(p, t, 2.949828794e-01f) * t;
  const float rest = p * exp2_16(x * x * -1.44269504f);
  return x < 0.0f ? rest : 2.0f - rest;
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(256)
fused_add_gelu_ca49f0f4(
    const ridge::bf16* __restrict__ x_0,
    const ridge::bf16* __restrict__ bias_1,
    ridge::bf16* __restrict__ b3_2) {
  const int i2 = int(blockIdx.x);
  const int i3 = int(threadIdx.x);
  float x_0_lanes[8];
  ridge::load_widened<16>(x_0_lanes, &x_0[2048 * i2 + 8 * i3]);
  float bias_1_lanes[8];
  ridge::load_widened<16>(bias_1_lanes, &bias_1[8 * ridge::remainder(64 * i2 + i3, 96)]);
  float b3_2_lanes[8];
  #pragma unroll
  for (int i4 = 0; i4 < 8; ++i4) {
    const float x = x_0_lanes[i4];
    const float bias = bias_1_lanes[i4];
    const float add_2 = x + bias;
    const float gelu = 0.5f * add_2 * ridge::one_plus_erf_16(ridge::div_16(add_2, 1.4142135f));
    b3_2_lanes[i4] = gelu;
  }
  ridge::store_rounded<16>(&b3_2[2048 * i2 + 8 * i3], b3_2_lanes);
}
