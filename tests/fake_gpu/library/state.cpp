#include "tests/fake_gpu/library/state.h"

#include <cstring>

namespace fake_gpu {

using ridge::runtime::cuda::DriverResult;

State& state() {
  static State& only = *new State;
  return only;
}

Counts counts() {
  const std::lock_guard lock(state().mutex);
  return state().counts;
}

void reset_counts() {
  const std::lock_guard lock(state().mutex);
  const int64_t live = state().counts.live_graphs;
  state().counts = {};
  state().counts.live_graphs = live;
}

void set_kernel(Kernel kernel) {
  const std::lock_guard lock(state().mutex);
  state().kernel = std::move(kernel);
}

size_t used_bytes() {
  const std::lock_guard lock(state().mutex);
  return state().used_bytes;
}

void set_memory_bytes(size_t bytes) {
  const std::lock_guard lock(state().mutex);
  state().memory_bytes = bytes;
}

void fail_call(const std::string& symbol, int result) {
  const std::lock_guard lock(state().mutex);
  state().failing[symbol] = result;
}

void fail_nth(int64_t n) {
  const std::lock_guard lock(state().mutex);
  state().nth_to_fail = n;
  state().fallible_calls = 0;
}

int64_t fallible_calls() {
  const std::lock_guard lock(state().mutex);
  return state().fallible_calls;
}

DriverResult planned(const char* symbol) {
  const std::lock_guard lock(state().mutex);
  if (++state().fallible_calls == state().nth_to_fail) return DriverResult::launch_out_of_resources;
  const auto found = state().failing.find(symbol);
  return found == state().failing.end() ? DriverResult::success
                                        : static_cast<DriverResult>(found->second);
}

std::vector<void*> read_arguments(const Function& function, void** arguments) {
  std::vector<void*> values(function.argument_count);
  for (size_t i = 0; i < values.size(); ++i) values[i] = *static_cast<void**>(arguments[i]);
  return values;
}

void run(const Node& node) {
  if (node.function == nullptr) {
    std::memset(node.arguments[0], node.value, node.bytes);
    return;
  }
  Kernel kernel;
  {
    const std::lock_guard lock(state().mutex);
    ++state().counts.kernels;
    kernel = state().kernel;
  }
  if (kernel) kernel(node.function->symbol, node.arguments);
}

void submit(FakeStream* stream, Node node) {
  if (stream == nullptr || stream->captured == nullptr) return run(node);
  stream->captured->nodes.push_back(std::make_unique<Node>(std::move(node)));
  stream->last = {reinterpret_cast<ridge::runtime::cuda::GraphNodeHandle>(
      stream->captured->nodes.back().get())};
}

}  // namespace fake_gpu
