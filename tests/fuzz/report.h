// What is said of a case that fails: the smallest one that fails alike, and the file to run it from.
//
// A case that passes by itself failed because of what ran before it in the same process; then the
// cases before are searched for those it needs.
#pragma once

#include <string>

#include "tests/fuzz/workers.h"

namespace ridge::fuzz {

struct ReportOptions {
  std::string folder = ".";
  bool is_shrunk = true;
};

void print(const Outcome& outcome);

// Prints, leaves the files, and returns the nodes of the smallest case.
size_t report(const Settings& settings, const ReportOptions& options, uint64_t number,
              const Outcome& outcome);

}  // namespace ridge::fuzz
