// launched with input 0, output 0
// fused_square_sum_567b4f12
// ops: square, sum
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

extern "C" __global__ void __launch_bounds__(200)
fused_square_sum_567b4f12(
    const float* __restrict__ x_0,
    float* __restrict__ b2_1) {
  const int i6 = int(threadIdx.x % 25u);
  const int i5 = int(threadIdx.x / 25u);
  __shared__ __align__(16) float part_0[800];
  __shared__ __align__(16) float sum_1[100];
  float sum[4];
  #pragma unroll
  for (int i7 = 0; i7 < 4; ++i7) {
    sum[i7] = 0.0f;
  }
  #pragma unroll
  for (int i8 = 0; i8 < 1; ++i8) {
    if (i5 < 6) {
      float x_0_lanes[4];
      ridge::load_wide<16>(x_0_lanes, &x_0[100 * i5 + 4 * i6]);
      #pragma unroll
      for (int i7 = 0; i7 < 4; ++i7) {
        const float x = x_0_lanes[i7];
        const float square = x * x;
        sum[i7] += square;
      }
    }
  }
  float part_0_lanes[4];
  #pragma unroll
  for (int i7 = 0; i7 < 4; ++i7) {
    part_0_lanes[i7] = sum[i7];
  }
  ridge::store_wide<16>(&part_0[100 * i5 + 4 * i6], part_0_lanes);
  __syncthreads();
  for (int i9 = 0; i9 < 1; ++i9) {
    if (25 * i5 + i6 < 100) {
      float sum_2 = 0.0f;
      #pragma unroll
      for (int i10 = 0; i10 < 8; ++i10) {
        const float partial = part_0[25 * i5 + i6 + 100 * i10];
        sum_2 += partial;
      }
      sum_1[25 * i5 + i6] = sum_2;
    }
  }
  __syncthreads();
  if (i5 == 0) {
    float sum_1_lanes[4];
    ridge::load_wide<16>(sum_1_lanes, &sum_1[4 * i6]);
    float b2_1_lanes[4];
    #pragma unroll
    for (int i7 = 0; i7 < 4; ++i7) {
      const float result = sum_1_lanes[i7];
      b2_1_lanes[i7] = result;
    }
    ridge::store_wide<16>(&b2_1[4 * i6], b2_1_lanes);
  }
}
