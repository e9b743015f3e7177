// Kernels from files, which anybody may have written.
#pragma once

#include <string_view>

#include "ridge/loop/loop.h"

namespace ridge::loop {

// As `parse`, and verified: what is returned keeps the rules of loop.h. Error{parse} that names the file,
// and the line or the statement.
Kernel read(std::string_view text, std::string_view file);

}  // namespace ridge::loop
