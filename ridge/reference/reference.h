// The reference backend: every op, from its record alone, slow and obvious.
//
// It is the oracle that faster backends are tested against, and the CPU backend of a build that
// has no other.
#pragma once

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

}  // namespace ridge::reference
