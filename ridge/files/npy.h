// NumPy's .npy and .npz: one array, or a zip archive of them, stored or deflated.
//
//   Tensor x = read_npy(MappedFile::open("x.npy"));                 f32[2, 3], not copied
//   WeightFile arrays = read_npz(ZipFile(file));   named by their entries without ".npy"
//
// Arrays of bool, integers and floats of 16 to 64 bits, little-endian; in Fortran's order too, by strides.
// Structured arrays, objects, texts and big-endian numbers are refused by Error{parse} that names them.
#pragma once

#include "ridge/files/weights.h"
#include "ridge/files/zip.h"

namespace ridge::files {

Tensor read_npy(const Ref<MappedFile>& file);
WeightFile read_npz(const ZipFile& zip);

// Do the bytes begin as an .npy does?
bool is_npy(std::span<const std::byte> bytes);

}  // namespace ridge::files
