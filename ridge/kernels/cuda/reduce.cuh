// Values combined by halves: Note [Across] in loop/loop.h. All orders of operands give the same
// result, so that the two lanes of a shuffle agree.
#pragma once

#include "ridge/kernels/cuda/integer.cuh"
#include "ridge/kernels/cuda/math.cuh"

namespace ridge {

// @helper Sum
struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

// @helper Prod
struct Prod {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a * b;
  }
};

// @helper WrapSum needs wrap_add
struct WrapSum {
  __device__ long long operator()(long long a, long long b) const { return wrap_add(a, b); }
};

// @helper WrapProd needs wrap_mul
struct WrapProd {
  __device__ long long operator()(long long a, long long b) const { return wrap_mul(a, b); }
};

// @helper Max
struct Max {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return max(a, b);
  }
};

// @helper Min
struct Min {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return min(a, b);
  }
};

// @helper Any
struct Any {
  __device__ bool operator()(bool a, bool b) const { return a | b; }
};

// @helper All
struct All {
  __device__ bool operator()(bool a, bool b) const { return a & b; }
};

// @helper by_halves
// One value from a list, by halves.
template <class T, int kCount, class Combine>
__device__ inline T by_halves(const T (&list)[kCount], Combine combine) {
  if constexpr (kCount == 1) {
    return list[0];
  } else {
    constexpr int kHalf = (kCount + 1) / 2;
    T halves[kHalf];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      halves[i] = i + kHalf < kCount ? combine(list[i], list[i + kHalf]) : list[i];
    }
    return by_halves(halves, combine);
  }
}

// @helper across_lanes
// In each run of kLanes lanes of a warp.
template <int kLanes, class T, class Combine>
__device__ inline T across_lanes(T value, Combine combine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    value = combine(value, static_cast<T>(__shfl_xor_sync(0xffffffffu, value, distance)));
  }
  return value;
}

// @helper exchange needs by_halves across_lanes
// Each warp leaves its value; after a barrier all threads collect those of kWarps warps. A long list
// is read by the lanes of a warp, one each, since shared memory is slow if all lanes read all of it; a
// shorter one is there sooner without the exchanges between lanes.
template <class T>
__device__ inline void post(T* exchange, T value) {
  if (threadIdx.x % 32 == 0) exchange[threadIdx.x / 32] = value;
}
template <int kWarps, class T, class Combine>
__device__ inline T collect(const T* exchange, Combine combine) {
  if constexpr (kWarps <= 16) {
    T list[kWarps];
#pragma unroll
    for (int i = 0; i < kWarps; ++i) list[i] = exchange[i];
    return by_halves(list, combine);
  } else if constexpr (kWarps == 32) {
    return across_lanes<32>(exchange[threadIdx.x % 32], combine);
  } else {
    const int lane = threadIdx.x % 32;
    T value = exchange[lane < kWarps ? lane : 0];
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
