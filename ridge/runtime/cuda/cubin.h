// Whether bytes are a whole cubin, before the driver is given them.
//
// The driver takes a pointer without a size and reads offsets out of what it finds there: a file
// that was cut short would make it read past the end. So the tables of the ELF file are checked
// first; what they hold is the driver's to judge.
#pragma once

#include <string>
#include <string_view>

namespace ridge::runtime::cuda {

// Why the bytes cannot be one, "3 bytes, too few for a header"; empty if they may be.
std::string cubin_problem(std::string_view bytes);

}  // namespace ridge::runtime::cuda
