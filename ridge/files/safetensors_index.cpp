// Weights in several files, which an index names.
#include <map>

#include "ridge/base/json_reader.h"
#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"
#include "ridge/files/safetensors.h"

namespace ridge::files {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostIndexBytes = 100'000'000;

// A name, not a path: nothing outside of the folder of the index is opened.
void check_plain_name(const std::string& name, const std::string& index) {
  const bool is_plain = !name.empty() && name != "." && name != ".." &&
                        name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
  if (!is_plain) {
    refuse_file(index, "names of files in the folder of the index", concat("`", name, "`"));
  }
}

// Names of tensors, each with the file that it is in.
std::map<std::string, std::string> read_weight_map(const Ref<MappedFile>& index) {
  const std::span<const std::byte> bytes = index->bytes();
  if (bytes.size() > kMostIndexBytes) {
    refuse_file(index->name(), concat("at most ", kMostIndexBytes, " bytes"),
                to_text(bytes.size()));
  }
  JsonReader json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, index->name());
  std::map<std::string, std::string> map;
  json.object([&](const std::string& key) {
    if (key != "weight_map") return json.skip();
    json.object([&](const std::string& name) {
      const std::string file = json.text();
      check_plain_name(file, index->name());
      if (!map.emplace(name, file).second) {
        json.refuse("names that occur once", concat("`", name, "` twice"));
      }
    });
  });
  json.end();
  if (map.empty()) refuse_file(index->name(), "a weight_map with names of tensors", "none");
  return map;
}

}  // namespace

WeightFile read_safetensors_index(const Ref<MappedFile>& index) {
  const std::map<std::string, std::string> map = read_weight_map(index);
  const fs::path folder = fs::path(index->name()).parent_path();
  std::map<std::string, WeightFile> shards;
  std::vector<StoredTensor> stored;
  stored.reserve(map.size());
  std::vector<std::string> missing;
  for (const auto& [name, file] : map) {
    auto shard = shards.find(file);
    if (shard == shards.end()) {
      shard = shards.emplace(file, read_safetensors(MappedFile::open(folder / file))).first;
    }
    if (const StoredTensor* found = shard->second.find(name)) {
      stored.push_back(*found);
    } else {
      missing.push_back(concat("`", name, "` of ", file));
    }
  }
  if (!missing.empty()) {
    refuse_file(index->name(), "tensors that are in the files named for them",
                concat(join(missing, ", "), " missing"));
  }
  return {index->name(), "safetensors index", std::move(stored)};
}

}  // namespace ridge::files
