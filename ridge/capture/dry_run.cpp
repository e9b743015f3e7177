#include "ridge/capture/dry_run.h"

#include "ridge/autograd/dry_run.h"
#include "ridge/capture/written.h"
#include "ridge/graph/recorder.h"

namespace ridge::capture {
namespace {

// Tensors from outside are fake tensors of the enclosing capture: inputs of the graph of this one.
std::optional<std::string> run(const std::function<void()>& body) {
  graph::Graph graph;
  graph::Recorder recorder(graph);
  {
    const graph::Recorder::Scope recording(recorder);
    body();
  }
  const auto written = written_inputs(graph);
  if (written.empty()) return std::nullopt;
  return written.begin()->second->op->name();
}

}  // namespace

void install_dry_run() { autograd::install_dry_run(run); }

}  // namespace ridge::capture
