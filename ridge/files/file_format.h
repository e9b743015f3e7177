// FileFormat: what a file holds, by its first bytes and never by its name.
//
//   recognize(*MappedFile::open("model.gguf"))     FileFormat::gguf
//   name(FileFormat::gguf)                         "GGUF"
//
// Only the beginning is looked at: whether the rest is as the format says is for its reader.
#pragma once

#include <cstdint>
#include <string_view>

#include "ridge/files/mapped_file.h"

namespace ridge::files {

enum class FileFormat : uint8_t {
  safetensors,
  json,  // an index of safetensors, if anything
  gguf,
  zip,  // npz, or what PyTorch writes
  npy,
  pickle,  // what PyTorch wrote before version 1.6
  unknown,
};

FileFormat recognize(const MappedFile& file);
// As errors name it: "GGUF", "a zip archive", "an unknown format".
std::string_view name(FileFormat format);

}  // namespace ridge::files
