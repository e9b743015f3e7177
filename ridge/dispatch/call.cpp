#include "ridge/dispatch/call.h"

namespace ridge::dispatch {

namespace {

// Marks a call as the one the user made, for as long as it runs.
class OutermostCall {
 public:
  OutermostCall(ThreadState& state, const Frame& frame) : state_(state) {
    state_.outermost = &frame;
  }
  ~OutermostCall() { state_.outermost = nullptr; }
  OutermostCall(const OutermostCall&) = delete;
  OutermostCall& operator=(const OutermostCall&) = delete;

 private:
  ThreadState& state_;
};

}  // namespace

void call(Frame& frame) {
  ThreadState& state = thread_state();
  const auto run = [&] {
    redispatch(frame, (KeySet(key_bits(frame.args)) | state.included) - state.excluded);
  };
  if (state.outermost != nullptr) {
    try {
      run();
    } catch (Error& error) {
      error.name_op(frame.op.name());
      throw;
    }
    return;
  }
  const OutermostCall scope(state, frame);
  try {
    run();
  } catch (Error& error) {
    error.name_op(frame.op.name());
    error.locate(frame.op.name(), frame.where);
    throw;
  }
}

Tensors call_values(const Operator& op, std::span<const Arg> args, Location where) {
  check_arguments(op.schema(), args);
  Tensors results(op.schema().results.size());
  Frame frame{op, args, results, where};
  call(frame);
  return results;
}

}  // namespace ridge::dispatch
