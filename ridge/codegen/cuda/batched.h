// One launch for many entries: each is a call of the same kernel, with buffers and params of its own.
//
//   struct Entries {             // the first argument, by value
//     float* p[150];             // by entry: a buffer of its own,
//     int n[150];                // a param,
//     int first_block[150];      // and where its blocks begin in the grid
//   };
//
// A block finds its entry by bisection, which is the same for all of its threads, and is then the block
// of an ordinary launch. Buffers that all entries share are ordinary arguments. A launch fills the table
// in as execute/cuda_batch.h says.
#pragma once

#include <string>

#include "ridge/codegen/cuda/generate.h"

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
  Emission& emission_;
  std::string size_type_;
  std::string type_, table_, entry_, first_block_;  // names
};

}  // namespace cuda
}  // namespace ridge::codegen
