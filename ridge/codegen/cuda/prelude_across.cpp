// Values combined by halves: Note [Collective order] in loop/loop.h. All orders of operands give the same
// result, so that the two lanes of a shuffle agree.
#include "ridge/codegen/cuda/prelude.h"

namespace ridge::codegen::cuda {
namespace {

constexpr Snippet kAcross[] = {
    {"Sum", "", false, R"(
struct Sum {
  template <class T>
  __device__ T operator()(T a, T b) const { return a + b; }
};
)"},
    {"Prod", "", false, R"(
struct Prod {
  template <class T>
  __device__ T operator()(T a, T b) const { return a * b; }
};
)"},
    {"WrapSum", "wrap_add", false, R"(
struct WrapSum {
  __device__ long long operator()(long long a, long long b) const { return wrap_add(a, b); }
};
)"},
    {"WrapProd", "wrap_mul", false, R"(
struct WrapProd {
  __device__ long long operator()(long long a, long long b) const { return wrap_mul(a, b); }
};
)"},
    {"Max", "", false, R"(
struct Max {
  template <class T>
  __device__ T operator()(T a, T b) const { return max(a, b); }
};
)"},
    {"Min", "", false, R"(
struct Min {
  template <class T>
  __device__ T operator()(T a, T b) const { return min(a, b); }
};
)"},
    {"Any", "", false, R"(
struct Any {
  __device__ bool operator()(bool a, bool b) const { return a | b; }
};
)"},
    {"All", "", false, R"(
struct All {
  __device__ bool operator()(bool a, bool b) const { return a & b; }
};
)"},
    {"by_halves", "", false, R"(
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
)"},
    {"across_lanes", "", false, R"(
// In each run of kLanes lanes of a warp.
template <int kLanes, class T, class Combine>
__device__ inline T across_lanes(T value, Combine combine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    value = combine(value, static_cast<T>(__shfl_xor_sync(0xffffffffu, value, distance)));
  }
  return value;
}
)"},
    {"exchange", "by_halves across_lanes", false, R"(
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
)"},
    {"other_kernels", "", true, R"(
// Those launched behind this one and before it.
__device__ inline void start_next_kernel() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__device__ inline void await_previous_kernel() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
)"},
    {"cluster_barrier", "", true, R"(
__device__ inline void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}
)"},
    {"store_in_cluster", "", true, R"(
// Into the shared memory of another block of the cluster, at the place that `own` has in ours.
__device__ inline unsigned address_in_cluster(const void* own, unsigned block) {
  const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(own));
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
  return there;
}
__device__ inline void store_in_cluster(float* own, unsigned block, float value) {
  const unsigned there = address_in_cluster(own, block);
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(there), "f"(value) : "memory");
}
__device__ inline void store_in_cluster(double* own, unsigned block, double value) {
  const unsigned there = address_in_cluster(own, block);
  asm volatile("st.shared::cluster.f64 [%0], %1;" ::"r"(there), "d"(value) : "memory");
}
__device__ inline void store_in_cluster(long long* own, unsigned block, long long value) {
  const unsigned there = address_in_cluster(own, block);
  asm volatile("st.shared::cluster.s64 [%0], %1;" ::"r"(there), "l"(value) : "memory");
}
__device__ inline void store_in_cluster(bool* own, unsigned block, bool value) {
  const unsigned there = address_in_cluster(own, block);
  asm volatile("st.shared::cluster.u8 [%0], %1;" ::"r"(there), "r"(int(value)) : "memory");
}
)"},
    {"post_in_cluster", "store_in_cluster", false, R"(
// Each block leaves its value with all of them.
template <int kBlocks, class T>
__device__ inline void post_in_cluster(T* exchange, T value) {
  if (threadIdx.x < kBlocks) store_in_cluster(exchange + blockIdx.x % kBlocks, threadIdx.x, value);
}
)"},
};

}  // namespace

std::span<const Snippet> across_snippets() { return kAcross; }

}  // namespace ridge::codegen::cuda
