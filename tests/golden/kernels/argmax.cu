// launched with input 0, output 0
// argmax_c2363b66
// ops: argmax
namespace ridge {
#ifdef RIDGE_ON_HOST  // how tests bring their own
RIDGE_ON_HOST
#else
__device__ inline float max(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
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

__device__ inline long long wrap_add(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) + static_cast<Word>(b));
}

__device__ inline long long wrap_sub(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) - static_cast<Word>(b));
}

__device__ inline long long wrap_mul(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) * static_cast<Word>(b));
}

__device__ inline int max(int a, int b) { return a < b ? b : a; }
__device__ inline long long max(long long a, long long b) { return a < b ? b : a; }

__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline long long min(long long a, long long b) { return a < b ? a : b; }

__device__ inline float infinity() { return __uint_as_float(0x7f800000u); }

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

// A mask of the first `count` lanes.
template <int kLanes, class Count>
__device__ inline unsigned first_lanes_mask(Count count) {
  return (1u << (count < 0 ? 0 : count > kLanes ? kLanes : int(count))) - 1;
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(128)
argmax_c2363b66(
    const float* __restrict__ x_0,
    long long* __restrict__ b1_1) {
  const int i3 = int(threadIdx.x / 1u);
  float argmax = -ridge::infinity();
  long long step = 0LL;
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    float argmax_2 = -ridge::infinity();
    float argmax_2_lanes[4];
    #pragma unroll
    for (int i5 = 0; i5 < 4; ++i5) {
      argmax_2_lanes[i5] = -ridge::infinity();
    }
    if ((ridge::min(4, i3) & 3) < 1) {
      const int t = ridge::min(4, i3);
      float x_0_lanes[4];
      ridge::load_wide<16>(x_0_lanes, &x_0[4 * (t >> 2) + 32 * t]);
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float x = x_0_lanes[i5];
        argmax_2_lanes[i5] = ridge::max(argmax_2_lanes[i5], x);
      }
    } else {
      const unsigned mask = 15 & ~ridge::first_lanes_mask<4>(ridge::min(4, i3) & 3);
      if (mask != 0) {
        const int t_2 = ridge::min(4, i3);
        float x_0_lanes_2[4];
        if (mask != 0) ridge::load_wide<16>(x_0_lanes_2, &x_0[4 * (t_2 >> 2) + 32 * t_2]);
        #pragma unroll
        for (int i5 = 0; i5 < 4; ++i5) {
          const float x_2 = x_0_lanes_2[i5];
          if ((mask >> i5 & 1) != 0) {
            argmax_2_lanes[i5] = ridge::max(argmax_2_lanes[i5], x_2);
          }
        }
      }
    }
    argmax_2 = ridge::max(argmax_2, ridge::tree_reduce(argmax_2_lanes, ridge::Max()));
    const bool beats = argmax < argmax_2 || argmax_2 != argmax_2 && !(argmax != argmax);
    step = beats ? 0LL : step;
    argmax = beats ? argmax_2 : argmax;
  }
  #pragma unroll
  for (int i7 = 0; i7 < 7; ++i7) {
    float argmax_3 = -ridge::infinity();
    float argmax_3_lanes[4];
    const int t_3 = ridge::min(4, i3);
    float x_0_lanes_3[4];
    ridge::load_wide<16>(x_0_lanes_3, &x_0[4 * i7 + 4 * (t_3 >> 2) + 32 * t_3 + 4]);
    #pragma unroll
    for (int i5 = 0; i5 < 4; ++i5) {
      const float x_3 = x_0_lanes_3[i5];
      argmax_3_lanes[i5] = x_3;
    }
    argmax_3 = ridge::max(argmax_3, ridge::tree_reduce(argmax_3_lanes, ridge::Max()));
    const bool beats_2 = argmax < argmax_3 || argmax_3 != argmax_3 && !(argmax != argmax);
    step = beats_2 ? (long long)(i7 + 1) : step;
    argmax = beats_2 ? argmax_3 : argmax;
  }
  #pragma unroll
  for (int i8 = 0; i8 < 1; ++i8) {
    float argmax_4 = -ridge::infinity();
    float argmax_4_lanes[4];
    #pragma unroll
    for (int i5 = 0; i5 < 4; ++i5) {
      argmax_4_lanes[i5] = -ridge::infinity();
    }
    if (2 < (ridge::min(4, i3) & 3)) {
      const int t_4 = ridge::min(4, i3);
      float x_0_lanes_4[4];
      ridge::load_wide<16>(x_0_lanes_4, &x_0[4 * (t_4 >> 2) + 32 * t_4 + 32]);
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float x_4 = x_0_lanes_4[i5];
        argmax_4_lanes[i5] = ridge::max(argmax_4_lanes[i5], x_4);
      }
    } else {
      const unsigned mask_2 = ridge::first_lanes_mask<4>((ridge::min(4, i3) & 3) + 1);
      if (mask_2 != 0) {
        const int t_5 = ridge::min(4, i3);
        float x_0_lanes_5[4];
        if (mask_2 != 0) ridge::load_wide<16>(x_0_lanes_5, &x_0[4 * (t_5 >> 2) + 32 * t_5 + 32]);
        #pragma unroll
        for (int i5 = 0; i5 < 4; ++i5) {
          const float x_5 = x_0_lanes_5[i5];
          if ((mask_2 >> i5 & 1) != 0) {
            argmax_4_lanes[i5] = ridge::max(argmax_4_lanes[i5], x_5);
          }
        }
      }
    }
    argmax_4 = ridge::max(argmax_4, ridge::tree_reduce(argmax_4_lanes, ridge::Max()));
    const bool beats_3 = argmax < argmax_4 || argmax_4 != argmax_4 && !(argmax != argmax);
    step = beats_3 ? 8LL : step;
    argmax = beats_3 ? argmax_4 : argmax;
  }
  float best = argmax;
  long long position = 9223372036854775807LL;
  const bool has_best = argmax == best || argmax != argmax && best != best;
  if (has_best) {
    const long long t_6 = ridge::wrap_sub(ridge::wrap_mul(4, step), (long long)(ridge::min(4, i3) & 3));
    position = ridge::max(0LL, t_6);
    float argmax_5 = -ridge::infinity();
    #pragma unroll
    for (int i9 = 0; i9 < 4; ++i9) {
      const long long t_7 = ridge::wrap_sub(ridge::wrap_add(i9, ridge::wrap_mul(4, step)), (long long)(ridge::min(4, i3) & 3));
      if (t_7 < 33 && 0 <= t_7) {
        const int t_8 = ridge::min(4, i3);
        const long long t_9 = ridge::wrap_add(4 * (t_8 >> 2) + 32 * t_8, ridge::wrap_add(i9, ridge::wrap_mul(4, step)));
        const float x_6 = x_0[t_9];
        const bool beats_4 = argmax_5 < x_6 || x_6 != x_6 && !(argmax_5 != argmax_5);
        position = beats_4 ? ridge::wrap_sub(ridge::wrap_add(i9, ridge::wrap_mul(4, step)), (long long)(ridge::min(4, i3) & 3)) : position;
        argmax_5 = beats_4 ? x_6 : argmax_5;
      }
    }
  }
  if (i3 < 5) {
    b1_1[ridge::min(4, i3)] = position;
  }
}
