// AtomicFile: a large file written piece by piece, that appears under its name whole or not at all.
//
//   AtomicFile file("model.safetensors");
//   file.write(header);
//   for (const auto& part : parts) file.write(part);
//   file.commit();                      from here on it is there, after a loss of power too
//
// It is written under a new name in the same folder. commit() brings its bytes to the disk, renames it and
// brings the folder to the disk. Whatever fails before that is an Error{io}, the new file is gone, and the
// one that was there is as before. A process that is killed leaves the new file behind, as NAME.XXXXXX.
// Rights are those of the file that it replaces, else 0600, as of all files that Ridge makes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace ridge {

class AtomicFile {
 public:
  // The folder must be there. A path that is a folder, a pipe or a device is refused.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit();

 private:
  [[noreturn]] void fail(int number);

  std::filesystem::path path_;
  std::string beside_;  // the new file; empty when it has its name, or is gone
  int descriptor_ = -1;
};

}  // namespace ridge
