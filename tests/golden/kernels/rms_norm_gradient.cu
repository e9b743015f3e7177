// launched with input 2, input 1, input 0, output 0, output 1, arena at 0
// fused_mul_sum_div_add_rsqrt_af558191
// ops: mul, sum, div, add, rsqrt, mul, mul, mul, mul, sum, mul, mul, mul, mul, div, mul, fma, add
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

extern "C" __global__ void __launch_bounds__(256, 3)
fused_mul_sum_div_add_rsqrt_af558191(
    const float* __restrict__ gradient_2,
    const float* __restrict__ weight_1,
    const float* __restrict__ x_0,
    float* __restrict__ b11_7,
    float* __restrict__ b28_8,
    float* __restrict__ b9_10) {
  const int i2 = int(blockIdx.x);
  const int i3 = int(threadIdx.x);
  float gradient_2_row[4];
  float weight_1_row[4];
  float x_0_row[4];
  __shared__ __align__(16) float partials[8];
  __shared__ __align__(16) float partials_2[8];
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 250) {
      float gradient_2_lanes[4];
      ridge::load_wide<16>(gradient_2_lanes, &gradient_2[1000 * i2 + 4 * i3]);
      float weight_1_lanes[4];
      ridge::load_wide<16>(weight_1_lanes, &weight_1[4 * i3]);
      float x_0_lanes[4];
      ridge::load_wide<16>(x_0_lanes, &x_0[1000 * i2 + 4 * i3]);
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float gradient = gradient_2_lanes[i4];
        gradient_2_row[i4] = gradient;
        const float weight = weight_1_lanes[i4];
        weight_1_row[i4] = weight;
        const float x = x_0_lanes[i4];
        x_0_row[i4] = x;
      }
    }
  }
  float sum = 0.0f;
  float sum_2 = 0.0f;
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 250) {
      float sum_lanes[4];
      float sum_2_lanes[4];
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float gradient_3 = gradient_2_row[i4];
        const float weight_2 = weight_1_row[i4];
        const float mul_2 = gradient_3 * weight_2;
        const float x_2 = x_0_row[i4];
        const float mul_3 = mul_2 * x_2;
        sum_lanes[i4] = mul_3;
        const float mul_4 = x_2 * x_2;
        sum_2_lanes[i4] = mul_4;
      }
      sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
      sum_2 += ridge::tree_reduce(sum_2_lanes, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<32>(sum, ridge::Sum());
  ridge::store_partial(partials, sum);
  sum_2 = ridge::warp_reduce<32>(sum_2, ridge::Sum());
  ridge::store_partial(partials_2, sum_2);
  __syncthreads();
  sum = ridge::reduce_partials<8>(partials, ridge::Sum());
  sum_2 = ridge::reduce_partials<8>(partials_2, ridge::Sum());
  const float div_2 = sum_2 / 1000.0f;
  const float add_2 = div_2 + 1e-06f;
  const float rsqrt_2 = rsqrtf(add_2);
  const float mul_5 = rsqrt_2 * rsqrt_2;
  const float mul_6 = mul_5 * rsqrt_2;
  const float mul_7 = -0.5f * mul_6;
  const float mul_8 = sum * mul_7;
  const float div_3 = mul_8 / 1000.0f;
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i3 < 250) {
      float b11_7_lanes[4];
      float b28_8_lanes[4];
      #pragma unroll
      for (int i4 = 0; i4 < 4; ++i4) {
        const float x_3 = x_0_row[i4];
        const float mul_9 = x_3 * rsqrt_2;
        const float weight_3 = weight_1_row[i4];
        const float mul_10 = mul_9 * weight_3;
        b11_7_lanes[i4] = mul_10;
        const float gradient_4 = gradient_2_row[i4];
        const float mul_11 = gradient_4 * weight_3;
        const float mul_12 = div_3 * x_3;
        const float fma_2 = __fmaf_rn(mul_11, rsqrt_2, mul_12);
        const float add_3 = fma_2 + mul_12;
        b28_8_lanes[i4] = add_3;
      }
      ridge::store_wide<16>(&b11_7[1000 * i2 + 4 * i3], b11_7_lanes);
      ridge::store_wide<16>(&b28_8[1000 * i2 + 4 * i3], b28_8_lanes);
    }
  }
  if (i3 == 0) {
    b9_10[i2] = rsqrt_2;
  }
}

// launched with input 2, input 0, arena at 0, output 2
// fused_mul_sum_65e1a0c1
// ops: mul, mul, sum
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

extern "C" __global__ void __launch_bounds__(256)
fused_mul_sum_65e1a0c1(
    const float* __restrict__ gradient_2,
    const float* __restrict__ x_0,
    const float* __restrict__ b9_10,
    float* __restrict__ b15_9) {
  const int i4 = int(blockIdx.x % 8u);
  const int i6 = int(threadIdx.x % 32u);
  const int i5 = int(threadIdx.x / 32u);
  __shared__ __align__(16) float part_0[1024];
  __shared__ __align__(16) float sum_1[128];
  if (32 * i4 + i6 < 250) {
    float sum[4];
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      sum[i7] = 0.0f;
    }
    #pragma unroll
    for (int i8 = 0; i8 < 2; ++i8) {
      if (i5 + 8 * i8 < 10) {
        const float v3 = b9_10[i5 + 8 * i8];
        float gradient_2_lanes[4];
        ridge::load_wide<16>(gradient_2_lanes, &gradient_2[128 * i4 + 1000 * i5 + 4 * i6 + 8000 * i8]);
        float x_0_lanes[4];
        ridge::load_wide<16>(x_0_lanes, &x_0[128 * i4 + 1000 * i5 + 4 * i6 + 8000 * i8]);
        #pragma unroll
        for (int i7 = 0; i7 < 4; ++i7) {
          const float gradient = gradient_2_lanes[i7];
          const float x = x_0_lanes[i7];
          const float mul_2 = x * v3;
          const float mul_3 = gradient * mul_2;
          sum[i7] += mul_3;
        }
      }
    }
    float part_0_lanes[4];
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      part_0_lanes[i7] = sum[i7];
    }
    ridge::store_wide<16>(&part_0[128 * i5 + 4 * i6], part_0_lanes);
  }
  __syncthreads();
  for (int i9 = 0; i9 < 1; ++i9) {
    const int t = 32 * i5;
    if (128 * i4 + t + i6 < 1000 && t + i6 < 128) {
      float sum_2 = 0.0f;
      #pragma unroll
      for (int i10 = 0; i10 < 8; ++i10) {
        const float partial = part_0[32 * i5 + i6 + 128 * i10];
        sum_2 += partial;
      }
      sum_1[32 * i5 + i6] = sum_2;
    }
  }
  __syncthreads();
  if (i5 == 0 && 32 * i4 + i6 < 250) {
    float sum_1_lanes[4];
    ridge::load_wide<16>(sum_1_lanes, &sum_1[4 * i6]);
    float b15_9_lanes[4];
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      const float result = sum_1_lanes[i7];
      const float reshape = result;
      b15_9_lanes[i7] = reshape;
    }
    ridge::store_wide<16>(&b15_9[128 * i4 + 4 * i6], b15_9_lanes);
  }
}
