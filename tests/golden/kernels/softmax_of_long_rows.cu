// launched with input 0, arena at 0
// fused_max_sub_exp_sum_div_9899fef9
// ops: max, sub, exp, sum, div, mul
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

extern "C" __global__ void __launch_bounds__(512)
fused_max_sub_exp_sum_div_9899fef9(
    const float* __restrict__ x_0,
    float* __restrict__ scratch_3) {
  const int i3 = int(blockIdx.x % 64u);
  const int i2 = int(blockIdx.x / 64u);
  const int i4 = int(threadIdx.x);
  __shared__ __align__(16) float partials[16];
  float max_2 = -ridge::infinity();
  #pragma unroll
  for (int i5 = 0; i5 < 2; ++i5) {
    float max_2_lanes[4];
    float x_0_lanes[4];
    ridge::load_wide<16>(x_0_lanes, &x_0[262144 * i2 + 4096 * i3 + 4 * i4 + 2048 * i5]);
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float x = x_0_lanes[i6];
      max_2_lanes[i6] = x;
    }
    max_2 = ridge::max(max_2, ridge::tree_reduce(max_2_lanes, ridge::Max()));
  }
  max_2 = ridge::warp_reduce<32>(max_2, ridge::Max());
  ridge::store_partial(partials, max_2);
  __syncthreads();
  max_2 = ridge::reduce_partials<16>(partials, ridge::Max());
  if (i4 == 0) {
    scratch_3[64 * i2 + i3] = max_2;
  }
}

// launched with arena at 0, arena at 512
// fused_max_sub_exp_sum_div_4b210719
// ops: max, sub, exp, sum, div, mul
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

extern "C" __global__ void __launch_bounds__(64)
fused_max_sub_exp_sum_div_4b210719(
    const float* __restrict__ scratch_3,
    float* __restrict__ scratch_4) {
  const int i2 = int(blockIdx.x);
  const int i3 = int(threadIdx.x);
  __shared__ __align__(16) float partials[2];
  float max_2 = -ridge::infinity();
  #pragma unroll
  for (int i4 = 0; i4 < 1; ++i4) {
    const float partial = scratch_3[64 * i2 + i3];
    max_2 = ridge::max(max_2, partial);
  }
  max_2 = ridge::warp_reduce<32>(max_2, ridge::Max());
  ridge::store_partial(partials, max_2);
  __syncthreads();
  max_2 = ridge::reduce_partials<2>(partials, ridge::Max());
  if (i3 == 0) {
    scratch_4[i2] = max_2;
  }
}

// launched with arena at 512, input 0, arena at 576
// fused_max_sub_exp_sum_div_63cf71a4
// ops: max, sub, exp, sum, div, mul
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

extern "C" __global__ void __launch_bounds__(512)
fused_max_sub_exp_sum_div_63cf71a4(
    const float* __restrict__ scratch_4,
    const float* __restrict__ x_0,
    float* __restrict__ scratch_5) {
  const int i3 = int(blockIdx.x % 64u);
  const int i2 = int(blockIdx.x / 64u);
  const int i4 = int(threadIdx.x);
  __shared__ __align__(16) float partials[16];
  const float result = scratch_4[i2];
  float sum = 0.0f;
  #pragma unroll
  for (int i5 = 0; i5 < 2; ++i5) {
    float sum_lanes[4];
    float x_0_lanes[4];
    ridge::load_wide<16>(x_0_lanes, &x_0[262144 * i2 + 4096 * i3 + 4 * i4 + 2048 * i5]);
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float x = x_0_lanes[i6];
      const float sub_2 = x - result;
      const float exp_2 = expf(sub_2);
      sum_lanes[i6] = exp_2;
    }
    sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
  }
  sum = ridge::warp_reduce<32>(sum, ridge::Sum());
  ridge::store_partial(partials, sum);
  __syncthreads();
  sum = ridge::reduce_partials<16>(partials, ridge::Sum());
  if (i4 == 0) {
    scratch_5[64 * i2 + i3] = sum;
  }
}

// launched with arena at 512, arena at 576, arena at 1088
// fused_max_sub_exp_sum_div_4d0392a2
// ops: max, sub, exp, sum, div, mul
namespace ridge {

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

extern "C" __global__ void __launch_bounds__(64)
fused_max_sub_exp_sum_div_4d0392a2(
    const float* __restrict__ scratch_4,
    const float* __restrict__ scratch_5,
    float* __restrict__ scratch_6) {
  const int i2 = int(blockIdx.x);
  const int i3 = int(threadIdx.x);
  __shared__ __align__(16) float partials[2];
  const float result = scratch_4[i2];
  float sum = 0.0f;
  #pragma unroll
  for (int i4 = 0; i4 < 1; ++i4) {
    const float partial = scratch_5[64 * i2 + i3];
    sum += partial;
  }
  sum = ridge::warp_reduce<32>(sum, ridge::Sum());
  ridge::store_partial(partials, sum);
  __syncthreads();
  sum = ridge::reduce_partials<2>(partials, ridge::Sum());
  if (i3 == 0) {
    scratch_6[i2] = sum;
  }
  if (i3 == 0) {
  }
}

// launched with arena at 512, arena at 1088, input 0, output 0
// fused_max_sub_exp_sum_div_9b2d2802
// ops: max, sub, exp, sum, div, mul
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
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(512)
fused_max_sub_exp_sum_div_9b2d2802(
    const float* __restrict__ scratch_4,
    const float* __restrict__ scratch_6,
    const float* __restrict__ x_0,
    float* __restrict__ b7_2) {
  const int i3 = int(blockIdx.x % 64u);
  const int i2 = int(blockIdx.x / 64u);
  const int i4 = int(threadIdx.x);
  const float result = scratch_4[i2];
  const float result_2 = scratch_6[i2];
  const float div_2 = 1.0f / result_2;
  #pragma unroll
  for (int i5 = 0; i5 < 2; ++i5) {
    float x_0_lanes[4];
    ridge::load_wide<16>(x_0_lanes, &x_0[262144 * i2 + 4096 * i3 + 4 * i4 + 2048 * i5]);
    float b7_2_lanes[4];
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      const float x = x_0_lanes[i6];
      const float sub_2 = x - result;
      const float exp_2 = expf(sub_2);
      const float mul_2 = exp_2 * div_2;
      b7_2_lanes[i6] = mul_2;
    }
    ridge::store_wide<16>(&b7_2[262144 * i2 + 4096 * i3 + 4 * i4 + 2048 * i5], b7_2_lanes);
  }
}
