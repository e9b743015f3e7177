// The arguments of a call, flattened: which tensors it was given, and its signature.
//
//   FlatArguments flat;
//   flatten(flat, where, model, x, 0.1);
//   flat.signature;      finds the captured program
//   flat.inputs;         its inputs: the defined tensors in visiting order, numbers among them
//
// An argument is a tensor, a struct or list of such (core/visit_tensors.h), an integer, bool or enum
// (part of the signature), or a floating-point number, which becomes a 0-d weak f64 tensor: its
// value is no part of the signature.
//
// Flattening is done on every call. A FlatArguments that is used again allocates nothing but the
// floating-point numbers; no path is built; tensors are pointed to, not counted, so the arguments
// must outlive it.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "ridge/capture/signature.h"
#include "ridge/core/visit_tensors.h"

namespace ridge::capture {

// Finds tensors that view one storage. Cleared by counting up, not by writing.
class StorageTable {
 public:
  static constexpr uint32_t kNew = ~uint32_t{0};
  void clear() {
    if (++round_ == 0) [[unlikely]]
      *this = StorageTable();  // or slots of the first round would seem to be of this one
    count_ = 0;
  }
  // The number of the first tensor that was added with this storage; kNew if `tensor` is the first.
  uint32_t add(const Storage* storage, uint32_t tensor) {
    if (++count_ > limit_) [[unlikely]]
      grow();
    return place(storage, tensor);
  }

 private:
  struct Slot {
    const Storage* storage = nullptr;
    uint32_t round = 0;
    uint32_t tensor = 0;
  };
  uint32_t place(const Storage* storage, uint32_t tensor) {
    const size_t mask = 2 * limit_ - 1;
    // Storages are aligned, so their low bits say nothing; the product spreads the others upward.
    size_t i = (reinterpret_cast<uintptr_t>(storage) * 0x9e3779b97f4a7c15u >> 40) & mask;
    for (;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.round != round_) {
        slot = {storage, round_, tensor};
        return kNew;
      }
      if (slot.storage == storage) return slot.tensor;
    }
  }
  void grow();

  std::vector<Slot> slots_;
  uint32_t round_ = 1;
  size_t count_ = 0;
  size_t limit_ = 0;  // half the slots, so that searches are short
};

struct FlatArguments {
  struct Alias {
    uint32_t first;
    uint32_t second;
  };

  std::vector<Tensor*> tensors;       // all in visiting order, undefined ones too
  std::vector<const Tensor*> inputs;  // the defined ones: the inputs of the captured graph
  std::vector<Alias> aliases;         // numbers of tensors that share memory
  Signature signature;

  void clear(size_t argument_count);
  void add_real(double value);
  void add_integer(int64_t value) { signature.add_number(value); }
  void add_size(int64_t value) { signature.add_size(value); }
  void add_tensor(const Tensor& tensor) {
    // Only what a capture saw being replaced is assigned to, and that was not const.
    tensors.push_back(const_cast<Tensor*>(&tensor));
    const TensorImpl* impl = tensor.unsafe_impl();
    if (impl == nullptr) [[unlikely]]
      return signature.add_undefined();
    inputs.push_back(&tensor);
    signature.add_tensor(*impl);
    const Storage& storage = *impl->storage;
    any_unusual |= impl->requires_grad || storage.is_donated() || storage.stand_in_owner();
    const auto number = static_cast<uint32_t>(tensors.size() - 1);
    const uint32_t first = storages_.add(&storage, number);
    if (first != StorageTable::kNew) [[unlikely]]
      aliases.push_back({first, number});
  }
  void finish();

  // Error{state} for a tensor without elements: a stand-in of a capture that is over, or one that was
  // donated. Error{gradient} for one that requires grad: a program gives no gradients,
  // `value_and_grad` does.
  void check(Location where) const {
    if (any_unusual) [[unlikely]]
      throw_unusual(where);
  }

  bool any_unusual = false;  // has one for which `check` throws

 private:
  [[noreturn]] void throw_unusual(Location where) const;

  std::vector<Tensor> numbers_;  // floating-point arguments; their addresses stay
  StorageTable storages_;
};

// A floating-point argument reaches the callable as a Tensor, anything else as it is.
template <class Arg>
using Passed = std::conditional_t<std::floating_point<std::remove_cvref_t<Arg>>, Tensor,
                                  std::remove_cvref_t<Arg>>;

namespace detail {

struct Flattener {
  FlatArguments& flat;
  void tensor(NoPath, const Tensor& tensor) { flat.add_tensor(tensor); }
  void number(NoPath, int64_t value) { flat.add_integer(value); }
  void size(NoPath, const Size& size) { flat.add_size(size.value()); }
};

}  // namespace detail

// Tensors and signature, unchecked: what `flatten` does for arguments that may be stand-ins.
template <class... Args>
void gather(FlatArguments& flat, Args&... args) {
  flat.clear(sizeof...(Args));
  detail::Flattener flattener{flat};
  const auto add = [&](auto& arg) {
    if constexpr (std::floating_point<std::remove_cvref_t<decltype(arg)>>) {
      flat.add_real(static_cast<double>(arg));
    } else {
      visit_value(arg, flattener, NoPath());
    }
  };
  (add(args), ...);
  flat.finish();
}

template <class... Args>
void flatten(FlatArguments& flat, Location where, Args&... args) {
  gather(flat, args...);
  flat.check(where);
}

}  // namespace ridge::capture
