// Dispatch keys and sets of them.
//
// A key set is one 64-bit word: backend bits at the bottom (one for each DeviceKind), functionality
// bits above them. The highest set bit is the layer that runs next, so finding it is one count of
// leading zeros. From the top:
//
//   profile > autocast > trace > autograd > reference > backend (meta > cuda > outside > cpu)
//
// Reasons for the order: autocast above autograd, so casts are differentiated and what is saved is
// saved after the cast; trace above autograd, because a captured program is differentiated as a
// graph; reference is a thread-local choice that stands in for whatever backend is below it.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "ridge/core/device.h"

namespace ridge::dispatch {

inline constexpr int kBackendBits = 16;

enum class Key : uint8_t {
  cpu = static_cast<uint8_t>(DeviceKind::cpu),
  outside0 = static_cast<uint8_t>(DeviceKind::outside0),
  outside1 = static_cast<uint8_t>(DeviceKind::outside1),
  outside2 = static_cast<uint8_t>(DeviceKind::outside2),
  outside3 = static_cast<uint8_t>(DeviceKind::outside3),
  cuda = static_cast<uint8_t>(DeviceKind::cuda),
  meta = static_cast<uint8_t>(DeviceKind::meta),
  reference = kBackendBits,
  autograd,
  trace,
  autocast,
  profile,
};
static_assert(kDeviceKindCount <= kBackendBits);
inline constexpr int kKeyCount = static_cast<int>(Key::profile) + 1;

constexpr bool is_backend(Key key) { return static_cast<int>(key) < kBackendBits; }
constexpr Key backend_key(DeviceKind kind) { return static_cast<Key>(kind); }
std::string_view name(Key key);

class KeySet {
 public:
  constexpr KeySet() = default;
  constexpr explicit KeySet(uint64_t word) : word_(word) {}
  constexpr KeySet(Key key) : word_(uint64_t{1} << static_cast<int>(key)) {}
  constexpr KeySet(std::initializer_list<Key> keys) {
    for (Key key : keys) word_ |= KeySet(key).word_;
  }
  // Every key that comes after `key`, which itself is not in the set.
  static constexpr KeySet below(Key key) { return KeySet(KeySet(key).word_ - 1); }

  constexpr uint64_t word() const { return word_; }
  constexpr bool empty() const { return word_ == 0; }
  constexpr bool has(Key key) const { return (word_ & KeySet(key).word_) != 0; }
  constexpr KeySet operator|(KeySet other) const { return KeySet(word_ | other.word_); }
  constexpr KeySet operator&(KeySet other) const { return KeySet(word_ & other.word_); }
  constexpr KeySet operator-(KeySet other) const { return KeySet(word_ & ~other.word_); }
  constexpr bool operator==(const KeySet&) const = default;

  // Position in an operator's table: 0 for the empty set, else 1 + the highest key.
  constexpr int slot() const { return 64 - std::countl_zero(word_); }

 private:
  uint64_t word_ = 0;
};
inline constexpr int kSlotCount = kKeyCount + 1;

std::string to_text(KeySet keys);  // "{autograd, cpu}", highest first

}  // namespace ridge::dispatch
