// What a number on the command line may be; anything else is wrong usage, and the message says which.
//
//   command->add_option("--rows", rows, "...")->check(whole_number(0, kMostRows));
//   ridge explain --rows -1      --rows: expected a whole number from 0 to 1048576, given `-1`
//
// The parser alone takes -1 for an unsigned number, and NaN for one in any range.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace ridge::command {

CLI::Validator whole_number(uint64_t least, uint64_t most);
CLI::Validator real_number(double least, double most);

}  // namespace ridge::command
