// launched with input 0, input 1, output 0
// fused_fma_relu_mul_efbe8e94
// ops: fma, relu, mul
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

extern "C" __global__ void __launch_bounds__(64)
fused_fma_relu_mul_efbe8e94(
    const float* __restrict__ x_0,
    const float* __restrict__ y_1,
    float* __restrict__ b5_3) {
  const int i2 = int(threadIdx.x);
  if (i2 < 50) {
    float x_0_lanes[2];
    ridge::load_wide<8>(x_0_lanes, &x_0[2 * i2]);
    float y_1_lanes[2];
    ridge::load_wide<8>(y_1_lanes, &y_1[2 * i2]);
    float b5_3_lanes[2];
    #pragma unroll
    for (int i3 = 0; i3 < 2; ++i3) {
      const float x = x_0_lanes[i3];
      const float y = y_1_lanes[i3];
      const float fma_2 = __fmaf_rn(x, 0.5f, y);
      const float relu = fma_2 <= 0.0f ? 0.0f : fma_2;
      const float mul_2 = relu * x;
      b5_3_lanes[i3] = mul_2;
    }
    ridge::store_wide<8>(&b5_3[2 * i2], b5_3_lanes);
  }
}
