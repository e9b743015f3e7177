#include "ridge/files/npy.h"

#include <charconv>

#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"

namespace ridge::files {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr uint64_t kLongestNpyHeader =
    65536;  // the longest that NumPy writes for plain arrays is 128

// The header: a dict as Python writes it, {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
struct NpyHeader {
  std::string descr;
  bool is_fortran = false;
  Ints shape;
};

class NpyHeaderReader {
 public:
  NpyHeaderReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (peek() != '}') {
      const std::string key = text();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        if (peek() != '\'' && peek() != '"')
          refuse("arrays of plain numbers", "a structured array");
        header.descr = text();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.is_fortran = truth();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = shape();
      } else {
        refuse("descr, fortran_order and shape, once each", key);
      }
      if (peek() != ',') break;
      ++position_;
    }
    expect('}');
    if (peek() != '\0' || !has_descr || !has_order || !has_shape) {
      refuse("descr, fortran_order and shape, and no more", "something else");
    }
    return header;
  }

 private:
  [[noreturn]] void refuse(std::string_view expected, std::string_view given) const {
    refuse_file(file_, concat("a header of NumPy with ", expected),
                concat("`", given, "` at its byte ", position_));
  }
  char peek() {
    position_ = std::min(text_.find_first_not_of(" \t\n\r", position_), text_.size());
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  void expect(char c) {
    if (peek() != c) refuse(std::string(1, c), text_.substr(position_, 1));
    ++position_;
  }
  std::string text() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("texts", text_.substr(position_, 1));
    const size_t end = text_.find(quote, position_ + 1);
    if (end == text_.npos) refuse("the end of a text", "none");
    const std::string_view inside = text_.substr(position_ + 1, end - position_ - 1);
    if (inside.find('\\') != inside.npos) refuse("texts without escapes", "one with them");
    position_ = end + 1;
    return std::string(inside);
  }
  bool truth() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(position_).starts_with(word)) continue;
      position_ += word.size();
      return word == "True";
    }
    refuse("True or False", text_.substr(position_, 1));
  }
  Ints shape() {
    Ints sizes;
    expect('(');
    while (peek() != ')') {
      int64_t size = 0;
      const char* const begin = text_.data() + position_;
      const auto [stop, failure] = std::from_chars(begin, text_.data() + text_.size(), size);
      if (failure != std::errc() || size < 0 || sizes.size() == kMostDimensions) {
        refuse("a shape", text_.substr(position_, 1));
      }
      position_ += static_cast<size_t>(stop - begin);
      sizes.push_back(size);
      if (peek() != ',') break;
      ++position_;
    }
    expect(')');
    return sizes;
  }

  std::string_view text_;
  std::string file_;
  size_t position_ = 0;
};

struct NpyType {
  std::string_view descr;  // behind the byte order
  DType dtype;
};
constexpr NpyType kNpyTypes[] = {{"f2", f16}, {"f4", f32}, {"f8", f64}, {"i1", i8},
                                 {"i2", i16}, {"i4", i32}, {"i8", i64}, {"u1", u8},
                                 {"u2", u16}, {"u4", u32}, {"u8", u64}, {"b1", boolean}};

DType dtype_of(std::string_view descr, const std::string& file) {
  const bool has_order = !descr.empty() && std::string_view("<|=").find(descr[0]) != descr.npos;
  for (const NpyType& type : kNpyTypes) {
    if (has_order && descr.substr(1) == type.descr) return type.dtype;
  }
  refuse_file(file, concat("little-endian arrays of ", join(kNpyTypes, ", ", &NpyType::descr)),
              concat("`", descr, "`"));
}

}  // namespace

bool is_npy(std::span<const std::byte> bytes) {
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

namespace {

// An array that begins at `offset` and has no more than `bytes` bytes.
Tensor read_npy_at(const Ref<MappedFile>& file, uint64_t offset, uint64_t bytes,
                   const std::string& name) {
  ByteReader reader(file->bytes().subspan(offset, bytes), name);
  if (reader.text(kMagic.size(), "magic") != kMagic)
    reader.refuse("an array of NumPy", "another file");
  const auto major = reader.read<uint8_t>("version");
  reader.take(1, "version");
  if (major < 1 || major > 3) reader.refuse("version 1 to 3 of npy", to_text(int{major}));
  const uint64_t length = major == 1 ? reader.read<uint16_t>("length of the header")
                                     : reader.read<uint32_t>("length of the header");
  if (length > kLongestNpyHeader) {
    reader.refuse(concat("a header of at most ", kLongestNpyHeader, " bytes"), to_text(length));
  }
  const NpyHeader header = NpyHeaderReader(reader.text(length, "header"), name).read();
  const DType dtype = dtype_of(header.descr, name);
  const std::optional<int64_t> count = element_count(header.shape);
  if (!count || *count > (int64_t{1} << 58) || bytes_for(dtype, *count) != reader.left()) {
    reader.refuse(concat(ridge::name(dtype), to_text(header.shape), " behind the header"),
                  concat(reader.left(), " bytes"));
  }
  const uint64_t start = offset + reader.position();
  if (!header.is_fortran) return tensor_of(file, start, dtype, header.shape);
  Ints strides(header.shape.size(), 0);
  int64_t stride = 1;
  for (size_t d = 0; d < strides.size(); ++d) {
    strides[d] = stride;
    stride *= std::max<int64_t>(header.shape[d], 1);
  }
  return strided_tensor_of(file, start, dtype, header.shape, strides);
}

}  // namespace

Tensor read_npy(const Ref<MappedFile>& file) {
  return read_npy_at(file, 0, file->bytes().size(), file->name());
}

WeightFile read_npz(const ZipFile& zip) {
  constexpr std::string_view kEnding = ".npy";
  std::vector<StoredTensor> stored;
  for (const ZipEntry& entry : zip.entries()) {
    if (!entry.name.ends_with(kEnding)) continue;
    const std::string inside = concat(zip.file()->name(), ":", entry.name);
    StoredTensor tensor{entry.name.substr(0, entry.name.size() - kEnding.size()), {}, {}};
    if (entry.is_deflated) {
      tensor.data = read_npy(MappedFile::of_bytes(zip.inflated(entry), inside));
    } else {
      zip.check_content(entry, zip.stored(entry));
      tensor.data = read_npy_at(zip.file(), entry.offset, entry.bytes, inside);
    }
    for (const Size& size : tensor.data.shape()) tensor.shape.push_back(size.value());
    stored.push_back(std::move(tensor));
  }
  return {zip.file()->name(), "npz", std::move(stored)};
}

}  // namespace ridge::files
