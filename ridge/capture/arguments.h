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

// Two tensors of a call that view one storage: the first that does, and another.
struct Alias {
  uint32_t first;
  uint32_t second;
};

// Finds tensors that view one storage. Most storages of a call are those of the call before: what was
// found then holds as long as none changed, and a few that did are compared with all others.
class SharedStorages {
 public:
  // Room for those of `count` tensors, to be filled in; what is there is of the call before.
  const Storage** start(size_t count) {
    is_other_count_ = count != storages_.size();
    if (is_other_count_) storages_.resize(count);
    return storages_.data();
  }
  // Writes the aliases of the call, if they are not what they were. `changed` are the first few of
  // the `changed_count` tensors whose storage is not that of the call before.
  static constexpr size_t kFew = 4;
  void find(size_t changed_count, std::span<const uint32_t, kFew> changed,
            std::vector<Alias>& aliases);

 private:
  struct Slot {
    const Storage* storage = nullptr;
    uint32_t round = 0;
    uint32_t tensor = 0;
  };
  bool shares_storage(uint32_t tensor) const;
  void find_all(std::vector<Alias>& aliases);

  std::vector<const Storage*> storages_;  // by tensor, null for undefined ones
  bool is_other_count_ = true;
  std::vector<Slot> slots_;  // by hash; those of another round are empty
  uint32_t round_ = 0;
};

struct FlatArguments {
  std::vector<Tensor*> tensors;       // all in visiting order, undefined ones too
  std::vector<const Tensor*> inputs;  // the defined ones: the inputs of the captured graph
  std::vector<Alias> aliases;         // numbers of tensors that share memory; kept between calls
  std::vector<uint32_t> sizes;        // which numbers of the signature are arguments of type Size
  Signature signature;

  void clear(size_t argument_count);
  void add_real(double value);
  void add_integer(int64_t value) {
    signature.add_number(tensors.size() + signature.number_count(), value);
  }
  void add_size(int64_t value) {
    sizes.push_back(static_cast<uint32_t>(signature.number_count()));
    add_integer(value);
  }
  void add_tensor(const Tensor& tensor) {
    // Only what a capture saw being replaced is assigned to, and that was not const.
    tensors.push_back(const_cast<Tensor*>(&tensor));
  }
  void finish();  // all that follows from `tensors`

  // Error{state} for a tensor without elements: a fake tensor of a capture that is over, or one that was
  // donated.
  void check(Location where) const {
    if (any_unusual) [[unlikely]]
      throw_unusual(where);
  }

  bool any_unusual = false;        // has one for which `check` throws
  bool any_requires_grad = false;  // has one that requires grad

 private:
  void read_tensors();
  void add_aliases();
  [[noreturn]] void throw_unusual(Location where) const;

  std::vector<Tensor> numbers_;  // floating-point arguments; their addresses stay
  SharedStorages storages_;
  bool are_packed_ = true;  // the layout words of all tensors
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

// Tensors and signature, unchecked: what `flatten` does for arguments that may be fake tensors.
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
