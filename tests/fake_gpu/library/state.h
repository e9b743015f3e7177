// What the parts of the fake driver share. Handles of the driver are pointers to these.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ridge/runtime/cuda/driver_types.h"
#include "tests/fake_gpu/library/fake_gpu.h"

namespace fake_gpu {

struct Function {
  std::string symbol;
  size_t argument_count;
};

struct Module {
  std::vector<std::unique_ptr<Function>> functions;
};

// A kernel, or a fill of memory where `function` is null.
struct Node {
  const Function* function = nullptr;
  std::vector<void*> arguments;
  unsigned char value = 0;
  size_t bytes = 0;
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
};

struct ExecutableGraph {
  std::vector<Node> nodes;
  std::vector<const Node*> originals;  // by node
};

struct FakeStream {
  std::unique_ptr<Graph> captured;  // null: not in capture
  std::vector<ridge::runtime::cuda::GraphNodeHandle> last;
};

struct State {
  std::mutex mutex;
  Counts counts;
  Kernel kernel;
  size_t memory_bytes = size_t{140} << 30;
  size_t used_bytes = 0;
  std::map<uintptr_t, size_t> device_blocks;
  std::map<uintptr_t, size_t> pinned_blocks;
  std::map<std::string, int> failing;
  int64_t nth_to_fail = 0, fallible_calls = 0;
  std::vector<std::unique_ptr<FakeStream>>
      free_streams;  // their handles come back, the last one first
};
State& state();

// Asked by each call that may be told to fail: the failure set for it, or success.
ridge::runtime::cuda::DriverResult planned(const char* symbol);

std::vector<void*> read_arguments(const Function& function, void** arguments);
void run(const Node& node);
// Runs it now, or adds it to what the stream captures.
void submit(FakeStream* stream, Node node);

}  // namespace fake_gpu
