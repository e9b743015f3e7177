// launched with input 0, input 1, input 2, output 0
// fused_mul_sub_9d2d69dd
// ops: mul, sub
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

// Of numbers that are not negative.
__device__ inline int quotient(int a, int b) { return int(unsigned(a) / unsigned(b)); }
__device__ inline int remainder(int a, int b) { return int(unsigned(a) % unsigned(b)); }
__device__ inline long long quotient(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) / static_cast<Word>(b));
}
__device__ inline long long remainder(long long a, long long b) {
  using Word = unsigned long long;
  return static_cast<long long>(static_cast<Word>(a) % static_cast<Word>(b));
}
}  // namespace ridge

extern "C" __global__ void __launch_bounds__(64)
fused_mul_sub_9d2d69dd(
    const float* __restrict__ x_0,
    const float* __restrict__ row_1,
    const float* __restrict__ column_2,
    float* __restrict__ b4_3) {
  const int i3 = int(threadIdx.x);
  if (i3 < 60) {
    const float column = column_2[ridge::quotient(i3, 10)];
    float x_0_lanes[2];
    ridge::load_wide<8>(x_0_lanes, &x_0[2 * i3]);
    float row_1_lanes[2];
    ridge::load_wide<8>(row_1_lanes, &row_1[2 * ridge::remainder(i3, 10)]);
    float b4_3_lanes[2];
    #pragma unroll
    for (int i4 = 0; i4 < 2; ++i4) {
      const float x = x_0_lanes[i4];
      const float row = row_1_lanes[i4];
      const float mul_2 = x * row;
      const float sub_2 = mul_2 - column;
      b4_3_lanes[i4] = sub_2;
    }
    ridge::store_wide<8>(&b4_3[2 * i3], b4_3_lanes);
  }
}
