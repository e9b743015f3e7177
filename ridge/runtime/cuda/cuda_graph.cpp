#include "ridge/runtime/cuda/cuda_graph.h"

#include <algorithm>
#include <exception>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/runtime/cuda/check.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cuda_memory.h"

namespace ridge::runtime::cuda {
namespace {

// "step: a, b, c": what an error names when a launch of the graph failed.
LaunchName name_launch(const std::string& name,
                       const std::vector<CapturedLaunches::Launch>& launches) {
  constexpr size_t kShown = 16;
  std::vector<std::string> names;
  for (const CapturedLaunches::Launch& launch : launches) {
    if (names.size() == kShown) {
      names.push_back("...");
      break;
    }
    names.push_back(*launch.name);
  }
  return std::make_shared<const std::string>(
      concat(name, names.empty() ? "" : ", a graph of ", join(names, ", ")));
}

}  // namespace

struct CudaGraph::Recording {
  Recording() = default;
  Recording(Recording&& other) noexcept
      : graph(std::exchange(other.graph, nullptr)), launches(std::move(other.launches)) {}
  Recording& operator=(Recording&&) = delete;
  ~Recording() {
    if (graph != nullptr) driver().graph_destroy(graph);
  }

  GraphHandle graph = nullptr;
  std::vector<CapturedLaunches::Launch> launches;
};

CudaGraph::Recording CudaGraph::record(const std::string& name, Stream stream,
                                       const std::function<void()>& body) {
  RIDGE_CHECK(stream.device.kind == DeviceKind::cuda && stream.handle > 2, .code = ErrorCode::value,
              .expected = concat("a stream of its own to capture graph `", name, "` on"),
              .given = stream.device.kind == DeviceKind::cuda ? "the default stream"
                                                              : to_text(stream.device),
              .hint = "make one with create_stream");
  const ContextScope context(stream.device.index);
  const StreamScope current(stream);
  const CaptureCount counted;
  CapturedLaunches captured;
  Recording recording;
  std::exception_ptr thrown;
  check_for(name, driver().stream_begin_capture, native(stream), CaptureMode::thread_local_only);
  try {
    body();
  } catch (...) {
    thrown = std::current_exception();
  }
  // Also after an error: the stream stays in capture until this is called.
  const DriverResult ended = driver().stream_end_capture(native(stream), &recording.graph);
  if (thrown) std::rethrow_exception(thrown);
  if (ended != DriverResult::success) {
    throw_driver_error(driver().stream_end_capture.symbol(), ended, name);
  }
  RIDGE_INTERNAL_CHECK(recording.graph != nullptr, "the capture of " + name + " gave no graph");
  recording.launches = std::move(captured.launches());
  return recording;
}

void CudaGraph::instantiate(Recording& recording) {
  GraphExecHandle fresh = nullptr;
  check_for(name_, driver().graph_instantiate, &fresh, recording.graph, 0ULL);
  if (exec_ != nullptr) driver().graph_exec_destroy(exec_);
  exec_ = fresh;
  std::swap(graph_, recording.graph);  // the recording destroys the one before
}

void CudaGraph::adopt(Recording& recording) {
  check_for(name_, driver().graph_get_nodes, graph_, nullptr, &node_count_);
  launch_name_ = name_launch(name_, recording.launches);
  noted_ = {};
  launches_ = std::move(recording.launches);
}

std::shared_ptr<CudaGraph> CudaGraph::capture(std::string name, Stream stream,
                                              const std::function<void()>& body) {
  Recording recording = record(name, stream, body);
  const ContextScope context(stream.device.index);
  std::shared_ptr<CudaGraph> graph(new CudaGraph(std::move(name), stream.device.index));
  graph->instantiate(recording);
  graph->adopt(recording);
  return graph;
}

CudaGraph::~CudaGraph() {
  if (exec_ == nullptr) return;
  try {
    const ContextScope context(device_);
    driver().graph_exec_destroy(exec_);
    driver().graph_destroy(graph_);
  } catch (...) {
    // The device is lost or the process ends.
  }
}

void CudaGraph::launch(Stream stream) {
  const Device device{DeviceKind::cuda, static_cast<int8_t>(device_)};
  RIDGE_CHECK(stream.device == device, .code = ErrorCode::device,
              .expected = concat("a stream of ", to_text(device), " for graph `", name_, "`"),
              .given = to_text(stream.device));
  const ContextScope context(device_);
  const std::lock_guard lock(mutex_);
  launch_history(device_).add_again(launch_name_, stream.handle, noted_);
  check_for(name_, driver().graph_launch, exec_, native(stream));
}

bool CudaGraph::update(Stream stream, const std::function<void()>& body) {
  Recording recording = record(name_, stream, body);
  const ContextScope context(device_);
  const std::lock_guard lock(mutex_);
  GraphUpdateInfo info{};
  const DriverResult result = driver().graph_exec_update(exec_, recording.graph, &info);
  const bool is_in_place = result == DriverResult::success;
  if (result == DriverResult::graph_exec_update_failure) {
    instantiate(recording);
  } else if (!is_in_place) {
    throw_driver_error(driver().graph_exec_update.symbol(), result, name_);
  }
  if (is_in_place) {
    // Its nodes are still named as in the graph it was made from.
    for (size_t i = 0; i < std::min(launches_.size(), recording.launches.size()); ++i) {
      recording.launches[i].node = launches_[i].node;
    }
  }
  adopt(recording);
  return is_in_place;
}

bool CudaGraph::set_arguments(size_t launch, const PreparedLaunch& kernel,
                              const void* const* arguments) {
  const std::lock_guard lock(mutex_);
  const GraphNodeHandle node = launches_[launch].node;
  if (node == nullptr) return false;
  const KernelNodeParameters parameters = kernel.as_node(arguments);
  check_for(name_, driver().graph_exec_set_kernel, exec_, node, &parameters);
  return true;
}

void CudaGraph::keep_alive(std::shared_ptr<const void> owner) {
  const std::lock_guard lock(mutex_);
  owners_.push_back(std::move(owner));
}

}  // namespace ridge::runtime::cuda
