#include "ridge/reference/reader.h"

#include <concepts>
#include <cstring>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/core/element_cast.h"

namespace ridge::reference {
namespace {

template <class T>
T element(const void* data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const T*>(data) + index, sizeof(T));
  return value;
}

// As load_element reads it.
template <class T>
Word read(const void* data, int64_t index) {
  if constexpr (std::same_as<T, bool>) {
    return Word::of(int64_t{element<uint8_t>(data, index) != 0});
  } else if constexpr (std::integral<T>) {
    return Word::of(static_cast<int64_t>(element<T>(data, index)));
  } else {
    return Word::of(static_cast<double>(element<T>(data, index)));
  }
}

template <class T>
int64_t wrap(int64_t value) {
  if constexpr (std::integral<T>) {
    return static_cast<int64_t>(static_cast<T>(value));
  } else {
    return value;  // not an integer dtype, so never asked for
  }
}

template <class T>
int64_t saturate(double value) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return static_cast<int64_t>(saturated<T>(value));
  } else {
    return 0;  // not an integer dtype, so never asked for
  }
}

// Calls f<T>() with the unsigned integer that holds the bits of one element.
template <class F>
decltype(auto) visit_bits(DType dtype, F&& f) {
  RIDGE_CHECK(dtype.bits >= 8, .code = ErrorCode::dtype,
              .expected = "elements of whole bytes; 4-bit ones are only copied as whole tensors",
              .given = concat(name(dtype)));
  switch (dtype.bits) {
    case 8: return f.template operator()<uint8_t>();
    case 16: return f.template operator()<uint16_t>();
    case 32: return f.template operator()<uint32_t>();
    default: return f.template operator()<uint64_t>();
  }
}

// Does every value of the dtype fit an f32?
bool is_exact_in_f32(DType dtype) { return dtype.bits <= (is_floating(dtype) ? 32 : 16); }

}  // namespace

Reader::Reader(DType stored, DType compute, expr::Type wanted)
    : stored_(scalar_type(stored)), compute_(scalar_type(compute)), wanted_(wanted) {
  if (is_storage_only(stored)) {
    read_ = visit_bits(stored, []<class T>() { return &read<T>; });
    is_rounding_ = is_converting_ = false;
    return;
  }
  read_ = visit_dtype(stored, []<class T>() { return &read<T>; });
  is_rounding_ = is_floating(compute) && compute.bits <= 32 && !is_exact_in_f32(stored);
  const bool is_narrower =
      is_integer(compute) && stored != compute && stored_ != expr::Type::boolean;
  if (is_narrower && stored_ == expr::Type::real) {
    saturate_ = visit_dtype(compute, []<class T>() { return &saturate<T>; });
  } else if (is_narrower) {
    wrap_ = visit_dtype(compute, []<class T>() { return &wrap<T>; });
  }
  is_converting_ = is_rounding_ || wrap_ != nullptr || stored_ != compute_ || compute_ != wanted_;
}

Word Reader::convert(Word word) const {
  expr::Number number = saturate_ != nullptr ? expr::Number::of(saturate_(word.real))
                                             : expr::convert(number_of(word, stored_), compute_);
  if (is_rounding_) number.real = static_cast<double>(static_cast<float>(number.real));
  if (wrap_ != nullptr) number.integer = wrap_(number.integer);
  return Word::of(expr::convert(number, wanted_));
}

void store_bits(DType dtype, void* data, int64_t index, Word bits) {
  visit_bits(dtype, [&]<class T>() {
    const T element = static_cast<T>(bits.integer);
    std::memcpy(static_cast<T*>(data) + index, &element, sizeof(T));
  });
}

}  // namespace ridge::reference
