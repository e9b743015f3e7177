// A function with a gradient of its own.
//
//   auto clipped = custom_vjp(
//       [](const std::vector<Tensor>& x) -> std::vector<Tensor> { return {x[0]}; },
//       [](const CustomCall& call, const std::vector<Tensor>& g) -> std::vector<Tensor> {
//         return {clamp(g[0], -1, 1)};
//       });
//   Tensor y = clipped({x})[0];
//
// `forward` runs without being recorded; results that share memory with an input are copied.
// `backward` gets the gradient of each result, zeros for one that took no part, and returns one for
// each input, undefined where there is none. It is recorded when gradients are asked of gradients,
// so made of ops it can be differentiated again. In a captured program the function is one node, and
// gradients of the graph use `backward` too.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ridge/core/tensor.h"

namespace ridge {

// The call that is being differentiated. Its values are checked as saved ones always are: an input
// or result that was written to since is an Error{gradient}.
struct CustomCall {
  std::vector<Tensor> inputs;
  std::vector<Tensor> results;
  std::vector<bool> needed;  // does anybody want the gradient of this input?
};

using CustomForward = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
using CustomBackward =
    std::function<std::vector<Tensor>(const CustomCall&, const std::vector<Tensor>&)>;
using CustomFunction = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

// `name` and `where` are how errors speak of it.
CustomFunction custom_vjp(CustomForward forward, CustomBackward backward,
                          std::string name = "custom_vjp", Location where = Location::current());

}  // namespace ridge

namespace ridge::autograd {

// A dry run captures a function into a graph that is thrown away, to see what it returns while a program
// is being captured. This layer does not know graphs, so the capture layer installs how.
//
// Runs the body. Returns the op that wrote to a tensor from outside of it, if one did.
using DryRun = std::optional<std::string> (*)(const std::function<void()>& body);

void install_dry_run(DryRun run);
// Error{internal} if none is installed.
std::optional<std::string> dry_run(const std::function<void()>& body);

}  // namespace ridge::autograd
