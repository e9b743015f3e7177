// ByteReader: little-endian values out of bytes that somebody else wrote, none behind the end.
//
//   ByteReader reader(file->bytes(), "model.gguf");
//   auto version = reader.read<uint32_t>("version");
//   std::string_view key = reader.text(reader.read<uint64_t>("length of a key"), "key");
//
// Whatever is taken must be there: else Error{parse} says what was wanted, where, and in which file.
// Counts are u64 as files have them; nothing is added or multiplied that could overflow.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "ridge/base/error.h"

namespace ridge::files {

static_assert(std::endian::native == std::endian::little, "files are read as they lie in memory");

class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string_view file)
      : bytes_(bytes), file_(file) {}

  template <class T>
    requires std::is_arithmetic_v<T>
  T read(std::string_view what) {
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> take(uint64_t count, std::string_view what) {
    if (count > left()) [[unlikely]]
      throw_short(count, what);
    const auto taken = bytes_.subspan(position_, static_cast<size_t>(count));
    position_ += static_cast<size_t>(count);
    return taken;
  }
  std::string_view text(uint64_t length, std::string_view what) {
    const auto taken = take(length, what);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  // A number of things that each take at least `least_bytes`: one that cannot be true is refused before
  // anything is allocated for it.
  uint64_t count(uint64_t number, uint64_t least_bytes, std::string_view what) const {
    if (number > left() / least_bytes) [[unlikely]]
      throw_count(number, what);
    return number;
  }

  size_t position() const { return position_; }
  size_t left() const { return bytes_.size() - position_; }
  std::string_view file() const { return file_; }
  [[noreturn]] void refuse(std::string_view expected, std::string_view given) const;

 private:
  [[noreturn]] void throw_short(uint64_t count, std::string_view what) const;
  [[noreturn]] void throw_count(uint64_t number, std::string_view what) const;

  std::span<const std::byte> bytes_;
  std::string file_;
  size_t position_ = 0;
};

// Error{parse} about a file that is not as its format says: "expected X, given Y in `file`".
[[noreturn]] void refuse_file(std::string_view file, std::string_view expected,
                              std::string_view given);

}  // namespace ridge::files
