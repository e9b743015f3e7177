// Beyond the block: programmatic dependent launch, the barrier of a cluster, distributed shared memory.
#pragma once

namespace ridge {

// @ptx_helper shared_address
// In the window of shared memory, as PTX takes it.
__device__ inline unsigned shared_address(const void* own) {
  return static_cast<unsigned>(__cvta_generic_to_shared(own));
}

// @ptx_helper dependent_launch
// Programmatic dependent launch: lets the next kernel of the stream start, waits for the one before.
__device__ inline void launch_dependents() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}
__device__ inline void wait_for_primaries() { asm volatile("griddepcontrol.wait;" ::: "memory"); }

// @ptx_helper cluster_barrier
__device__ inline void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
__device__ inline void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// @ptx_helper store_in_cluster needs shared_address
// Distributed shared memory: the address at which `block` of the cluster has `own`.
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

// @helper store_partial_in_cluster needs store_in_cluster
// Stores the value of this block in all blocks of the cluster.
template <int kBlocks, class T>
__device__ inline void store_partial_in_cluster(T* partials, T value) {
  if (threadIdx.x < kBlocks) store_in_cluster(partials + blockIdx.x % kBlocks, threadIdx.x, value);
}

}  // namespace ridge
