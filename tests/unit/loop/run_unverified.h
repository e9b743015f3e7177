// Runs a kernel over tiles that the verifier need not accept: what the interpreter itself reports.
#pragma once

#include <string>
#include <vector>

#include "ridge/loop/tile_machine.h"
#include "tests/unit/loop/run_kernel.h"

namespace ridge::loop {

template <class... Vectors>
void run_unverified(const std::string& text, std::vector<int64_t> sizes, const Options& options,
                    Vectors&... buffers) {
  const std::vector<void*> data = {const_cast<void*>(static_cast<const void*>(buffers.data()))...};
  run_tiles(parse(text), data, sizes, options);
}

}  // namespace ridge::loop
