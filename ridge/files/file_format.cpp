#include "ridge/files/file_format.h"

#include <algorithm>

#include "ridge/files/npy.h"
#include "ridge/files/zip.h"

namespace ridge::files {
namespace {

std::string_view beginning(const MappedFile& file, size_t offset, size_t length) {
  const auto bytes = file.bytes();
  if (bytes.size() < offset + length) return {};
  return {reinterpret_cast<const char*>(bytes.data()) + offset, length};
}

}  // namespace

FileFormat recognize(const MappedFile& file) {
  if (beginning(file, 0, 4) == "GGUF") return FileFormat::gguf;
  // An empty archive is its last record alone.
  if (is_zip(file.bytes()) || beginning(file, 0, 4) == "PK\x05\x06") return FileFormat::zip;
  if (is_npy(file.bytes())) return FileFormat::npy;
  // The first eight bytes of safetensors are a length, whose upper bytes are zero.
  if (beginning(file, 8, 1) == "{" && beginning(file, 5, 3) == std::string_view("\0\0\0", 3)) {
    return FileFormat::safetensors;
  }
  // Opcode 0x80 starts a pickle.
  if (beginning(file, 0, 1) == "\x80") return FileFormat::pickle;
  const std::string_view start = beginning(file, 0, std::min<size_t>(file.bytes().size(), 64));
  const size_t first = start.find_first_not_of(" \t\r\n");
  return first != start.npos && start[first] == '{' ? FileFormat::json : FileFormat::unknown;
}

std::string_view name(FileFormat format) {
  switch (format) {
    case FileFormat::safetensors: return "safetensors";
    case FileFormat::json: return "JSON";
    case FileFormat::gguf: return "GGUF";
    case FileFormat::zip: return "a zip archive";
    case FileFormat::npy: return "npy";
    case FileFormat::pickle: return "a pickle";
    case FileFormat::unknown: return "an unknown format";
  }
  return {};
}

}  // namespace ridge::files
