#include "ridge/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnersFolder = 0700;
// Both mkstemp and mkdtemp want these at the end of the name.
constexpr std::string_view kUnforeseen = ".XXXXXX";
constexpr size_t kLongestStem = 100;  // file systems allow 255 characters in a name

std::error_code last_system_error() { return {errno, std::generic_category()}; }

[[noreturn]] void throw_io_error(std::string_view expected, const fs::path& path,
                                 const std::error_code& reason) {
  throw Error({.code = ErrorCode::io,
               .expected = std::string(expected),
               .given = concat("`", path.string(), "`: ", reason.message())});
}

// The error of the first step that failed, or none. Closing counts: it is where a full disk shows.
std::error_code write_and_close(int file, std::string_view bytes) {
  std::error_code result;
  while (!bytes.empty() && !result) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      result = last_system_error();
    }
  }
  if (::close(file) != 0 && !result) result = last_system_error();
  return result;
}

}  // namespace

void create_folders(const fs::path& folder) {
  std::error_code ignored;  // what cannot be looked at cannot be made either, which mkdir says
  if (folder.empty() || fs::is_directory(folder, ignored)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) {
    create_folders(folder.parent_path());
  }
  if (::mkdir(folder.c_str(), kOwnersFolder) == 0) return;
  const std::error_code failure = last_system_error();
  // Another thread may have made it meanwhile.
  if (!fs::is_directory(folder, ignored)) {
    throw_io_error("a folder that can be created", folder, failure);
  }
}

fs::path create_own_folder(const fs::path& parent, std::string_view stem) {
  create_folders(parent);
  std::string name =
      (parent / concat(file_name_of(stem.substr(0, kLongestStem)), kUnforeseen)).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw_io_error("a folder that can be created", name, last_system_error());
  }
  return name;
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  if (path.has_parent_path()) create_folders(path.parent_path());
  std::error_code
      ignored;  // what cannot be looked at cannot be written either, which the calls below say
  const fs::file_status there = fs::symlink_status(path, ignored);
  if (fs::exists(there) && !fs::is_regular_file(there) && !fs::is_symlink(there)) {
    throw_io_error("the path of a file", path, std::make_error_code(std::errc::file_exists));
  }
  // In the same folder, since rename() is atomic only there. It is new (O_EXCL) and 0600.
  std::string beside = concat(path.string(), kUnforeseen);
  const int file = ::mkostemp(beside.data(), O_CLOEXEC);
  if (file < 0) throw_io_error("a file that can be written", path, last_system_error());
  std::error_code failure = write_and_close(file, bytes);
  if (!failure && ::rename(beside.c_str(), path.c_str()) != 0) failure = last_system_error();
  if (!failure) return;
  ::unlink(beside.c_str());
  throw_io_error("a file that can be written", path, failure);
}

std::string file_name_of(std::string_view text) {
  std::string name(text);
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '_' && c != '-'; },
      '_');
  return name;
}

namespace {

namespace fs = std::filesystem;

// A file descriptor, closed at the end of the scope.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

std::string system_reason(int number) { return std::generic_category().message(number); }

[[noreturn]] void refuse(std::string_view expected, const std::string& name,
                         const std::string& reason) {
  throw Error({.code = ErrorCode::io,
               .expected = std::string(expected),
               .given = concat("`", name, "`: ", reason)});
}

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISCHR(mode)) return "a character device";
  if (S_ISBLK(mode)) return "a block device";
  if (S_ISSOCK(mode)) return "a socket";
  return "something else";
}

void check_size(size_t bytes, size_t most_bytes, const std::string& name) {
  if (bytes <= most_bytes) return;
  refuse(concat("at most ", Bytes(most_bytes)), name, "it is larger");
}

// To the end of the file, however large it was said to be: another process may write to it.
std::string read_all(int descriptor, size_t expected_bytes, size_t most_bytes,
                     const std::string& name) {
  constexpr size_t kPiece = size_t{1} << 16;
  std::string bytes;
  bytes.reserve(expected_bytes + kPiece);
  for (;;) {
    const size_t before = bytes.size();
    bytes.resize(before + kPiece);
    const ssize_t count = ::read(descriptor, bytes.data() + before, kPiece);
    const int failure = errno;
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return bytes;
    if (count < 0 && failure != EINTR) {
      refuse("a file that can be read", name, system_reason(failure));
    }
    check_size(bytes.size(), most_bytes, name);
  }
}

std::optional<std::string> read(const fs::path& path, size_t most_bytes, bool may_be_missing) {
  // Not to wait for the writer of a pipe: whether it is one is known only when it is open.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file.get() < 0 && errno == ENOENT && may_be_missing) return std::nullopt;
  struct stat facts{};
  if (file.get() < 0 || ::fstat(file.get(), &facts) != 0) {
    refuse("a file that can be read", path.string(), system_reason(errno));
  }
  if (!S_ISREG(facts.st_mode)) {
    refuse("a regular file", path.string(), std::string(kind_of(facts.st_mode)));
  }
  const auto bytes = static_cast<size_t>(facts.st_size);
  check_size(bytes, most_bytes, path.string());
  return read_all(file.get(), bytes, most_bytes, path.string());
}

}  // namespace

std::string read_file(const fs::path& path, size_t most_bytes) {
  return *read(path, most_bytes, false);
}

std::optional<std::string> read_file_if_there(const fs::path& path, size_t most_bytes) {
  return read(path, most_bytes, true);
}

std::string read_standard_input(size_t most_bytes) {
  return read_all(STDIN_FILENO, 0, most_bytes, "standard input");
}

int finish_output(const char* program, int code) {
  errno = 0;
  std::cout.flush();
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (is_written) return code;
  // Of a write before the last one the reason is no longer known.
  const std::string reason = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  std::fprintf(stderr, "%s: standard output cannot be written%s\n", program, reason.c_str());
  return code == 0 ? 1 : code;
}

namespace {

namespace fs = std::filesystem;

// 7 is "007", so that files list in order; beyond 999 the number simply grows.
std::string three_digits(uint64_t number) {
  const std::string digits = to_text(number);
  return std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

}  // namespace

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
