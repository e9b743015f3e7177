#include "ridge/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

// One call of write() moves at most 2^31 - 4096 bytes; smaller pieces also show a full disk earlier.
constexpr size_t kMostAtOnce = size_t{1} << 26;

// 0, or the number of the error.
int sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  // File systems that cannot do it for a folder say EINVAL: a rename is as durable there as it gets.
  const int number = ::fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
  ::close(descriptor);
  return number;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)) {
  struct stat there{};
  const bool exists = ::lstat(path_.c_str(), &there) == 0;
  if (exists && !S_ISREG(there.st_mode) && !S_ISLNK(there.st_mode)) fail(EEXIST);
  beside_ = path_.string() + ".XXXXXX";
  descriptor_ = ::mkostemp(beside_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    const int number = errno;
    beside_.clear();
    fail(number);
  }
  // Where rights cannot be changed, the file stays the owner's alone.
  constexpr mode_t kRights = 0777;
  if (exists && S_ISREG(there.st_mode)) (void)::fchmod(descriptor_, there.st_mode & kRights);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (::rename(beside_.c_str(), path_.c_str()) != 0) fail(errno);
  beside_.clear();
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  if (const int number = sync_folder(folder); number != 0) fail(number);
}

void AtomicFile::fail(int number) {
  throw Error(
      {.code = ErrorCode::io,
       .expected = "a file that can be written",
       .given = concat("`", path_.string(), "`: ", std::generic_category().message(number))});
}

}  // namespace ridge
