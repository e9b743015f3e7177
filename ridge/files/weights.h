// Weights: the named tensors of a file, whatever its format.
//
//   files::WeightFile file = files::open_weights("model.safetensors");
//   for (const files::StoredTensor& t : file.tensors()) std::puts(t.name.c_str());
//   Tensor w = file.tensor("model.norm.weight");         as it is stored: bf16[576]
//   Tensor f = file.dense("blk.0.attn_q.weight");        quantized ones become f32
//
// The format is recognized by content, never by the name: safetensors, a model.safetensors.index.json
// (its shards must lie beside it), GGUF, npz, npy (one tensor, named "array"), PyTorch's zip files.
// Tensors share the mapping of the file and keep it alive; what was compressed, or is not aligned for
// its dtype, is a copy. A file is read as a whole or refused by one Error: nothing is half-loaded.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/core/block_format.h"
#include "ridge/core/tensor.h"
#include "ridge/files/mapped_file.h"

namespace ridge::files {

struct StoredTensor {
  std::string name;
  Ints shape;   // logical: of the numbers it stands for
  Tensor data;  // the elements; of a quantized one u8[..., bytes of a row], its raw blocks
  std::optional<BlockFormat> blocks = std::nullopt;  // what a quantized one is made of
};

// "f32[2, 3]" or "q4_1[576, 1536]": how errors name a stored tensor.
std::string describe(const StoredTensor& tensor);

class WeightFile {
 public:
  // Error{parse} if two of them have one name.
  WeightFile(std::string name, std::string format, std::vector<StoredTensor> tensors,
             std::map<std::string, std::string> metadata = {});

  const std::string& name() const { return name_; }      // the path, for errors
  const std::string& format() const { return format_; }  // "safetensors", "GGUF", ...
  // In the order of the file. Of a temporary by value, so that a loop may be written over it.
  const std::vector<StoredTensor>& tensors() const& { return tensors_; }
  std::vector<StoredTensor> tensors() && { return std::move(tensors_); }
  // What safetensors files say of themselves; empty for other formats.
  const std::map<std::string, std::string>& metadata() const& { return metadata_; }
  std::map<std::string, std::string> metadata() && { return std::move(metadata_); }

  const StoredTensor* find(std::string_view name) const;  // null: there is none
  // Error{unknown_name}, with the nearest name, if there is none.
  const StoredTensor& stored(std::string_view name, Location where = Location::current()) const;
  // As it is stored. Error{dtype} for a quantized one, whose blocks mean nothing as numbers.
  Tensor tensor(std::string_view name, Location where = Location::current()) const;
  // As numbers: a quantized one is dequantized to f32.
  Tensor dense(std::string_view name, Location where = Location::current()) const;

 private:
  std::string name_, format_;
  std::vector<StoredTensor> tensors_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, size_t, std::less<>> positions_;
};

// Error{io} for what cannot be read, Error{parse} for no known format, or a file that is not as its
// format says.
WeightFile open_weights(const std::filesystem::path& path, Location where = Location::current());
WeightFile read_weights(const Ref<MappedFile>& file);

}  // namespace ridge::files
