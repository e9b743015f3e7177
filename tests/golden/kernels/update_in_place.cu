// launched with input 1, input 2, input 0
// fused_neg_fma_e643feed
// ops: neg, fma
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

extern "C" __global__ void __launch_bounds__(32)
fused_neg_fma_e643feed(
    const float* gradient_1,
    const float* rate_2,
    float* parameter_0) {
  const int i2 = int(threadIdx.x);
  const float rate = rate_2[0];
  float gradient_1_lanes[2];
  ridge::load_wide<8>(gradient_1_lanes, &gradient_1[2 * i2]);
  float parameter_0_lanes[2];
  ridge::load_wide<8>(parameter_0_lanes, &parameter_0[2 * i2]);
  float parameter_0_lanes_2[2];
  #pragma unroll
  for (int i3 = 0; i3 < 2; ++i3) {
    const float gradient = gradient_1_lanes[i3];
    const float neg_2 = -gradient;
    const float parameter = parameter_0_lanes[i3];
    const float fma_2 = __fmaf_rn(neg_2, rate, parameter);
    parameter_0_lanes_2[i3] = fma_2;
  }
  ridge::store_wide<8>(&parameter_0[2 * i2], parameter_0_lanes_2);
}
