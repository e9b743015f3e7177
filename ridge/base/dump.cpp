#include "ridge/base/dump.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_io_error(std::string_view expected, const fs::path& path,
                                 const std::error_code& reason) {
  throw Error({.code = ErrorCode::io,
               .expected = std::string(expected),
               .given = concat("`", path.string(), "`: ", reason.message())});
}

std::error_code last_system_error() { return {errno, std::generic_category()}; }

// A name no other thread or process uses, in the same folder: rename() is atomic only there.
fs::path temporary_beside(const fs::path& path) {
  static std::atomic<uint64_t> counter{0};
  fs::path result = path;
  result += concat(".tmp.", ::getpid(), ".", counter++);
  return result;
}

// The error of the first step that failed, or none. Closing counts: it is where a full disk shows.
std::error_code write_bytes(const fs::path& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return last_system_error();
  std::error_code result;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
    result = last_system_error();
  }
  if (std::fclose(file) != 0 && !result) result = last_system_error();
  return result;
}

std::string file_name_of(std::string_view stem) {
  std::string name(stem);
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_' && c != '-'; },
      '_');
  return name;
}

// 7 is "007", so that files list in order; beyond 999 the number simply grows.
std::string three_digits(uint64_t number) {
  const std::string digits = to_text(number);
  return std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  std::error_code failure;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  if (failure) throw_io_error("a folder that can be created", path.parent_path(), failure);

  const fs::path temporary = temporary_beside(path);
  failure = write_bytes(temporary, bytes);
  if (!failure) fs::rename(temporary, path, failure);
  if (failure) {
    std::error_code ignored;  // the first failure is the one to report
    fs::remove(temporary, ignored);
    throw_io_error("a file that can be written", path, failure);
  }
}

uint64_t first_dump_number(const fs::path& folder) {
  uint64_t next = 0;
  std::error_code ignored;  // of a folder that cannot be read; writing there will say so
  fs::directory_iterator entry(folder, ignored);
  for (; entry != fs::directory_iterator(); entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    uint64_t number = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_numbered =
        failure == std::errc() && end != name.data() + name.size() && *end == '_';
    if (is_numbered) next = std::max(next, number + 1);
  }
  return next;
}

fs::path dump_artifact(std::string_view stem, std::string_view extension, std::string_view text) {
  if (!is_knob_set(Knob::dump)) return {};
  static std::atomic<uint64_t> counter{first_dump_number(knob_text(Knob::dump))};
  const std::string file_name =
      concat(three_digits(counter++), "_", file_name_of(stem), ".", extension);
  fs::path path = fs::path(knob_text(Knob::dump)) / file_name;
  write_file_atomically(path, text);
  return path;
}

}  // namespace ridge
