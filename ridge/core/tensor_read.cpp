#include <cstring>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/core/device_runtime.h"
#include "ridge/core/element_cast.h"
#include "ridge/core/storage.h"
#include "ridge/core/tensor.h"

namespace ridge {
namespace {

void check_has_values(const Tensor& tensor, Location where) {
  RIDGE_CHECK(!tensor.is_meta(), .code = ErrorCode::state, .expected = "a tensor that has values",
              .given = describe(tensor) + ", which has a shape only", .where = where);
  RIDGE_CHECK(!tensor.storage().is_donated(), .code = ErrorCode::state,
              .expected = "a tensor that still holds its values",
              .given = describe(tensor) + ", which was donated to a program",
              .hint = "keep a copy, or use what the program returned", .where = where);
  if (const FakeOwner* owner = tensor.storage().fake_owner()) {
    RIDGE_CHECK(!owner->has_ended, .code = ErrorCode::state, .expected = "a tensor that has values",
                .given = describe(tensor) + ", which belonged to a capture that has ended",
                .hint = "return it from the captured function", .where = where);
    throw_error({.code = ErrorCode::state,
                 .expected = "a value that is known while tracing",
                 .given = describe(tensor) + ", read inside a capture",
                 .hint = kReadInCaptureHint,
                 .where = where});
  }
}

bool is_on_host(const Tensor& tensor) {
  return device_runtime(tensor.device().kind).has_host_memory();
}

void check_readable(const Tensor& tensor, Location where) {
  check_has_values(tensor, where);
  RIDGE_CHECK(is_on_host(tensor), .code = ErrorCode::device,
              .expected = "a tensor in memory the host can read", .given = describe(tensor),
              .hint = "move it to the CPU first", .where = where);
}

// Where the host can read its values: a copy, made when the work before it is done, of one whose
// memory is a device's own.
Tensor readable(const Tensor& tensor, Location where) {
  check_has_values(tensor, where);
  return is_on_host(tensor) ? tensor : to_device(tensor, kCpu, where);
}

// Calls visit(element index from the start of the view) in row-major order.
template <class Visit>
void for_each_position(const Tensor& tensor, Visit&& visit) {
  const Shape& shape = tensor.shape();
  const Shape& strides = tensor.strides();
  int64_t left = tensor.numel().value();
  Ints position(shape.size(), 0);
  int64_t index = 0;
  while (left-- > 0) {
    visit(index);
    for (size_t i = shape.size(); i-- > 0;) {
      index += strides[i].value();
      if (++position[i] < shape[i].value()) break;
      index -= position[i] * strides[i].value();
      position[i] = 0;
    }
  }
}

// A byte of a boolean tensor that came from outside may hold more than 0 and 1.
template <class From, class To>
To read_as(const void* data, int64_t index) {
  if constexpr (std::same_as<From, bool>) {
    return element_cast<To>(static_cast<const uint8_t*>(data)[index] != 0);
  } else {
    return element_cast<To>(static_cast<const From*>(data)[index]);
  }
}

}  // namespace

void* Tensor::raw_data(Location where) const {
  check_readable(*this, where);
  return device_address(*this, where);
}

template <Element T>
T* Tensor::data(Location where) const {
  RIDGE_CHECK(impl(where).dtype == DTypeOf<T>::value, .code = ErrorCode::dtype,
              .expected = concat("a tensor of ", name(DTypeOf<T>::value)), .given = describe(*this),
              .where = where);
  return static_cast<T*>(raw_data(where));
}

template <Element T>
std::vector<T> Tensor::to_vector(Location where) const {
  const Tensor here = readable(*this, where);
  const void* source = here.raw_data(where);
  std::vector<T> values;
  const int64_t count = numel().value();
  const bool is_copy = dtype() == DTypeOf<T>::value && !std::same_as<T, bool>;
  if (is_copy && here.is_contiguous()) {
    values.assign(static_cast<const T*>(source), static_cast<const T*>(source) + count);
    return values;
  }
  values.reserve(static_cast<size_t>(count));
  visit_dtype(dtype(), [&]<class From>() {
    for_each_position(here,
                      [&](int64_t index) { values.push_back(read_as<From, T>(source, index)); });
  });
  return values;
}

template <Element T>
T Tensor::item(Location where) const {
  if (storage(where).fake_owner() != nullptr) check_has_values(*this, where);
  RIDGE_CHECK(impl(where).shape.empty() || numel().known() == 1, .code = ErrorCode::shape,
              .expected = "a tensor of one element", .given = describe(*this), .where = where);
  const Tensor here = readable(*this, where);
  const void* source = here.raw_data(where);
  return visit_dtype(dtype(), [&]<class From>() { return read_as<From, T>(source, 0); });
}

template <Element T>
Tensor Tensor::of(const std::vector<T>& values, const Shape& shape, Location where) {
  const auto count = ridge::numel(shape).known();
  RIDGE_CHECK(count == static_cast<int64_t>(values.size()), .code = ErrorCode::shape,
              .expected = concat(ridge::numel(shape), " values for shape ", to_text(shape)),
              .given = concat(values.size()), .where = where);
  Tensor result = empty(shape, DTypeOf<T>::value, kCpu, where);
  T* data = result.data<T>(where);
  for (size_t i = 0; i < values.size(); ++i) data[i] = values[i];
  return result;
}

#define RIDGE_INSTANTIATE_READING(T)                            \
  template T* Tensor::data<T>(Location) const;                  \
  template std::vector<T> Tensor::to_vector<T>(Location) const; \
  template T Tensor::item<T>(Location) const;                   \
  template Tensor Tensor::of<T>(const std::vector<T>&, const Shape&, Location)

RIDGE_INSTANTIATE_READING(double);
RIDGE_INSTANTIATE_READING(float);
RIDGE_INSTANTIATE_READING(Half);
RIDGE_INSTANTIATE_READING(BFloat16);
RIDGE_INSTANTIATE_READING(int64_t);
RIDGE_INSTANTIATE_READING(int32_t);
RIDGE_INSTANTIATE_READING(int8_t);
RIDGE_INSTANTIATE_READING(uint8_t);
RIDGE_INSTANTIATE_READING(bool);

#undef RIDGE_INSTANTIATE_READING

}  // namespace ridge
