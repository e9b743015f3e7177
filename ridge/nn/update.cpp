#include "ridge/nn/update.h"

#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"

namespace ridge::nn {

namespace {

using List = std::vector<Tensor*>;

bool is_parameter(const Tensor& tensor) { return tensor.defined() && is_floating(tensor.dtype()); }

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

int64_t ParameterGroups::find(const std::vector<ParameterGroup>& groups, const std::string& path,
                              const Tensor& tensor) {
  if (!is_parameter(tensor)) return 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].has && groups[i].has(path, tensor)) return static_cast<int64_t>(i + 1);
  }
  return 0;
}

}  // namespace ridge::nn
