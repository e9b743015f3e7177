// launched with input 0, output 0
// fused_cast_max_sub_exp_sum_4b83fe73
// ops: cast, max, sub, exp, sum, div, mul, cast
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

__device__ inline float max(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
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

__device__ inline float infinity() { return __uint_as_float(0x7f800000u); }

// Keeps a divisor, and its reciprocal, in the range of floats.
__device__ inline float scale_of(float b) {
  return fabsf(b) > 0x1p100f ? 0x1p-40f : fabsf(b) < 0x1p-100f ? 0x1p40f : 1.0f;
}

// The reciprocal and its scale are loop-invariant where a row is divided by one number.
__device__ inline float div_16(float a, float b) {
  const float scale = scale_of(b);
  return a * scale * reciprocal_16(b * scale);
}

// exp(x) = 2^(x log2 e): the rounding of the exponent costs |x| / 2^24. What would be denormal is 0.
__device__ inline float exp_16(float x) { return exp2_16(x * 1.44269504f); }

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct Max {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return max(a, b);
  }
};

// A tree reduction of a list in registers.
template <class T, int kCount, class Combine>
__device__ inline T tree_reduce(const T (&list)[kCount], Combine combine) {
  if constexpr (kCount == 1) {
    return list[0];
  } else {
    constexpr int kHalf = (kCount + 1) / 2;
    T halves[kHalf];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      halves[i] = i + kHalf < kCount ? combine(list[i], list[i + kHalf]) : list[i];
    }
    return tree_reduce(halves, combine);
  }
}

// A butterfly over each group of kLanes lanes.
template <int kLanes, class T, class Combine>
__device__ inline T warp_reduce(T value, Combine combine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    value = combine(value, static_cast<T>(__shfl_xor_sync(0xffffffffu, value, distance)));
  }
  return value;
}

// Each warp stores its partial result; after a barrier all threads reduce those of kWarps warps. Of up to 16, every
// thread reads all. Of more, each lane reads one and shuffles do the rest: it would take too many reads of
// shared memory otherwise.
template <class T>
__device__ inline void store_partial(T* partials, T value) {
  if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = value;
}
template <int kWarps, class T, class Combine>
__device__ inline T reduce_partials(const T* partials, Combine combine) {
  if constexpr (kWarps <= 16) {
    T list[kWarps];
#pragma unroll
    for (int i = 0; i < kWarps; ++i) list[i] = partials[i];
    return tree_reduce(list, combine);
  } else if constexpr (kWarps == 32) {
    return warp_reduce<32>(partials[threadIdx.x % 32], combine);
  } else {
    const int lane = threadIdx.x % 32;
    T value = partials[lane < kWarps ? lane : 0];
#pragma unroll
    for (int count = kWarps; count > 1; count = (count + 1) / 2) {
      const int half = (count + 1) / 2;
      const T other = static_cast<T>(__shfl_down_sync(0xffffffffu, value, half));
      if (lane + half < count) value = combine(value, other);
    }
    return static_cast<T>(__shfl_sync(0xffffffffu, value, 0));
  }
}

template <int kBytes, int kLanes, class Element>
__device__ inline void load_packed(unsigned* pairs, const Element* from) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; i += kBytes / 4) {
    const auto chunk = *reinterpret_cast<const Wide<unsigned, kBytes / 4>*>(from + 2 * i);
#pragma unroll
    for (int k = 0; k < kBytes / 4; ++k) pairs[i + k] = chunk.at[k];
  }
}

template <class Element, int kLanes>
__device__ inline void unpack(float (&lanes)[kLanes], const unsigned* pairs) {
#pragma unroll
  for (int i = 0; i < kLanes / 2; ++i) {
    lanes[2 * i] = Element::low(pairs[i]);
    lanes[2 * i + 1] = Element::high(pairs[i]);
  }
}

template <class Element, class Register, int kLanes>
__device__ inline void store_masked(Element* to, const Register (&lanes)[kLanes], unsigned mask) {
#pragma unroll
  for (int i = 0; i < kLanes; ++i) {
    const Element element(lanes[i]);
    if ((mask >> i & 1) != 0) to[i] = element;
  }
}

// A mask of the first `count` lanes.
template <int kLanes, class Count>
__device__ inline unsigned first_lanes_mask(Count count) {
  return (1u << (count < 0 ? 0 : count > kLanes ? kLanes : int(count))) - 1;
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(160, 7)
fused_cast_max_sub_exp_sum_4b83fe73(
    const ridge::bf16* __restrict__ x_0,
    ridge::bf16* __restrict__ b9_2) {
  const int i2 = int(blockIdx.x);
  const int i3 = int(threadIdx.x);
  unsigned x_0_row[4];
  __shared__ __align__(16) float partials[5];
  __shared__ __align__(16) float partials_2[5];
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    const unsigned mask = (ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7) + 1023)) & (255 & ~ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7)));
    if (mask != 0) ridge::load_packed<16, 8>(&x_0_row[0], &x_0[1016 * i2 + 8 * i3 + 8 * ((7 * i2) >> 3)]);
  }
  float max_2 = -ridge::infinity();
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    float max_2_lanes[8];
    #pragma unroll
    for (int i4 = 0; i4 < 8; ++i4) {
      max_2_lanes[i4] = -ridge::infinity();
    }
    const int t = 8 * i3;
    const int t_2 = (7 * i2) & 7;
    if (t + 7 < t_2 + 1023 && t_2 < t + 1) {
      float x_0_row_lanes[8];
      ridge::unpack<ridge::bf16>(x_0_row_lanes, &x_0_row[0]);
      #pragma unroll
      for (int i4 = 0; i4 < 8; ++i4) {
        const float x = x_0_row_lanes[i4];
        max_2_lanes[i4] = ridge::max(max_2_lanes[i4], x);
      }
    } else {
      const unsigned mask_2 = (ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7) + 1023)) & (255 & ~ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7)));
      if (mask_2 != 0) {
        float x_0_row_lanes_2[8];
        ridge::unpack<ridge::bf16>(x_0_row_lanes_2, &x_0_row[0]);
        #pragma unroll
        for (int i4 = 0; i4 < 8; ++i4) {
          const float x_2 = x_0_row_lanes_2[i4];
          if ((mask_2 >> i4 & 1) != 0) {
            max_2_lanes[i4] = ridge::max(max_2_lanes[i4], x_2);
          }
        }
      }
    }
    max_2 = ridge::max(max_2, ridge::tree_reduce(max_2_lanes, ridge::Max()));
  }
  max_2 = ridge::warp_reduce<32>(max_2, ridge::Max());
  ridge::store_partial(partials, max_2);
  __syncthreads();
  max_2 = ridge::reduce_partials<5>(partials, ridge::Max());
  float sum = 0.0f;
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    float sum_lanes[8];
    #pragma unroll
    for (int i4 = 0; i4 < 8; ++i4) {
      sum_lanes[i4] = 0.0f;
    }
    const int t_3 = 8 * i3;
    const int t_4 = (7 * i2) & 7;
    if (t_3 + 7 < t_4 + 1023 && t_4 < t_3 + 1) {
      float x_0_row_lanes_3[8];
      ridge::unpack<ridge::bf16>(x_0_row_lanes_3, &x_0_row[0]);
      #pragma unroll
      for (int i4 = 0; i4 < 8; ++i4) {
        const float x_3 = x_0_row_lanes_3[i4];
        const float sub_2 = x_3 - max_2;
        const float exp_2 = ridge::exp_16(sub_2);
        sum_lanes[i4] += exp_2;
      }
    } else {
      const unsigned mask_3 = (ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7) + 1023)) & (255 & ~ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7)));
      if (mask_3 != 0) {
        float x_0_row_lanes_4[8];
        ridge::unpack<ridge::bf16>(x_0_row_lanes_4, &x_0_row[0]);
        #pragma unroll
        for (int i4 = 0; i4 < 8; ++i4) {
          const float x_4 = x_0_row_lanes_4[i4];
          const float sub_3 = x_4 - max_2;
          const float exp_3 = ridge::exp_16(sub_3);
          if ((mask_3 >> i4 & 1) != 0) {
            sum_lanes[i4] += exp_3;
          }
        }
      }
    }
    sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
  }
  sum = ridge::warp_reduce<32>(sum, ridge::Sum());
  ridge::store_partial(partials_2, sum);
  __syncthreads();
  sum = ridge::reduce_partials<5>(partials_2, ridge::Sum());
  const float div_2 = ridge::div_16(1.0f, sum);
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    const int t_5 = 8 * i3;
    const int t_6 = (7 * i2) & 7;
    if (t_5 + 7 < t_6 + 1023 && t_6 < t_5 + 1) {
      float x_0_row_lanes_5[8];
      ridge::unpack<ridge::bf16>(x_0_row_lanes_5, &x_0_row[0]);
      float b9_2_lanes[8];
      #pragma unroll
      for (int i4 = 0; i4 < 8; ++i4) {
        const float x_5 = x_0_row_lanes_5[i4];
        const float sub_4 = x_5 - max_2;
        const float exp_4 = ridge::exp_16(sub_4);
        const float mul_2 = exp_4 * div_2;
        const float cast = mul_2;
        b9_2_lanes[i4] = cast;
      }
      ridge::store_rounded<16>(&b9_2[1016 * i2 + 8 * i3 + 8 * ((7 * i2) >> 3)], b9_2_lanes);
    } else {
      const unsigned mask_4 = (ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7) + 1023)) & (255 & ~ridge::first_lanes_mask<8>(-8 * i3 + ((7 * i2) & 7)));
      if (mask_4 != 0) {
        float x_0_row_lanes_6[8];
        ridge::unpack<ridge::bf16>(x_0_row_lanes_6, &x_0_row[0]);
        float b9_2_lanes_2[8] = {};
        #pragma unroll
        for (int i4 = 0; i4 < 8; ++i4) {
          const float x_6 = x_0_row_lanes_6[i4];
          const float sub_5 = x_6 - max_2;
          const float exp_5 = ridge::exp_16(sub_5);
          const float mul_3 = exp_5 * div_2;
          const float cast_2 = mul_3;
          b9_2_lanes_2[i4] = cast_2;
        }
        ridge::store_masked(&b9_2[1016 * i2 + 8 * i3 + 8 * ((7 * i2) >> 3)], b9_2_lanes_2, mask_4);
      }
    }
  }
}
