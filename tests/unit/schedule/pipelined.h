// Graphs whose rows are pipelined through clusters of blocks, planned for small devices.
#pragma once

#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing {

using Tensors = std::vector<Tensor>;

inline graph::Type matrix_of(DType dtype, const Shape& shape) {
  return {dtype, shape, kCpu, false};
}

// Gradients of an RMS norm: the last input is that of the result.
inline graph::Graph pipelined_gradient(DType dtype, int64_t rows, int64_t columns, DType weights) {
  const auto x = matrix_of(dtype, {rows, columns});
  return graph_of({x, matrix_of(weights, {columns}), x}, [](const Tensors& t) {
    const auto norm = [](const Tensors& a) { return Tensors{rms_norm(a[0], a[1])}; };
    return Tensors(vjp(norm)(Tensors{t[0], t[1]}).second(Tensors{t[2]}));
  });
}

inline graph::Graph pipelined_layer_norm(DType dtype, int64_t rows, int64_t columns) {
  const auto x = matrix_of(dtype, {rows, columns}), w = matrix_of(dtype, {columns});
  return graph_of({x, w, w, x}, [](const Tensors& t) {
    const auto norm = [](const Tensors& a) { return Tensors{layer_norm(a[0], a[1], a[2])}; };
    return Tensors(vjp(norm)(Tensors{t[0], t[1], t[2]}).second(Tensors{t[3]}));
  });
}

inline bool is_pipelined(const schedule::Plan& plan) {
  for (const schedule::KernelCall& call : plan.calls) {
    for (const Decision& decision : call.decisions) {
      if (decision.reason.find("a warp-specialized pipeline") != std::string::npos) return true;
    }
  }
  return false;
}

inline schedule::Plan planned_on(const graph::Graph& graph, int sms) {
  return schedule::schedule(
      graph, {.target = schedule::Target::gpu, .sheet = small_device(sms, 228, true)});
}

}  // namespace ridge::testing
