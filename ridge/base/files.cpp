#include "ridge/base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "ridge/base/error.h"
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

}  // namespace ridge
