// Control flow in graphs: nodes that run programs, their bodies.
//
//   %2 = cond(%0, [%1]) : f32[4]                        one of two bodies, by a 0-d bool
//     graph then(%0: f32[4]) { ... return %1 }
//     graph otherwise(%0: f32[4]) { ... return %3 }
//   %5, %6 = scan([%2], [%3], [%4], length=[8], reverse=false) : f32[4], f32[8, 2]
//     graph step(%0: f32[4], %1: f32[3], %2: f32[4, 4]) { ... return %7, %9 }
//   %3 = while_loop([%1], [%2], max_steps=-1) : f32[4]  while the first body says so, the second
//
// Semantics
// - A body is functional and closed: whatever it reads of the graph around it is an input of it.
// - cond: both bodies take `inputs` and have outputs of the same types, which are the results.
// - scan: the body takes the carry, element t of each of `xs` along their first dimension, and
//   `inputs`; it returns the next carry and a y for each step. The results are the last carry and the
//   ys stacked, y of element t at position t: with `reverse`, t goes from length - 1 down to 0.
// - while_loop: both bodies take the state and `inputs`. The first returns a 0-d bool, the second the
//   next state, the last of which is the result. It ends after `max_steps`, unless that is negative.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ridge/graph/graph.h"
#include "ridge/ops/control.h"

namespace ridge::graph {

bool is_control(const Node& node);
bool has_control(const Graph& graph);

// A node of control flow, read. `inputs` are what every body gets besides.
struct ControlParts {
  ops::Control kind = ops::Control::none;
  ValueId pred{};    // of cond
  ValueIds carry{};  // of scan; the state of while_loop
  ValueIds xs{};     // of scan
  ValueIds inputs{};
  Size length = 0;  // of scan
  bool is_reverse = false;
  int64_t max_steps = -1;
  std::vector<Body> bodies{};

  std::vector<Argument> arguments() const;
  // What the results are, by the bodies.
  std::vector<Type> result_types() const;
};
ControlParts control_parts(const Node& node);

// Checks the bodies and that they fit the operands; returns the types of the results.
std::vector<Type> verify_bodies(const Graph& graph, const Node& node);

// One element of a tensor along its first dimension, and its type.
Type element_of(Type type);
Tensor element_of(const Tensor& tensor, int64_t index);

// Runs a body on inputs. Its last outputs are written to `slots`, one for each, the others returned.
using RunBody = std::function<std::vector<Tensor>(size_t body, std::span<const Tensor> inputs,
                                                  std::span<const Tensor> slots)>;

// Semantics of the nodes, given how their bodies run. Which body runs is decided here, on the host:
// the value of a condition is read, and waited for, at each step. No result shares memory with an
// operand unless a body makes it so.
std::vector<Tensor> run_control(const Node& node, std::span<const Type> results,
                                std::span<const Tensor> operands, const RunBody& run);

}  // namespace ridge::graph
