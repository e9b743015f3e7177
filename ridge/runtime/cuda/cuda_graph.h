// CUDA graphs: work captured once, then launched as a whole for the cost of one launch.
//
//   auto graph = CudaGraph::capture("step", stream, [&] { run_kernels(stream); });
//   graph->launch(stream);      // again and again
//
// Addresses, sizes and launch shapes are fixed at capture. The memory they name must stay allocated
// as long as the graph is launched: hand its owners to keep_alive. The code of captured kernels is
// kept by the graph itself. Inside the function nothing may wait for the device or copy pageable
// memory; memory may be allocated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "ridge/core/device.h"
#include "ridge/runtime/cuda/driver_types.h"
#include "ridge/runtime/cuda/launch_history.h"
#include "ridge/runtime/cuda/module.h"

namespace ridge::runtime::cuda {

class CudaGraph {
 public:
  // Runs `body` with `stream` current; what it queues there becomes the graph and does not run. An
  // error of the body passes through, and the stream is as before. Error{value} for a default
  // stream, which cannot be captured.
  static std::shared_ptr<CudaGraph> capture(std::string name, Stream stream,
                                            const std::function<void()>& body);
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;
  ~CudaGraph();

  void launch(Stream stream);  // safe from any thread; runs of one graph never overlap

  // Captures again, for other addresses or sizes. True if the graph was changed in place, false if
  // its form differs and it was made anew; it launches the new work either way. If this throws, the
  // graph is what it was.
  bool update(Stream stream, const std::function<void()>& body);

  // Gives the n-th kernel that was captured other arguments, from the next launch on. Cheap, where
  // `update` captures everything again. False if that kernel is not a node that can be changed.
  bool set_arguments(size_t launch, const PreparedLaunch& kernel, const void* const* arguments);

  void keep_alive(std::shared_ptr<const void> owner);
  size_t node_count() const { return node_count_; }
  const std::string& name() const { return name_; }

 private:
  struct Recording;  // a graph that was captured and not yet made executable

  CudaGraph(std::string name, int device) : name_(std::move(name)), device_(device) {}
  static Recording record(const std::string& name, Stream stream,
                          const std::function<void()>& body);
  void adopt(Recording& recording);
  void instantiate(Recording& recording);

  std::string name_;
  int device_;
  std::mutex mutex_;  // the driver allows one launch or update of a graph at a time
  GraphExecHandle exec_ = nullptr;
  GraphHandle graph_ = nullptr;  // whose nodes name those of exec_
  size_t node_count_ = 0;
  LaunchName launch_name_;
  LaunchHistory::Noted noted_;  // of its last launch
  std::vector<CapturedLaunches::Launch> launches_;
  std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace ridge::runtime::cuda
