// The one piece of ambient state: what the current thread has switched on.
//
// It is a plain struct, so reading it is a load relative to the thread pointer. It does not follow
// work to other threads.
#pragma once

#include <cstdint>

#include "ridge/core/device.h"
#include "ridge/core/dtype.h"
#include "ridge/dispatch/key_set.h"

namespace ridge::dispatch {

struct Frame;

struct ThreadState {
  KeySet included{Key::autograd};  // always-on layers are defaults here
  KeySet excluded{};               // exclusion wins over inclusion
  bool grad_enabled = true;
  DType autocast_dtype = bf16;  // what autocast lowers to while Key::autocast is included
  Stream stream{};              // where work of this thread is queued
  void* trace = nullptr;        // the capture in progress, owned by the capture layer
  void* profile = nullptr;      // the profile being recorded, owned by its scope
  // The call the user made, of which all nested calls are part: errors and graphs take their
  // source line from it.
  const Frame* outermost = nullptr;
};

inline ThreadState& thread_state() {
  static constinit thread_local ThreadState state;
  return state;
}

// Installs a state for as long as it lives, but for `outermost`, then restores what was there.
class ThreadStateScope {
 public:
  explicit ThreadStateScope(const ThreadState& state);
  ~ThreadStateScope();
  ThreadStateScope(const ThreadStateScope&) = delete;
  ThreadStateScope& operator=(const ThreadStateScope&) = delete;

 private:
  ThreadState saved_;
};

// Scopes for single switches. Each remembers its own switch only, so they nest in any order.
class IncludeKeys {
 public:
  explicit IncludeKeys(KeySet keys) : state_(thread_state()), added_(keys - state_.included) {
    state_.included = state_.included | added_;
  }
  ~IncludeKeys() { state_.included = state_.included - added_; }
  IncludeKeys(const IncludeKeys&) = delete;
  IncludeKeys& operator=(const IncludeKeys&) = delete;

 private:
  ThreadState& state_;
  KeySet added_;
};

class ExcludeKeys {
 public:
  explicit ExcludeKeys(KeySet keys) : state_(thread_state()), added_(keys - state_.excluded) {
    state_.excluded = state_.excluded | added_;
  }
  ~ExcludeKeys() { state_.excluded = state_.excluded - added_; }
  ExcludeKeys(const ExcludeKeys&) = delete;
  ExcludeKeys& operator=(const ExcludeKeys&) = delete;

 private:
  ThreadState& state_;
  KeySet added_;
};

class GradMode {
 public:
  explicit GradMode(bool enabled) : state_(thread_state()), saved_(state_.grad_enabled) {
    state_.grad_enabled = enabled;
  }
  ~GradMode() { state_.grad_enabled = saved_; }
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  ThreadState& state_;
  bool saved_;
};

// Calls of this thread become nodes of the graph of `trace`.
inline bool is_captured() {
  const ThreadState& state = thread_state();
  return state.trace != nullptr && (state.included - state.excluded).has(Key::trace);
}

// For work of our own on values that the user may differentiate: eager gradients do not see it. In a
// capture it changes nothing, because there grad mode says which nodes have a gradient, and that is
// the user's to say.
class ValuesOnly {
  GradMode mode_{is_captured() && thread_state().grad_enabled};
};

}  // namespace ridge::dispatch
