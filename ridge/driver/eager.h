// The eager CPU backend: every op a graph of one node, run through the compiler.
//
// A call that was made before with the same shapes finds its kernel by one lookup in a table of this
// thread; a new shape of a known class binds other sizes to a kernel that exists (eager_kernel.h).
// Composite ops, views and in-place forms come down to such calls (ops/derived.h).
#pragma once

namespace ridge::driver {

// Registers the backend for tensors on the CPU. Call after reference::install, whose backend it
// replaces.
void install_eager();

}  // namespace ridge::driver
