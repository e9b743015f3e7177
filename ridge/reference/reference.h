// The reference backend: every op, from its record alone, slow and obvious.
//
// It is the oracle that faster backends are tested against, and the CPU backend of a build that
// has no other.
#pragma once

#include "ridge/core/tensor.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge::reference {

// Registers the backend for tensors on the CPU, and for threads that ask for it. Thread-safe;
// calling it again does nothing. A kernel registered later for Key::cpu takes precedence.
void install();

// For as long as it lives, this thread computes by the reference whatever other backends there
// are. Operands must be in memory the host can read; meta tensors stay meta.
class UseReference {
 public:
  UseReference() : keys_(dispatch::Key::reference) {}

 private:
  dispatch::IncludeKeys keys_;
};

// Writing one tensor into another: the end of every in-place op.
//
//   to   f32[2, 3], any strides        to[i, j] = from[0, j], converted to f32
//   from i64[1, 3]
//
// `from` is broadcast to the shape of `to`. If the two overlap in memory, the result is as if
// `from` had been copied first. Equal dtypes are copied as bytes, so storage-only ones are, too.

// Error{shape} if `from` does not broadcast; Error{state} if elements of `to` share memory;
// Error{dtype} for storage-only elements that would have to be converted, and for packed 4-bit
// ones unless both tensors are contiguous and of one shape.
void assign(const Tensor& to, const Tensor& from);

}  // namespace ridge::reference
