// What the tests of files share: bytes put together by hand, folders that vanish, errors that must come.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>

#include "ridge/base/error.h"
#include "ridge/files/mapped_file.h"

namespace ridge::files {

// bytes(uint32_t{3}, text("ab")): little-endian numbers and texts behind each other.
template <class T>
void append_bytes(std::string& out, const T& part) {
  if constexpr (std::is_arithmetic_v<T>) {
    out.append(reinterpret_cast<const char*>(&part), sizeof(part));
  } else {
    out += part;
  }
}
template <class... Parts>
std::string bytes(const Parts&... parts) {
  std::string out;
  (append_bytes(out, parts), ...);
  return out;
}

inline std::filesystem::path frozen(std::string_view name) {
  return std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/unit/files/frozen" / name;
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline Ref<MappedFile> in_memory(std::string bytes) {
  return MappedFile::of_bytes(std::move(bytes), "test");
}

// A folder of its own, removed at the end.
class OwnFolder {
 public:
  OwnFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ridge_files.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~OwnFolder() { std::filesystem::remove_all(path_); }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The call throws an Error with this code, whose text has each of the parts.
inline void expect_error(ErrorCode code, std::initializer_list<std::string_view> parts,
                         const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(name(error.code()), name(code)) << error.what();
    for (const std::string_view part : parts) {
      EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos)
          << "`" << part << "` is not in: " << error.what();
    }
    return;
  }
  ADD_FAILURE() << "nothing was thrown";
}

// Whatever is done to good bytes, reading them ends, in one way or in an Error: some 300 prefixes, which
// must be refused unless only padding is missing, and some 700 files of the same length with one bit
// turned over, spread over all of it.
inline void expect_reads_or_refuses(const std::string& good,
                                    const std::function<void(std::string)>& read,
                                    size_t padding = 0) {
  size_t attempts = 0, refused = 0;
  const auto attempt = [&](std::string defective) {
    ++attempts;
    try {
      read(std::move(defective));
    } catch (const Error& error) {
      ++refused;
      EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
    }
  };
  const size_t used = good.size() - padding;
  for (size_t length = 0; length < used; length += used / 300 + 1) attempt(good.substr(0, length));
  attempt(good.substr(0, used - 1));
  EXPECT_EQ(refused, attempts) << "a file that was cut off was accepted";
  const size_t bits = good.size() * 8;
  for (size_t bit = 0; bit < bits; bit += bits / 700 + 1) {
    std::string defective = good;
    defective[bit / 8] = static_cast<char>(defective[bit / 8] ^ (1 << bit % 8));
    attempt(std::move(defective));
  }
}

}  // namespace ridge::files
