// Beyond the block: programmatic dependent launch, the barrier of a cluster, distributed shared memory.
#pragma once

namespace ridge {

// @ptx_helper shared_address
// In the window of shared memory, as PTX takes it.
__device__ inline unsigned shared_address(const void* own) {
  return static_cast<unsigned>(__cvta_generic_to_shared(own));
}

// @ptx_helper other_kernels
// Those launched behind this one and before it.
__device__ inline void start_next_kernel() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__device__ inline void await_previous_kernel() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

// @ptx_helper cluster_barrier
__device__ inline void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// @ptx_helper store_in_cluster needs shared_address
// Into the shared memory of another block of the cluster, at the place that `own` has in ours.
__device__ inline unsigned address_in_cluster(const void* own, unsigned block) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(own)), "r"(block));
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

// @helper post_in_cluster needs store_in_cluster
// Each block leaves its value with all of them.
template <int kBlocks, class T>
__device__ inline void post_in_cluster(T* exchange, T value) {
  if (threadIdx.x < kBlocks) store_in_cluster(exchange + blockIdx.x % kBlocks, threadIdx.x, value);
}

}  // namespace ridge
