// Warp and block reductions, in the order of a binary tree: Note [Collective order] in loop/loop.h. The operators are
// commutative, so both lanes of a shuffle get the same result.
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

// @helper tree_reduce
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

// @helper warp_reduce
// A butterfly over each group of kLanes lanes.
template <int kLanes, class T, class Combine>
__device__ inline T warp_reduce(T value, Combine combine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    value = combine(value, static_cast<T>(__shfl_xor_sync(0xffffffffu, value, distance)));
  }
  return value;
}

// @helper block_reduce needs tree_reduce warp_reduce
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
