// A block of device memory that one or more tensors view.
//
// The version counter rises with every in-place write; autograd compares it to know whether a
// saved value is still what it was. A donated storage was given to a program to overwrite: reading
// it afterwards is an error.
//
// The storage of a fake tensor (graph/recorder.h) has no memory at all: what a captured program will
// compute. Asking for its memory is an error that says whether the capture still goes on.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>

#include "ridge/base/ref.h"
#include "ridge/core/allocator.h"
#include "ridge/core/device.h"

namespace ridge {

// What to do instead of reading a value inside a capture, for errors.
inline constexpr const char* kReadInCaptureHint =
    "let the program decide: `if (t.item<bool>()) y = f(x); else y = g(x);` becomes "
    "`y = cond(t, f, g, x);`, `while (more(s).item<bool>()) s = step(s);` becomes "
    "`s = while_loop(more, step, s);`, and a loop over the rows of a tensor becomes scan; "
    "or choose between tensors with where, or return it and decide outside";

// Shared by all fake tensors of one capture; whoever made them sets the flag when it is over.
struct FakeOwner : RefCounted {
  std::atomic<bool> has_ended{false};
};

class Storage : public RefCounted {
 public:
  // The bytes of a meta storage whose tensor has symbolic sizes.
  static constexpr size_t kUnknownBytes = std::numeric_limits<size_t>::max();

  // Owns `bytes` fresh bytes of the device. On meta no memory is taken and data() is null.
  static Ref<Storage> allocate(size_t bytes, Device device);
  // Wraps memory of the user's; `deleter` runs once, when the last tensor is gone, and what it
  // throws is logged. If wrap itself throws, the deleter is not run.
  static Ref<Storage> wrap(void* data, size_t bytes, Device device,
                           std::function<void(void*)> deleter = {});
  // No memory, for a tensor that only stands for a value of a captured program.
  static Ref<Storage> fake(Device device, Ref<FakeOwner> owner);
  ~Storage() override;

  // The memory. Error{state} if the storage was donated, or is that of a fake tensor.
  void* data() const {
    if (unreadable() != 0) [[unlikely]]
      throw_unreadable();
    return data_;
  }
  // The address in whatever state the storage is: to be looked at, not to be read from.
  const void* peek() const { return data_; }
  size_t bytes() const { return bytes_; }
  Device device() const { return device_; }

  uint32_t version() const { return version_.load(std::memory_order_acquire); }
  void bump_version() { version_.fetch_add(1, std::memory_order_acq_rel); }

  bool is_donated() const { return (states_.load(std::memory_order_acquire) & kDonated) != 0; }
  void donate() { states_.fetch_or(kDonated, std::memory_order_acq_rel); }
  // 0 if it is neither donated nor that of a fake tensor. For loops over many: one `or` for each.
  uint8_t unreadable() const { return states_.load(std::memory_order_acquire); }

  const FakeOwner* fake_owner() const { return fake_owner_.get(); }  // null: has memory

  Storage(void* data, size_t bytes, Device device, Allocator* allocator,
          std::function<void(void*)> deleter);

 private:
  static constexpr uint8_t kDonated = 1, kFake = 2;
  [[noreturn]] void throw_unreadable() const;

  void* data_;
  size_t bytes_;
  Device device_;
  Allocator* allocator_;  // null for wrapped memory
  std::function<void(void*)> deleter_;
  std::atomic<uint32_t> version_{0};
  std::atomic<uint8_t> states_{0};
  Ref<FakeOwner> fake_owner_;
};

}  // namespace ridge
