#include <cstring>

#include "ridge/core/element_cast.h"
#include "ridge/core/tensor.h"

namespace ridge {
namespace {

using expr::Number;

template <class T>
Number number_of(T element) {
  if constexpr (std::same_as<T, bool>) {
    return Number::of(element);
  } else if constexpr (std::integral<T>) {
    return Number::of(static_cast<int64_t>(element));
  } else {
    return Number::of(static_cast<double>(element));
  }
}

template <class T>
T element_of(const Number& value) {
  return value.type == expr::Type::real ? element_cast<T>(value.real)
                                        : element_cast<T>(value.integer);
}

// Elements are copied as bytes: the reference evaluator may be given memory of any type.
template <class T>
T read(const void* data, int64_t index) {
  const auto* address = static_cast<const std::byte*>(data) + index * int64_t{sizeof(T)};
  if constexpr (std::same_as<T, bool>) {
    return *address != std::byte{0};  // a byte other than 0 and 1 is no valid bool
  } else {
    T element;
    std::memcpy(&element, address, sizeof(T));
    return element;
  }
}

template <class T>
void write(void* data, int64_t index, T element) {
  auto* address = static_cast<std::byte*>(data) + index * int64_t{sizeof(T)};
  std::memcpy(address, &element, sizeof(T));
}

}  // namespace

Number load_element(DType dtype, const void* data, int64_t index) {
  return visit_dtype(dtype, [&]<class T>() { return number_of(read<T>(data, index)); });
}

void store_element(DType dtype, void* data, int64_t index, const Number& value) {
  visit_dtype(dtype, [&]<class T>() { write(data, index, element_of<T>(value)); });
}

}  // namespace ridge
