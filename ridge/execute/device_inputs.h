// The inputs of a program as kernels of its device take them.
//
// On a GPU, a plain number or other 0-d tensor of the CPU is copied there for a run, and a view that
// does not start at 16 bytes is read from, or written through, a copy that does: a copy of the memory
// from its first element to its last, gaps included, with the same strides. On the CPU, and for inputs
// that need nothing, this costs a look at their addresses.
//
//   x * 0.5        0.5 is a 0-d tensor of the CPU; the kernel of the GPU reads it there
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ridge/core/tensor.h"

namespace ridge::execute {

bool is_aligned(const Tensor& tensor);
// The tensor itself where it is aligned, else a copy of its span.
Tensor aligned(const Tensor& tensor);

// The same shape and strides in memory of its own.
Tensor copy_of_span(const Tensor& tensor);
// Writes the span of a copy back. Elements in the gaps are written, too, with what they were when the
// copy was made: nobody else may write them in between.
void write_span(const Tensor& to, const Tensor& copy);

// A 0-d tensor of the CPU on the device, in order on the thread's current stream. Numbers that a thread
// used lately stay there, so that a loop copies each of them once. Its values must be left alone: others
// read the same memory.
Tensor number_on_device(const Tensor& number, Device device);

class DeviceInputs {
 public:
  using Run = std::function<std::vector<Tensor>(std::span<const Tensor* const>)>;

  DeviceInputs() = default;
  // By input: is it a 0-d tensor of the CPU, and does the program write it?
  DeviceInputs(Device device, std::vector<bool> is_number, std::vector<bool> is_written);

  bool fit(std::span<const Tensor* const> inputs) const;
  // Runs on inputs that do not fit: on copies, of which those written are written back.
  std::vector<Tensor> run_on_copies(std::span<const Tensor* const> inputs, const Run& run) const;

 private:
  Device device_ = kCpu;
  std::vector<bool> is_number_;
  std::vector<bool> is_written_;
  bool has_numbers_ = false;
};

}  // namespace ridge::execute
