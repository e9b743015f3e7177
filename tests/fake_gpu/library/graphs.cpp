// The fake driver's modules, launches and graphs.
#include <cstring>
#include <sstream>

#include "tests/fake_gpu/library/state.h"

namespace fake_gpu {
namespace {

using namespace ridge::runtime::cuda;  // this file stands in for what that one declares

FakeStream* native(StreamHandle stream) { return reinterpret_cast<FakeStream*>(stream); }
Graph* native(GraphHandle graph) { return reinterpret_cast<Graph*>(graph); }
ExecutableGraph* native(GraphExecHandle graph) { return reinterpret_cast<ExecutableGraph*>(graph); }

void adopt(ExecutableGraph& executable, const Graph& graph) {
  executable.nodes.clear();
  for (const auto& node : graph.nodes) executable.nodes.push_back(*node);
}

}  // namespace

extern "C" {

DriverResult cuModuleLoadData(ModuleHandle* into, const void* cubin) {
  if (const auto result = planned("cuModuleLoadData"); result != DriverResult::success) {
    return result;
  }
  auto module = std::make_unique<Module>();
  std::istringstream lines(static_cast<const char*>(cubin) + 128);
  std::string symbol;
  for (size_t count = 0; lines >> symbol >> count;) {
    module->functions.push_back(std::make_unique<Function>(Function{symbol, count}));
  }
  *into = reinterpret_cast<ModuleHandle>(module.release());
  return DriverResult::success;
}
DriverResult cuModuleUnload(ModuleHandle module) {
  delete reinterpret_cast<Module*>(module);
  return DriverResult::success;
}
DriverResult cuModuleGetFunction(FunctionHandle* into, ModuleHandle module, const char* symbol) {
  if (const auto result = planned("cuModuleGetFunction"); result != DriverResult::success) {
    return result;
  }
  for (const auto& function : reinterpret_cast<Module*>(module)->functions) {
    if (function->symbol != symbol) continue;
    *into = reinterpret_cast<FunctionHandle>(function.get());
    return DriverResult::success;
  }
  return DriverResult::not_found;
}
DriverResult cuFuncGetAttribute(int* into, FunctionAttribute which, FunctionHandle) {
  *into = which == FunctionAttribute::max_threads_per_block ? 1024 : 0;
  return DriverResult::success;
}
DriverResult cuFuncSetAttribute(FunctionHandle, FunctionAttribute which, int) {
  const std::lock_guard lock(state().mutex);
  if (which == FunctionAttribute::non_portable_cluster_allowed) ++state().counts.large_clusters;
  return DriverResult::success;
}
DriverResult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* into, FunctionHandle, int, size_t) {
  *into = 1;
  return DriverResult::success;
}

DriverResult cuLaunchKernelEx(const LaunchConfig* config, FunctionHandle handle, void** arguments,
                              void**) {
  const auto* function = reinterpret_cast<const Function*>(handle);
  FakeStream* stream = native(config->stream);
  const bool is_captured = stream != nullptr && stream->captured != nullptr;
  {
    const std::lock_guard lock(state().mutex);
    if (++state().fallible_calls == state().nth_to_fail) {
      return DriverResult::launch_out_of_resources;
    }
    if (!state().failing.empty()) {
      const auto found = state().failing.find("cuLaunchKernelEx");
      if (found != state().failing.end() && found->second != 0) {
        return static_cast<DriverResult>(found->second);
      }
    }
    state().counts.launch_attributes += config->attribute_count;
    if (!is_captured) ++state().counts.launches;
    if (!is_captured && !state().kernel) {  // as little as can be, for who measures the caller
      ++state().counts.kernels;
      return DriverResult::success;
    }
  }
  submit(stream, {.function = function, .arguments = read_arguments(*function, arguments)});
  return DriverResult::success;
}

DriverResult cuStreamBeginCapture_v2(StreamHandle stream, CaptureMode) {
  if (const auto result = planned("cuStreamBeginCapture_v2"); result != DriverResult::success) {
    return result;
  }
  native(stream)->captured = std::make_unique<Graph>();
  native(stream)->last.clear();
  return DriverResult::success;
}
DriverResult cuStreamEndCapture(StreamHandle stream, GraphHandle* into) {
  *into = reinterpret_cast<GraphHandle>(native(stream)->captured.release());
  return DriverResult::success;
}
DriverResult cuStreamIsCapturing(StreamHandle stream, CaptureStatus* into) {
  const bool is_active = stream != nullptr && native(stream)->captured != nullptr;
  *into = is_active ? CaptureStatus::active : CaptureStatus::none;
  return DriverResult::success;
}
DriverResult cuStreamGetCaptureInfo_v2(StreamHandle stream, CaptureStatus* status,
                                       unsigned long long*, GraphHandle*,
                                       const GraphNodeHandle** nodes, size_t* count) {
  if (const auto result = planned("cuStreamGetCaptureInfo_v2"); result != DriverResult::success) {
    return result;
  }
  cuStreamIsCapturing(stream, status);
  *nodes = native(stream)->last.data();
  *count = native(stream)->last.size();
  return DriverResult::success;
}
DriverResult cuThreadExchangeStreamCaptureMode(CaptureMode* mode) {
  thread_local CaptureMode present = CaptureMode::global;
  std::swap(present, *mode);
  return DriverResult::success;
}

DriverResult cuGraphInstantiateWithFlags(GraphExecHandle* into, GraphHandle graph,
                                         unsigned long long) {
  if (const auto result = planned("cuGraphInstantiateWithFlags"); result != DriverResult::success) {
    return result;
  }
  auto executable = std::make_unique<ExecutableGraph>();
  adopt(*executable, *native(graph));
  for (const auto& node : native(graph)->nodes) executable->originals.push_back(node.get());
  const std::lock_guard lock(state().mutex);
  ++state().counts.graphs;
  ++state().counts.live_graphs;
  *into = reinterpret_cast<GraphExecHandle>(executable.release());
  return DriverResult::success;
}
DriverResult cuGraphDestroy(GraphHandle graph) {
  delete native(graph);
  return DriverResult::success;
}
DriverResult cuGraphLaunch(GraphExecHandle graph, StreamHandle stream) {
  if (const auto result = planned("cuGraphLaunch"); result != DriverResult::success) return result;
  {
    const std::lock_guard lock(state().mutex);
    ++state().counts.graph_launches;
  }
  for (const Node& node : native(graph)->nodes) submit(native(stream), node);
  return DriverResult::success;
}
DriverResult cuGraphExecDestroy(GraphExecHandle graph) {
  delete native(graph);
  const std::lock_guard lock(state().mutex);
  --state().counts.live_graphs;
  return DriverResult::success;
}
DriverResult cuGraphExecUpdate_v2(GraphExecHandle executable, GraphHandle graph, GraphUpdateInfo*) {
  if (native(executable)->nodes.size() != native(graph)->nodes.size()) {
    return DriverResult::graph_exec_update_failure;
  }
  adopt(*native(executable), *native(graph));
  return DriverResult::success;
}
DriverResult cuGraphGetNodes(GraphHandle graph, GraphNodeHandle*, size_t* count) {
  *count = native(graph)->nodes.size();
  return DriverResult::success;
}
DriverResult cuGraphExecKernelNodeSetParams_v2(GraphExecHandle handle, GraphNodeHandle node,
                                               const KernelNodeParameters* parameters) {
  if (const auto result = planned("cuGraphExecKernelNodeSetParams_v2");
      result != DriverResult::success) {
    return result;
  }
  ExecutableGraph& graph = *native(handle);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.originals[i] != reinterpret_cast<const Node*>(node)) continue;
    const auto* function = reinterpret_cast<const Function*>(parameters->function);
    graph.nodes[i].arguments = read_arguments(*function, parameters->arguments);
    const std::lock_guard lock(state().mutex);
    ++state().counts.changed_nodes;
    return DriverResult::success;
  }
  return DriverResult::invalid_value;
}

}  // extern "C"

}  // namespace fake_gpu
