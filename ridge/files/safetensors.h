// safetensors: a JSON header and the bytes of tensors behind it, read by mapping and written atomically.
//
//   u64 length of the header | {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...} | bytes
//
//   WeightFile file = read_safetensors(MappedFile::open("model.safetensors"));
//   write_safetensors("out.safetensors", {{"weight", w}, {"bias", b}}, {{"format", "pt"}});
//
// Refused by Error{parse}: a header over 100 MB or not UTF-8, what is not JSON, unknown dtypes, offsets
// that overlap, leave holes, do not fit the shape or leave the file. Dtypes are all that Ridge has; its
// 4-bit ones are written as "I4" and "U4", which other readers do not know.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ridge/files/weights.h"

namespace ridge::files {

// What readers take at most, here and elsewhere.
inline constexpr uint64_t kMostHeaderBytes = 100'000'000;

WeightFile read_safetensors(const Ref<MappedFile>& file);

// A model.safetensors.index.json, whose tensors lie in the files that it names. They must be in its own
// folder: a name with a slash, or "..", is refused. Tensors that it does not name are left out.
WeightFile read_safetensors_index(const Ref<MappedFile>& index);

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
using Metadata = std::map<std::string, std::string>;

// The tensors may be on any device and have any strides. The file that was there before stays until the
// new one is on the disk (base/atomic_file.h). Error{value} for names that repeat or are not UTF-8, and for
// a header that nobody would read.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const Metadata& metadata = {}, Location where = Location::current());

}  // namespace ridge::files
