// launched with input 0, input 3, input 1, input 2, output 0
// fused_mul_sum_div_sub_neg_aae9b5a3
// ops: mul, sum, div, mul, sum, div, sub, neg, fma, mul
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

extern "C" __global__ void __launch_bounds__(128, 6)
fused_mul_sum_div_sub_neg_aae9b5a3(
    const float* __restrict__ grad_0,
    const float* __restrict__ weight_3,
    const float* __restrict__ x_hat_1,
    const float* __restrict__ rstd_2,
    float* __restrict__ b14_5) {
  const int i4 = int(threadIdx.x % 8u);
  const int i3 = int(threadIdx.x / 8u);
  float grad_0_row[4];
  float weight_3_row[4];
  float x_hat_1_row[4];
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i4 < 5) {
      float grad_0_lanes[4];
      ridge::load_wide<16>(grad_0_lanes, &grad_0[4 * i4 + 20 * ridge::min(3, i3)]);
      float weight_3_lanes[4];
      ridge::load_wide<16>(weight_3_lanes, &weight_3[4 * i4]);
      float x_hat_1_lanes[4];
      ridge::load_wide<16>(x_hat_1_lanes, &x_hat_1[4 * i4 + 20 * ridge::min(3, i3)]);
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float grad = grad_0_lanes[i5];
        grad_0_row[i5] = grad;
        const float weight = weight_3_lanes[i5];
        weight_3_row[i5] = weight;
        const float x_hat = x_hat_1_lanes[i5];
        x_hat_1_row[i5] = x_hat;
      }
    }
  }
  float sum = 0.0f;
  float sum_2 = 0.0f;
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i4 < 5) {
      float sum_lanes[4];
      float sum_2_lanes[4];
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float grad_2 = grad_0_row[i5];
        const float weight_2 = weight_3_row[i5];
        const float mul_2 = grad_2 * weight_2;
        const float x_hat_2 = x_hat_1_row[i5];
        const float mul_3 = mul_2 * x_hat_2;
        sum_lanes[i5] = mul_3;
        sum_2_lanes[i5] = mul_2;
      }
      sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
      sum_2 += ridge::tree_reduce(sum_2_lanes, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<8>(sum, ridge::Sum());
  sum_2 = ridge::warp_reduce<8>(sum_2, ridge::Sum());
  const float div_2 = sum / 20.0f;
  const float div_3 = sum_2 / 20.0f;
  const float rstd = rstd_2[ridge::min(3, i3)];
  if (i3 < 4) {
    #pragma unroll
    for (int i6 = 0; i6 < 1; ++i6) {
      if (i4 < 5) {
        float b14_5_lanes[4];
        #pragma unroll
        for (int i5 = 0; i5 < 4; ++i5) {
          const float x_hat_3 = x_hat_1_row[i5];
          const float neg_2 = -x_hat_3;
          const float grad_3 = grad_0_row[i5];
          const float weight_4 = weight_3_row[i5];
          const float mul_4 = grad_3 * weight_4;
          const float sub_2 = mul_4 - div_3;
          const float fma_2 = __fmaf_rn(neg_2, div_2, sub_2);
          const float mul_5 = fma_2 * rstd;
          b14_5_lanes[i5] = mul_5;
        }
        ridge::store_wide<16>(&b14_5[4 * i4 + 20 * ridge::min(3, i3)], b14_5_lanes);
      }
    }
  }
}

// launched with input 0, input 1, output 1, output 2
// fused_mul_sum_c691b50e
// ops: mul, sum, sum
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

extern "C" __global__ void __launch_bounds__(20)
fused_mul_sum_c691b50e(
    const float* __restrict__ grad_0,
    const float* __restrict__ x_hat_1,
    float* __restrict__ b16_6,
    float* __restrict__ b17_7) {
  const int i6 = int(threadIdx.x % 5u);
  const int i5 = int(threadIdx.x / 5u);
  __shared__ __align__(16) float part_0[80];
  __shared__ __align__(16) float part_1[80];
  __shared__ __align__(16) float sum_2[20];
  __shared__ __align__(16) float sum_3[20];
  float sum[4];
  float sum_4[4];
  #pragma unroll
  for (int i7 = 0; i7 < 4; ++i7) {
    sum[i7] = 0.0f;
    sum_4[i7] = 0.0f;
  }
  #pragma unroll
  for (int i8 = 0; i8 < 1; ++i8) {
    float grad_0_lanes[4];
    ridge::load_wide<16>(grad_0_lanes, &grad_0[20 * i5 + 4 * i6]);
    float x_hat_1_lanes[4];
    ridge::load_wide<16>(x_hat_1_lanes, &x_hat_1[20 * i5 + 4 * i6]);
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      const float grad = grad_0_lanes[i7];
      const float x_hat = x_hat_1_lanes[i7];
      const float mul_2 = grad * x_hat;
      sum[i7] += mul_2;
      sum_4[i7] += grad;
    }
  }
  float part_0_lanes[4];
  float part_1_lanes[4];
  #pragma unroll
  for (int i7 = 0; i7 < 4; ++i7) {
    part_0_lanes[i7] = sum[i7];
    part_1_lanes[i7] = sum_4[i7];
  }
  ridge::store_wide<16>(&part_0[20 * i5 + 4 * i6], part_0_lanes);
  ridge::store_wide<16>(&part_1[20 * i5 + 4 * i6], part_1_lanes);
  __syncthreads();
  for (int i9 = 0; i9 < 1; ++i9) {
    float sum_5 = 0.0f;
    #pragma unroll
    for (int i10 = 0; i10 < 4; ++i10) {
      const float partial = part_0[5 * i5 + i6 + 20 * i10];
      sum_5 += partial;
    }
    sum_2[5 * i5 + i6] = sum_5;
    float sum_6 = 0.0f;
    #pragma unroll
    for (int i11 = 0; i11 < 4; ++i11) {
      const float partial_2 = part_1[5 * i5 + i6 + 20 * i11];
      sum_6 += partial_2;
    }
    sum_3[5 * i5 + i6] = sum_6;
  }
  __syncthreads();
  if (i5 == 0) {
    float sum_2_lanes[4];
    ridge::load_wide<16>(sum_2_lanes, &sum_2[4 * i6]);
    float sum_3_lanes[4];
    ridge::load_wide<16>(sum_3_lanes, &sum_3[4 * i6]);
    float b16_6_lanes[4];
    float b17_7_lanes[4];
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      const float result = sum_2_lanes[i7];
      const float result_2 = sum_3_lanes[i7];
      b16_6_lanes[i7] = result;
      b17_7_lanes[i7] = result_2;
    }
    ridge::store_wide<16>(&b16_6[4 * i6], b16_6_lanes);
    ridge::store_wide<16>(&b17_7[4 * i6], b17_7_lanes);
  }
}
