// launched with input 0, input 1, input 2, output 0
// fused_sum_div_sub_mul_add_a2f05c25
// ops: sum, div, sub, mul, sum, div, add, rsqrt, mul, fma
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

extern "C" __global__ void __launch_bounds__(128, 9)
fused_sum_div_sub_mul_add_a2f05c25(
    const float* __restrict__ x_0,
    const float* __restrict__ weight_1,
    const float* __restrict__ bias_2,
    float* __restrict__ b14_5) {
  const int i4 = int(threadIdx.x % 8u);
  const int i3 = int(threadIdx.x / 8u);
  float x_0_row[4];
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i4 < 5) {
      float x_0_lanes[4];
      ridge::load_wide<16>(x_0_lanes, &x_0[4 * i4 + 20 * ridge::min(3, i3)]);
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float x = x_0_lanes[i5];
        x_0_row[i5] = x;
      }
    }
  }
  float sum = 0.0f;
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i4 < 5) {
      float sum_lanes[4];
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float x_2 = x_0_row[i5];
        sum_lanes[i5] = x_2;
      }
      sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<8>(sum, ridge::Sum());
  float sum_2 = 0.0f;
  const float div_2 = sum / 20.0f;
  #pragma unroll
  for (int i6 = 0; i6 < 1; ++i6) {
    if (i4 < 5) {
      float sum_2_lanes[4];
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float x_3 = x_0_row[i5];
        const float sub_2 = x_3 - div_2;
        const float mul_2 = sub_2 * sub_2;
        sum_2_lanes[i5] = mul_2;
      }
      sum_2 += ridge::tree_reduce(sum_2_lanes, ridge::Sum());
    }
  }
  sum_2 = ridge::warp_reduce<8>(sum_2, ridge::Sum());
  const float div_3 = sum_2 / 20.0f;
  const float add_2 = div_3 + 1e-05f;
  const float rsqrt_2 = rsqrtf(add_2);
  if (i3 < 4) {
    #pragma unroll
    for (int i6 = 0; i6 < 1; ++i6) {
      if (i4 < 5) {
        float weight_1_lanes[4];
        ridge::load_wide<16>(weight_1_lanes, &weight_1[4 * i4]);
        float bias_2_lanes[4];
        ridge::load_wide<16>(bias_2_lanes, &bias_2[4 * i4]);
        float b14_5_lanes[4];
        #pragma unroll
        for (int i5 = 0; i5 < 4; ++i5) {
          const float x_4 = x_0_row[i5];
          const float sub_3 = x_4 - div_2;
          const float mul_3 = sub_3 * rsqrt_2;
          const float weight = weight_1_lanes[i5];
          const float bias = bias_2_lanes[i5];
          const float fma_2 = __fmaf_rn(mul_3, weight, bias);
          b14_5_lanes[i5] = fma_2;
        }
        ridge::store_wide<16>(&b14_5[4 * i4 + 20 * ridge::min(3, i3)], b14_5_lanes);
      }
    }
  }
}
