#include "ridge/core/device_copy.h"

#include <cstring>

#include "ridge/base/text.h"
#include "ridge/core/device_runtime.h"

namespace ridge {
namespace {

// Of the two, the one that can reach the memory of both.
DeviceRuntime& runtime_between(Device a, Device b) {
  return device_runtime(a.kind == DeviceKind::cpu ? b.kind : a.kind);
}

}  // namespace

int64_t span_of(const Tensor& tensor) {
  int64_t last = 0;
  for (size_t i = 0; i < tensor.shape().size(); ++i) {
    const int64_t size = tensor.shape()[i].value();
    if (size == 0) return 0;
    last += (size - 1) * tensor.strides()[i].value();
  }
  return last + 1;
}

void throw_partial_byte(const Tensor& tensor, Location where) {
  throw_error({.code = ErrorCode::value,
               .expected = "a view that starts at a whole byte",
               .given = concat(describe(tensor), " at offset ", tensor.offset().to_text()),
               .where = where});
}

void copy_into(const Tensor& to, const Tensor& from, Location where) {
  const auto is_row_major = [&](const Tensor& t) { return t.is_contiguous(where) && !t.is_meta(); };
  RIDGE_CHECK(is_row_major(to) && is_row_major(from) && to.shape() == from.shape() &&
                  to.dtype() == from.dtype(),
              .code = ErrorCode::shape, .op = "copy_into",
              .expected = "two row-major tensors of one shape and dtype, with memory",
              .given = concat(describe(to), " and ", describe(from)), .where = where);
  const Device busy = to.device().kind == DeviceKind::cpu ? from.device() : to.device();
  DeviceRuntime& runtime = device_runtime(busy.kind);
  const Stream stream = runtime.current_stream(busy);
  const auto bytes = static_cast<size_t>((span_of(from) * from.dtype().bits + 7) / 8);
  if (bytes > 0)
    runtime.copy(device_address(to, where), device_address(from, where), bytes, stream);
  if (to.device().kind == DeviceKind::cpu) runtime.synchronize(stream);
  to.storage().bump_version();
}

Tensor to_device(const Tensor& tensor, Device device, Location where) {
  const Device from = tensor.device(where);
  if (from == device) return tensor;
  RIDGE_CHECK(from.kind != DeviceKind::meta && device.kind != DeviceKind::meta,
              .code = ErrorCode::device, .op = "to_device", .expected = "devices with memory",
              .given = concat("a copy from ", to_text(from), " to ", to_text(device)),
              .where = where);
  const int64_t elements = span_of(tensor);
  const Tensor memory = Tensor::empty({elements}, tensor.dtype(), device, where);
  if (elements > 0) {
    DeviceRuntime& runtime = runtime_between(from, device);
    const Stream stream = runtime.current_stream(from.kind == DeviceKind::cpu ? device : from);
    const auto bytes = static_cast<size_t>((elements * tensor.dtype().bits + 7) / 8);
    runtime.copy(device_address(memory, where), device_address(tensor, where), bytes, stream);
    if (device.kind == DeviceKind::cpu) runtime.synchronize(stream);
  }
  Tensor result = memory.alias();
  TensorImpl& impl = result.impl();
  impl.shape = tensor.shape();
  impl.strides = tensor.strides();
  impl.is_contiguous = tensor.is_contiguous();
  impl.is_weak = tensor.is_weak();
  return result;
}

Tensor host_copy(const Tensor& tensor) {
  if (tensor.device().kind != DeviceKind::cpu) return to_device(tensor, kCpu);
  const int64_t elements = span_of(tensor);
  const Tensor memory = Tensor::empty({elements}, tensor.dtype());
  const auto bytes = static_cast<size_t>((elements * tensor.dtype().bits + 7) / 8);
  if (bytes > 0) std::memcpy(memory.raw_data(), device_address(tensor), bytes);
  Tensor copy =
      Tensor::view_of(memory.impl().storage, tensor.shape(), tensor.strides(), 0, tensor.dtype());
  copy.impl().is_weak = tensor.is_weak();
  return copy;
}

}  // namespace ridge
