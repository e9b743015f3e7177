// What a kernel does with its values: those that it only hands on.
//
//   let v1: f32 = x[..]; x_row[..] = v1       nobody computes with v1: its 16 bits stay as they are
#pragma once

#include <optional>
#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::cost {

class ValueUses {
 public:
  explicit ValueUses(const loop::Kernel& kernel);

  // Loaded, or rounded, and only stored, to elements of the same type.
  bool is_handed_on(int value) const;

 private:
  struct Use {
    int count = 0, stored = 0;    // of `count`, as elements of its own type
    std::optional<DType> type{};  // of the element it is
  };
  void add(const loop::Statement& statement);
  void define(const loop::Let& let);
  Use& at(int value) { return uses_[static_cast<size_t>(value)]; }
  DType dtype_of(int buffer) const;

  const loop::Kernel& kernel_;
  std::vector<Use> uses_;  // by value
};

}  // namespace ridge::cost
