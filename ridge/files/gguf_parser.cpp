// A file, front to back: header, metadata, tensor infos, then the data behind the next aligned byte.
#include <algorithm>
#include <bit>

#include "ridge/base/text.h"
#include "ridge/files/gguf.h"
#include "ridge/files/gguf_value.h"

namespace ridge::files {
class GgufParser {
 public:
  explicit GgufParser(const Ref<MappedFile>& file)
      : file_(file), reader_(file->bytes(), file->name()) {}

  Gguf parse() {
    read_version();
    const auto tensors = reader_.read<uint64_t>("number of tensors");
    const auto pairs = reader_.read<uint64_t>("number of metadata pairs");
    read_metadata(pairs);
    read_infos(tensors);
    place_data();
    std::vector<StoredTensor> stored;
    stored.reserve(infos_.size());
    for (const Info& info : infos_) stored.push_back(stored_of(info));
    return Gguf(file_, version_, std::move(metadata_),
                WeightFile(file_->name(), "GGUF", std::move(stored)));
  }

  // Reads what is behind the type of a value.
  static GgufValue read_value(ByteReader& reader, uint32_t type, int depth) {
    const std::optional<GgufScalar> scalar = gguf_scalar(type);
    if (!scalar) reader.refuse("a type of metadata from 0 to 12", concat("type ", type));
    GgufValue value;
    value.type_ = type;
    if (type == kGgufText) {
      value.bytes_ = reader.read<uint64_t>("length of a text");
    } else if (type == kGgufArray) {
      return read_array(reader, depth);
    } else {
      value.bytes_ = scalar->bytes;
    }
    value.data_ = reader.take(value.bytes_, "value").data();
    if (type == kGgufBool && std::to_integer<int>(*value.data_) > 1) {
      reader.refuse("a bool of 0 or 1", to_text(std::to_integer<int>(*value.data_)));
    }
    return value;
  }

  static std::vector<GgufValue> elements_of(const GgufValue& array) {
    ByteReader reader({array.data_, static_cast<size_t>(array.bytes_)}, "metadata");
    std::vector<GgufValue> elements;
    elements.reserve(array.count());
    for (uint64_t i = 0; i < array.count_; ++i) {
      elements.push_back(read_value(reader, array.element_type_, 0));
    }
    return elements;
  }

 private:
  static constexpr int kDeepest = 4;              // arrays in arrays
  static constexpr uint32_t kMostDimensions = 8;  // of a tensor; llama.cpp writes at most 4
  static constexpr uint64_t kLargestAlignment = uint64_t{1} << 20;
  static constexpr uint64_t kDefaultAlignment = 32;
  static constexpr uint64_t kLongestKey = 65535;

  struct Info {
    std::string_view name;
    Ints shape;  // row-major
    const GgufTensorType* type = nullptr;
    uint64_t offset = 0, bytes = 0;
  };

  static GgufValue read_array(ByteReader& reader, int depth) {
    if (depth == kDeepest) {
      reader.refuse(concat("arrays nested at most ", kDeepest, " deep"), "a deeper one");
    }
    GgufValue array;
    array.type_ = kGgufArray;
    array.element_type_ = reader.read<uint32_t>("type of elements");
    const std::optional<GgufScalar> element = gguf_scalar(array.element_type_);
    if (!element) {
      reader.refuse("a type of elements from 0 to 12", concat("type ", array.element_type_));
    }
    // A text is at least its length, an array its type and count.
    const uint64_t least = element->bytes != 0                ? element->bytes
                           : array.element_type_ == kGgufText ? 8
                                                              : 12;
    array.count_ = reader.count(reader.read<uint64_t>("length of an array"), least, "elements");
    const size_t start = reader.position();
    array.data_ = reader.take(0, "elements").data();
    if (element->bytes != 0 && array.element_type_ != kGgufBool) {
      reader.take(array.count_ * element->bytes, "elements");
    } else {
      for (uint64_t i = 0; i < array.count_; ++i) {
        read_value(reader, array.element_type_, depth + 1);
      }
    }
    array.bytes_ = reader.position() - start;
    return array;
  }

  void read_version() {
    if (reader_.text(4, "magic") != "GGUF")
      reader_.refuse("a file that starts with GGUF", "another");
    version_ = reader_.read<uint32_t>("version");
    if (version_ == 2 || version_ == 3) return;
    const bool is_swapped = version_ != 0 && (version_ & 0xffff) == 0;
    reader_.refuse("GGUF version 2 or 3, little-endian",
                   is_swapped ? std::string("a big-endian file") : concat("version ", version_));
  }

  void read_metadata(uint64_t pairs) {
    reader_.count(pairs, 13, "metadata pairs");
    for (uint64_t i = 0; i < pairs; ++i) {
      const auto length = reader_.read<uint64_t>("length of a key");
      if (length > kLongestKey) {
        reader_.refuse(concat("keys of at most ", kLongestKey, " bytes"), to_text(length));
      }
      const std::string_view key = reader_.text(length, "key");
      const auto type = reader_.read<uint32_t>("type of a value");
      if (!metadata_.emplace(key, read_value(reader_, type, 0)).second) {
        reader_.refuse("keys that occur once", concat("`", key, "` twice"));
      }
    }
  }

  void read_infos(uint64_t tensors) {
    infos_.reserve(reader_.count(tensors, 24, "tensors"));
    for (uint64_t i = 0; i < tensors; ++i) {
      Info info;
      info.name = reader_.text(reader_.read<uint64_t>("length of a name"), "name of a tensor");
      const auto dimensions = reader_.read<uint32_t>("number of dimensions");
      if (dimensions > kMostDimensions) {
        reader_.refuse(concat("at most ", kMostDimensions, " dimensions"),
                       concat(dimensions, " of `", info.name, "`"));
      }
      for (uint32_t d = 0; d < dimensions; ++d) {
        info.shape.push_back(static_cast<int64_t>(reader_.read<uint64_t>("size of a dimension")));
      }
      std::reverse(info.shape.begin(), info.shape.end());
      info.type = type_of(reader_.read<uint32_t>("type of a tensor"), info.name);
      info.offset = reader_.read<uint64_t>("offset of a tensor");
      info.bytes = bytes_of(info);
      infos_.push_back(info);
    }
  }

  const GgufTensorType* type_of(uint32_t number, std::string_view name) const {
    std::string_view known = "unknown";
    for (const GgufTensorType& type : gguf_tensor_types()) {
      if (type.number != number) continue;
      if (type.dtype || type.blocks) return &type;
      known = type.name;
    }
    std::vector<std::string_view> read;
    for (const GgufTensorType& type : gguf_tensor_types()) {
      if (type.dtype || type.blocks) read.push_back(type.name);
    }
    reader_.refuse(concat("tensors of type ", join(read, ", ")),
                   concat("type ", number, " (", known, ") of `", name, "`"));
  }

  uint64_t bytes_of(const Info& info) const {
    const std::optional<int64_t> count = element_count(info.shape);
    if (!count || *count > (int64_t{1} << 58)) {
      reader_.refuse("a number of elements that a file can hold",
                     concat(to_text(info.shape), " of `", info.name, "`"));
    }
    if (info.type->dtype) return bytes_for(*info.type->dtype, *count);
    const BlockLayout& layout = layout_of(*info.type->blocks);
    const int64_t row = info.shape.empty() ? 1 : info.shape.back();
    if (row % layout.elements != 0) {
      reader_.refuse(concat("rows of ", layout.name, " that are whole blocks of ", layout.elements),
                     concat(to_text(info.shape), " of `", info.name, "`"));
    }
    return static_cast<uint64_t>(*count / layout.elements * layout.bytes);
  }

  uint64_t alignment() const {
    const auto found = metadata_.find("general.alignment");
    if (found == metadata_.end()) return kDefaultAlignment;
    const GgufValue& value = found->second;
    const int64_t given = value.kind() == GgufKind::integer ? value.integer() : 0;
    const auto alignment = static_cast<uint64_t>(given);
    if (given <= 0 || !std::has_single_bit(alignment) || alignment > kLargestAlignment) {
      reader_.refuse(concat("general.alignment that is a power of two up to ", kLargestAlignment),
                     value.kind() == GgufKind::integer ? to_text(given) : value.type_text());
    }
    return alignment;
  }

  // Makes offsets count from the start of the file, and checks that no two tensors share a byte.
  void place_data() {
    const uint64_t step = alignment();
    const uint64_t size = file_->bytes().size();
    const uint64_t start = (reader_.position() + step - 1) / step * step;
    std::vector<const Info*> by_offset;
    for (Info& info : infos_) {
      if (info.offset % step != 0) {
        reader_.refuse(concat("offsets that are multiples of ", step),
                       concat(info.offset, " of `", info.name, "`"));
      }
      if (start > size || info.offset > size - start || info.bytes > size - start - info.offset) {
        reader_.refuse(concat("tensors that end within the ", size, " bytes of the file"),
                       concat("`", info.name, "` of ", info.bytes, " bytes at ", info.offset,
                              " of the data, which starts at ", start));
      }
      info.offset += start;
      if (info.bytes != 0) by_offset.push_back(&info);
    }
    std::ranges::sort(by_offset, {}, &Info::offset);
    for (size_t i = 1; i < by_offset.size(); ++i) {
      const Info& before = *by_offset[i - 1];
      if (before.offset + before.bytes > by_offset[i]->offset) {
        reader_.refuse("tensors that do not overlap",
                       concat("`", before.name, "` and `", by_offset[i]->name, "`"));
      }
    }
  }

  StoredTensor stored_of(const Info& info) const {
    StoredTensor stored{std::string(info.name), info.shape, {}, info.type->blocks};
    if (info.type->dtype) {
      stored.data = tensor_of(file_, info.offset, *info.type->dtype, info.shape);
      return stored;
    }
    const BlockLayout& layout = layout_of(*info.type->blocks);
    Ints raw = info.shape;
    raw.back() = raw.back() / layout.elements * layout.bytes;
    stored.data = tensor_of(file_, info.offset, u8, raw);
    return stored;
  }

  Ref<MappedFile> file_;
  ByteReader reader_;
  uint32_t version_ = 0;
  std::map<std::string_view, GgufValue> metadata_;
  std::vector<Info> infos_;
};

std::vector<GgufValue> GgufValue::elements() const {
  count();  // an Error unless it is an array
  return GgufParser::elements_of(*this);
}

Gguf Gguf::read(const Ref<MappedFile>& file) { return GgufParser(file).parse(); }

}  // namespace ridge::files
