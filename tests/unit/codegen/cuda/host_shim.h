// Lets the host's compiler read generated CUDA text, and runs it: each thread of a block is a
// fiber, and all of them meet at every barrier and shuffle. Included in front of the text, in a
// library of its own (run_on_host.h); no part of the test program.
#pragma once

#include <math.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
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
inline Index blockIdx, threadIdx;

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

struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(64 * 1024);
  bool is_done = false;
};
inline ucontext_t scheduler;
inline std::vector<Fiber> fibers;
inline std::vector<uint64_t> words;  // what each thread shows the others in a shuffle
inline void (*current_call)(void**);
inline void** current_arguments;

// Until all other threads are here too.
inline void meet() { swapcontext(&fibers[threadIdx.x].context, &scheduler); }

inline void run_fiber() {
  current_call(current_arguments);
  fibers[threadIdx.x].is_done = true;
}

inline void run_block(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) {
    Fiber& fiber = fibers[i];
    fiber.is_done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack = {
        .ss_sp = fiber.stack.data(), .ss_flags = 0, .ss_size = fiber.stack.size()};
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, run_fiber, 0);
  }
  for (unsigned done = 0; done < threads;) {
    done = 0;
    for (unsigned i = 0; i < threads; ++i) {
      threadIdx.x = i;
      if (!fibers[i].is_done) swapcontext(&scheduler, &fibers[i].context);
      done += fibers[i].is_done ? 1 : 0;
    }
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

extern "C" void host_launch(void (*call)(void**), void** arguments, unsigned blocks,
                            unsigned threads) {
  host::current_call = call;
  host::current_arguments = arguments;
  if (host::fibers.size() < threads) host::fibers = std::vector<host::Fiber>(threads);
  host::words.resize(threads);
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) host::run_block(threads);
}

inline void __syncthreads() { host::meet(); }
template <class T>
T __shfl_xor_sync(unsigned, T value, int distance) {
  const unsigned thread = threadIdx.x;
  std::memcpy(&host::words[thread], &value, sizeof value);
  host::meet();
  T other;
  std::memcpy(&other, &host::words[thread ^ static_cast<unsigned>(distance)], sizeof other);
  host::meet();
  return other;
}
inline int atomicCAS(int* at, int expected, int value) {
  const int before = *at;
  if (before == expected) *at = value;
  return before;
}
inline float __uint_as_float(unsigned bits) { return host::bits_as<float>(bits); }
inline unsigned __float_as_uint(float x) { return host::bits_as<unsigned>(x); }
template <class T>
T __ldcs(const T* from) {
  return *from;
}
template <class T>
void __stcs(T* to, T value) {
  *to = value;
}
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }

// In place of those that are PTX instructions; in the namespace of the text that calls them.
#define RIDGE_ON_HOST                                                                   \
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
  inline float min(float a, float b) { return a != a || b != b ? a + b : fminf(a, b); }
