// launched with input 1, input 0, arena at 0
// batched_matmul_c9f06ca8
// ops: batched_matmul
namespace ridge {

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

__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline long long min(long long a, long long b) { return a < b ? a : b; }
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(256)
batched_matmul_c9f06ca8(
    const float* __restrict__ k_1,
    const float* __restrict__ q_0,
    float* __restrict__ b5_6) {
  const int i6 = int(blockIdx.x % 2u);
  const int i4 = int(blockIdx.x / 2u % 2u);
  const int i0 = int(blockIdx.x / 2u / 2u);
  const int i8 = int(threadIdx.x);
  __shared__ __align__(16) float lhs_tile[576];
  __shared__ __align__(16) float rhs_tile[576];
  float sums[4];
  float lhs_part[2];
  float rhs_part[2];
  #pragma unroll
  for (int i10 = 0; i10 < 4; ++i10) {
    const float v1 = 0.0f;
    sums[i10] = v1;
  }
  for (int i9 = 0; i9 < 1; ++i9) {
    #pragma unroll
    for (int i11 = 0; i11 < 1; ++i11) {
      if (i11 * 256 + i8 < 128) {
        if (i8 >> 2 < ridge::min(32, -32 * i4 + 40)) {
          float q_0_lanes[4];
          ridge::load_wide<16>(q_0_lanes, &q_0[640 * i0 + 512 * i4 + 4 * i8]);
          #pragma unroll
          for (int i12 = 0; i12 < 4; ++i12) {
            const float v2 = q_0_lanes[i12];
            lhs_tile[36 * i12 + (i8 >> 2) + 144 * (i8 & 3)] = v2;
          }
        }
        if (!(i8 >> 2 < ridge::min(32, -32 * i4 + 40))) {
          const float v3 = 0.0f;
          #pragma unroll
          for (int i12 = 0; i12 < 4; ++i12) {
            lhs_tile[36 * i12 + (i8 >> 2) + 144 * (i8 & 3)] = v3;
          }
        }
      }
    }
    #pragma unroll
    for (int i13 = 0; i13 < 1; ++i13) {
      if (i13 * 256 + i8 < 128) {
        if (i8 >> 2 < ridge::min(32, -32 * i6 + 50)) {
          float k_1_lanes[4];
          ridge::load_wide<16>(k_1_lanes, &k_1[800 * i0 + 512 * i6 + 4 * i8]);
          #pragma unroll
          for (int i14 = 0; i14 < 4; ++i14) {
            const float v4 = k_1_lanes[i14];
            rhs_tile[36 * i14 + (i8 >> 2) + 144 * (i8 & 3)] = v4;
          }
        }
        if (!(i8 >> 2 < ridge::min(32, -32 * i6 + 50))) {
          const float v5 = 0.0f;
          #pragma unroll
          for (int i14 = 0; i14 < 4; ++i14) {
            rhs_tile[36 * i14 + (i8 >> 2) + 144 * (i8 & 3)] = v5;
          }
        }
      }
    }
    __syncthreads();
    if (2 * (i8 >> 4) < ridge::min(32, -32 * i4 + 40) && 2 * (i8 & 15) < ridge::min(32, -32 * i6 + 50)) {
      for (int i15 = 0; i15 < 16; ++i15) {
        #pragma unroll
        for (int i16 = 0; i16 < 1; ++i16) {
          float lhs_tile_lanes[2];
          ridge::load_wide<8>(lhs_tile_lanes, &lhs_tile[36 * i15 + 2 * (i8 >> 4)]);
          #pragma unroll
          for (int i17 = 0; i17 < 2; ++i17) {
            const float v6 = lhs_tile_lanes[i17];
            lhs_part[i16 * 2 + i17] = v6;
          }
        }
        #pragma unroll
        for (int i18 = 0; i18 < 1; ++i18) {
          float rhs_tile_lanes[2];
          ridge::load_wide<8>(rhs_tile_lanes, &rhs_tile[36 * i15 + 2 * (i8 & 15)]);
          #pragma unroll
          for (int i19 = 0; i19 < 2; ++i19) {
            const float v7 = rhs_tile_lanes[i19];
            rhs_part[i18 * 2 + i19] = v7;
          }
        }
        #pragma unroll
        for (int i20 = 0; i20 < 2; ++i20) {
          #pragma unroll
          for (int i21 = 0; i21 < 2; ++i21) {
            const float v8 = __fmaf_rn(lhs_part[i20], rhs_part[i21], sums[2 * i20 + i21]);
            sums[2 * i20 + i21] = v8;
          }
        }
      }
    }
    __syncthreads();
  }
  for (int i22 = 0; i22 < 1; ++i22) {
    #pragma unroll
    for (int i23 = 0; i23 < 2; ++i23) {
      if (i23 + 2 * (i8 >> 4) < ridge::min(32, -32 * i4 + 40)) {
        #pragma unroll
        for (int i24 = 0; i24 < 1; ++i24) {
          if (2 * (i8 & 15) < ridge::min(32, -32 * i6 + 50)) {
            float b5_6_lanes[2];
            #pragma unroll
            for (int i25 = 0; i25 < 2; ++i25) {
              const float product = sums[2 * i23 + i25];
              b5_6_lanes[i25] = product;
            }
            ridge::store_wide<8>(&b5_6[2000 * i0 + 1600 * i4 + 32 * i6 + 50 * i23 + 100 * (i8 >> 4) + 2 * (i8 & 15)], b5_6_lanes);
          }
        }
      }
    }
  }
}

// launched with arena at 0, input 3, arena at 16000
// fused_add_max_sub_exp_sum_b2289208
// ops: add, max, sub, exp, sum, div, mul
namespace ridge {
#ifdef RIDGE_ON_HOST  // how tests bring their own
RIDGE_ON_HOST
#else
__device__ inline float max(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

__device__ inline float exp2_16(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// The same value, but opaque to the compiler: it can neither hoist what is made of it nor see how it was made.
__device__ inline unsigned opaque(unsigned pair) {
  asm volatile("" : "+r"(pair));
  return pair;
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

__device__ inline float infinity() { return __uint_as_float(0x7f800000u); }

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

// Two aligned words of 16 bytes are loaded and shifted. Under a mask, a word without an active element is not
// loaded: it may lie outside of the array.
// The 16 bytes at offset `off` in two words of 16. `off` is even.
__device__ inline void align_words(unsigned* words, const Wide<unsigned, 4>& low,
                                   const Wide<unsigned, 4>& high, unsigned off) {
  unsigned all[8], by_two[6], by_one[5];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    all[i] = low.at[i];
    all[i + 4] = high.at[i];
  }
#pragma unroll
  for (int i = 0; i < 6; ++i) by_two[i] = (off & 8) != 0 ? all[i + 2] : all[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) by_one[i] = (off & 4) != 0 ? by_two[i + 1] : by_two[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    words[i] = __funnelshift_r(by_one[i], by_one[i + 1], 8 * (off & 2));
  }
}
template <class Element>
__device__ inline unsigned misalignment(const Element* from) {
  return static_cast<unsigned>(reinterpret_cast<unsigned long long>(from)) & 15;
}
template <class Element>
__device__ inline const Wide<unsigned, 4>* aligned_word(const Element* from) {
  const char* const byte = reinterpret_cast<const char*>(from) - misalignment(from);
  return reinterpret_cast<const Wide<unsigned, 4>*>(byte);
}
// From an address that is aligned to an element only.
template <class Element>
__device__ inline void load_misaligned_words(unsigned* words, const Element* from) {
  const unsigned off = misalignment(from);
  const auto* const first = aligned_word(from);
  const auto low = first[0], high = first[off == 0 ? 0 : 1];
  align_words(words, low, high, off);
}
// Only active lanes get a value. At least one is active.
template <class Element>
__device__ inline void load_misaligned_words(unsigned* words, const Element* from, unsigned mask) {
  const unsigned off = misalignment(from), in_low = (16 - off) / sizeof(Element);
  const auto* const first = aligned_word(from);
  const bool needs_low = (mask & ((1u << in_low) - 1)) != 0, needs_high = mask >> in_low != 0;
  const auto low = first[needs_low ? 0 : 1], high = first[needs_high ? 1 : 0];
  align_words(words, low, high, off);
}

template <class Element, class Register>
__device__ inline void widen_words(Register* lanes, const unsigned* words) {
#pragma unroll
  for (int i = 0; i < int(16 / sizeof(Element)); ++i) {
    if constexpr (sizeof(Element) == 4) {
      union {
        unsigned bits;
        Element value;
      } both = {words[i]};
      lanes[i] = Register(both.value);
    } else {
      lanes[i] = i % 2 == 0 ? Element::low(words[i / 2]) : Element::high(words[i / 2]);
    }
  }
}
template <class Register, class Element, int kLanes>
__device__ inline void load_misaligned(Register (&lanes)[kLanes], const Element* from) {
  constexpr int kEach = 16 / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    unsigned words[4];
    load_misaligned_words(words, from + first);
    widen_words<Element>(lanes + first, words);
  }
}
// Of active lanes.
template <class Register, class Element, int kLanes>
__device__ inline void load_misaligned(Register (&lanes)[kLanes], const Element* from,
                                       unsigned mask) {
  constexpr int kEach = 16 / sizeof(Element);
#pragma unroll
  for (int first = 0; first < kLanes; first += kEach) {
    unsigned words[4] = {};
    const unsigned own = mask >> first & ((1u << kEach) - 1);
    if (own != 0) load_misaligned_words(words, from + first, own);
    widen_words<Element>(lanes + first, words);
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

// Active lanes only; most often all are active.
template <int kBytes, class Access = Cached, class Element, int kLanes>
__device__ inline void store_wide_masked(Element* to, const Element (&lanes)[kLanes],
                                         unsigned mask) {
  if (mask == (1u << kLanes) - 1) {
    store_wide<kBytes, Access>(to, lanes);
  } else {
    store_masked(to, lanes, mask);
  }
}

// A mask of the first `count` lanes.
template <int kLanes, class Count>
__device__ inline unsigned first_lanes_mask(Count count) {
  return (1u << (count < 0 ? 0 : count > kLanes ? kLanes : int(count))) - 1;
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(128, 8)
fused_add_max_sub_exp_sum_b2289208(
    const float* __restrict__ b5_6,
    const float* __restrict__ bias_3,
    float* __restrict__ b13_7) {
  const int i3 = int(blockIdx.x);
  const int i5 = int(threadIdx.x % 16u);
  const int i4 = int(threadIdx.x / 16u);
  float b5_6_row[4];
  float bias_3_row[4];
  #pragma unroll
  for (int i7 = 0; i7 < 1; ++i7) {
    const unsigned mask = (ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1) + 50)) & (15 & ~ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1)));
    const unsigned mask_2 = ridge::opaque(mask);
    float b5_6_lanes[4];
    if (mask_2 != 0) ridge::load_wide<16>(b5_6_lanes, &b5_6[400 * i3 + 48 * i4 + 4 * i5 + 4 * (i4 >> 1)]);
    float bias_3_lanes[4];
    ridge::load_misaligned(bias_3_lanes, &bias_3[50 * i4 + 4 * i5 + 400 * ridge::remainder(i3, 5) - 2 * (i4 & 1)], mask_2);
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float v17 = b5_6_lanes[i6];
      if ((mask_2 >> i6 & 1) != 0) {
        b5_6_row[i6] = v17;
      }
      const float bias = bias_3_lanes[i6];
      if ((mask_2 >> i6 & 1) != 0) {
        bias_3_row[i6] = bias;
      }
    }
  }
  float max_2 = -ridge::infinity();
  #pragma unroll
  for (int i7 = 0; i7 < 1; ++i7) {
    float max_2_lanes[4];
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      max_2_lanes[i6] = -ridge::infinity();
    }
    const unsigned mask_3 = (ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1) + 50)) & (15 & ~ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1)));
    const unsigned mask_4 = ridge::opaque(mask_3);
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float v1 = b5_6_row[i6];
      const float bias_2 = bias_3_row[i6];
      const float add_2 = v1 + bias_2;
      if ((mask_4 >> i6 & 1) != 0) {
        max_2_lanes[i6] = ridge::max(max_2_lanes[i6], add_2);
      }
    }
    max_2 = ridge::max(max_2, ridge::tree_reduce(max_2_lanes, ridge::Max()));
  }
  max_2 = ridge::warp_reduce<16>(max_2, ridge::Max());
  float sum = 0.0f;
  #pragma unroll
  for (int i7 = 0; i7 < 1; ++i7) {
    float sum_lanes[4];
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      sum_lanes[i6] = 0.0f;
    }
    const unsigned mask_5 = (ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1) + 50)) & (15 & ~ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1)));
    const unsigned mask_6 = ridge::opaque(mask_5);
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float v5 = b5_6_row[i6];
      const float bias_4 = bias_3_row[i6];
      const float add_3 = v5 + bias_4;
      const float sub_2 = add_3 - max_2;
      const float exp_2 = ridge::exp_16(sub_2);
      if ((mask_6 >> i6 & 1) != 0) {
        sum_lanes[i6] += exp_2;
      }
    }
    sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
  }
  sum = ridge::warp_reduce<16>(sum, ridge::Sum());
  const float div_2 = 1.0f / sum;
  #pragma unroll
  for (int i7 = 0; i7 < 1; ++i7) {
    const unsigned mask_7 = (ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1) + 50)) & (15 & ~ridge::first_lanes_mask<4>(-4 * i5 + 2 * (i4 & 1)));
    const unsigned mask_8 = ridge::opaque(mask_7);
    float b13_7_lanes[4] = {};
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float v10 = b5_6_row[i6];
      const float bias_5 = bias_3_row[i6];
      const float add_4 = v10 + bias_5;
      const float sub_3 = add_4 - max_2;
      const float exp_3 = ridge::exp_16(sub_3);
      const float mul_2 = exp_3 * div_2;
      b13_7_lanes[i6] = mul_2;
    }
    ridge::store_wide_masked<16>(&b13_7[400 * i3 + 48 * i4 + 4 * i5 + 4 * (i4 >> 1)], b13_7_lanes, mask_8);
  }
}

// launched with input 2, arena at 16000, output 0
// batched_matmul_3b2b5787
// ops: batched_matmul
namespace ridge {

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

__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline long long min(long long a, long long b) { return a < b ? a : b; }
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(256)
batched_matmul_3b2b5787(
    const float* __restrict__ v_2,
    const float* __restrict__ b13_7,
    float* __restrict__ b14_5) {
  const int i4 = int(blockIdx.x / 1u % 2u);
  const int i0 = int(blockIdx.x / 1u / 2u);
  const int i8 = int(threadIdx.x);
  __shared__ __align__(16) float lhs_tile[576];
  __shared__ __align__(16) float rhs_tile[576];
  float sums[4];
  float lhs_part[2];
  float rhs_part[2];
  #pragma unroll
  for (int i10 = 0; i10 < 4; ++i10) {
    const float v1 = 0.0f;
    sums[i10] = v1;
  }
  for (int i9 = 0; i9 < 4; ++i9) {
    #pragma unroll
    for (int i11 = 0; i11 < 1; ++i11) {
      if (8 * i9 + (i8 & 7) < 25 && i8 >> 3 < ridge::min(32, -32 * i4 + 40)) {
        float b13_7_lanes[2];
        ridge::load_wide<8>(b13_7_lanes, &b13_7[2000 * i0 + 1600 * i4 + 16 * i9 + 50 * (i8 >> 3) + 2 * (i8 & 7)]);
        #pragma unroll
        for (int i12 = 0; i12 < 2; ++i12) {
          const float v2 = b13_7_lanes[i12];
          lhs_tile[36 * i12 + (i8 >> 3) + 72 * (i8 & 7)] = v2;
        }
      }
      if (!(8 * i9 + (i8 & 7) < 25 && i8 >> 3 < ridge::min(32, -32 * i4 + 40))) {
        const float v3 = 0.0f;
        #pragma unroll
        for (int i12 = 0; i12 < 2; ++i12) {
          lhs_tile[36 * i12 + (i8 >> 3) + 72 * (i8 & 7)] = v3;
        }
      }
    }
    #pragma unroll
    for (int i13 = 0; i13 < 1; ++i13) {
      if (i13 * 256 + i8 < 128) {
        if (16 * i9 + (i8 >> 3) < 50 && (i8 & 7) < 4) {
          float v_2_lanes[4];
          ridge::load_wide<16>(v_2_lanes, &v_2[800 * i0 + 256 * i9 + 16 * (i8 >> 3) + 4 * (i8 & 7)]);
          float rhs_tile_lanes[4];
          #pragma unroll
          for (int i14 = 0; i14 < 4; ++i14) {
            const float v4 = v_2_lanes[i14];
            rhs_tile_lanes[i14] = v4;
          }
          ridge::store_wide<16>(&rhs_tile[36 * (i8 >> 3) + 4 * (i8 & 7)], rhs_tile_lanes);
        }
        if (!(16 * i9 + (i8 >> 3) < 50 && (i8 & 7) < 4)) {
          const float v5 = 0.0f;
          float rhs_tile_lanes_2[4];
          #pragma unroll
          for (int i14 = 0; i14 < 4; ++i14) {
            rhs_tile_lanes_2[i14] = v5;
          }
          ridge::store_wide<16>(&rhs_tile[36 * (i8 >> 3) + 4 * (i8 & 7)], rhs_tile_lanes_2);
        }
      }
    }
    __syncthreads();
    if (2 * (i8 >> 4) < ridge::min(32, -32 * i4 + 40) && (i8 & 15) < 8) {
      for (int i15 = 0; i15 < 16; ++i15) {
        #pragma unroll
        for (int i16 = 0; i16 < 1; ++i16) {
          float lhs_tile_lanes[2];
          ridge::load_wide<8>(lhs_tile_lanes, &lhs_tile[36 * i15 + 2 * (i8 >> 4)]);
          #pragma unroll
          for (int i17 = 0; i17 < 2; ++i17) {
            const float v6 = lhs_tile_lanes[i17];
            lhs_part[i16 * 2 + i17] = v6;
          }
        }
        #pragma unroll
        for (int i18 = 0; i18 < 1; ++i18) {
          float rhs_tile_lanes_3[2];
          ridge::load_wide<8>(rhs_tile_lanes_3, &rhs_tile[36 * i15 + 2 * (i8 & 15)]);
          #pragma unroll
          for (int i19 = 0; i19 < 2; ++i19) {
            const float v7 = rhs_tile_lanes_3[i19];
            rhs_part[i18 * 2 + i19] = v7;
          }
        }
        #pragma unroll
        for (int i20 = 0; i20 < 2; ++i20) {
          #pragma unroll
          for (int i21 = 0; i21 < 2; ++i21) {
            const float v8 = __fmaf_rn(lhs_part[i20], rhs_part[i21], sums[2 * i20 + i21]);
            sums[2 * i20 + i21] = v8;
          }
        }
      }
    }
    __syncthreads();
  }
  for (int i22 = 0; i22 < 1; ++i22) {
    #pragma unroll
    for (int i23 = 0; i23 < 2; ++i23) {
      if (i23 + 2 * (i8 >> 4) < ridge::min(32, -32 * i4 + 40)) {
        #pragma unroll
        for (int i24 = 0; i24 < 1; ++i24) {
          if ((i8 & 15) < 8) {
            float b14_5_lanes[2];
            #pragma unroll
            for (int i25 = 0; i25 < 2; ++i25) {
              const float product = sums[2 * i23 + i25];
              b14_5_lanes[i25] = product;
            }
            ridge::store_wide<8>(&b14_5[640 * i0 + 512 * i4 + 2 * i8 + 16 * i23], b14_5_lanes);
          }
        }
      }
    }
  }
}
