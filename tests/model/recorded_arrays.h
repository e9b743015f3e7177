// The arrays of a file that bench/export_transformer.py wrote, by name.
#pragma once

#include <map>
#include <string>

#include "ridge/core/tensor.h"

namespace ridge::testing {

std::map<std::string, Tensor> read_arrays(const std::string& path);

}  // namespace ridge::testing
