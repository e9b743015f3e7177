// Zip archives, which npz files and PyTorch's files are: entries stored as they are, or deflated.
//
//   ZipFile zip(MappedFile::open("arrays.npz"));
//   for (const ZipEntry& entry : zip.entries()) std::puts(entry.name.c_str());
//
// Refused by Error{parse}: entries that overlap, repeat a name, leave the file, are encrypted or
// compressed by other methods, whose names are paths out of the archive, or that would inflate to more
// than 256 MiB and 256 times the file together. What inflates to another size or checksum than it says is
// refused too. Sizes of 64 bits are read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/files/mapped_file.h"

namespace ridge::files {

struct ZipEntry {
  std::string name;
  bool is_deflated = false;
  uint32_t checksum = 0;      // CRC-32 of the content
  uint64_t stored_bytes = 0;  // in the file
  uint64_t bytes = 0;         // of the content
  uint64_t begin = 0;         // of its local header, in the file
  uint64_t offset = 0;        // of its bytes, in the file
};

class ZipFile {
 public:
  explicit ZipFile(Ref<MappedFile> file);

  const std::vector<ZipEntry>& entries() const { return entries_; }
  const ZipEntry* find(std::string_view name) const;  // null: there is none
  const Ref<MappedFile>& file() const { return file_; }

  // The bytes of an entry as they lie in the file. Error{parse} if it is deflated.
  std::span<const std::byte> stored(const ZipEntry& entry) const;
  // The content, inflated.
  std::string inflated(const ZipEntry& entry) const;
  // Error{parse} unless the bytes have the checksum of the entry.
  void check_content(const ZipEntry& entry, std::span<const std::byte> content) const;

 private:
  Ref<MappedFile> file_;
  std::vector<ZipEntry> entries_;
  std::map<std::string, size_t, std::less<>> positions_;
};

// Do the bytes begin as an archive does?
bool is_zip(std::span<const std::byte> bytes);

}  // namespace ridge::files
