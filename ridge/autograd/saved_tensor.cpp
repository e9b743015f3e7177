#include "ridge/autograd/saved_tensor.h"

#include "ridge/autograd/autograd_record.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/reduction.h"

namespace ridge::autograd {

namespace {

// Could a tensor of shape `from` have been broadcast to `to`?
bool broadcasts(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  const size_t skipped = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1 && from[i] != to[skipped + i]) return false;
  }
  return true;
}

}  // namespace

SavedTensor SavedTensor::described(const Tensor& tensor) {
  SavedTensor saved;
  saved.is_present_ = true;
  saved.is_weak_ = tensor.is_weak();
  saved.dtype_ = tensor.dtype();
  saved.device_ = tensor.device();
  saved.shape_ = tensor.shape();
  return saved;
}

SavedTensor SavedTensor::of(const Tensor& tensor) {
  SavedTensor saved = described(tensor);
  saved.value_ = tensor.alias();
  saved.version_ = tensor.version();
  return saved;
}

SavedTensor SavedTensor::copy_of(const Tensor& tensor) {
  const dispatch::GradMode values_only(false);
  Tensor value = copy(tensor, tensor);
  value.impl().is_weak = tensor.is_weak();
  return of(value);
}

void SavedTensor::check_unchanged(const Node& node, const std::string& what) const {
  if (!is_kept() || value_.version() == version_) return;
  throw Error({.code = ErrorCode::gradient,
               .op = std::string(node.name()),
               .expected = concat(what, " ", describe(value_), " at version ", version_,
                                  ", as when it was saved for the gradient"),
               .given = concat("version ", value_.version(), ": it was written to since"),
               .hint = concat(node.name(), " was called at ", to_text(node.where()),
                              "; write to a copy instead")});
}

Tensor SavedTensor::unpack(const Edge& history) const {
  if (is_kept()) {
    const bool is_recorded = dispatch::thread_state().grad_enabled && history;
    return is_recorded ? with_history(value_, history) : value_;
  }
  if (!is_present_) return {};
  Tensor meta_tensor = Tensor::empty(shape_, dtype_, kMeta);
  meta_tensor.impl().is_weak = is_weak_;
  return meta_tensor;
}

Tensor SavedTensor::fitted(Tensor grad, std::string_view op, ErrorCode code) const {
  // A gradient on meta was computed from a meta tensor: the rule read a value it did not save.
  RIDGE_CHECK(
      !grad.is_meta() || device_.kind == DeviceKind::meta, .code = code, .op = std::string(op),
      .expected =
          concat("a gradient ", name(dtype_), shape_, " computed from values that were saved"),
      .given = describe(grad));
  return fit_gradient(std::move(grad), shape_, dtype_, op, code);
}

Tensor fit_gradient(Tensor grad, const Shape& shape, DType dtype, std::string_view op,
                    ErrorCode code) {
  RIDGE_CHECK(broadcasts(shape, grad.shape()), .code = code, .op = std::string(op),
              .expected = concat("a gradient ", name(dtype), shape), .given = describe(grad));
  grad = sum_to(grad, shape);
  return grad.dtype() == dtype ? grad : cast(grad, dtype);
}

}  // namespace ridge::autograd
