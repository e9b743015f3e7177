// An operator: its schema and the flat table of kernels that calls go through.
//
// Slots hold pointers to immutable kernels, so calls read the table without a lock while kernels
// are registered; a kernel that was replaced is kept as long as the operator, because a call may
// still be inside it. How a slot is filled, first hit wins:
//   1. the newest kernel registered for that op and key;
//   2. the newest fallback registered for that key (it serves every op);
//   3. a functionality key is skipped: its bit is cleared in the op's mask (fallthrough);
//      a backend key gets the error kernel.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/dispatch/arg.h"
#include "ridge/dispatch/key_set.h"
#include "ridge/dispatch/schema.h"

namespace ridge::ops {
struct OpRecord;
}

namespace ridge::dispatch {

class Operator;

// One call in flight: borrowed arguments in, results out.
struct Frame {
  const Operator& op;
  std::span<const Arg> args;
  std::span<Tensor> results;
  Location where;
};

// A function for calls of one op at one key (or, as a fallback, of every op). It gets the key set
// that is left, its own key still in it.
struct Kernel {
  using Invoke = void (*)(const Kernel&, Frame&, KeySet);
  Invoke invoke;
  explicit Kernel(Invoke invoke_) : invoke(invoke_) {}
  virtual ~Kernel() = default;
};

// Wraps any callable of (Frame&, KeySet) const.
template <class F>
std::shared_ptr<const Kernel> make_kernel(F function) {
  struct Closure : Kernel {
    F function;
    explicit Closure(F f)
        : Kernel([](const Kernel& self, Frame& frame, KeySet keys) {
            static_cast<const Closure&>(self).function(frame, keys);
          }),
          function(std::move(f)) {}
  };
  return std::make_shared<const Closure>(std::move(function));
}

struct Registration {
  Key key;
  std::shared_ptr<const Kernel> kernel;
  std::string description;  // who registered it: "reference", "test backend"
  Location where;
  uint64_t id;
};

class Operator {
 public:
  Operator(Schema schema, const ops::OpRecord* record, Location where);

  const std::string& name() const { return schema_.name; }
  const Schema& schema() const { return schema_; }
  const ops::OpRecord* record() const { return record_; }  // null for ops without a record
  Location where() const { return where_; }

  KeySet mask() const { return KeySet(mask_.load(std::memory_order_acquire)); }
  const Kernel& kernel(KeySet keys) const {
    return *table_[static_cast<size_t>(keys.slot())].load(std::memory_order_acquire);
  }

 private:
  friend class OperatorTable;
  void refill(std::span<const Registration> fallbacks);  // the table's lock is held

  Schema schema_;
  const ops::OpRecord* record_;
  Location where_;
  std::array<std::atomic<const Kernel*>, kSlotCount> table_{};
  std::atomic<uint64_t> mask_{0};
  std::vector<Registration> registrations_;             // newest last
  std::vector<std::shared_ptr<const Kernel>> retired_;  // see above
  std::array<const Registration*, kSlotCount> source_{};
};

}  // namespace ridge::dispatch
