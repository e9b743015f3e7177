// What a graph becomes, as text.
//
//   emitted(graph, Emit::graph)       the graph itself
//   emitted(graph, Emit::loop)        its kernels for the CPU, in the order they run
//   emitted(graph, Emit::gpu_loop)    its kernels for a GPU
//   emitted(graph, Emit::llvm)        the LLVM text of those for the CPU
//   emitted(graph, Emit::cuda)        the CUDA text of those for a GPU
//
// Above each kernel stands what it is launched with. The text is the same on every machine: LLVM's
// is made for one fixed CPU, whatever this one is. Kernels ask for a graph without writes and
// composites: run the passes first.
#pragma once

#include <string>
#include <string_view>

#include "ridge/graph/graph.h"

namespace ridge::opt {

enum class Emit { graph, loop, gpu_loop, llvm, cuda };

// graph, loop, gpu-loop, llvm, cuda: as the command line names them.
Emit emit_named(std::string_view name);

// Error{value} for LLVM's text in a build without LLVM.
std::string emitted(const graph::Graph& graph, Emit emit);

// A graph with its gradients, as a function that computes both would be captured.
//
// Further inputs: a gradient for each floating output. Further outputs: the gradients of the floating
// inputs. Error{gradient} for an op that has none.
graph::Graph with_gradients(graph::Graph graph);

}  // namespace ridge::opt
