// What a row asks of memory for itself comes first in its program, so that the answer is there when the
// row is done: a target's logit, say, which is looked up by an index that is read.
//
//   for i3 in rows {                       for i3 in rows {
//     ... three passes over the row          let v7 = target[i3]
//     let v7 = target[i3]             ->     let v8 = x[n * i3 + v7]
//     let v8 = x[n * i3 + v7]                ... three passes over the row
//
// Blocks that walk over rows would wait for both once a row, with nothing else to do meanwhile.
#pragma once

#include "ridge/loop/loop.h"

namespace ridge::schedule {

// `body` is the program of a row. What it loads from buffers that the kernel writes stays where it is.
void ask_early(const loop::Kernel& kernel, loop::Body& body);

}  // namespace ridge::schedule
