// launched with input 0, output 0
// fused_cumsum_exp_203115ea
// ops: cumsum, exp
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

extern "C" __global__ void __launch_bounds__(96)
fused_cumsum_exp_203115ea(
    const float* __restrict__ x_0,
    float* __restrict__ b2_1) {
  const int i3 = int(blockIdx.x);
  const int i4 = int(threadIdx.x);
  float own[4];
  __shared__ __align__(16) float sums[96];
  __shared__ __align__(16) float next_sums[96];
  float carry = 0.0f;
  for (int i5 = 0; i5 < 1; ++i5) {
    float element[4];
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      element[i6] = 0.0f;
    }
    if (i4 < 75) {
      float x_0_lanes[4];
      ridge::load_wide<16>(x_0_lanes, &x_0[300 * i3 + 4 * i4]);
      #pragma unroll
      for (int i6 = 0; i6 < 4; ++i6) {
        const float x = x_0_lanes[i6];
        element[i6] = x;
      }
    }
    #pragma unroll
    for (int i6 = 0; i6 < 4; ++i6) {
      own[i6] = element[i6];
    }
    float sum = 0.0f;
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      sum = sum + own[i7];
      own[i7] = sum;
    }
    sums[i4] = sum;
    __syncthreads();
    const float next = (1 <= i4 ? sums[i4 - 1] : 0.0f) + sums[i4];
    next_sums[i4] = next;
    __syncthreads();
    const float next_2 = (2 <= i4 ? next_sums[i4 - 2] : 0.0f) + next_sums[i4];
    sums[i4] = next_2;
    __syncthreads();
    const float next_3 = (4 <= i4 ? sums[i4 - 4] : 0.0f) + sums[i4];
    next_sums[i4] = next_3;
    __syncthreads();
    const float next_4 = (8 <= i4 ? next_sums[i4 - 8] : 0.0f) + next_sums[i4];
    sums[i4] = next_4;
    __syncthreads();
    const float next_5 = (16 <= i4 ? sums[i4 - 16] : 0.0f) + sums[i4];
    next_sums[i4] = next_5;
    __syncthreads();
    const float next_6 = (32 <= i4 ? next_sums[i4 - 32] : 0.0f) + next_sums[i4];
    sums[i4] = next_6;
    __syncthreads();
    const float next_7 = (64 <= i4 ? sums[i4 - 64] : 0.0f) + sums[i4];
    next_sums[i4] = next_7;
    __syncthreads();
    const float start = carry + (0 < i4 ? next_sums[i4 - 1] : 0.0f);
    if (i4 < 75) {
      float b2_1_lanes[4];
      #pragma unroll
      for (int i8 = 0; i8 < 4; ++i8) {
        const float scan = start + own[i8];
        const float exp_2 = expf(scan);
        b2_1_lanes[i8] = exp_2;
      }
      ridge::store_wide<16>(&b2_1[300 * i3 + 4 * i4], b2_1_lanes);
    }
    carry = carry + next_sums[95];
    __syncthreads();
  }
}
