// One launch for many entries: each is a call of the same kernel, with buffers and params of its own, which
// stand in a table (core/batch_layout.h).
//
// A block finds its entry by bisection, which is the same for all of its threads, and is then the block
// of an ordinary launch.
#pragma once

#include <string>

#include "ridge/codegen/cuda/generate.h"
#include "ridge/core/batch_layout.h"

namespace ridge::codegen {

namespace cuda {

struct Emission;

// The parts of a kernel that runs a batch.
class EntryWriter {
 public:
  EntryWriter(Emission& emission, int size_bits);

  std::string type() const;      // of the table
  std::string argument() const;  // the table
  // Finds the entry of this block and what belongs to it. Gives the number of the block in the entry.
  std::string write() const;

 private:
  std::string member(const BatchLayout::Array& array) const;  // of the struct

  Emission& emission_;
  int size_bits_;
  std::string size_type_;
  std::string type_, table_, entry_, first_block_;  // names
};

}  // namespace cuda
}  // namespace ridge::codegen
