// A compiled function whose arguments require grad: a forward program, and a backward program that
// runs when somebody asks for gradients.
//
//   auto f = compile(model);
//   Tensor loss = f(weights, x);      // weights require grad: loss has a history of one node
//   backward(loss);                   // the backward program, made when it is first needed
//
// What the forward program saves for the other one is decided by price (recompute/gradient_halves.h). Results
// that depend on no argument that requires grad have no history. Gradients of gradients run the joint
// graph op by op, on the arguments, so that autograd records them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ridge/driver/pipeline.h"

namespace ridge::driver {

class GradientProgram {
 public:
  // `wrt`: positions of the inputs that require grad. Error{gradient} if the graph writes a value that
  // depends on one of them into an argument: that value's history would be lost. `where`: the line that
  // errors of its gradients name.
  GradientProgram(const graph::Graph& captured, std::vector<size_t> wrt,
                  const GraphOptions& options, Location where = Location());

  const graph::Graph& forward() const;  // what is to be compiled, and given to `run`
  // What the backward program reads, and what it computes again, about values of the joint graph;
  // nothing where that was not decided.
  const std::optional<recompute::RecomputeReport>& recomputed() const;
  const graph::Graph& joint() const;  // after the passes
  // The outputs of the captured graph, with their history.
  std::vector<Tensor> run(const CompiledGraph& forward,
                          std::span<const Tensor* const> inputs) const;

  struct Parts;

 private:
  std::shared_ptr<const Parts> parts_;  // shared with the histories of results
};

// Which of these require grad, while grad mode is on.
std::vector<size_t> requiring_grad(std::span<const Tensor* const> inputs);

}  // namespace ridge::driver
