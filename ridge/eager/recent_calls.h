// Eager calls that a thread made lately, by everything about them but addresses and elements.
//
//   auto ready = recent_calls<Ready>().find(frame, [&] { return prepare(...); });
//
// A slot keeps one call; a collision replaces it. Calls with more to say than a key holds are made
// ready anew each time.
#pragma once

#include <array>
#include <bit>
#include <memory>
#include <vector>

#include "ridge/base/per_thread.h"
#include "ridge/dispatch/call.h"

namespace ridge::eager {

class CallKey {
 public:
  static constexpr size_t kCapacity = 96;

  CallKey() = default;
  CallKey(const CallKey& other) : count_(other.count_), fits_(other.fits_) {
    std::copy_n(other.words_.begin(), count_, words_.begin());
  }
  CallKey& operator=(const CallKey& other) {
    count_ = other.count_;
    fits_ = other.fits_;
    std::copy_n(other.words_.begin(), count_, words_.begin());
    return *this;
  }

  // False if it does not fit.
  bool build(const dispatch::Frame& frame);

  uint64_t hash() const {
    uint64_t hash = count_;
    for (size_t i = 0; i < count_; ++i) {
      hash = (hash ^ words_[i]) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
  bool operator==(const CallKey& other) const {
    return count_ == other.count_ &&
           std::equal(words_.begin(), words_.begin() + static_cast<ptrdiff_t>(count_),
                      other.words_.begin());
  }

 private:
  void add(uint64_t word) {
    if (count_ < kCapacity) {
      words_[count_++] = word;
    } else {
      fits_ = false;
    }
  }
  void add_size(const Size& size) {
    const auto known = size.known();
    fits_ &= known.has_value();
    add(static_cast<uint64_t>(known.value_or(0)));
  }
  static uint64_t word_of(Device device) {
    return static_cast<uint64_t>(device.kind) << 8 | static_cast<uint8_t>(device.index);
  }
  void add_tensor(const Tensor& tensor) {
    const TensorImpl& impl = tensor.impl();
    add(static_cast<uint64_t>(impl.dtype.kind) | static_cast<uint64_t>(impl.dtype.bits) << 8 |
        word_of(impl.device) << 16 | (impl.is_weak ? uint64_t{1} << 32 : 0) |
        (impl.is_contiguous ? uint64_t{1} << 33 : 0) |
        static_cast<uint64_t>(impl.shape.size()) << 40);
    for (const Size& size : impl.shape) add_size(size);
    if (impl.is_contiguous) return;
    for (const Size& stride : impl.strides) add_size(stride);
  }

  std::array<uint64_t, kCapacity> words_;
  size_t count_ = 0;
  bool fits_ = true;
};

inline bool CallKey::build(const dispatch::Frame& frame) {
  using dispatch::ArgKind;
  add(std::bit_cast<uint64_t>(&frame.op));
  for (const dispatch::Arg& arg : frame.args) {
    add(static_cast<uint64_t>(arg.kind) | arg.count << 8);
    switch (arg.kind) {
      case ArgKind::none: break;
      case ArgKind::tensor: add_tensor(*arg.tensor); break;
      case ArgKind::tensors:
        for (const Tensor& tensor : arg.tensors()) add_tensor(tensor);
        break;
      case ArgKind::integer: add(static_cast<uint64_t>(arg.integer)); break;
      case ArgKind::real: add(std::bit_cast<uint64_t>(arg.real)); break;
      case ArgKind::flag: add(arg.flag ? 1 : 0); break;
      case ArgKind::dtype: add(static_cast<uint64_t>(arg.dtype.kind) << 8 | arg.dtype.bits); break;
      case ArgKind::device: add(word_of(arg.device)); break;
      case ArgKind::ints:
        for (const int64_t value : arg.ints()) add(static_cast<uint64_t>(value));
        break;
      case ArgKind::sizes:
        for (const Size& size : arg.sizes()) add_size(size);
        break;
    }
  }
  return fits_;
}

template <class Ready>
class RecentCalls {
 public:
  // The call made ready before, or now by `prepare`, which returns a shared pointer or null.
  template <class Prepare>
  std::shared_ptr<const Ready> find(const dispatch::Frame& frame, Prepare prepare) {
    CallKey key;
    if (!key.build(frame)) return prepare();
    Slot& slot = slots_[key.hash() % kSlots];
    if (slot.call != nullptr && slot.key == key) return slot.call;
    std::shared_ptr<const Ready> call = prepare();
    slot.key = key;
    slot.call = call;
    return call;
  }

 private:
  static constexpr size_t kSlots = 512;
  struct Slot {
    CallKey key;
    std::shared_ptr<const Ready> call;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(kSlots);
};

// Those of this thread.
template <class Ready>
RecentCalls<Ready>& recent_calls() {
  return per_thread<RecentCalls<Ready>>();
}

}  // namespace ridge::eager
