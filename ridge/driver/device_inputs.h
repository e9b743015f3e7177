// The inputs of a program as kernels of its device take them.
//
// On a GPU, a plain number or other 0-d tensor of the CPU is copied there for a run, and a view that
// does not start at 16 bytes is read from, or written through, a copy that does. On the CPU, and for
// inputs that need nothing, this costs a look at their addresses.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ridge/graph/graph.h"

namespace ridge::driver {

class DeviceInputs {
 public:
  using Run = std::function<std::vector<Tensor>(std::span<const Tensor* const>)>;

  DeviceInputs() = default;
  // Error{device} for a number of the CPU that the graph writes.
  DeviceInputs(const graph::Graph& graph, Device device);

  bool fit(std::span<const Tensor* const> inputs) const;
  // Runs on inputs that do not fit: on copies, of which those written are written back.
  std::vector<Tensor> run_on_copies(std::span<const Tensor* const> inputs, const Run& run) const;

 private:
  Device device_ = kCpu;
  std::vector<bool> is_number_;
  std::vector<bool> is_written_;
  bool has_numbers_ = false;
};

// Plain numbers, and other 0-d tensors of the CPU, go with any device.
bool gives_way(const graph::Type& type);

}  // namespace ridge::driver
