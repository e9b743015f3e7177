// Calling an operator: find the key set, run the kernel of the highest key.
//
//   keys = union over tensor arguments | thread's included - thread's excluded, & the op's mask
//
// A layer that has done its part calls `redispatch` with its key (and all above) removed; that
// reads neither the thread state nor the arguments again.
#pragma once

#include "ridge/dispatch/operator.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge::dispatch {

// The key bits the arguments bring along.
inline uint64_t key_bits(std::span<const Arg> args) {
  uint64_t bits = 0;
  for (const Arg& arg : args) {
    if (arg.kind == ArgKind::tensor) {
      bits |= arg.tensor->unsafe_impl()->key_bits;
    } else if (arg.kind == ArgKind::tensors) {
      for (const Tensor& t : arg.tensors()) bits |= t.impl().key_bits;
    } else if (arg.kind == ArgKind::device) {
      bits |= KeySet(backend_key(arg.device.kind)).word();
    }
  }
  return bits;
}

// Runs the call. Errors leave it with the op named and, from the outermost call, the user's line.
void call(Frame& frame);

inline void redispatch(Frame& frame, KeySet keys) {
  keys = keys & frame.op.mask();
  const Kernel& kernel = frame.op.kernel(keys);
  kernel.invoke(kernel, frame, keys);
}

// The common case of one result.
template <class... Args>
Tensor call_one(const Operator& op, Location where, const Args&... args) {
  const Arg list[] = {Arg(args)...};
  Tensor result;
  Frame frame{op, list, {&result, 1}, where};
  call(frame);
  return result;
}

// Any op with any arguments, by value: for tests, tools and replay.
Tensors call_values(const Operator& op, std::span<const Arg> args,
                    Location where = Location::current());

}  // namespace ridge::dispatch
