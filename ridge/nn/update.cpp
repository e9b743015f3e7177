#include "ridge/nn/update.h"

#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"

namespace ridge::nn {

namespace {

using List = std::vector<Tensor*>;

DType state_dtype(const Tensor& parameter) {
  return is_16_bit_float(parameter.dtype()) ? f32 : parameter.dtype();
}

Device device_of(const List& tensors) {
  for (const Tensor* tensor : tensors) {
    if (tensor->defined()) return tensor->device();
  }
  return kCpu;
}

}  // namespace

namespace detail {

void become_state(const List& tensors, bool is_kept) {
  for (Tensor* tensor : tensors) {
    *tensor = is_kept && is_parameter(*tensor)
                  ? zeros(tensor->shape(), state_dtype(*tensor), tensor->device())
                  : Tensor();
  }
}

void become_masters(const List& tensors, bool is_kept) {
  for (Tensor* tensor : tensors) {
    const bool has_master = is_kept && is_parameter(*tensor) && is_16_bit_float(tensor->dtype());
    *tensor = has_master ? cast(*tensor, f32) : Tensor();
  }
}

Tensor number_beside(const List& tensors, double value) {
  return full({}, value, f64, device_of(tensors));
}

Tensor count_beside(const List& tensors) { return zeros({}, i64, device_of(tensors)); }

}  // namespace detail

}  // namespace ridge::nn
