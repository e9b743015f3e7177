#include "ridge/base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge {
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

}  // namespace ridge
