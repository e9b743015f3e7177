// The threads that run kernels.
//
//   parallel(rows, 64, [&](int64_t begin, int64_t end) { ... });
//
// RIDGE_THREADS says how many (0: one for each core), the calling thread among them. Work is cut
// into contiguous ranges of at least `grain` tasks, which threads take one after the other; which
// thread runs a range is open, so a result must not depend on it. Work runs inline when there is
// one range, one thread, or when a task itself asks for more.
//
// Workers start at the first call that needs them, spin for some microseconds when they run dry,
// then sleep. They keep the default floating-point state: subnormals are numbers. Several threads
// may call at once: one gets the workers, the others run inline. After fork the child has no
// workers and starts its own.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ridge/core/kernel_abi.h"

namespace ridge::runtime {

// What kernels are given as their runtime; the address never changes.
KernelRuntime& kernel_runtime();

// Threads that would work now, the caller included.
int thread_count();

void parallel(int64_t count, int64_t grain, TaskRange run, void* context);

// `f(begin, end)` must not throw.
template <class F>
void parallel(int64_t count, int64_t grain, F&& f) {
  parallel(
      count, grain,
      [](void* context, int64_t begin, int64_t end) {
        (*static_cast<std::remove_reference_t<F>*>(context))(begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace ridge::runtime
