// launched with input 0, output 0
// fused_sum_div_d4d71ef3
// ops: sum, div
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

extern "C" __global__ void __launch_bounds__(96)
fused_sum_div_d4d71ef3(
    const float* __restrict__ x_0,
    float* __restrict__ b3_2) {
  const int i2 = int(threadIdx.x);
  __shared__ __align__(16) float partials[3];
  float sum = 0.0f;
  #pragma unroll
  for (int i4 = 0; i4 < 3; ++i4) {
    float sum_lanes[4];
    float x_0_lanes[4];
    ridge::load_wide<16>(x_0_lanes, &x_0[4 * i2 + 384 * i4]);
    #pragma unroll
    for (int i3 = 0; i3 < 4; ++i3) {
      const float x = x_0_lanes[i3];
      sum_lanes[i3] = x;
    }
    sum += ridge::tree_reduce(sum_lanes, ridge::Sum());
  }
  #pragma unroll
  for (int i5 = 0; i5 < 1; ++i5) {
    if (i2 < 87) {
      float sum_lanes_2[4];
      float x_0_lanes_2[4];
      ridge::load_wide<16>(x_0_lanes_2, &x_0[4 * i2 + 1152]);
      #pragma unroll
      for (int i3 = 0; i3 < 4; ++i3) {
        const float x_2 = x_0_lanes_2[i3];
        sum_lanes_2[i3] = x_2;
      }
      sum += ridge::tree_reduce(sum_lanes_2, ridge::Sum());
    }
  }
  sum = ridge::warp_reduce<32>(sum, ridge::Sum());
  ridge::store_partial(partials, sum);
  __syncthreads();
  sum = ridge::reduce_partials<3>(partials, ridge::Sum());
  const float div_2 = sum / 1500.0f;
  if (i2 == 0) {
    b3_2[0] = div_2;
  }
}
