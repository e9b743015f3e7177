// A kernel at given sizes, as numbers: the loops with their trip counts, and in them what is read,
// written and computed. What prices a kernel walks this tree, not the IR.
//
//   for i0 in n @cpu_thread { for i1 in m @vector { let v: f32 = exp(x[m * i0 + i1]) ... } }
//
//   Nest cpu_thread, trips n
//     Nest vector, trips m
//       BasicBlock: load x, stride 1 along i1 and m along i0; exp
//
// Trip counts are means: the last piece of a cut axis is shorter, and the body of an `if` is a nest
// without an axis whose trips are the share of threads that enter it. A stride is the difference of an index between
// the first two iterations of an axis, a span that between the first and the last: for an index with divisions both
// are approximate.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::cost {

struct AxisStep {
  int axis;
  double trips;
  int64_t stride;          // elements from the first iteration to the second
  int64_t span;            // elements from the first iteration to the last
  bool is_random = false;  // the index depends on loaded values
  int64_t warp_span = 0;   // elements from the first iteration to the 32nd
  bool is_down = false;    // the index decreases
  int warp_runs = 1;       // runs of equal steps among the first 32 iterations
};

struct MemoryAccess {
  int buffer;
  bool is_store = false;
  int element_bytes = 4;
  double elements = 0;          // of the buffer
  std::vector<AxisStep> steps;  // of the loops around, outermost first
  int64_t origin = 0;           // the element at the first iteration of all loops
  DType dtype = f32;            // in memory
  loop::Space space = loop::Space::global;
  bool is_copy = false;        // stored or copied as it is in memory, without a conversion
  bool is_prefetched = false;  // copied asynchronously to shared memory, ahead of its use
  // Elements of a bulk copy, which the whole block waits for; its last step has no axis. 0: each thread loads its own.
  double bulk_elements = 0;
};

// Functions of one execution of a block, by their number in expr::Function.
struct Operations {
  std::array<int, expr::kFunctionCount> calls{};
  std::array<int, expr::kFunctionCount> double_calls{};  // of `calls`, those in f64
  // Of `calls`, those that a GPU has shorter code for: results of 16 bits, sines and cosines of
  // arguments between -1 and 1, quotients by what a reduction gave.
  std::array<int, expr::kFunctionCount> short_calls{}, near_calls{};
  int quotients = 0;
  int half_sincos_pairs = 0;  // of `sincos_pairs`, those of 16 bits
  int sincos_pairs = 0;       // sines and cosines of one argument: the pair shares most of its work
  int fused = 0;              // sums with a product as operand: two functions, one FMA
  int double_fused = 0;       // of `fused`, those in f64
  double conversions = 0;     // of narrow elements, to and from f32
  double index_divisions = 0;  // in indices that differ from lane to lane
  int reductions = 0;
  int reduction_instructions = 0;  // of all of them; a maximum that keeps NaN takes several
  int reduction_steps = 0;         // of the longest, that wait for each other
  bool is_wide = false;            // f64 or i64: half as many lanes
  int shuffles = 0;                // values that a thread takes from another lane of its warp
  int barriers = 0;                // that all threads of a block wait at
  int cluster_barriers = 0;        // and all blocks of a cluster
};

// Statements without a loop among them, which run one after the other.
struct BasicBlock {
  std::vector<MemoryAccess> accesses;
  Operations operations;
  // In a software-pipelined loop: the exchange of one row overlaps the work on the next. Only devices
  // whose sheet has clusters get such loops.
  bool is_pipelined = false;
};

// acc[m, n] = sum over k of lhs * rhs; `epilogue` runs at every (m, n).
struct Product {
  int m_axis, n_axis, k_axis;
  double m, n, k;
  BasicBlock lhs, rhs, epilogue;
  bool is_wide = false;
  bool is_lhs_along_k = false;  // contiguous along k: no transposed packing
  bool is_rhs_along_n = false;
};

struct Nest;
using Item = std::variant<BasicBlock, Nest, Product>;

struct Nest {
  loop::Place place = loop::Place::serial;
  int axis = -1;  // -1: the whole kernel, or the body of an `if`
  double trips = 1;
  std::vector<Item> items;
};

struct KernelNest {
  Nest root;
  std::vector<double> buffer_bytes;  // of all buffers
  double tasks = 1;                  // of the thread loops, or blocks of the grid loops
  double grain = 1;                  // tasks worth another thread
  double block_threads = 0;          // of a GPU; 0: as many as its gpu_thread loops make
  // Of a group that has no mapping yet: it says how many threads there will be, not how they divide the work. Its
  // price assumes a mapping that keeps SMs busy, and that waits neither for loads nor for blocks to start.
  bool is_estimate = false;
  double shared_bytes = 0;    // of a block of a GPU
  double register_bytes = 0;  // of a thread of a GPU: rows and values kept in registers
};

// `sizes` are the kernel's params.
KernelNest nest_of(const loop::Kernel& kernel, std::span<const int64_t> sizes);

}  // namespace ridge::cost
