// ridge_fuzz --kind=views: random programs of views, writes and shared memory, compiled = eager.
//
// Every program runs captured and replayed, and its plans for a CPU and a GPU in the loop interpreter;
// one that is called with several sizes also with symbols for them; every 25th is also compiled to
// machine code, which takes hundreds of times as long. A program that fails is made small, printed and left
// as a file, with the command that runs it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/fuzz/view_paths.h"

namespace ridge::fuzz {

struct ViewSettings {
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t count = 5000;
  int jobs = 2;
  int most_failures = 5;
  std::optional<ViewPath> only{};
  bool is_list = false;
  Plant plant = Plant::none;
  std::string folder = ".";
};

// Prints what fails and a summary; returns the number of failures.
uint64_t run_views(const ViewSettings& settings);

}  // namespace ridge::fuzz
