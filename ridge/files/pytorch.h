// PyTorch's files: zip archives of a pickle and the storages that its tensors view.
//
//   NAME/data.pkl                what the file says: dicts and tensors (files/pickle.h)
//   NAME/data/0, NAME/data/1     storages, mapped without a copy
//
//   WeightFile weights = read_pytorch(ZipFile(MappedFile::open("model.pt")));
//
// Tensors keep their strides, and those that share a storage share memory. Tensors of nested dicts have
// their keys joined by dots. Models saved as code (TorchScript, whole modules) are refused: no code is run.
#pragma once

#include "ridge/files/weights.h"
#include "ridge/files/zip.h"

namespace ridge::files {

// Is there a data.pkl in it?
bool is_pytorch(const ZipFile& zip);
WeightFile read_pytorch(const ZipFile& zip);

}  // namespace ridge::files
