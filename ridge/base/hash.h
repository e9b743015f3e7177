// Hasher: a 64-bit hash that is the same on every run and every machine.
//
//   Hasher hasher;
//   hasher.combine("matmul").combine(shape).combine(DType::f32);
//   uint64_t key = hasher.digest();
//
// Kernel names, guards and the disk cache are built on it, so the result depends on values
// only: never on addresses, byte order, or the width of an integer (int32_t 7 and int64_t 7
// hash alike). Strings and spans hash their length first: ("ab", "c") differs from ("a", "bc").
// Order matters. It resists accidents, not attackers.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

namespace ridge {

class Hasher;

// A type takes part by a member `void hash_into(Hasher&) const`.
template <class T>
concept HashesItself = requires(const T& value, Hasher& hasher) { value.hash_into(hasher); };

class Hasher {
 public:
  constexpr Hasher() = default;
  constexpr explicit Hasher(uint64_t seed) : state_(mix(seed ^ kSeed)) {}

  template <std::integral T>
  constexpr Hasher& combine(T value) {
    return combine_word(static_cast<uint64_t>(value));  // sign-extends: -1 is -1 at any width
  }

  template <class T>
    requires std::is_enum_v<T>
  constexpr Hasher& combine(T value) {
    return combine(static_cast<std::underlying_type_t<T>>(value));
  }

  // By bits: 0.0 and -0.0 are different constants to a compiler. A float hashes as its double.
  template <std::floating_point T>
    requires(sizeof(T) <= sizeof(double))
  constexpr Hasher& combine(T value) {
    return combine_word(std::bit_cast<uint64_t>(static_cast<double>(value)));
  }

  constexpr Hasher& combine(std::string_view text) {
    combine_word(text.size());
    return combine_raw(text.data(), text.size());
  }
  constexpr Hasher& combine(const char* text) { return combine(std::string_view(text)); }

  Hasher& combine(std::span<const std::byte> bytes) {
    return combine(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }

  template <HashesItself T>
  constexpr Hasher& combine(const T& value) {
    value.hash_into(*this);
    return *this;
  }

  // Vectors, spans, arrays: the length, then each element.
  template <std::ranges::sized_range Range>
    requires(!std::convertible_to<const Range&, std::string_view> &&
             !std::convertible_to<const Range&, std::span<const std::byte>> && !HashesItself<Range>)
  constexpr Hasher& combine(const Range& range) {
    combine_word(std::ranges::size(range));
    for (const auto& element : range) combine(element);
    return *this;
  }

  constexpr uint64_t digest() const { return state_; }

 private:
  static constexpr uint64_t kSeed = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: any odd noise does
  static constexpr uint64_t kStep = 0xd6e8feb86659fd93;

  // The finalizer of SplitMix64. It is a bijection, and so is combine_word for a fixed word:
  // inputs of equal length that differ in a single word never collide.
  static constexpr uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  constexpr Hasher& combine_word(uint64_t word) {
    state_ = mix(state_ * kStep + word);
    return *this;
  }

  // Eight bytes at a time, little-endian by construction; compilers turn the inner loop into
  // one load where the machine agrees. The caller has hashed the length, so zero padding is safe.
  constexpr Hasher& combine_raw(const char* bytes, size_t size) {
    for (size_t start = 0; start < size; start += 8) {
      uint64_t word = 0;
      const size_t count = size - start < 8 ? size - start : 8;
      for (size_t i = 0; i < count; ++i) {
        word |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[start + i])) << (8 * i);
      }
      combine_word(word);
    }
    return *this;
  }

  uint64_t state_ = kSeed;
};

// The hash of one run of bytes: what names a file in a content-addressed store.
inline uint64_t hash_bytes(std::span<const std::byte> bytes) {
  return Hasher().combine(bytes).digest();
}
constexpr uint64_t hash_bytes(std::string_view bytes) { return Hasher().combine(bytes).digest(); }

}  // namespace ridge
