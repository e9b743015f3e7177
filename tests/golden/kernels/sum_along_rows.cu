// launched with input 0, output 0
// fused_square_sum_8d146e10
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

extern "C" __global__ void __launch_bounds__(128)
fused_square_sum_8d146e10(
    const float* __restrict__ x_0,
    float* __restrict__ b2_1) {
  const int i4 = int(threadIdx.x % 8u);
  const int i3 = int(threadIdx.x / 8u);
  float sum = 0.0f;
  #pragma unroll
  for (int i6 = 0; i6 < 3; ++i6) {
    float sum_lanes[4];
    float x_0_lanes[4];
    ridge::load_wide<16>(x_0_lanes, &x_0[4 * i4 + 32 * i6 + 100 * ridge::min(5, i3)]);
    #pragma unroll
    for (int i5 = 0; i5 < 4; ++i5) {
      const float x = x_0_lanes[i5];
      const float square = x * x;
      sum_lanes[i5] = square;
    }
    sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
  }
  #pragma unroll
  for (int i7 = 0; i7 < 1; ++i7) {
    if (i4 < 1) {
      float sum_lanes_2[4];
      float x_0_lanes_2[4];
      ridge::load_wide<16>(x_0_lanes_2, &x_0[4 * i4 + 100 * ridge::min(5, i3) + 96]);
      #pragma unroll
      for (int i5 = 0; i5 < 4; ++i5) {
        const float x_2 = x_0_lanes_2[i5];
        const float square_2 = x_2 * x_2;
        sum_lanes_2[i5] = square_2;
      }
      sum += ridge::tree_reduce(sum_lanes_2, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<8>(sum, ridge::Sum());
  if (i4 == 0 && i3 < 6) {
    b2_1[ridge::min(5, i3)] = sum;
  }
}
