// Mistakes in what was asked for are wrong usage, exit code 2, whoever finds them: the parser of the
// command line, or the library that is handed its words.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "ridge/base/error.h"
#include "ridge/core/device.h"
#include "ridge/cost/sheets.h"

namespace ridge::command {

// What is planned for a GPU that is not here is planned for this one, unless the command says another.
inline constexpr const char* kUsualGpu = "h200";

// Runs `action`, whose errors about names, types, shapes and values become those of usage. For what
// reads words of the command line; files that are broken are failures and not wrong usage.
template <class Action>
auto as_usage(const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    switch (error.code()) {
      case ErrorCode::unknown_name:
      case ErrorCode::dtype:
      case ErrorCode::shape:
      case ErrorCode::value:
      case ErrorCode::parse: throw CLI::ValidationError(error.what());
      default: throw;
    }
  }
}

// The sheet of that name, and of this machine for `cpu`. An unknown name is wrong usage, a sheet
// that cannot be read is none.
inline std::shared_ptr<const cost::Sheet> sheet_for(const std::string& name) {
  if (name == "cpu") return cost::this_cpu();
  try {
    return cost::find_sheet(name);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::unknown_name) throw CLI::ValidationError(error.what());
    throw;
  }
}

// "cpu", "cuda" or "cuda:1". Error{value} for anything else.
Device device_named(const std::string& name);

// What a number on the command line may be; anything else is wrong usage, and the message says which.
//
//   command->add_option("--rows", rows, "...")->check(whole_number(0, kMostRows));
//   ridge explain --rows -1      --rows: expected a whole number from 0 to 1048576, given `-1`
//
// The parser alone takes -1 for an unsigned number, and NaN for one in any range.

CLI::Validator whole_number(uint64_t least, uint64_t most);
CLI::Validator real_number(double least, double most);

}  // namespace ridge::command
