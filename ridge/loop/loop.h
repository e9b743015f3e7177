// The kernel IR: loops, scalar values, reductions and stores, with the mapping to the machine
// written out. What a code generator prints is a thin rendering of this.
//
//   kernel softmax_4f2a(x: f32[n * m] in, out: f32[n * m] out; n, m) grain 64 {
//     for i0 in n @cpu_thread {
//       var v0: f32 = -inf
//       for i1 in m @vector {
//         let v1: f32 = x[m * i0 + i1]
//         v0 max= v1
//       }
//       ...
//       for i1 in m @vector {
//         let v4: f32 = exp(x[m * i0 + i1] - v0) / v2
//         out[m * i0 + i1] = v4
//       }
//     }
//   }
//
// Semantics
// - Expressions are expr::Expr. axis(k) is the loop variable k; input(k) the value k of the
//   kernel; param(k) the number sizes[k], behind them tile_sizes; load(b, {index}) the element of buffer b at a flat index,
//   converted to the type of the expression. Index arithmetic is 64-bit.
// - Values live in registers as f32, f64, i64 or bool. The reals inside one statement's expression
//   are computed in its `arithmetic` (f32 or f64); narrower elements are widened when loaded and
//   rounded when stored, or where a `let` says `rounds`.
// - A `let` may say which forms of its functions serve: `for half`, `for exponent`, `near`
//   (core/function_forms.h); a device without cheaper ones computes it in full.
// - `fma` is rounded once. Nothing else is contracted: a product and a sum that stand apart are
//   rounded apart, by whoever runs the kernel.
// - An `if` has no arithmetic of its own: its reals are compared as they are (in f64 where one is
//   f64), and a `var` starts in the precision of its dtype.
// - The type of an expression is that of the value it defines; `cast` converts. Storing converts as
//   core/element_cast.h says.
// - A `let` is assigned once for each iteration around it. A `var` is assigned by `assign` and
//   `reduce`. Both are visible to the statements after them in their body, and inside those.
// - `if hits[i] probability 1/8 {`: the condition depends on data, and about one thread in 8 takes the branch.
//   Only the cost model reads it.
// - Buffers do not overlap, unless the kernel says that one is `in_out`.
// - An index out of the range of checked_index is reported through the status word of the launch;
//   the kernel goes on with index 0, and its results are of no value. So are an integer division
//   by 0 and a negative integer exponent, which give 0.
//
// Places on a CPU. `cpu_thread` loops are outermost, perfectly nested; their iterations (tasks) are
// independent and may run on any thread. A `vector` loop runs its iterations lane by lane in one
// register: values inside are per lane. Loops inside it are uniform over the lanes. A `reduce`
// inside a vector loop into a var from outside keeps one partial for each lane, combined in a fixed
// order when the loop ends; until then nobody inside reads the var, and all combine into it alike.
// There is no vector loop inside another. Extents of cpu_thread, gpu_block and gpu_thread loops are over params.
//
// Places on a GPU. A place names what an iteration is: `gpu_block` a block of the grid, `gpu_cluster_block` a
// block of a cluster, `gpu_thread` a thread of a block. Such loops are outermost, perfectly nested, in this
// order; one iteration of all of them is one GPU thread, and the body inside is its program. Threads of a block
// are numbered row-major over its gpu_thread loops; 32 consecutive ones are a warp. Shared buffers
// belong to a block. `barrier` waits for all threads of the block and must be reached by all or by none.
// - A `vector` loop inside a thread's program has a constant extent of 2, 4, 8 or 16: the thread
//   computes that many consecutive elements, with values per lane and partials as on a CPU, and
//   accesses that are contiguous along it are vectorized. It has no barrier and no collective
//   reduction inside.
// - Local buffers belong to a thread: registers, so they are indexed by constants and by axes of
//   serial and vector loops of constant extent only, which a code generator unrolls.
// - `warp_reduce sum v0`, `block_reduce` and `cluster_reduce` are collective reductions: they combine
//   the var of all threads of the scope, and each of them gets the result. `width 8` reduces each run
//   of 8 consecutive threads by itself. All threads of the block reach the statement or none, and
//   their number is a constant, a multiple of 32. It orders no accesses to memory.
//   Note [Collective order]: the order is fixed. A list of 2n becomes n by combining elements i and
//   i + n (the middle one of an odd number stays), until one is left: first lanes of a warp, then
//   warps of a block, then blocks of a cluster. Partials of a vector loop on a GPU are combined in
//   the same way, and then into their var.
// - `async_copy row[i] = x[j]` is an asynchronous copy of one element of a global buffer to a shared one of
//   the same dtype. The copies that a thread issues between two `wait_copies` are a group. `wait_copies n` ends a
//   group, and waits until at most the last n groups are in flight. A copy completes at some time up to the wait
//   for its group, and from there on is as if the thread had stored it then. While it is in flight nobody
//   accesses its destination, and nobody writes its source.
//   In a vector loop both sides are contiguous and are copied as one vector. Lanes that are masked off
//   do not read; their elements of the shared buffer have no value afterwards.
// - `bulk_copy row = x[j] for n` is a bulk copy of n elements of a global buffer, from element j on, to the
//   start of a shared one of the same dtype. All threads of the block reach it, with the same j and n,
//   and find the elements after it; nobody else writes to either buffer in the kernel.
//   Note [Pipelined loop]: a serial loop whose body starts with bulk copies is a pipelined loop. Its
//   iterations are independent, but for sums in local buffers that they add to after the last collective
//   reduction. So a code generator may specialize warps, prefetch for later iterations, and start an
//   iteration before the one before it has ended.
// - One `gpu_cluster_block` loop of extent 2, 4, 8 or 16 may stand between gpu_block and gpu_thread loops: its
//   iterations are thread blocks that run at the same time, and an iteration of the gpu_block loops is then a
//   cluster. In such a kernel barriers and collective reductions are reached by all threads of the cluster or by
//   none. Shared buffers still belong to a block.
//
// Tiles of matrices, and the statements over them: tile.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ridge/core/dtype.h"
#include "ridge/core/function_forms.h"
#include "ridge/expr/expr.h"
#include "ridge/loop/tile.h"

namespace ridge::loop {

using expr::Expr;

enum class Place : uint8_t { serial, cpu_thread, vector, gpu_block, gpu_cluster_block, gpu_thread };
inline constexpr int kWarpSize = 32;  // threads
// Threads of a GPU that a collective reduction combines.
enum class Scope : uint8_t { warp, block, cluster };
enum class Space : uint8_t { global, shared, local };
enum class Access : uint8_t { in, out, in_out };
// max and min propagate NaN.
enum class Combine : uint8_t { sum, prod, max, min, any, all };

struct Buffer {
  std::string name;
  DType dtype;
  Access access = Access::in;  // `out` is never loaded; shared and local ones are in_out
  Space space = Space::global;
  Expr elements{};  // how many there are; over params, constant if shared or local
};

struct Loop {
  int axis;
  Expr extent;  // over params and the axes of the loops around
  Place place = Place::serial;
  Body body;
};
struct If {
  Expr condition;
  Body then;
  int64_t inverse_probability =
      1;  // about one thread in so many takes the branch, where data decides
};
struct Let {
  int value;
  DType arithmetic;  // f32 or f64
  Expr expression;
  std::optional<DType> rounds{};  // round through this storage dtype
  FunctionForms forms{};
};
struct Var {
  int value;
  Expr initial;
};
struct Assign {
  int value;
  DType arithmetic;
  Expr expression;
};
struct Reduce {
  int value;  // a var
  Combine combine;
  int operand;      // the value combined into it
  int factor = -1;  // of a sum on a CPU: `v0 sum= v1 * v2` is v0 = fma(v1, v2, v0)
};
struct Store {
  int buffer;
  Expr index;
  int value;
};
// Note [Contraction]: acc[m, n] = sum over k of lhs[m, k] * rhs[k, n], then `body` once for each
// (m, n) with the sum as `value`. lhs holds no n and rhs no m. A code generator tiles m, n and k as
// it likes, but sums each element over k in increasing order, in blocks fixed by the shape, reals by
// one `fma` for each k. In `body`, n is a vector axis. `accumulator` is f32, f64 or i64.
struct Contract {
  int m, n, k;  // axes
  Expr m_extent, n_extent, k_extent;
  Expr lhs, rhs;
  DType accumulator;
  int value;
  Body body;
};
struct Barrier {};
struct AsyncCopy {
  int buffer;  // shared
  Expr index;
  int from;  // a global buffer
  Expr from_index;
};
struct WaitCopies {
  int pending = 0;  // groups that may still be in flight
};
// At a multiple of 16 bytes.
struct BulkCopy {
  int buffer;  // shared
  int from;    // a global buffer
  Expr first;
  Expr count;
};
struct CollectiveReduce {
  int value;  // a var
  Combine combine;
  Scope scope;
  int threads = 0;  // consecutive ones that combine with each other; 0: all of the scope
};

struct Statement {
  std::variant<Loop, If, Let, Var, Assign, Reduce, Store, Contract, Barrier, CollectiveReduce,
               AsyncCopy, WaitCopies, BulkCopy, FillTile, LoadTile, StoreTile, Dot, WaitDot,
               EachElement, ReadElement, WriteElement, FoldTile, Role, TileLoop, Produce, Consume,
               SkipSlots, CopyTile, WaitStores, MoveTile, NamedBarrier>
      kind;
};

struct ValueInfo {
  std::string name;  // for readers: taken from the graph
  DType dtype;       // f32, f64, i64 or bool
};

struct Kernel {
  std::string name;
  std::vector<std::string> notes;  // printed above it: ops, shapes, the user's lines
  std::vector<Buffer> buffers;     // global ones first: they are the arguments, in order
  std::vector<std::string> sizes;  // names of the params, in order
  // Extents that a mapping gives: param(k) from k = sizes.size() on.
  std::vector<std::string> tile_sizes{};
  std::vector<ValueInfo> values;
  int axis_count = 0;
  Expr grain{};  // tasks of the thread loops that are worth handing to another thread
  // Of a pipelined loop: the blocks that share an SM; 0: one. For all other kernels code generation computes the
  // minimum of the launch bounds itself.
  int64_t min_blocks_per_sm = 0;
  std::vector<Tile> tiles{};
  std::vector<Ring> rings{};
  std::vector<View> views{};
  int threads = 0;  // of a block of a mapped kernel: those of its roles; 0: another kernel
  Body body;

  size_t argument_count() const;  // global buffers
  bool has_tiles() const;         // any statement or declaration of tile.h
};

// As above: `# note` lines first; `let v1: f32 = ... in f64 as bf16  # name` where the arithmetic is
// not the usual one (f64 for f64 values, else f32), it rounds, or the value has a name; `for half`
// and `near` behind that for the forms of its functions; shared
// buffers as `shared tile: f32[1056]` and local ones as `local row: f32[8]` at the start of the body;
// `grain 4` and `min_blocks_per_sm 2` behind the arguments; names that would read as something
// else in quotes; and
//   contract v0: f32 over i0 in m, i1 in n, sum i2 in k of a[k * i0 + i2], b[n * i2 + i1] {
std::string to_text(const Kernel& kernel);
// Reads what to_text writes; notes and value names come back too. Error{parse} with line and column.
Kernel parse(std::string_view text);
// Error{internal} that names the statement, unless the kernel keeps the rules above.
void verify(const Kernel& kernel);

std::string_view name(Place place);
std::string_view name(Scope scope);
std::string_view name(Combine combine);

// As `parse`, and verified: what is returned keeps the rules of loop.h. Error{parse} that names the file,
// and the line or the statement.
Kernel read(std::string_view text, std::string_view file);

}  // namespace ridge::loop
