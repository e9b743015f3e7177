// Rows that stream through the shared memory of a cluster: Note [Pipelined loop] in loop/loop.h.
//
//   for i3 in rows {                         one warp               the others
//     fetch x_row = x[..] for n              for each row           for each row i, and `lag` times more
//     var v0 = 0.0                             wait for room          wait for row i
//     ... v0 sum= v3                    ->     fetch it               ... sums; tell them to all warps
//     cluster_reduce sum v0                                           hear those of row i - lag
//     ... column[..] = ..                                             ... its second half; make room
//   }
//
// Shared memory has room for several rows, so copies are under way all the time; sums of a row are under way
// while threads compute first halves of the next `lag` rows. Nobody waits for all threads of a block. A thread adds its
// own elements one after the other: products are added in one instruction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen::cuda {

struct Emission;

inline constexpr int64_t kStreamLine = 128;  // bytes of memory that travel together

struct StreamPlan {
  const loop::Loop* loop;              // over rows
  std::vector<loop::Fetch> fetches;    // at its start
  size_t first_across, behind_across;  // statements of its body
  std::vector<int> sums;               // vars that are combined
  int blocks, warps;                   // of a cluster; of a block, that compute
  int on_a_unit;                       // blocks that share its memory and registers
  int64_t rows;                        // that shared memory has room for
  std::vector<int64_t> rooms;          // by fetch: where its elements lie in the room of a row
  int64_t row_bytes;                   // of the room of a row
  int64_t lag;                         // rows that second halves are behind first ones
  // Loops along a row come to its elements one after the other, in both halves: some of them have a chunk of
  // it. In front of which loops of the first half it must be there, behind which of the second it may go.
  std::vector<size_t> first_loops, second_loops;  // statements of the body
  std::vector<int64_t> chunk_ends;                // bytes of an array, up to which they come

  int64_t bytes() const { return rows * row_bytes; }
  int64_t own_bytes() const;  // barriers and sums
  bool holds(int buffer) const;
  bool is_inside(const loop::Statement& statement) const;  // its loop
  std::string shared_type() const;                         // ridge::StreamShared<...>
  std::string type() const;                                // ridge::Stream<...>
};

// Nothing if the kernel has no stream, or none that this can do: it is then written as any other loop.
std::optional<StreamPlan> stream_plan(const loop::Kernel& kernel, const CudaTarget& target);

// Is the first half of a row apart from the second, but for the sums?
bool has_halves(const loop::Kernel& kernel, const StreamPlan& plan);
// Fills in the loops along a row, and the chunks that they go through; all of the row where they are not alike
// in both halves.
void find_chunks(const loop::Kernel& kernel, StreamPlan& plan);

// The program of a block, whose stream is emission.stream.
void write_streaming(Emission& emission, const loop::Body& program);
// Its loop over rows, by a thread that computes.
void write_stream(Emission& emission, const loop::Loop& loop);
// Outside of such a program: all threads copy.
void write_fetch(Emission& emission, const loop::Fetch& fetch);

}  // namespace ridge::codegen::cuda
