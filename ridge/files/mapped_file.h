// MappedFile: the bytes of a regular file in memory without reading them, and tensors over them.
//
//   Ref<MappedFile> file = MappedFile::open("model.gguf");
//   file->bytes().size();
//   Tensor w = tensor_of(file, 4096, f32, {576, 1536});      shares the mapping, and keeps it alive
//
// The mapping is private: a program may write to such a tensor (an optimizer does), which copies the
// page; the file never changes. Another process that cuts the file shorter while it is mapped makes
// reads of the lost part end the program (SIGBUS): replace files by rename, as Ridge itself does.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "ridge/core/tensor.h"

namespace ridge::files {

class MappedFile : public RefCounted {
 public:
  // Error{io} for what is missing, no regular file, or cannot be mapped.
  static Ref<MappedFile> open(const std::filesystem::path& path);
  // Bytes that are in memory already, in place of a file; `name` is for errors.
  static Ref<MappedFile> of_bytes(std::string bytes, std::string name);

  std::span<const std::byte> bytes() const { return bytes_; }
  const std::string& name() const { return name_; }

  MappedFile(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(name) {}
  ~MappedFile() override;

 private:
  std::span<const std::byte> bytes_;
  std::string name_;
  std::string owned_;  // what bytes_ points to, unless it is a mapping
  bool is_mapping_ = false;
};

// Row-major elements that start at `offset`. Without a copy, unless the address is not aligned for the
// dtype. Error{parse} if they do not lie within the file.
Tensor tensor_of(const Ref<MappedFile>& file, uint64_t offset, DType dtype, const Ints& shape);
// The same with strides, in elements and not negative, for dtypes of whole bytes.
Tensor strided_tensor_of(const Ref<MappedFile>& file, uint64_t offset, DType dtype,
                         const Ints& shape, const Ints& strides);
// Elements from the first one of such a view to its last; nothing if they are more than 2^58.
std::optional<int64_t> extent_of(const Ints& shape, const Ints& strides);

// The sizes as a Shape, and how many elements they are; nothing if that exceeds 2^62, or a size is
// negative.
Shape shape_of(const Ints& sizes);
std::optional<int64_t> element_count(std::span<const int64_t> sizes);

}  // namespace ridge::files
