// Lets the host's compiler read generated CUDA text, and runs it: each thread of a block is a
// fiber. Blocks run one after the other, those of a cluster side by side, in either direction, and so
// do the threads between two barriers: a barrier that is missing shows in one direction or the other.
// Threads wait for their warp at a shuffle and for their block at __syncthreads; where they wait for one
// another in vain, the launch says so. With a seed, warps rest for a while, now these, now
// others. Included in front of the text, in a library of its own (run_on_host.h); no part of the test
// program.
#pragma once

#include <math.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "host_mbarriers.h"

#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __noinline__ __attribute__((noinline))

struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
struct Index {
  unsigned x;
};
inline Index blockIdx, threadIdx, gridDim, blockDim;

namespace host {

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline unsigned short bf16_bits(float x) {
  const auto bits = bits_as<unsigned>(x);
  if (x != x) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline unsigned short f16_bits(float x) {
  return bits_as<unsigned short>(static_cast<_Float16>(x));
}

// An asynchronous copy is made when its thread waits for it, and not before.
struct CopyInFlight {
  void* to;
  const void* from;
  size_t bytes;
  int waits = 0;  // since
};

enum class Wait { none, warp, block, cluster, event };
struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(64 * 1024);
  bool is_done = false;
  Wait waits_for = Wait::none;
  unsigned mask = 0;    // the lanes of its warp that it waits for
  uint64_t events = 0;  // that it has seen
  std::vector<CopyInFlight> copies_in_flight{};
};
inline ucontext_t scheduler;
inline std::vector<Fiber> fibers;    // of all blocks of a cluster
inline std::vector<uint64_t> words;  // what each thread shows the others in a shuffle
// Of a block of the cluster: memory of the launch, and what is declared in its text.
struct BlockMemory {
  std::vector<uint64_t> dynamic, declared;
  std::vector<std::vector<uint64_t>> arrays;  // by their order in the text
};
inline std::vector<BlockMemory> memories;
inline unsigned own_block = 0;  // of the cluster, whose thread runs
inline unsigned first_thread() { return own_block * blockDim.x; }
inline void (*current_call)(void**);
inline void** current_arguments;

inline Fiber& own_fiber() { return fibers[first_thread() + threadIdx.x]; }
inline void wait_for(Wait what, unsigned mask = 0) {
  Fiber& fiber = own_fiber();
  fiber.waits_for = what;
  fiber.mask = mask;
  swapcontext(&fiber.context, &scheduler);
}

inline void wait_for_event() {
  own_fiber().events = events;
  wait_for(Wait::event);
}

inline unsigned char* dynamic_shared(size_t alignment) {
  const auto start = reinterpret_cast<uintptr_t>(memories[own_block].dynamic.data());
  return reinterpret_cast<unsigned char*>((start + alignment - 1) / alignment * alignment);
}
template <class Declared>
Declared& declared_shared() {
  std::vector<uint64_t>& declared = memories[own_block].declared;
  if (declared.empty()) declared.resize(sizeof(Declared) / 8 + 1);
  return *reinterpret_cast<Declared*>(declared.data());
}
template <class T>
T* declared_array(size_t number, size_t count) {
  std::vector<std::vector<uint64_t>>& arrays = memories[own_block].arrays;
  if (arrays.size() <= number) arrays.resize(number + 1);
  if (arrays[number].empty()) arrays[number].resize(count * sizeof(T) / 8 + 1);
  return reinterpret_cast<T*>(arrays[number].data());
}
// Where another block has what we have there. A device takes it for an error if there is no cluster.
template <class T>
T* in_cluster(T* own, unsigned block) {
  is_faulty |= memories.size() < 2;
  BlockMemory &ours = memories[own_block], &other = memories[block];
  const auto* const at = reinterpret_cast<const uint64_t*>(own);
  const auto moved = [&](const std::vector<uint64_t>& from, std::vector<uint64_t>& to) {
    const auto offset =
        reinterpret_cast<const char*>(at) - reinterpret_cast<const char*>(from.data());
    return reinterpret_cast<T*>(reinterpret_cast<char*>(to.data()) + offset);
  };
  for (size_t i = 0; i < ours.arrays.size(); ++i) {
    const std::vector<uint64_t>& array = ours.arrays[i];
    if (at >= array.data() && at < array.data() + array.size())
      return moved(array, other.arrays[i]);
  }
  return moved(ours.declared, other.declared);
}

inline void async_copy(void* to, const void* from, size_t bytes) {
  std::memset(to, 0xff, bytes);
  own_fiber().copies_in_flight.push_back({to, from, bytes});
}
inline void wait_async_copies(int but) {
  std::vector<CopyInFlight>& copies_in_flight = own_fiber().copies_in_flight;
  for (CopyInFlight& one : copies_in_flight) {
    if (++one.waits > but) std::memcpy(one.to, one.from, one.bytes);
  }
  std::erase_if(copies_in_flight, [&](const CopyInFlight& one) { return one.waits > but; });
}

inline void run_fiber() {
  current_call(current_arguments);
  own_fiber().is_done = true;
}

inline void start_fiber(Fiber& fiber) {
  fiber.is_done = false;
  fiber.waits_for = Wait::none;
  fiber.copies_in_flight.clear();
  getcontext(&fiber.context);
  fiber.context.uc_stack = {
      .ss_sp = fiber.stack.data(), .ss_flags = 0, .ss_size = fiber.stack.size()};
  fiber.context.uc_link = &scheduler;
  makecontext(&fiber.context, run_fiber, 0);
}

// Lets those go on for whom everybody has come. Threads that have ended are not waited for.
inline bool release(Wait what, unsigned first, unsigned end) {
  bool is_any = false;
  for (unsigned i = first; i < end; ++i) {
    if (!fibers[i].is_done && fibers[i].waits_for != what) return false;
    is_any |= !fibers[i].is_done;
  }
  for (unsigned i = first; i < end; ++i) fibers[i].waits_for = Wait::none;
  return is_any;
}
inline bool release_warp(unsigned first, unsigned threads) {
  bool is_any = false;
  for (unsigned i = first; i < first + 32 && i < threads; ++i) {
    if (fibers[i].is_done || fibers[i].waits_for != Wait::warp) continue;
    bool is_complete = true;
    const unsigned mask = fibers[i].mask;
    const auto is_asked = [&](unsigned j) { return (mask >> (j - first) & 1) != 0; };
    for (unsigned j = first; j < first + 32 && j < threads; ++j) {
      const bool is_here = fibers[j].waits_for == Wait::warp && fibers[j].mask == mask;
      is_complete &= !is_asked(j) || fibers[j].is_done || is_here;
    }
    if (!is_complete) continue;
    for (unsigned j = first; j < first + 32 && j < threads; ++j) {
      if (is_asked(j)) fibers[j].waits_for = Wait::none;
    }
    is_any = true;
  }
  return is_any;
}

inline bool can_run(const Fiber& fiber) {
  const bool is_woken = fiber.waits_for == Wait::event && fiber.events != events;
  return !fiber.is_done && (fiber.waits_for == Wait::none || is_woken);
}

// False if threads wait for others that do not come. Blocks from `first_block` on, side by side.
inline bool run_cluster(unsigned first_block, unsigned blocks, unsigned threads,
                        bool is_backwards) {
  const unsigned all = blocks * threads;
  for (unsigned i = 0; i < all; ++i) start_fiber(fibers[i]);
  in_flight.clear();
  std::vector<unsigned> rounds_to_rest(all / 32 + 1, 0);
  for (;;) {
    bool is_any = deliver();
    unsigned done = 0;
    for (unsigned k = 0; k < all; ++k) {
      const unsigned i = is_backwards ? all - 1 - k : k;
      // Now and then a warp rests, for so long that others are several rows further.
      unsigned& rest = rounds_to_rest[i / 32];
      if (k % 32 == 0) rest = rest > 0 ? rest - 1 : random_below(48) == 1 ? random_below(64) : 0;
      own_block = i / threads;
      blockIdx.x = first_block + own_block;
      threadIdx.x = i % threads;
      done += fibers[i].is_done ? 1 : 0;
      if (!can_run(fibers[i])) continue;
      is_any = true;
      if (rest > 0) continue;
      swapcontext(&scheduler, &fibers[i].context);
    }
    if (done == all) return !is_faulty && in_flight.empty();
    for (unsigned block = 0; block < blocks; ++block) {
      const unsigned first = block * threads, end = first + threads;
      for (unsigned warp = first; warp < end; warp += 32) is_any |= release_warp(warp, end);
      is_any |= release(Wait::block, first, end);
    }
    is_any |= release(Wait::cluster, 0, all);
    if (!is_any) return false;
  }
}

// arguments[i] points to the i-th argument, as for cuLaunchKernel.
template <class... Arguments, size_t... kIndices>
void call(void (*kernel)(Arguments...), void** arguments, std::index_sequence<kIndices...>) {
  kernel(*static_cast<Arguments*>(arguments[kIndices])...);
}
template <class... Arguments>
void call(void (*kernel)(Arguments...), void** arguments) {
  call(kernel, arguments, std::index_sequence_for<Arguments...>());
}

}  // namespace host

struct HostLaunch {
  void (*call)(void**);
  void** arguments;
  unsigned blocks, threads, cluster;
  size_t dynamic_shared_bytes;
  bool is_backwards;
  uint64_t seed;
};

extern "C" bool host_launch(const HostLaunch* launch) {
  host::current_call = launch->call;
  host::current_arguments = launch->arguments;
  const unsigned threads = launch->threads * launch->cluster;
  if (host::fibers.size() < threads) host::fibers = std::vector<host::Fiber>(threads);
  host::words.resize(threads);
  host::memories.assign(launch->cluster, {});
  for (host::BlockMemory& memory : host::memories) {
    memory.dynamic.resize(launch->dynamic_shared_bytes / 8 + 17);
  }
  host::is_faulty = false;
  host::random_state = launch->seed;
  gridDim.x = launch->blocks;
  blockDim.x = launch->threads;
  const unsigned clusters = launch->blocks / launch->cluster;
  for (unsigned k = 0; k < clusters; ++k) {
    const unsigned first = (launch->is_backwards ? clusters - 1 - k : k) * launch->cluster;
    if (!host::run_cluster(first, launch->cluster, launch->threads, launch->is_backwards)) {
      return false;
    }
  }
  return true;
}

inline void __syncthreads() { host::wait_for(host::Wait::block); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { host::wait_for(host::Wait::warp, mask); }
inline void __threadfence() {}

// What the thread at `from` shows; a thread that does not exist shows what we have.
template <class T>
T host_shuffle(unsigned mask, T value, unsigned from) {
  static_assert(sizeof(T) <= 8);
  std::memcpy(&host::words[host::first_thread() + threadIdx.x], &value, sizeof value);
  __syncwarp(mask);
  T other = value;
  if (from < blockDim.x) {
    std::memcpy(&other, &host::words[host::first_thread() + from], sizeof other);
  }
  __syncwarp(mask);
  return other;
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int distance) {
  return host_shuffle(mask, value, threadIdx.x ^ static_cast<unsigned>(distance));
}
template <class T>
T __shfl_sync(unsigned mask, T value, int lane) {
  return host_shuffle(mask, value, threadIdx.x / 32 * 32 + static_cast<unsigned>(lane) % 32);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance) {
  const bool is_inside = threadIdx.x % 32 >= distance;
  return host_shuffle(mask, value, is_inside ? threadIdx.x - distance : threadIdx.x);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance) {
  const bool is_inside = threadIdx.x % 32 + distance < 32;
  return host_shuffle(mask, value, is_inside ? threadIdx.x + distance : threadIdx.x);
}
inline unsigned __ballot_sync(unsigned mask, bool is_set) {
  unsigned lanes = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const bool exists = threadIdx.x / 32 * 32 + static_cast<unsigned>(lane) < blockDim.x;
    lanes |= unsigned{exists && __shfl_sync(mask, is_set, lane)} << lane;
  }
  return lanes & mask;
}
inline bool __any_sync(unsigned mask, bool is_set) { return __ballot_sync(mask, is_set) != 0; }
template <class T>
T atomicAdd(T* at, T value) {
  const T before = *at;
  *at += value;
  return before;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned distance) {
  const uint64_t both = uint64_t{high} << 32 | low;
  return static_cast<unsigned>(both >> distance % 32);
}
inline float __uint_as_float(unsigned bits) { return host::bits_as<float>(bits); }
inline float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }
inline unsigned __float_as_uint(float x) { return host::bits_as<unsigned>(x); }
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
T __ldcg(const T* from) {
  return *from;
}
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
void __stcs(T* to, T value) {
  *to = value;
}
template <class T>
void __stcg(T* to, T value) {
  *to = value;
}
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }

// In place of those that are PTX instructions; in the namespace of the text that calls them.
#define RIDGE_ON_HOST                                                                   \
  RIDGE_MBARRIERS_ON_HOST                                                               \
  inline float reciprocal_16(float x) { return 1.0f / x; }                              \
  inline float sqrt_16(float x) { return std::sqrt(x); }                                \
  inline float exp2_16(float x) { return std::exp2(x); }                                \
  inline bool is_odd(unsigned n) { return (n & 1) != 0; }                               \
  inline unsigned long long wide_product(unsigned a, unsigned b) {                      \
    return static_cast<unsigned long long>(a) * b;                                      \
  }                                                                                     \
  inline unsigned short bf16_bits(float x) { return host::bf16_bits(x); }               \
  inline unsigned short f16_bits(float x) { return host::f16_bits(x); }                 \
  inline float f16_value(unsigned short bits) { return host::bits_as<_Float16>(bits); } \
  inline unsigned bf16_pair(float low, float high) {                                    \
    return bf16_bits(low) | static_cast<unsigned>(bf16_bits(high)) << 16;               \
  }                                                                                     \
  inline unsigned f16_pair(float low, float high) {                                     \
    return f16_bits(low) | static_cast<unsigned>(f16_bits(high)) << 16;                 \
  }                                                                                     \
  inline float max(float a, float b) { return a != a || b != b ? a + b : fmaxf(a, b); } \
  inline float min(float a, float b) { return a != a || b != b ? a + b : fminf(a, b); } \
  template <int kBytes>                                                                 \
  inline void async_copy(void* to, const void* from) {                                  \
    host::async_copy(to, from, kBytes);                                                 \
  }                                                                                     \
  inline void wait_async_copies() { host::wait_async_copies(0); }                       \
  template <int kLater>                                                                 \
  inline void wait_async_copies_but() {                                                 \
    host::wait_async_copies(kLater);                                                    \
  }                                                                                     \
  inline unsigned opaque(unsigned pair) { return pair; }                                \
  inline void launch_dependents() {}                                                    \
  inline void wait_for_primaries() {}
