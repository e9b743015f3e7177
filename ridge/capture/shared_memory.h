// Arguments that view one storage, one of which the function writes.
//
//   f(a, b) { add_(a, 1); return b * 2; }      called with a = m[0:4], b = m[2:6]
//   graph f(%0 "a", %1 "b", %2: f32[6] "memory of a") {
//     %3 = strided(%2, [4], [1], [0]) alias %2     stands for a
//     %4 = strided(%2, [4], [1], [2]) alias %2     stands for b
//
// Their memory is an input of its own then, and they are views of it, so that what is written through
// one is seen through the others; and so is the memory of one that shows elements twice (an expanded
// tensor). Arguments that share memory nobody writes stay as they are, and so
// do those whose memory is apart. The graph is good for the offsets it was captured with: they are
// part of a signature (signature.h).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "ridge/capture/trace.h"
#include "ridge/graph/graph.h"

namespace ridge::capture {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

// `given`: what the first inputs of the graph were captured with. Error{state} for memory that is
// written under two dtypes, and for any that is shared and written if it must not be `restored`.
void share_memory(Captured& captured, std::span<const NamedTensor> given, bool restored);

// The inputs of a program in one call: the tensors of the arguments, then the memory they share.
class CallInputs {
 public:
  CallInputs(const Captured& captured, std::span<const Tensor* const> arguments)
      : inputs_(arguments) {
    if (!captured.shared.empty()) [[unlikely]]
      add_memory(captured);
  }
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;

  std::span<const Tensor* const> all() const { return inputs_; }

 private:
  void add_memory(const Captured& captured);

  std::span<const Tensor* const> inputs_;
  std::vector<Tensor> memory_;
  std::vector<const Tensor*> with_memory_;
};

// Which inputs a captured graph writes.
//
// The inputs whose memory some node writes, each with the first such node.
std::map<graph::ValueId, const graph::Node*> written_inputs(const graph::Graph& graph);

// The value whose memory a value is in: an input, a constant or what some node made.
graph::ValueId memory_of(const graph::Graph& graph, graph::ValueId id);

}  // namespace ridge::capture
