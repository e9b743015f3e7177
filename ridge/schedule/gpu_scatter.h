// A scatter on a GPU: whoever owns an element of the result adds to it whatever is meant for it, in
// the order of the points, so the result has the same bits as one thread going through all of them.
//
//   gradient of an embedding: result[50257, 768], index[16384], from[16384, 768]
//     columns   axes that a point and its target share: a thread takes 4 neighboring ones
//     slots     where the index leads: block g of G takes those that leave g when divided by G
//     scan      each block reads the whole index, 32 points to a warp, and notes in shared memory which
//               are its own; runs of 32 without one are skipped
//
// Cost: each of the G blocks of a tile of columns reads the index once (from L2), and adds the points
// of a slot one after the other: a scatter into few slots is as slow as its longest list. An index
// that differs from column to column is read by the thread of each column instead.
#pragma once

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

EmittedKernel gpu_scatter(const LoopInput& input);

}  // namespace ridge::schedule
