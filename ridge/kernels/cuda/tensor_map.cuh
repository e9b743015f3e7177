// Tensor maps: boxes of a strided array in global memory, copied to and from tiles in shared memory.
#pragma once

#include "ridge/kernels/cuda/mbarrier.cuh"

namespace ridge {

// @ptx_helper tensor_map needs mbarrier
// A map is made by the host and passed as `const __grid_constant__ TensorMap`; hardware reads it where it lies.
struct alignas(128) TensorMap {
  unsigned long long words[16];
};
__device__ inline void prefetch_tensor_map(const TensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

// @ptx_helper load_box needs tensor_map
// The box at these coordinates, the contiguous one first, to a shared address; what is outside of the array is 0. The
// barrier counts the bytes of the whole box. One thread asks.
__device__ inline void load_box(unsigned to, const TensorMap* map, Mbarrier* barrier, int x) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3}], [%2];" ::"r"(to),
      "l"(map), "r"(shared_address(barrier)), "r"(x)
      : "memory");
}
__device__ inline void load_box(unsigned to, const TensorMap* map, Mbarrier* barrier, int x,
                                int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(to),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
      : "memory");
}
__device__ inline void load_box(unsigned to, const TensorMap* map, Mbarrier* barrier, int x, int y,
                                int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
      : "memory");
}
__device__ inline void load_box(unsigned to, const TensorMap* map, Mbarrier* barrier, int x, int y,
                                int z, int w) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z), "r"(w)
      : "memory");
}
__device__ inline void load_box(unsigned to, const TensorMap* map, Mbarrier* barrier, int x, int y,
                                int z, int w, int v) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(to),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z), "r"(w), "r"(v)
      : "memory");
}

// @ptx_helper store_box needs tensor_map
// From a shared address; what is outside of the array is left out.
__device__ inline void store_box(const TensorMap* map, unsigned from, int x) {
  asm volatile(
      "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
      "r"(from), "r"(x)
      : "memory");
}
__device__ inline void store_box(const TensorMap* map, unsigned from, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
      "r"(from), "r"(x), "r"(y)
      : "memory");
}
__device__ inline void store_box(const TensorMap* map, unsigned from, int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(
          map),
      "r"(from), "r"(x), "r"(y), "r"(z)
      : "memory");
}
__device__ inline void store_box(const TensorMap* map, unsigned from, int x, int y, int z, int w) {
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::
          "l"(map),
      "r"(from), "r"(x), "r"(y), "r"(z), "r"(w)
      : "memory");
}
__device__ inline void store_box(const TensorMap* map, unsigned from, int x, int y, int z, int w,
                                 int v) {
  asm volatile(
      "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], "
      "[%1];" ::"l"(map),
      "r"(from), "r"(x), "r"(y), "r"(z), "r"(w), "r"(v)
      : "memory");
}
// Stores up to here are a group of the thread that asked for them. All but the last kLater groups have been read, so that
// their tiles may be written; or are complete.
__device__ inline void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int kLater>
__device__ inline void wait_stores_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLater) : "memory");
}
template <int kLater>
__device__ inline void wait_stores() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kLater) : "memory");
}

// @ptx_helper fence_async_proxy
// Between accesses of threads to shared memory, and those of copies and products: every thread that wrote or read
// fences, then a barrier follows.
__device__ inline void fence_async_proxy() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

}  // namespace ridge
