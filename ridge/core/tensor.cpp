#include "ridge/core/tensor.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/core/shape.h"

namespace ridge {
namespace {

std::string describe(const Shape& shape, DType dtype) {
  return concat(name(dtype), to_text(shape));
}

void check_layout(const Shape& shape, const Shape& strides, const Size& offset, Device device) {
  RIDGE_CHECK(shape.size() <= kMostDimensions, .code = ErrorCode::shape,
              .expected = concat("at most ", kMostDimensions, " dimensions"),
              .given = concat(shape.size(), ", ", to_text(shape)));
  RIDGE_CHECK(shape.size() == strides.size(), .code = ErrorCode::shape,
              .expected = "one stride for each dimension",
              .given = concat("shape ", to_text(shape), " and strides ", to_text(strides)));
  const bool is_meta = device.kind == DeviceKind::meta;
  for (size_t i = 0; i < shape.size(); ++i) {
    RIDGE_CHECK(shape[i].known().value_or(0) >= 0 && strides[i].known().value_or(0) >= 0,
                .code = ErrorCode::shape, .expected = "sizes and strides >= 0",
                .given = concat("shape ", to_text(shape), " and strides ", to_text(strides)));
    RIDGE_CHECK(is_meta || (!shape[i].is_symbolic() && !strides[i].is_symbolic()),
                .code = ErrorCode::shape,
                .expected = "sizes that are known; symbolic ones are for the meta device",
                .given = concat("shape ", to_text(shape), " on ", to_text(device)));
  }
  RIDGE_CHECK(offset.known().value_or(0) >= 0 && (is_meta || !offset.is_symbolic()),
              .code = ErrorCode::value, .expected = "a known offset >= 0",
              .given = offset.to_text());
}

uint64_t key_bits_of(Device device) { return uint64_t{1} << static_cast<int>(device.kind); }

// Row-major strides and the number of elements in one pass, since every result of an op or a program
// is made so. Nothing where a size is symbolic or negative, or there are too many elements or dimensions:
// what contiguous_strides, check_layout and numel say counts then.
std::optional<int64_t> fill_row_major(const Shape& shape, Shape& strides) {
  constexpr int64_t kLargest = int64_t{1} << 61;
  if (shape.size() > kMostDimensions) return std::nullopt;
  int64_t stride = 1, count = 1;
  strides.resize(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    const auto size = shape[i].known();
    if (!size || *size < 0) return std::nullopt;
    strides[i] = Size(stride);
    if (__builtin_mul_overflow(stride, std::max<int64_t>(1, *size), &stride) || stride > kLargest) {
      return std::nullopt;
    }
    count *= *size;
  }
  return count;
}

// Everything but the storage. Strides that come from contiguous_strides need no second look.
Ref<TensorImpl> make_impl(Shape shape, Shape strides, Size offset, DType dtype, Device device,
                          bool is_contiguous) {
  Ref<TensorImpl> impl = make_ref<TensorImpl>();
  impl->shape = std::move(shape);
  impl->strides = std::move(strides);
  impl->offset = std::move(offset);
  impl->dtype = dtype;
  impl->device = device;
  impl->is_contiguous = is_contiguous;
  impl->key_bits = key_bits_of(device);
  return impl;
}

// The kernels load whole elements.
void check_aligned(const void* data, DType dtype) {
  const size_t alignment = std::max(1, dtype.bits / 8);
  RIDGE_CHECK(reinterpret_cast<uintptr_t>(data) % alignment == 0, .code = ErrorCode::value,
              .expected = concat("memory aligned to ", alignment, " bytes for ", name(dtype)),
              .given = concat("an address ", reinterpret_cast<uintptr_t>(data) % alignment,
                              " bytes beyond"));
}

template <class T>
Tensor number_of(T value) {
  Tensor result = Tensor::empty({}, DTypeOf<T>::value);
  *result.data<T>() = value;
  result.impl().is_weak = true;
  return result;
}

}  // namespace

TensorImpl::~TensorImpl() = default;

Tensor Tensor::empty(const Shape& shape, DType dtype, Device device, Location where) {
  return located("Tensor::empty", where, [&] {
    Ref<TensorImpl> impl = make_ref<TensorImpl>();
    std::optional<int64_t> count = fill_row_major(shape, impl->strides);
    if (!count) [[unlikely]] {
      impl->strides = shape.size() > kMostDimensions ? shape : contiguous_strides(shape);
      check_layout(shape, impl->strides, 0, device);
      count = ridge::numel(shape).known();
    }
    impl->shape = shape;
    impl->dtype = dtype;
    impl->device = device;
    impl->key_bits = key_bits_of(device);
    const size_t bytes = count ? bytes_for(dtype, *count) : Storage::kUnknownBytes;
    impl->storage = Storage::allocate(bytes, device);
    return Tensor(std::move(impl));
  });
}

Tensor Tensor::view_of(Ref<Storage> storage, Shape shape, Shape strides, Size offset, DType dtype) {
  RIDGE_CHECK(storage != nullptr, .code = ErrorCode::state, .expected = "a storage",
              .given = "null");
  const Device device = storage->device();
  check_layout(shape, strides, offset, device);
  const auto needed = extent(shape, strides, offset).known();
  RIDGE_CHECK(!needed || bytes_for(dtype, *needed) <= storage->bytes(), .code = ErrorCode::shape,
              .expected = concat("a view inside the ", storage->bytes(), " bytes of its storage"),
              .given = concat(describe(shape, dtype), " with strides ", to_text(strides),
                              " and offset ", offset.to_text()));
  if (!storage->is_donated()) check_aligned(storage->data(), dtype);
  const bool contiguous = ridge::is_contiguous(shape, strides);
  auto impl =
      make_impl(std::move(shape), std::move(strides), std::move(offset), dtype, device, contiguous);
  impl->storage = std::move(storage);
  return Tensor(std::move(impl));
}

Tensor Tensor::from_blob(void* data, const Shape& shape, DType dtype,
                         std::function<void(void*)> deleter, Device device, Location where) {
  return located("Tensor::from_blob", where, [&] {
    return from_blob_strided(data, shape, contiguous_strides(shape), dtype, std::move(deleter),
                             device, where);
  });
}

Tensor Tensor::from_blob_strided(void* data, const Shape& shape, const Shape& strides, DType dtype,
                                 std::function<void(void*)> deleter, Device device,
                                 Location where) {
  return located("Tensor::from_blob", where, [&] {
    RIDGE_CHECK(device.kind != DeviceKind::meta, .code = ErrorCode::device,
                .expected = "a device that has memory", .given = "meta");
    check_layout(shape, strides, 0, device);
    const size_t bytes = bytes_for(dtype, *extent(shape, strides, 0).known());
    RIDGE_CHECK(data != nullptr || bytes == 0, .code = ErrorCode::value,
                .expected = concat("the address of ", bytes, " bytes"), .given = "null");
    check_aligned(data, dtype);
    auto impl = make_impl(shape, strides, 0, dtype, device, ridge::is_contiguous(shape, strides));
    // Last, because from here on the memory is ours to delete: if anything above throws, it is
    // still the caller's.
    impl->storage = Storage::wrap(data, bytes, device, std::move(deleter));
    return Tensor(std::move(impl));
  });
}

Tensor Tensor::number(bool value) { return number_of(value); }
Tensor Tensor::number(int64_t value) { return number_of(value); }
Tensor Tensor::number(double value) { return number_of(value); }

const Size& Tensor::size(int64_t dim, Location where) const {
  const Shape& sizes = impl(where).shape;
  return sizes[static_cast<size_t>(wrap_dim(dim, rank(), where))];
}

bool Tensor::shares_storage_with(const Tensor& other) const {
  return impl().storage == other.impl().storage;
}

bool Tensor::may_overlap_itself() const {
  return !is_contiguous() && may_overlap(shape(), strides());
}

Tensor Tensor::alias() const {
  const TensorImpl& mine = impl();
  auto other =
      make_impl(mine.shape, mine.strides, mine.offset, mine.dtype, mine.device, mine.is_contiguous);
  other->is_weak = mine.is_weak;
  other->storage = mine.storage;
  return Tensor(std::move(other));
}

void Tensor::throw_undefined(Location where) {
  throw_error({.code = ErrorCode::state,
               .expected = "a tensor",
               .given = "an undefined one (default-constructed or moved from)",
               .where = where});
}

}  // namespace ridge
