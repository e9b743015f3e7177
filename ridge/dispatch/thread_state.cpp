#include "ridge/dispatch/thread_state.h"

namespace ridge::dispatch {

ThreadState snapshot() {
  ThreadState copy = thread_state();
  copy.outermost = nullptr;  // a frame lives on the stack of this thread only,
  copy.profile = nullptr;    // and a profile records the calls of one thread
  copy.included = copy.included - Key::profile;
  return copy;
}

ThreadStateScope::ThreadStateScope(const ThreadState& state) : saved_(thread_state()) {
  thread_state() = state;
  thread_state().outermost = saved_.outermost;
}

ThreadStateScope::~ThreadStateScope() { thread_state() = saved_; }

}  // namespace ridge::dispatch
