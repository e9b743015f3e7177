// A compiled function whose arguments require grad: a forward program, and a backward program that
// runs when somebody asks for gradients.
//
//   auto f = compile(model);
//   Tensor loss = f(weights, x);      // weights require grad: loss has a history of one node
//   backward(loss);                   // the backward program, made when it is first needed
//
// What the forward program saves for the other one is decided by price (gradient_halves.h). Results
// that depend on no argument that requires grad have no history. Gradients of gradients run the joint
// graph op by op, on the arguments, so that autograd records them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ridge/driver/pipeline.h"

namespace ridge::driver {

class GradientProgram {
 public:
  // `wrt`: positions of the inputs that require grad. Error{gradient} if the graph writes a value that
  // depends on one of them into an argument: that value's history would be lost.
  GradientProgram(const graph::Graph& captured, std::vector<size_t> wrt,
                  const GraphOptions& options);

  const graph::Graph& forward() const;  // what is to be compiled, and given to `run`
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
