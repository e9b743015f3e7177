// Where a kernel comes from, in few words: its ops, and the layers or lines of the user's program.
#pragma once

#include <string>
#include <vector>

#include "ridge/driver/kernel_row.h"

namespace ridge::driver {

// "add mul*3 exp": each op once, in order of appearance, with how often it occurs.
std::string ops_text(const std::vector<std::string>& ops);

// "block.0.{attention.output mlp_norm}", or where no layer is known "demo_model.cpp:48,52".
std::string place_text(const KernelRow& row);

}  // namespace ridge::driver
