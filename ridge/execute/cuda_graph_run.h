// A program on a GPU as one CUDA graph: captured after its second run, then launched as a whole.
//
//   ProgramGraph graph("step", plan, bound, calls, device, statuses);
//   if (!graph.run(memory, stream)) { ... launch call by call ... }
//
// Note [Graphs of programs]. The graph owns its arena, so its address never changes. Inputs, and
// outputs, which are new tensors in every run, may be elsewhere than before: the kernels that use one
// that moved are given its address before the launch, one node each. What runs
// already is not affected by that, and the driver orders launches of one graph after each other,
// whatever their streams, so the arena has one user at a time. A run that finds the graph in the
// hands of another thread launches call by call, as does one whose stream is being captured by the
// user. A program with symbols has a graph for each set of sizes that it runs with more than twice.
// At most kMostGraphs exist in a process, and all that are idle go when memory runs out; a
// program whose graph went gets another one after two more runs.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ridge/execute/bound_plan.h"
#include "ridge/execute/cuda_call.h"
#include "ridge/runtime/cuda/stream_allocator.h"

namespace ridge::execute {

class ProgramGraph {
 public:
  static constexpr size_t kMostGraphs = 256;
  // Launching a graph of one kernel costs the host less than half of what launching the kernel does (1.2 against
  // 3.1 us beside an H200). But one that holds a library's calls is captured again whenever memory moves, so
  // it must save several launches.
  static constexpr size_t kFewestLibraryCalls = 3;

  // The plan, its sizes, the calls and their status words must outlive it.
  ProgramGraph(std::string name, const ExecutablePlan& plan, const BoundPlan& bound,
               std::span<const std::unique_ptr<CudaCall>> calls, Device device, int32_t* statuses);
  ~ProgramGraph();
  ProgramGraph(const ProgramGraph&) = delete;
  ProgramGraph& operator=(const ProgramGraph&) = delete;

  // False, and nothing was launched, where this run is to be made call by call. Addresses of the
  // arena are not looked at. Safe from any thread; the context of the device is current.
  bool run(std::span<void* const> memory, Stream stream);

 private:
  struct Body;    // the graph and what it owns
  class TryLock;  // of the one thread that works with the body
  friend struct LiveGraphs;

  bool is_wanted();
  void capture(std::span<void* const> memory);
  void record(Stream stream);
  void update_memory(std::span<void* const> memory);
  void note_stream(Stream stream);
  void forget_body();
  void give_up(const std::string& reason);
  bool drop_if_idle();

  std::string name_;
  const BoundPlan& bound_;
  std::span<const std::unique_ptr<CudaCall>> calls_;
  Device device_;
  runtime::cuda::StreamAllocator& allocator_;
  int32_t* statuses_;                         // by call; null where none can fail
  std::vector<size_t> movable_;               // buffers that may be elsewhere in each run
  std::vector<std::vector<uint32_t>> users_;  // calls, by buffer of movable_
  std::atomic<bool> is_taken_{false};         // somebody has the TryLock
  std::atomic<bool> is_given_up_{false};
  std::atomic<uint32_t> plain_runs_{0};
  std::atomic<uint64_t> last_use_{0};
  std::unique_ptr<Body> body_;  // by whoever has the TryLock
};

}  // namespace ridge::execute
