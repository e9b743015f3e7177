// Elements between memory and registers.
//
// A mask says which lanes may touch memory; where it is off, a load gives zero (or any value) and
// a store does nothing. Null stands for all lanes.
#pragma once

#include "ridge/codegen/llvm/code.h"

namespace ridge::codegen {

struct Place {
  Value* buffer;  // pointer to element 0
  DType dtype;
  bool is_constant = false;  // nothing writes to it while the kernel runs
};

// One element. `guard` is a scalar.
Value* load_one(Code& code, const Place& place, Value* index, Value* guard);
// `lanes` elements beside each other from `index` on.
Value* load_run(Code& code, const Place& place, Value* index, unsigned lanes, Value* mask);
// An element for each lane; `indices` has lanes.
Value* gather(Code& code, const Place& place, Value* indices, Value* mask);

void store_one(Code& code, const Place& place, Value* index, Value* value);
void store_run(Code& code, const Place& place, Value* index, Value* value, Value* mask);
void scatter(Code& code, const Place& place, Value* indices, Value* value, Value* mask);

}  // namespace ridge::codegen
