#include <cstring>
#include <functional>

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/reference/points.h"
#include "ridge/reference/reference.h"

namespace ridge::reference {
namespace {

// Strides that show `from` in the shape of `to`: 0 along what is stretched.
Ints broadcast_strides(const Tensor& from, const Tensor& to) {
  const Ints sizes = known_sizes(from.shape());
  const Ints strides = known_sizes(from.strides());
  const Ints wanted = known_sizes(to.shape());
  bool fits = sizes.size() <= wanted.size();
  Ints result(wanted.size(), 0);
  for (size_t i = 0; fits && i < sizes.size(); ++i) {
    const size_t dim = wanted.size() - sizes.size() + i;
    fits = sizes[i] == wanted[dim] || sizes[i] == 1;
    if (sizes[i] != 1) result[dim] = strides[i];
  }
  RIDGE_CHECK(fits, .code = ErrorCode::shape,
              .expected = "a shape that broadcasts to " + to_text(to.shape()),
              .given = to_text(from.shape()));
  return result;
}

bool share_memory(const Tensor& a, const Tensor& b) {
  const auto begin = [](const Tensor& t) { return static_cast<const std::byte*>(t.raw_data()); };
  const auto end = [&](const Tensor& t) {
    return begin(t) + bytes_for(t.dtype(), *extent(t.shape(), t.strides(), 0).known());
  };
  return std::less<>()(begin(a), end(b)) && std::less<>()(begin(b), end(a));
}

int64_t index_of(std::span<const Word> point, std::span<const int64_t> strides) {
  int64_t index = 0;
  for (size_t i = 0; i < strides.size(); ++i) index += point[i].integer * strides[i];
  return index;
}

void write_elements(const Tensor& to, const Tensor& from, const Ints& from_strides) {
  const Ints extents = known_sizes(to.shape());
  const Ints to_strides = known_sizes(to.strides());
  auto* target = static_cast<std::byte*>(to.raw_data());
  const auto* source = static_cast<const std::byte*>(from.raw_data());
  const bool is_same_dtype = to.dtype() == from.dtype();
  const int64_t element_bytes = to.dtype().bits / 8;
  SmallVector<Word, 5> point(extents.size());
  if (point_count(extents) == 0) return;
  do {
    const int64_t to_index = index_of(point, to_strides);
    const int64_t from_index = index_of(point, from_strides);
    if (is_same_dtype) {
      std::memcpy(target + to_index * element_bytes, source + from_index * element_bytes,
                  static_cast<size_t>(element_bytes));
    } else {
      store_element(to.dtype(), target, to_index, load_element(from.dtype(), source, from_index));
    }
  } while (next_point(point, extents));
}

}  // namespace

void assign(const Tensor& to, const Tensor& from) {
  RIDGE_CHECK(!to.may_overlap_itself(), .code = ErrorCode::state,
              .expected = "a tensor whose elements are apart in memory",
              .given = concat(describe(to), " with strides ", to_text(to.strides())));
  const Ints from_strides = broadcast_strides(from, to);
  const bool is_plain = to.is_contiguous() && from.is_contiguous() && to.dtype() == from.dtype() &&
                        to.numel() == from.numel();
  if (is_plain) {
    std::memmove(to.raw_data(), from.raw_data(), bytes_for(to.dtype(), to.numel().value()));
    return;
  }
  RIDGE_CHECK(to.dtype().bits >= 8 && from.dtype().bits >= 8, .code = ErrorCode::dtype,
              .expected = "packed 4-bit tensors to be copied whole, contiguous and of one dtype",
              .given = concat(describe(from), " into ", describe(to)));
  if (!share_memory(to, from)) return write_elements(to, from, from_strides);
  const Tensor copy = Tensor::empty(from.shape(), from.dtype());
  assign(copy, from);
  write_elements(to, copy, broadcast_strides(copy, to));
}

}  // namespace ridge::reference
