// A vector loop whose body divides its axis by the size of a block: numbers of quantized weights.
//
// Rounds are of several vectors, a block of 32 as 2 x 16: which half of the block a vector is at is known in each, and
// they share what they load. Each vector has partials of its own. What is left is emitted under a mask.
//
// Several rows of a product are taken at once: they share the loads of the other factor, and the f16 scales of a strip
// of rounds are converted beforehand. Each row is computed as it is alone, with the same bits.
//
//   for (strip = 0; strip < rounds; strip += 8)
//     for (round in strip) for (row) scales[round][row] = f32(scales of its blocks)
//     for (round in strip) for (block in round) for (row) for (vector of block) body
//
// 32 numbers of Q4_1 on a core of Zen 5: 3 shuffles and 3 FMAs on three ports are 2 cycles, and are 2.7 to 2.9. A row
// at a time they were 3.6 to 3.8, two scales being converted in all lanes and five loads waiting for two ports.
#pragma once

#include <span>

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

struct BlockLoop {
  const loop::Loop* loop;
  unsigned lanes;  // of a register
  int64_t block;   // numbers
  int64_t round;   // numbers
};

// Nothing where the body has no blocks of more numbers than a register has lanes.
std::optional<BlockLoop> find_blocks(const loop::Loop& loop, const loop::Kernel& kernel,
                                     const CpuTarget& target);

// In the frame of each row; that of `emission` is as theirs but for the row's axis and values.
void emit_block_loop(Emission& emission, const BlockLoop& blocks, std::span<Frame> rows);

// How many tasks, neighbors along `axis`, are worth taking at once: 1, unless each is one sum over blocks.
unsigned rows_at_once(const loop::Body& task, int axis, const loop::Kernel& kernel,
                      const CpuTarget& target);

// That many tasks from where the frame is on.
void emit_rows(Emission& emission, const loop::Body& task, int axis, unsigned count);

}  // namespace ridge::codegen
