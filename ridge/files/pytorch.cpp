#include "ridge/files/pytorch.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"
#include "ridge/files/pickle.h"

namespace ridge::files {
namespace {

constexpr std::string_view kPickleEnding = "/data.pkl";

const ZipEntry* find_pickle(const ZipFile& zip) {
  const auto is_pickle = [](const ZipEntry& entry) {
    return entry.name.ends_with(kPickleEnding) && std::ranges::count(entry.name, '/') == 1;
  };
  const auto found = std::ranges::find_if(zip.entries(), is_pickle);
  return found == zip.entries().end() ? nullptr : &*found;
}

void check_byte_order(const ZipFile& zip, const std::string& prefix) {
  const ZipEntry* order = zip.find(concat(prefix, "/byteorder"));
  if (order == nullptr) return;  // files before PyTorch 2.1 have none, and are little-endian
  const std::span<const std::byte> bytes = zip.stored(*order);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text != "little")
    refuse_file(zip.file()->name(), "little-endian tensors", "another byte order");
}

Tensor tensor_in(const ZipFile& zip, const std::string& prefix, const std::string& name,
                 const PickledTensor& tensor) {
  const std::string& file = zip.file()->name();
  const ZipEntry* entry = zip.find(concat(prefix, "/data/", tensor.storage));
  if (entry == nullptr) {
    refuse_file(file, concat("the storage `", tensor.storage, "` of `", name, "`"), "none");
  }
  const uint64_t bytes = zip.stored(*entry).size(), width = tensor.dtype.bits / 8;
  const std::optional<int64_t> extent = extent_of(tensor.shape, tensor.strides);
  const auto elements = static_cast<int64_t>(bytes / width);
  const bool is_inside = tensor.storage_elements >= 0 && tensor.storage_elements == elements &&
                         extent && tensor.offset >= 0 && tensor.offset <= elements &&
                         *extent <= elements - tensor.offset;
  if (!is_inside) {
    refuse_file(file, concat("tensors within their storage of ", bytes, " bytes"),
                concat(ridge::name(tensor.dtype), to_text(tensor.shape), " with strides ",
                       to_text(tensor.strides), " at ", tensor.offset, " of `", name, "`"));
  }
  // An expanded tensor can be of any size, and the next op that reads it would make it so.
  if (*element_count(tensor.shape) > elements) {
    refuse_file(file, "tensors of no more elements than their storage",
                concat(to_text(tensor.shape), " of `", name, "`"));
  }
  return strided_tensor_of(zip.file(), entry->offset + static_cast<uint64_t>(tensor.offset) * width,
                           tensor.dtype, tensor.shape, tensor.strides);
}

}  // namespace

bool is_pytorch(const ZipFile& zip) { return find_pickle(zip) != nullptr; }

WeightFile read_pytorch(const ZipFile& zip) {
  const ZipEntry* pickle = find_pickle(zip);
  if (pickle == nullptr) refuse_file(zip.file()->name(), "an entry data.pkl", "none");
  const std::string prefix = pickle->name.substr(0, pickle->name.size() - kPickleEnding.size());
  check_byte_order(zip, prefix);
  std::vector<StoredTensor> stored;
  for (const auto& [name, tensor] : read_pickled_tensors(zip.stored(*pickle), zip.file()->name())) {
    stored.push_back({name, tensor.shape, tensor_in(zip, prefix, name, tensor)});
  }
  return {zip.file()->name(), "PyTorch", std::move(stored)};
}

}  // namespace ridge::files
