// Pickles of plain data: what PyTorch's files say of their tensors. No code is run, whatever they say.
//
// A pickle is a program for a stack machine that can call any function of Python. This reader knows the
// opcodes that build dicts, lists, tuples, texts and numbers, and these names: collections.OrderedDict,
// torch._utils._rebuild_tensor_v2 and _rebuild_parameter, torch's storage types. Any other opcode or name
// is Error{parse} that says which. What comes out is plain data:
//
//   PickledTensor{storage = "0", dtype = f32, offset = 0, shape = {2, 3}, strides = {3, 1}}
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ridge/core/dtype.h"
#include "ridge/core/shape.h"

namespace ridge::files {

struct PickledTensor {
  std::string storage;  // the name of its entry in the archive
  int64_t storage_elements = 0;
  DType dtype;
  int64_t offset = 0;  // in elements, as strides are
  Ints shape, strides;
};

// The tensors inside of dicts, lists and tuples, in order, named by keys and positions: "model.0.weight".
// Other values are left out.
std::vector<std::pair<std::string, PickledTensor>> read_pickled_tensors(
    std::span<const std::byte> pickle, std::string_view file);

}  // namespace ridge::files
