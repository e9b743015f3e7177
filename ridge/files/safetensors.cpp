#include "ridge/files/safetensors.h"

#include <algorithm>
#include <set>

#include "ridge/base/json_reader.h"
#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"
#include "ridge/files/file_format.h"
#include "ridge/files/safetensors_dtype.h"

namespace ridge::files {
namespace {

struct Entry {
  std::string name;
  std::string dtype;
  Ints shape;
  std::vector<int64_t> offsets;
};

Entry read_entry(JsonReader& json, const std::string& name) {
  Entry entry{.name = name, .dtype = {}, .shape = {}, .offsets = {}};
  std::set<std::string> seen;
  json.object([&](const std::string& key) {
    if (!seen.insert(key).second) json.refuse("keys that occur once", concat("`", key, "` twice"));
    if (key == "dtype") {
      entry.dtype = json.text();
    } else if (key == "shape") {
      json.array([&] {
        if (entry.shape.size() == kMostDimensions) {
          json.refuse(concat("at most ", kMostDimensions, " dimensions"),
                      concat("more of `", name, "`"));
        }
        entry.shape.push_back(json.integer());
      });
    } else if (key == "data_offsets") {
      json.array([&] {
        if (entry.offsets.size() == 2) json.refuse("two data_offsets", "more");
        entry.offsets.push_back(json.integer());
      });
    } else {
      json.refuse("dtype, shape and data_offsets", concat("`", key, "` of `", name, "`"));
    }
  });
  if (seen.size() != 3 || entry.offsets.size() != 2) {
    json.refuse("dtype, shape and two data_offsets", concat("`", name, "` without one of them"));
  }
  return entry;
}

Metadata read_metadata(JsonReader& json) {
  Metadata metadata;
  json.object([&](const std::string& key) {
    if (json.kind() != JsonKind::text) json.refuse("metadata of texts", concat("`", key, "`"));
    if (!metadata.emplace(key, json.text()).second) {
      json.refuse("keys that occur once", concat("`", key, "` twice"));
    }
  });
  return metadata;
}

// What an entry says of itself must agree: dtype, shape, and how many bytes it has.
DType check_entry(const Entry& entry, uint64_t data_bytes, const std::string& file) {
  const std::optional<DType> dtype = find_safetensors_dtype(entry.dtype);
  if (!dtype) {
    refuse_file(file, concat("dtypes ", join(kSafetensorsDTypes, ", ", &SafetensorsDType::name)),
                concat("`", entry.dtype, "` of `", entry.name, "`"));
  }
  const std::optional<int64_t> count = element_count(entry.shape);
  const int64_t begin = entry.offsets[0], end = entry.offsets[1];
  if (begin < 0 || end < begin || static_cast<uint64_t>(end) > data_bytes) {
    refuse_file(file, concat("data_offsets within ", data_bytes, " bytes"),
                concat("[", begin, ", ", end, "] of `", entry.name, "`"));
  }
  if (!count || *count > (int64_t{1} << 58) ||
      bytes_for(*dtype, *count) != static_cast<uint64_t>(end - begin)) {
    refuse_file(
        file, "as many bytes as shape and dtype take",
        concat(end - begin, " for ", entry.dtype, to_text(entry.shape), " of `", entry.name, "`"));
  }
  return *dtype;
}

// Every byte of the data belongs to exactly one tensor.
void check_coverage(const std::vector<Entry>& entries, uint64_t data_bytes,
                    const std::string& file) {
  std::vector<const Entry*> by_offset;
  for (const Entry& entry : entries) by_offset.push_back(&entry);
  std::ranges::sort(by_offset, {}, [](const Entry* e) { return e->offsets; });
  uint64_t end = 0;
  for (const Entry* entry : by_offset) {
    const auto begin = static_cast<uint64_t>(entry->offsets[0]);
    if (begin != end) {
      refuse_file(file, concat("tensors one behind the other, the next at ", end),
                  concat(begin < end ? "an overlap at " : "a hole before ", begin, ", where `",
                         entry->name, "` begins"));
    }
    end = static_cast<uint64_t>(entry->offsets[1]);
  }
  if (end != data_bytes) {
    refuse_file(file, concat("tensors that take all ", data_bytes, " bytes behind the header"),
                to_text(end));
  }
}

// Of a file that is something else there is more to say than that its header is wrong.
void check_format(const MappedFile& file) {
  const FileFormat format = recognize(file);
  if (format == FileFormat::safetensors) return;
  // A damaged file is left to its reader: the upper bytes of a length are zero, unlike those of a text.
  const auto bytes = file.bytes();
  const bool has_length =
      bytes.size() >= 8 &&
      std::ranges::all_of(bytes.subspan(5, 3), [](auto byte) { return byte == std::byte{0}; });
  if (format != FileFormat::unknown || !has_length) {
    refuse_file(file.name(), "a file of safetensors", name(format));
  }
}

}  // namespace

WeightFile read_safetensors(const Ref<MappedFile>& file) {
  check_format(*file);
  ByteReader reader(file->bytes(), file->name());
  const auto length = reader.read<uint64_t>("length of the header");
  if (length > kMostHeaderBytes) {
    reader.refuse(concat("a header of at most ", kMostHeaderBytes, " bytes"), to_text(length));
  }
  const std::string_view header = reader.text(length, "header");
  const uint64_t start = reader.position(), data_bytes = reader.left();
  if (!header.starts_with('{')) reader.refuse("a header that starts with `{`", "another");
  JsonReader json(header, file->name());
  std::vector<Entry> entries;
  Metadata metadata;
  bool has_metadata = false;
  json.object([&](const std::string& key) {
    if (key != "__metadata__") {
      entries.push_back(read_entry(json, key));
    } else if (std::exchange(has_metadata, true)) {
      json.refuse("keys that occur once", "`__metadata__` twice");
    } else {
      metadata = read_metadata(json);
    }
  });
  json.end();
  std::vector<DType> dtypes;
  for (const Entry& entry : entries) {
    dtypes.push_back(check_entry(entry, data_bytes, file->name()));
  }
  check_coverage(entries, data_bytes, file->name());
  std::vector<StoredTensor> stored;
  stored.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    const uint64_t offset = start + static_cast<uint64_t>(entry.offsets[0]);
    stored.push_back({entry.name, entry.shape, tensor_of(file, offset, dtypes[i], entry.shape)});
  }
  return {file->name(), "safetensors", std::move(stored), std::move(metadata)};
}

}  // namespace ridge::files
