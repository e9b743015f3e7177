#include "ridge/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "ridge/base/text.h"

namespace ridge::files {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string_view expected, const fs::path& path, std::string_view reason) {
  throw Error({.code = ErrorCode::io,
               .expected = std::string(expected),
               .given = concat("`", path.string(), "`: ", reason)});
}

std::string system_reason(int number) { return std::generic_category().message(number); }

// A file descriptor, closed at the end of the scope: a mapping does not need it.
struct OpenFile {
  int descriptor;
  explicit OpenFile(int descriptor_) : descriptor(descriptor_) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

}  // namespace

Ref<MappedFile> MappedFile::open(const fs::path& path) {
  // Not to wait for the writer of a pipe: whether it is one is known only when it is open.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat facts{};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &facts) != 0) {
    refuse("a file that can be read", path, system_reason(errno));
  }
  if (!S_ISREG(facts.st_mode)) {
    refuse("a regular file", path, S_ISDIR(facts.st_mode) ? "a folder" : "a device or a pipe");
  }
  const auto size = static_cast<size_t>(facts.st_size);
  if (size == 0) return make_ref<MappedFile>(std::span<const std::byte>(), path.string());
  // Nothing is reserved for pages that may be written: a file may be larger than memory.
  void* const address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                               file.descriptor, 0);
  if (address == MAP_FAILED) refuse("a file that can be mapped", path, system_reason(errno));
  auto mapped = make_ref<MappedFile>(
      std::span<const std::byte>(static_cast<const std::byte*>(address), size), path.string());
  mapped->is_mapping_ = true;
  return mapped;
}

Ref<MappedFile> MappedFile::of_bytes(std::string bytes, std::string name) {
  auto file = make_ref<MappedFile>(std::span<const std::byte>(), std::move(name));
  file->owned_ = std::move(bytes);
  file->bytes_ = std::as_bytes(std::span(file->owned_));
  return file;
}

MappedFile::~MappedFile() {
  if (is_mapping_) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

namespace {

constexpr int64_t kMostElements = int64_t{1} << 58;

void check_bools(const MappedFile& file, std::span<const std::byte> bytes) {
  const auto is_bool = [](std::byte byte) { return std::to_integer<int>(byte) <= 1; };
  RIDGE_CHECK(std::ranges::all_of(bytes, is_bool), .code = ErrorCode::parse,
              .expected = "bools of 0 or 1", .given = concat("other bytes in `", file.name(), "`"));
}

}  // namespace

Tensor tensor_of(const Ref<MappedFile>& file, uint64_t offset, DType dtype, const Ints& shape) {
  const std::optional<int64_t> count = element_count(shape);
  const size_t size = file->bytes().size();
  const bool is_inside = count && *count <= kMostElements && offset <= size &&
                         bytes_for(dtype, *count) <= size - offset;
  RIDGE_CHECK(is_inside, .code = ErrorCode::parse,
              .expected = concat("tensors that end within the ", size, " bytes of the file"),
              .given = concat(name(dtype), to_text(shape), " at byte ", offset, " of `",
                              file->name(), "`"));
  const auto bytes = file->bytes().subspan(offset, bytes_for(dtype, *count));
  if (is_boolean(dtype)) check_bools(*file, bytes);
  const size_t alignment = dtype.bits < 8 ? 1 : dtype.bits / 8;
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignment == 0) {
    return Tensor::from_blob(const_cast<std::byte*>(bytes.data()), shape_of(shape), dtype,
                             [keep = file](void*) {});
  }
  const Tensor copy = Tensor::empty(shape_of(shape), dtype);
  if (!bytes.empty()) std::memcpy(copy.raw_data(), bytes.data(), bytes.size());
  return copy;
}

Tensor strided_tensor_of(const Ref<MappedFile>& file, uint64_t offset, DType dtype,
                         const Ints& shape, const Ints& strides) {
  const std::optional<int64_t> extent = extent_of(shape, strides);
  RIDGE_CHECK(extent && dtype.bits >= 8, .code = ErrorCode::parse,
              .expected = "strides within the file, one for each dimension",
              .given = concat(to_text(strides), " for ", name(dtype), to_text(shape), " of `",
                              file->name(), "`"));
  const Tensor flat = tensor_of(file, offset, dtype, {*extent});
  return Tensor::view_of(Ref<Storage>(&flat.storage()), shape_of(shape), shape_of(strides),
                         flat.offset(), dtype);
}

std::optional<int64_t> extent_of(const Ints& shape, const Ints& strides) {
  const std::optional<int64_t> count = element_count(shape);
  if (!count || *count > kMostElements || strides.size() != shape.size()) return std::nullopt;
  int64_t last = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t steps = std::max<int64_t>(shape[d] - 1, 0);
    if (strides[d] < 0) return std::nullopt;
    if (steps != 0 && strides[d] > (kMostElements - last) / steps) return std::nullopt;
    last += steps * strides[d];
  }
  return *count == 0 ? 0 : last + 1;
}

Shape shape_of(const Ints& sizes) {
  Shape shape;
  for (const int64_t size : sizes) shape.push_back(size);
  return shape;
}

std::optional<int64_t> element_count(std::span<const int64_t> sizes) {
  constexpr int64_t kMost = int64_t{1} << 62;
  int64_t count = 1;
  for (const int64_t size : sizes) {
    if (size < 0) return std::nullopt;
    // A size of zero makes it empty, and the others must still be numbers that can be multiplied.
    if (size != 0 && count > kMost / size) return std::nullopt;
    count *= size == 0 ? 1 : size;
  }
  for (const int64_t size : sizes) {
    if (size == 0) return 0;
  }
  return count;
}

}  // namespace ridge::files
