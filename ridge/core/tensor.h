// Tensor: a counted handle to a strided view of storage.
//
// Copying a Tensor copies the handle, not the elements. Strides are in elements, zero or positive.
// A default-constructed or moved-from Tensor is undefined: asking it anything but `defined()` is
// an Error{state}. All computing is done by ops (ops/*.h); this class only describes and reads.
//
//   Tensor t = Tensor::of<float>({1, 2, 3, 4}, {2, 2});
//   t.size(0).value();         // 2
//   t.to_vector<float>();      // {1, 2, 3, 4}
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

#include "ridge/base/ref.h"
#include "ridge/core/device.h"
#include "ridge/core/dtype.h"
#include "ridge/core/shape.h"
#include "ridge/core/storage.h"
#include "ridge/expr/evaluate.h"

namespace ridge {

class Tensor;

// What autograd keeps with a tensor; the autograd folder derives from it.
struct AutogradMeta : RefCounted {};

// What a tensor is but for its sizes, as one word: signatures of calls take it whole.
struct TensorKind {
  DType dtype = f32;
  Device device = kCpu;
  bool is_contiguous = true;   // row-major without gaps
  bool is_weak = false;        // a plain C++ number: gives way in dtype promotion (design §18)
  bool requires_grad = false;  // mirrors autograd's knowledge, where every call looks
  uint8_t zero = 0;            // so that no byte of the word is undefined

  constexpr uint64_t word() const { return std::bit_cast<uint64_t>(*this); }
};

// Its first line of the cache has all that a compiled call looks at.
struct TensorImpl : RefCounted, TensorKind {
  Ref<Storage> storage;
  uint64_t key_bits = 0;  // dispatch key bits of this tensor; set from the device
  // Sizes, strides and alignment as signatures of calls have them (core/layout_word.h); 0 until they
  // are asked for. Whoever changes one of them sets it to 0 again; a fresh impl has it so.
  mutable std::atomic<uint64_t> layout_word{0};
  Size offset = 0;  // in elements
  Shape shape;
  Shape strides;
  Ref<AutogradMeta> autograd;

  ~TensorImpl() override;
};

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  // --- making ---
  static Tensor empty(const Shape& shape, DType dtype = kDefaultFloat, Device device = kCpu,
                      Location where = Location::current());
  // A view of existing storage. Strides in elements, >= 0; extents are checked against its bytes.
  // Symbolic sizes are for the meta device, here and everywhere.
  static Tensor view_of(Ref<Storage> storage, Shape shape, Shape strides, Size offset, DType dtype);
  // Memory of the user's, not copied; `deleter` is called once, when the last view is gone. If
  // from_blob throws, the memory is still the caller's and the deleter is not called.
  static Tensor from_blob(void* data, const Shape& shape, DType dtype,
                          std::function<void(void*)> deleter = {}, Device device = kCpu,
                          Location where = Location::current());
  static Tensor from_blob_strided(void* data, const Shape& shape, const Shape& strides, DType dtype,
                                  std::function<void(void*)> deleter = {}, Device device = kCpu,
                                  Location where = Location::current());
  // A copy of `values` in row-major order; Error{shape} if their number does not fit.
  template <Element T>
  static Tensor of(const std::vector<T>& values, const Shape& shape,
                   Location where = Location::current());
  template <Element T>
  static Tensor of(std::initializer_list<T> values, const Shape& shape,
                   Location where = Location::current()) {
    return of<T>(std::vector<T>(values), shape, where);
  }
  // A 0-d tensor that is a plain number: bool, i64 or f64, and weak in promotion. A double stays
  // f64, so that beside an f64 tensor it is not rounded first; where a weak f64 is alone, the ops
  // make kDefaultFloat of it.
  static Tensor number(bool value);
  static Tensor number(int64_t value);
  static Tensor number(double value);
  template <std::integral T>
  static Tensor number(T value) {
    return number(static_cast<int64_t>(value));
  }

  // --- asking (of an undefined tensor: Error{state} at the caller's line) ---
  bool defined() const { return impl_.get() != nullptr; }
  int64_t rank(Location where = Location::current()) const {
    return static_cast<int64_t>(impl(where).shape.size());
  }
  const Shape& shape(Location where = Location::current()) const { return impl(where).shape; }
  const Shape& strides(Location where = Location::current()) const { return impl(where).strides; }
  const Size& offset(Location where = Location::current()) const { return impl(where).offset; }
  const Size& size(int64_t dim, Location where = Location::current()) const;  // negative from end
  Size numel(Location where = Location::current()) const { return ridge::numel(impl(where).shape); }
  DType dtype(Location where = Location::current()) const { return impl(where).dtype; }
  Device device(Location where = Location::current()) const { return impl(where).device; }
  bool is_contiguous(Location where = Location::current()) const {
    return impl(where).is_contiguous;
  }
  bool is_weak(Location where = Location::current()) const { return impl(where).is_weak; }
  bool is_meta(Location where = Location::current()) const {
    return impl(where).device.kind == DeviceKind::meta;
  }
  bool requires_grad(Location where = Location::current()) const {
    return impl(where).requires_grad;
  }
  uint32_t version(Location where = Location::current()) const { return storage(where).version(); }
  Storage& storage(Location where = Location::current()) const { return *impl(where).storage; }
  bool shares_storage_with(const Tensor& other) const;
  // Could two positions of this view be one element of memory? (zero or overlapping strides)
  bool may_overlap_itself() const;

  // Element `index` of the first dimension, which is gone from the result: t[2], t[-1], t[i][j]. A view;
  // like all computing it is an op, `select`, and defined with those.
  Tensor operator[](const SizeAt& index) const;

  // --- reading (Error{state} if donated or meta) ---
  // Where the first element is, in memory the host can read; T must match the dtype.
  template <Element T>
  T* data(Location where = Location::current()) const;
  void* raw_data(Location where = Location::current()) const;
  // Elements in row-major order, converted to T; of a device's own memory, when the work before is
  // done.
  template <Element T>
  std::vector<T> to_vector(Location where = Location::current()) const;
  // The single element of a one-element tensor, converted to T. Error{shape} if there are more.
  template <Element T>
  T item(Location where = Location::current()) const;

  // Gives the storage up: reading it through any tensor is an error from now on.
  void donate() const { storage().donate(); }
  Tensor alias() const;  // another impl of the same view, without autograd history

  TensorImpl& impl(Location where = Location::current()) const {
    if (!impl_) [[unlikely]]
      throw_undefined(where);
    return *impl_;
  }
  TensorImpl* unsafe_impl() const { return impl_.get(); }
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }

 private:
  [[noreturn]] static void throw_undefined(Location where);
  Ref<TensorImpl> impl_;
};

// Shape, dtype and values, with long dimensions elided: for people, not for parsing.
std::string to_text(const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
// "f32[2, 3]", with the device unless it is the CPU: how errors name a tensor.
std::string describe(const Tensor& tensor);

// Reading and writing one element as an expression number, dtype looked up at run time. Storing
// converts as element_cast.h says: integers wrap, floats are rounded once.
expr::Number load_element(DType dtype, const void* data, int64_t index);
void store_element(DType dtype, void* data, int64_t index, const expr::Number& value);

}  // namespace ridge
