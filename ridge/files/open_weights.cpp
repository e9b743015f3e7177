// Which format a file has, by its first bytes.
#include "ridge/base/text.h"
#include "ridge/files/byte_reader.h"
#include "ridge/files/gguf.h"
#include "ridge/files/npy.h"
#include "ridge/files/pytorch.h"
#include "ridge/files/safetensors.h"
#include "ridge/files/weights.h"
#include "ridge/files/zip.h"

namespace ridge::files {
namespace {

std::string_view beginning(const MappedFile& file, size_t offset, size_t length) {
  const auto bytes = file.bytes();
  if (bytes.size() < offset + length) return {};
  return {reinterpret_cast<const char*>(bytes.data()) + offset, length};
}

WeightFile read_archive(const Ref<MappedFile>& file) {
  const ZipFile zip(file);
  if (is_pytorch(zip)) return read_pytorch(zip);
  WeightFile arrays = read_npz(zip);
  if (arrays.tensors().empty() && !zip.entries().empty()) {
    refuse_file(file->name(), "a zip archive with a data.pkl (PyTorch) or .npy files (NumPy)",
                "another");
  }
  return arrays;
}

}  // namespace

WeightFile read_weights(const Ref<MappedFile>& file) {
  if (beginning(*file, 0, 4) == "GGUF") return Gguf::read(file).weights();
  // An empty archive is its last record alone.
  if (is_zip(file->bytes()) || beginning(*file, 0, 4) == "PK\x05\x06") return read_archive(file);
  if (is_npy(file->bytes())) {
    const Tensor array = read_npy(file);
    Ints shape;
    for (const Size& size : array.shape()) shape.push_back(size.value());
    std::vector<StoredTensor> stored;
    stored.push_back({"array", shape, array});
    return {file->name(), "npy", std::move(stored)};
  }
  // The first eight bytes of safetensors are a length, whose upper bytes are zero.
  if (beginning(*file, 8, 1) == "{" && beginning(*file, 5, 3) == std::string_view("\0\0\0", 3)) {
    return read_safetensors(file);
  }
  // Opcode 0x80 starts a pickle. Before PyTorch 1.6 files were several of them behind each other.
  if (beginning(*file, 0, 1) == "\x80") {
    refuse_file(file->name(), "a zip file of PyTorch, as torch.save writes from version 1.6 on",
                "a pickle without one, which torch.load and torch.save make one of");
  }
  const std::string_view start = beginning(*file, 0, std::min<size_t>(file->bytes().size(), 64));
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first != start.npos && start[first] == '{') return read_safetensors_index(file);
  refuse_file(file->name(),
              "safetensors, an index of them, GGUF, npy, npz or a zip file of PyTorch",
              "none of these");
}

WeightFile open_weights(const std::filesystem::path& path, Location where) {
  return located("open_weights", where, [&] { return read_weights(MappedFile::open(path)); });
}

}  // namespace ridge::files
