// Locks for objects that are many, small and rarely contended: one of a fixed set of mutexes,
// chosen by address.
//
// What they protect: the saved values of a node while it runs or is released, the list of views of
// a tensor, and the making of a tensor's autograd record. Two objects may share a mutex, so a
// thread never takes a second stripe, nor runs an op or foreign code, while it holds one.
#pragma once

#include <mutex>

namespace ridge::autograd {

std::mutex& stripe(const void* object);

}  // namespace ridge::autograd
