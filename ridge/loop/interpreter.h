// Runs a loop kernel on the host, exactly as loop.h says it means, for CPU and GPU mappings alike.
//
//   Counts counts = run(kernel, {x, out}, {n, m});
//   if (counts.status != KernelStatus::ok) ...       // an index out of range
//   counts.loads.sectors == counts.loads.ideal_sectors   // every load was coalesced
//
// In: a kernel that `verify` accepts, the memory of its global buffers in order, its params. Out:
// the buffers written, and counts that say how well the accesses suit the machine.
// - CPU mapping: one task after another (in reverse if asked, to show that the order is free),
//   vector loops `lanes` iterations at a time, with one partial for each lane.
// - GPU mapping: one block, or cluster of blocks, after another; all threads of it, and all lanes of
//   their vector loops, in lock step, statement by statement, under masks.
// An access outside of its buffer, a read of shared or local memory nobody wrote, a barrier that only
// some threads reach and (unless counted) a race are each an Error{internal} that names the kernel,
// buffer and element. Elements of storage-only dtypes are an Error{dtype}. After a reported index
// error the results are of no value, so from then on accesses out of range are skipped.
//
// - Tiles (tile.h): blocks one after another, see tile_machine.h for what is checked; of the traffic only
//   elements and bytes are counted.
//
// Note [Races]: two accesses of one element race if one is a write and nothing orders them. On a
// CPU: accesses of two tasks, or of two iterations of one run of a vector loop. On a GPU: accesses
// of two threads of a block with no barrier between, of two blocks at any time, or of two iterations
// of one run of a thread's vector loop. The destination of an async_copy races with whatever touches
// it, and its source with whatever writes it, before that thread's wait_copies for it. A bulk_copy orders what its block
// reads of its elements before and afterwards, and nothing else. That threads of a warp happen to run
// in step orders nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ridge/core/kernel_abi.h"
#include "ridge/loop/loop.h"

namespace ridge::loop {

enum class OnRace : uint8_t { fail, count, ignore };

// When asynchronous copies and dots take effect: as late as the kernel allows, or where they are issued.
enum class Completion : uint8_t { late, early };

struct Options {
  int lanes = 8;               // of vector loops
  bool reverse_tasks = false;  // thread tasks, and GPU blocks, from the last to the first
  int line_bytes = 32;         // of memory: what one access to a sector moves
  OnRace on_race = OnRace::fail;
  // Of kernels with tiles (tile_machine.h):
  std::vector<int64_t> tile_sizes{};  // those that the kernel names
  int64_t blocks = 2;                 // that share the tiles of persistent loops
  Completion completion = Completion::late;
};

// Accesses go by groups: the active lanes of a warp (CPU: of the vector loop, else one lane) at one
// load or store. In a vector loop of a GPU that is one access of all lanes of all threads where it is
// contiguous along the loop or the same in all of it, else one for each iteration. A bulk_copy is one load
// and one store, of all of its elements. A buffer starts at the start of a sector. Local buffers are
// registers and not counted.
struct Traffic {
  int64_t accesses = 0;       // by groups
  int64_t sectors = 0;        // distinct ones, summed over the accesses
  int64_t ideal_sectors = 0;  // that the distinct bytes of each access would fill
  int64_t elements = 0;       // by lanes
  int64_t bytes = 0;

  bool operator==(const Traffic&) const = default;
};

struct BufferCounts {
  Traffic loads, stores;
  int64_t bank_conflicts = 0;  // shared buffers only
};

// Of kernels with tiles. Bytes of copies are those of whole boxes.
struct TileCounts {
  int64_t boxes_in = 0, boxes_out = 0;
  int64_t box_bytes_in = 0, box_bytes_out = 0;
  int64_t dots = 0;
  int64_t dot_flops = 0;
  int64_t move_conflicts =
      0;                  // passes beyond the first that moves into or out of shared tiles take
  int64_t unwritten = 0;  // elements of `out` buffers that nobody wrote

  bool operator==(const TileCounts&) const = default;
};

struct Counts {
  KernelStatus status = KernelStatus::ok;
  Traffic loads, stores;  // of global buffers
  Traffic shared_loads, shared_stores;
  // Passes beyond the first over shared memory: 32 banks of 4 bytes, of which each serves one word
  // in a pass.
  int64_t bank_conflicts = 0;
  // An `if`, `select` or loop on which active lanes of a warp disagree, each time a warp gets there.
  int64_t divergent_warps = 0;
  int64_t barriers = 0;   // by blocks
  int64_t exchanges = 0;  // collective reductions, by blocks
  int64_t races = 0;
  std::vector<BufferCounts> buffers;  // one for each buffer of the kernel
  TileCounts tiles;
};

Counts run(const Kernel& kernel, std::span<void* const> buffers, std::span<const int64_t> sizes,
           const Options& options = {});

}  // namespace ridge::loop
