// mbarriers in shared memory, bulk copies and asynchronous stores that complete on them, and the cluster
// reduction of values in a loop.
#pragma once

#include "ridge/kernels/cuda/cluster.cuh"
#include "ridge/kernels/cuda/reduce.cuh"

namespace ridge {

// @ptx_helper mbarrier needs shared_address
// A phase ends when all threads have arrived and all bytes that they expect have come.
using Mbarrier = unsigned long long;
__device__ inline void mbarrier_init(Mbarrier* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}
__device__ inline void mbarrier_arrive(Mbarrier* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}
__device__ inline void mbarrier_arrive_expect_tx(Mbarrier* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
constexpr unsigned kTryWaitTimeoutNs = 10000000;  // that a thread may sleep before it tries again
// Waits for the phase of this parity. What other blocks stored with store_async is visible after it, and
// L1 stays valid, unlike after the acquire of a cluster barrier.
__device__ inline void mbarrier_wait(Mbarrier* barrier, unsigned parity) {
  unsigned is_done;
  do {
    asm volatile(
        "{\n\t.reg .pred done;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2, %3;\n\t"
        "selp.u32 %0, 1, 0, done;\n\t}"
        : "=r"(is_done)
        : "r"(shared_address(barrier)), "r"(parity), "r"(kTryWaitTimeoutNs)
        : "memory");
  } while (is_done == 0);
}
// Makes initialized mbarriers visible to other blocks of the cluster.
__device__ inline void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
// The barrier counts the bytes as they arrive. Addresses and their number are multiples of 16.
__device__ inline void bulk_copy(void* to, const void* from, int bytes, Mbarrier* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// @ptx_helper store_async needs mbarrier store_in_cluster
// Into distributed shared memory: where `block` has `own`. The mbarrier of that block counts the bytes.
__device__ inline void store_async(float* own, unsigned block, float value, Mbarrier* barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(
                   address_in_cluster(own, block)),
               "f"(value), "r"(address_in_cluster(barrier, block))
               : "memory");
}

// @helper cluster_exchange needs store_async block_reduce
// A cluster reduction in every iteration of a loop: partial results go through distributed shared memory, double
// buffered. An mbarrier counts their bytes; a cluster barrier would also wait for all earlier stores to global
// memory. No block is more than one iteration ahead of another.
template <int kBlocks>
struct ClusterExchange {
  Mbarrier ready[2];
  float values[2][kBlocks];
};
template <int kBlocks>
__device__ inline void init_cluster_exchanges(ClusterExchange<kBlocks>* exchanges, int count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 2 * count; ++i) mbarrier_init(&exchanges[i / 2].ready[i % 2], 1);
  fence_mbarrier_init();
}
template <int kBlocks>
__device__ inline void send_to_cluster(ClusterExchange<kBlocks>& exchange, unsigned round,
                                       float value) {
  Mbarrier* const ready = &exchange.ready[round % 2];
  if (threadIdx.x == 0) mbarrier_arrive_expect_tx(ready, 4 * kBlocks);
  if (threadIdx.x >= kBlocks) return;
  store_async(&exchange.values[round % 2][blockIdx.x % kBlocks], threadIdx.x, value, ready);
}
template <int kBlocks, class Combine>
__device__ inline float reduce_in_cluster(ClusterExchange<kBlocks>& exchange, unsigned round,
                                          Combine combine) {
  mbarrier_wait(&exchange.ready[round % 2], round / 2 % 2);
  return reduce_partials<kBlocks>(exchange.values[round % 2], combine);
}

}  // namespace ridge
