// mbarriers in shared memory: threads arrive at them, bulk copies and stores from other blocks count their
// bytes there. And what a cluster reduces through them.
#pragma once

#include "ridge/kernels/cuda/cluster.cuh"
#include "ridge/kernels/cuda/reduce.cuh"

namespace ridge {

// @ptx_helper barrier_in_memory needs shared_address
// A barrier in shared memory: threads arrive, and so do bytes that they have announced.
using BarrierInMemory = unsigned long long;
__device__ inline void start_barrier(BarrierInMemory* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals)
               : "memory");
}
__device__ inline void arrive(BarrierInMemory* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}
__device__ inline void arrive_for(BarrierInMemory* barrier, unsigned bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
constexpr unsigned kPatience =
    10000000;  // nanoseconds that a thread may sleep before it asks again
// Until all have arrived for the time whose number is even or odd. What other blocks have sent is there
// then, too, without looking past the first-level cache, as a wait for all of the cluster would.
__device__ inline void await(BarrierInMemory* barrier, unsigned parity) {
  unsigned is_done;
  do {
    asm volatile(
        "{\n\t.reg .pred done;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2, %3;\n\t"
        "selp.u32 %0, 1, 0, done;\n\t}"
        : "=r"(is_done)
        : "r"(shared_address(barrier)), "r"(parity), "r"(kPatience)
        : "memory");
  } while (is_done == 0);
}
// In front of their use by other blocks.
__device__ inline void show_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
// Bytes that the barrier counts when they are there: multiples of 16, as are the addresses.
__device__ inline void copy_ahead(void* to, const void* from, int bytes, BarrierInMemory* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

// @ptx_helper send needs barrier_in_memory store_in_cluster
// To where another block of the cluster has `own`, and its barrier counts the bytes.
__device__ inline void send(float* own, unsigned block, float value, BarrierInMemory* barrier) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(
                   address_in_cluster(own, block)),
               "f"(value), "r"(address_in_cluster(barrier, block))
               : "memory");
}

// @helper meeting needs send exchange
// Blocks of a cluster that meet in every round of a loop, and leave a number with each other. They count its
// bytes: a barrier of the cluster would also wait for all that was stored to memory before. Nobody is more
// than one round ahead.
template <int kBlocks>
struct Meeting {
  BarrierInMemory is_told[2];
  float told[2][kBlocks];
};
template <int kBlocks>
__device__ inline void start_meetings(Meeting<kBlocks>* meetings, int count) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 2 * count; ++i) start_barrier(&meetings[i / 2].is_told[i % 2], 1);
  show_barriers();
}
template <int kBlocks>
__device__ inline void tell(Meeting<kBlocks>& meeting, unsigned round, float value) {
  BarrierInMemory* const is_told = &meeting.is_told[round % 2];
  if (threadIdx.x == 0) arrive_for(is_told, 4 * kBlocks);
  if (threadIdx.x >= kBlocks) return;
  send(&meeting.told[round % 2][blockIdx.x % kBlocks], threadIdx.x, value, is_told);
}
template <int kBlocks, class Combine>
__device__ inline float hear(Meeting<kBlocks>& meeting, unsigned round, Combine combine) {
  await(&meeting.is_told[round % 2], round / 2 % 2);
  return collect<kBlocks>(meeting.told[round % 2], combine);
}

}  // namespace ridge
