// A GPU made of host memory: libcuda.so.1 and libnvrtc.so.13 that run nothing and remember all.
//
// A binary that links them finds them loaded when Ridge opens the real names, so whole programs run
// through the real runtime: memory, launches, captures and graphs. A kernel does what the test says:
//
//   fake_gpu::set_kernel([](const std::string& symbol, const std::vector<void*>& arguments) { ... });
//
// All memory is the host's, and every stream is idle at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fake_gpu {

// Of this process so far, or since reset_counts.
struct Counts {
  int64_t kernels = 0;         // that ran, in a graph or not
  int64_t launches = 0;        // asked for one by one, and not captured
  int64_t graph_launches = 0;  // of a whole graph
  int64_t graphs = 0;          // made executable
  int64_t live_graphs = 0;
  int64_t changed_nodes = 0;      // of an executable graph, given other arguments
  int64_t waits = 0;              // of the host for a stream or the device
  int64_t launch_attributes = 0;  // of all launches, captured ones too
  int64_t large_clusters = 0;     // functions allowed to have them
  int64_t context_questions = 0;  // which one is current
};
Counts counts();
void reset_counts();

// What every kernel does; arguments are all pointers. Nothing by default.
using Kernel = std::function<void(const std::string& symbol, const std::vector<void*>& arguments)>;
void set_kernel(Kernel kernel);

size_t used_bytes();                  // of the device
void set_memory_bytes(size_t bytes);  // beyond which the device is out of memory
// Each of these calls fails from now on with that result; 0 for success again.
void fail_call(const std::string& symbol, int result);
// The n-th call from now on, of those that use resources of the device or give it work, fails; 0 for none.
void fail_nth(int64_t n);
int64_t fallible_calls();  // since then
// Likewise of compilations.
void refuse_nth(int64_t n);
int64_t compilations();
// Sources with this text in them do not compile; empty for none.
void refuse_source(const std::string& part);

}  // namespace fake_gpu
