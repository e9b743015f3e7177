// launched with input 1, input 2, arena at 0
// fused_equal_cast_sub_sum_div_0dd3cbef
// ops: equal, cast, sub, sum, div, where
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

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
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
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(128, 9)
fused_equal_cast_sub_sum_div_0dd3cbef(
    const long long* __restrict__ classes_1,
    const float* __restrict__ gradient_2,
    float* __restrict__ b27_10) {
  const int i3 = int(threadIdx.x % 16u);
  const int i2 = int(threadIdx.x / 16u);
  long long classes_1_row[2];
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 12) {
      long long classes_1_lanes[2];
      ridge::load_wide<16>(classes_1_lanes, &classes_1[2 * i3]);
      #pragma unroll
      for (int i4 = 0; i4 < 2; ++i4) {
        const long long classes = classes_1_lanes[i4];
        classes_1_row[i4] = classes;
      }
    }
  }
  float sum = 0.0f;
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 12) {
      float sum_lanes[2];
      #pragma unroll
      for (int i4 = 0; i4 < 2; ++i4) {
        const long long classes_2 = classes_1_row[i4];
        const bool equal_2 = classes_2 == -100;
        const float cast = float(equal_2);
        const float sub_2 = 1.0f - cast;
        sum_lanes[i4] = sub_2;
      }
      sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<16>(sum, ridge::Sum());
  const float gradient = gradient_2[0];
  const float div_2 = gradient / sum;
  if (i2 < 1) {
    #pragma unroll
    for (int i5 = 0; i5 < 1; ++i5) {
      if (i3 < 12) {
        float b27_10_lanes[2];
        #pragma unroll
        for (int i4 = 0; i4 < 2; ++i4) {
          const long long classes_3 = classes_1_row[i4];
          const bool equal_3 = classes_3 == -100;
          const float where = equal_3 ? 0.0f : div_2;
          b27_10_lanes[i4] = where;
        }
        ridge::store_wide<8>(&b27_10[2 * i3], b27_10_lanes);
      }
    }
  }
}

// launched with input 0, input 1, arena at 0, output 1, arena at 128
// fused_not_equal_where_max_sub_exp_0cc33f80
// ops: not_equal, where, max, sub, exp, sum, log, gather, sub, sub, where, arange, equal, where, div, neg, fma, mul
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

// Saturates to INT_MIN. For comparisons with integers that are never INT_MIN.
__device__ inline int narrowed(long long x) { return x == int(x) ? int(x) : -0x7fffffff - 1; }

// In host memory, which the host reads after the kernel. Any one of several errors will do.
__device__ inline void set_status(int* status, int value) { *(volatile int*)status = value; }

__device__ inline long long checked_index(long long index, long long extent, int& wrong) {
  using Word = unsigned long long;
  const bool is_inside = static_cast<Word>(index) < static_cast<Word>(extent);
  wrong = is_inside ? wrong : 1;
  return is_inside ? index : 0;
}

__device__ inline float infinity() { return __uint_as_float(0x7f800000u); }

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
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(128, 9)
fused_not_equal_where_max_sub_exp_0cc33f80(
    const float* __restrict__ logits_0,
    const long long* __restrict__ classes_1,
    const float* __restrict__ b27_10,
    float* __restrict__ b39_9,
    float* __restrict__ b18_11,
    int* status) {
  const int i2 = int(blockIdx.x);
  const int i3 = int(threadIdx.x);
  float logits_0_row[4];
  __shared__ __align__(16) float partials[4];
  __shared__ __align__(16) float partials_2[4];
  int wrong = 0;
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 125) {
      float logits_0_lanes[4];
      ridge::load_wide<16>(logits_0_lanes, &logits_0[500 * i2 + 4 * i3]);
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float logits = logits_0_lanes[i4];
        logits_0_row[i4] = logits;
      }
    }
  }
  float max_2 = -ridge::infinity();
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 125) {
      float max_2_lanes[4];
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float logits_2 = logits_0_row[i4];
        max_2_lanes[i4] = logits_2;
      }
      max_2 = ridge::max(max_2, ridge::tree_reduce(max_2_lanes, ridge::Max()));
    }
  }
  max_2 = ridge::warp_reduce<32>(max_2, ridge::Max());
  ridge::store_partial(partials, max_2);
  __syncthreads();
  max_2 = ridge::reduce_partials<4>(partials, ridge::Max());
  float sum = 0.0f;
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 125) {
      float sum_lanes[4];
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float logits_3 = logits_0_row[i4];
        const float sub_2 = logits_3 - max_2;
        const float exp_2 = expf(sub_2);
        sum_lanes[i4] = exp_2;
      }
      sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<32>(sum, ridge::Sum());
  ridge::store_partial(partials_2, sum);
  __syncthreads();
  sum = ridge::reduce_partials<4>(partials_2, ridge::Sum());
  const float div_2 = 1.0f / sum;
  const long long classes = classes_1[i2];
  const float v16 = b27_10[i2];
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 125) {
      float b39_9_lanes[4];
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float logits_4 = logits_0_row[i4];
        const float sub_3 = logits_4 - max_2;
        const float exp_3 = expf(sub_3);
        const int arange = 4 * i3 + i4;
        const bool equal_2 = arange == ridge::narrowed(classes);
        const float where = equal_2 ? 1.0f : 0.0f;
        const float neg_2 = -where;
        const float fma_2 = __fmaf_rn(exp_3, div_2, neg_2);
        const float mul_2 = fma_2 * v16;
        b39_9_lanes[i4] = mul_2;
      }
      ridge::store_wide<16>(&b39_9[500 * i2 + 4 * i3], b39_9_lanes);
    }
  }
  const bool not_equal_2 = classes != -100;
  const float log_2 = logf(sum);
  const long long where_2 = not_equal_2 ? classes : 0LL;
  const float logits_5 = logits_0[500 * i2 + int(ridge::checked_index(where_2, 500, wrong))];
  const float gather = logits_5;
  const float sub_4 = gather - max_2;
  const float sub_5 = log_2 - sub_4;
  const float where_3 = not_equal_2 ? sub_5 : 0.0f;
  if (i3 == 0) {
    b18_11[i2] = where_3;
  }
  if (wrong != 0) ridge::set_status(status, wrong);
}

// launched with arena at 128, input 1, output 0
// fused_not_equal_sum_div_b4036380
// ops: not_equal, sum, sum, div
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

__device__ inline long long wrap_add(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) + static_cast<Word>(b));
}

struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

struct WrapSum {
  __device__ long long operator()(long long a, long long b) const { return wrap_add(a, b); }
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
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(128)
fused_not_equal_sum_div_b4036380(
    const float* __restrict__ b18_11,
    const long long* __restrict__ classes_1,
    float* __restrict__ b20_8) {
  const int i3 = int(threadIdx.x % 4u);
  const int i2 = int(threadIdx.x / 4u);
  float sum = 0.0f;
  long long sum_2 = 0LL;
  #pragma unroll
  for (int i5 = 0; i5 < 3; ++i5) {
    float sum_lanes[2];
    long long sum_2_lanes[2];
    float b18_11_lanes[2];
    ridge::load_wide<8>(b18_11_lanes, &b18_11[2 * i3 + 8 * i5]);
    long long classes_1_lanes[2];
    ridge::load_wide<16>(classes_1_lanes, &classes_1[2 * i3 + 8 * i5]);
    #pragma unroll
    for (int i4 = 0; i4 < 2; ++i4) {
      const float v2 = b18_11_lanes[i4];
      sum_lanes[i4] = v2;
      const long long classes = classes_1_lanes[i4];
      const bool not_equal_2 = classes != -100;
      const int sum_3 = int(not_equal_2);
      sum_2_lanes[i4] = (long long)sum_3;
    }
    sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
    sum_2 = ridge::wrap_add(sum_2, ridge::tree_reduce(sum_2_lanes, ridge::WrapSum()));
  }
  sum = ridge::warp_reduce<4>(sum, ridge::Sum());
  sum_2 = ridge::warp_reduce<4>(sum_2, ridge::WrapSum());
  const float div_2 = sum / float(sum_2);
  if (i3 == 0 && i2 < 1) {
    b20_8[0] = div_2;
  }
}
