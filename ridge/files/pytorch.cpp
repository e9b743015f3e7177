#include "ridge/files/pytorch.h"

#include <algorithm>
#include <map>

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

// Storages as flat tensors, each made once: its tensors share its memory also where that is a copy, and a
// file that names one storage many times does not multiply it.
class FlatStorages {
 public:
  FlatStorages(const ZipFile& zip, std::string prefix) : zip_(zip), prefix_(std::move(prefix)) {}

  const ZipEntry* find(const PickledTensor& tensor) const {
    return zip_.find(concat(prefix_, "/data/", tensor.storage));
  }
  const Tensor& flat(const ZipEntry& entry, DType dtype, int64_t elements) {
    const auto [at, is_new] = made_.try_emplace({entry.offset, ridge::name(dtype)});
    if (is_new) at->second = tensor_of(zip_.file(), entry.offset, dtype, {elements});
    return at->second;
  }

 private:
  const ZipFile& zip_;
  std::string prefix_;
  std::map<std::pair<uint64_t, std::string_view>, Tensor> made_;
};

Tensor tensor_in(const ZipFile& zip, FlatStorages& storages, const std::string& name,
                 const PickledTensor& tensor) {
  const std::string& file = zip.file()->name();
  const ZipEntry* entry = storages.find(tensor);
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
  const Tensor& flat = storages.flat(*entry, tensor.dtype, elements);
  return Tensor::view_of(Ref<Storage>(&flat.storage()), shape_of(tensor.shape),
                         shape_of(tensor.strides), flat.offset() + tensor.offset, tensor.dtype);
}

}  // namespace

bool is_pytorch(const ZipFile& zip) { return find_pickle(zip) != nullptr; }

WeightFile read_pytorch(const ZipFile& zip) {
  const ZipEntry* pickle = find_pickle(zip);
  if (pickle == nullptr) refuse_file(zip.file()->name(), "an entry data.pkl", "none");
  const std::string prefix = pickle->name.substr(0, pickle->name.size() - kPickleEnding.size());
  check_byte_order(zip, prefix);
  FlatStorages storages(zip, prefix);
  std::vector<StoredTensor> stored;
  for (const auto& [name, tensor] : read_pickled_tensors(zip.stored(*pickle), zip.file()->name())) {
    stored.push_back({name, tensor.shape, tensor_in(zip, storages, name, tensor)});
  }
  return {zip.file()->name(), "PyTorch", std::move(stored)};
}

}  // namespace ridge::files
