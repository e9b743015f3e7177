// A file by the reader of its format.
#include "ridge/files/byte_reader.h"
#include "ridge/files/file_format.h"
#include "ridge/files/gguf.h"
#include "ridge/files/npy.h"
#include "ridge/files/pytorch.h"
#include "ridge/files/safetensors.h"
#include "ridge/files/weights.h"
#include "ridge/files/zip.h"

namespace ridge::files {
namespace {

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

WeightFile read_array(const Ref<MappedFile>& file) {
  const Tensor array = read_npy(file);
  Ints shape;
  for (const Size& size : array.shape()) shape.push_back(size.value());
  std::vector<StoredTensor> stored;
  stored.push_back({"array", shape, array});
  return {file->name(), "npy", std::move(stored)};
}

}  // namespace

WeightFile read_weights(const Ref<MappedFile>& file) {
  switch (recognize(*file)) {
    case FileFormat::safetensors: return read_safetensors(file);
    case FileFormat::json: return read_safetensors_index(file);
    case FileFormat::gguf: return Gguf::read(file).weights();
    case FileFormat::zip: return read_archive(file);
    case FileFormat::npy: return read_array(file);
    case FileFormat::pickle:
      // Before PyTorch 1.6 files were several of them behind each other.
      refuse_file(file->name(), "a zip file of PyTorch, as torch.save writes from version 1.6 on",
                  "a pickle without one, which torch.load and torch.save make one of");
    case FileFormat::unknown: break;
  }
  refuse_file(file->name(),
              "safetensors, an index of them, GGUF, npy, npz or a zip file of PyTorch",
              "none of these");
}

WeightFile open_weights(const std::filesystem::path& path, Location where) {
  return located("open_weights", where, [&] { return read_weights(MappedFile::open(path)); });
}

}  // namespace ridge::files
