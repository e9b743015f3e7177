// The error of a memory budget that cannot be met: it says the smallest that can.
#pragma once

#include <cstdint>
#include <string>

namespace ridge::driver {

// Error{memory}; its line is added by whoever knows the function.
[[noreturn]] void throw_unmet_budget(int64_t budget, int64_t least, std::string hint);

}  // namespace ridge::driver
