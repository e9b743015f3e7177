#include "ridge/driver/aligned_operand.h"

#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/layout_word.h"

namespace ridge::driver {
namespace {

void copy_span(const Tensor& to, const Tensor& from) {
  DeviceRuntime& runtime = device_runtime(to.device().kind);
  const auto bytes = static_cast<size_t>(span_of(from) * from.dtype().bits / 8);
  runtime.copy(device_address(to), device_address(from), bytes,
               runtime.current_stream(to.device()));
}

}  // namespace

bool is_aligned(const Tensor& tensor) { return layout_word(tensor.impl()).is_aligned(); }

Tensor aligned(const Tensor& tensor) {
  return is_aligned(tensor) || span_of(tensor) == 0 ? tensor : copy_of_span(tensor);
}

Tensor copy_of_span(const Tensor& tensor) {
  Tensor copy = Tensor::empty({span_of(tensor)}, tensor.dtype(), tensor.device()).alias();
  TensorImpl& impl = copy.impl();
  impl.shape = tensor.shape();
  impl.strides = tensor.strides();
  impl.is_contiguous = tensor.is_contiguous();
  copy_span(copy, tensor);
  return copy;
}

void write_span(const Tensor& to, const Tensor& copy) { copy_span(to, copy); }

}  // namespace ridge::driver
