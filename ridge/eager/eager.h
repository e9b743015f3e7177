// The eager backends: every op a graph of one node, run through the compiler.
//
// A call that was made before with the same shapes finds its kernel by one lookup in a table of this
// thread (recent_calls.h). On the CPU a new shape of a known class binds other sizes to a kernel that
// exists (eager_kernel.h); on a GPU it gets kernels of its own (eager_program.h). Composite ops, views
// and in-place forms come down to such calls (ops/derived.h).
#pragma once

namespace ridge::eager {

// Registers the backend for tensors on the CPU. Call after reference::install, whose backend it
// replaces.
void install_eager();

// Registers the backend for tensors on a GPU. A plain number, and any other 0-d tensor of the CPU,
// may stand beside them; else a call with tensors of several devices is an Error{device}.
void install_eager_gpu();

}  // namespace ridge::eager
