#include "ridge/dispatch/thread_state.h"

namespace ridge::dispatch {

ThreadStateScope::ThreadStateScope(const ThreadState& state) : saved_(thread_state()) {
  thread_state() = state;
  thread_state().outermost = saved_.outermost;
}

ThreadStateScope::~ThreadStateScope() { thread_state() = saved_; }

}  // namespace ridge::dispatch
