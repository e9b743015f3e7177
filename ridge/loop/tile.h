// Tiles: blocks of matrices as values of a thread block, and the statements over them. One set of
// statements, in two forms; the passes of mapping/passes go from the first to the second.
//
// Unmapped: what is computed. Extents of tiles are sizes with a name, which a mapping gives.
//
//   kernel product(a: bf16[m * k] in, b: bf16[n * k] in, bias: bf16[n] in, out: bf16[m * n] out;
//                  m, n, k; tm, tn, tk) {
//     tile sum: f32[tm, tn]
//     tile lhs: bf16[tm, tk]
//     tile rhs: bf16[tk, tn]
//     tile result: bf16[tm, tn]
//     for i0 in (m + tm - 1) // tm @gpu_block {
//       for i1 in (n + tn - 1) // tn @gpu_block {
//         fill sum = 0.0
//         for i2 in (k + tk - 1) // tk {
//           load lhs[i3, i4] = a[k * (tm * i0 + i3) + tk * i2 + i4] within m - tm * i0, k - tk * i2
//           load rhs[i3, i4] = b[k * (tn * i1 + i4) + tk * i2 + i3] within k - tk * i2, n - tn * i1
//           dot sum += lhs * rhs
//         }
//         each i3, i4 of sum within m - tm * i0, n - tn * i1 {
//           read v0: f32 = sum
//           let v1: f32 = max(v0 + bias[tn * i1 + i4], 0.0)
//           write result = v1
//         }
//         store out[n * (tm * i0 + i3) + tn * i1 + i4] = result[i3, i4] within m - tm * i0, n - tn * i1
//       }
//     }
//   }
//
// Mapped: who computes it, where tiles lie, and what overlaps. The same product with one producer warp
// and two consumer warpgroups that share a tile of 128 x 256:
//
//   kernel product(a: ..., b: ..., bias: ..., out: ...; m, n, k) threads 288 {
//     view a_map = a[m, k] strides k, 1 box 128, 64 swizzle 128
//     view b_map = b[n, k] strides k, 1 box 256, 64 swizzle 128
//     view out_map = out[m, n] strides n, 1 box 64, 64 swizzle 128
//     ring stages slots 4
//     tile lhs: bf16[128, 64] swizzle 128 in stages
//     tile rhs: bf16[64, 256] columns swizzle 128 in stages
//     tile sum: f32[64, 256] accumulator in math
//     tile out_tile: bf16[64, 64] swizzle 128 slots 2 in math
//     role math warpgroups 2 registers 232 index i5 {
//       for i0, i1 in tiles((m + 127) // 128, (n + 255) // 256) group 8 {
//         fill sum = 0.0
//         for i2 in (k + 63) // 64 {
//           consume stages {
//             dot async sum += lhs[64 * i5, 0] * rhs
//             wait_dot 0 sum
//           }
//         }
//         each i3, i4 of sum within m - 128 * i0 - 64 * i5, n - 256 * i1 {
//           read v0: f32 = sum
//           let v1: f32 = max(v0 + bias[256 * i1 + i4], 0.0)
//           write sum = v1
//         }
//         for i6 in 4 {
//           wait_stores 1 read
//           move out_tile = sum[0, 64 * i6]
//           copy out_map[128 * i0 + 64 * i5, 256 * i1 + 64 * i6] = out_tile
//         }
//       }
//       wait_stores 0
//     }
//     role load warps 1 registers 40 {
//       for i0, i1 in tiles((m + 127) // 128, (n + 255) // 256) group 8 {
//         for i2 in (k + 63) // 64 {
//           produce stages {
//             copy lhs = a_map[128 * i0, 64 * i2]
//             copy rhs = b_map[256 * i1, 64 * i2]
//           }
//         }
//       }
//     }
//   }
//
// Semantics, both forms
// - A tile has rows and columns; an extent of 1 stands for all rows or all columns alike: statistics of
//   rows are [rows, 1], a bias is [1, columns]. Tiles are assigned as vars are, and hold no value before.
// - `load t[r, c] = e within R, C`: element (r, c) is e, of any expression over the two axes, where
//   r < R and c < C; elsewhere it is 0. `store` writes where r < R and c < C, converting as Store does.
// - `dot t += x * y`: t[m, n] = sum over k of x[m, k] * y[k, n] behind what t was, summed in the dtype of
//   t over k in increasing order; tensor cores may group 16 of k. `transposed` takes an operand's
//   [rows, columns] for [columns, rows]. Of `x[row, column]`, the part of x from there on, k has what a
//   constant offset leaves; a tile without offsets is taken as it is.
// - `each r, c of t within R, C`: its body once for each element of t with r < R and c < C, in any order.
//   `read` gives the element of a tile, `write` sets it; rows or columns of extent 1 are read alike for
//   all. Nothing written in an `each` is read there at another element.
// - `fold s max= t along columns within R, C`: s[r, 0] = max(s[r, 0], all t[r, c]); along rows likewise.
//   The order is fixed by the shape of t (Note [Collective order]); what limits leave out keeps its place,
//   and counts nothing.
//
// Semantics, mapped form
// - Roles run side by side; each warpgroup (or warp) of a role runs the body by itself, with its number as
//   the role's index. Registers are those of a thread; roles and their registers are the whole block. They
//   take its warps in the order of the text: those in one warpgroup have the same registers.
// - Register tiles belong to one role, and are there once for each of its instances: `accumulator` has 64
//   rows, or a multiple, where those are warpgroups, 16 where they are warps, laid out as tensor cores lay
//   it out (tile_layout.h); `operand` is the left operand of a dot; `row_values` and `column_values` are
//   what folds make. Shared tiles: `swizzle 128`, 64 or 32, or `linear`; `columns` says that a column is
//   contiguous, else a row is. One of a role is there once for each of its instances, and `move` goes to
//   its next slot each time; one of no role and no ring is there once, and those who share it keep apart
//   by named barriers.
// - A ring has slots of all tiles declared in it. `produce ring { ... }` waits for a free slot, lets copies
//   into its tiles go, and hands it on when they are complete. `consume ring { ... }` waits for a full slot
//   and gives it back: at its end, or with `lag 1` at the end of the one after. Every warp that consumes
//   sees every slot, in order. `skip ring n` takes n slots without looking: another role instance has them.
//   It gives back what a lag has left. One instance of one role produces, and others than it consume.
//   A slot is free again when all that take it gave it back: all instances of a role, or one of a role that
//   skips slots. Nobody waits for a fill of a slot before the one before it is complete, since the parity of
//   an mbarrier would let it pass. All slots have been given back when the block ends.
// - `copy tile = view[row, column, ...]`: asynchronous, by whole boxes, elements beyond the extents of the
//   view are 0. The contiguous dimension of the view is that of the tile; a tile of more than one box takes
//   them one behind the other. It stands in `produce` and belongs to the slot, once for each tile.
//   `copy view[...] = tile`: asynchronous; elements beyond the extents are left out. `wait_stores n`: all but
//   the last n are complete; with `read`, their tiles may be written again. A role waits for all of its own.
// - `dot async`: in flight until a `wait_dot n` that leaves less than n later ones. A wait names what it
//   guards, sums and operands in registers; before, but for other dots, nobody reads or writes a tile in
//   flight, or writes its operands, and no slot with one is given back. A role waits for all of its own.
// - `move a = b[row, column]`: a tile of another layout or dtype, element by element; from accumulator to
//   operand nothing moves.
// - `barrier_sync 1 threads 256`, `barrier_arrive 1 threads 256`: named barriers, 1 to 15. An instance
//   arrives once until the barrier completes; arrivals left over at the end do no harm.
// - `for i0, i1 in tiles(x, y) group g from f step s`: a persistent loop. Blocks take tiles in turn, in an
//   order in which g rows of tiles are walked column by column; of its own tiles a block's instance takes
//   number f, f + s, ...: all of them, or `from` its index with as many steps as the role has instances.
//   Each tile is taken once. All roles of a block see the same sequence: of B blocks, number b takes tiles
//   b, b + B, ... in the order of tile_at (tile_machine.h).
// - An element of a global buffer is written by one instance of one block; others of the block read it behind
//   a ring or barrier.
// What follows from these statements is nowhere written: parities of barriers, bytes that they expect,
// fences between threads and asynchronous copies, whether a dot clears its sums first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "ridge/core/dtype.h"
#include "ridge/expr/expr.h"

namespace ridge::loop {

using expr::Expr;
inline constexpr int kWarpgroupWarps = 4;
enum class Combine : uint8_t;
struct Statement;
using Body = std::vector<Statement>;

// Where the elements of a tile are: unmapped, in registers, in shared memory.
enum class TileLayout : uint8_t {
  unmapped,
  accumulator,
  operand,
  row_values,
  column_values,
  linear,
  swizzle_32,
  swizzle_64,
  swizzle_128,
};
constexpr bool is_shared(TileLayout layout) { return layout >= TileLayout::linear; }
constexpr bool is_in_registers(TileLayout layout) {
  return layout != TileLayout::unmapped && !is_shared(layout);
}

struct Tile {
  std::string name;
  DType dtype;
  Expr rows, columns;  // over params; constant if mapped
  TileLayout layout = TileLayout::unmapped;
  bool is_column_contiguous = false;  // of a shared tile
  int ring = -1;                      // a slot of it in each
  int slots = 1;                      // of a shared tile outside of rings: taken in turn by `move`
  std::string role{};                 // that owns it; none for tiles of rings
};

// Slots of shared memory that pass from the role that produces them to those that consume them.
struct Ring {
  std::string name;
  int slots;
};

// A strided window of a global buffer, read and written by boxes. The last dimension is contiguous.
struct View {
  std::string name;
  int buffer;
  Expr first{};                        // element where it begins; null: 0
  std::vector<Expr> extents, strides;  // over params; in elements
  std::vector<int64_t> box;            // by dimension; two of them, or one, are more than 1
  int64_t swizzle = 0;                 // bytes; 0: none
};

// Part of a tile: its rows and columns from here on, as many as the statement takes.
struct TilePart {
  int tile;
  Expr row{}, column{};  // null: 0
};
struct TileLimits {
  Expr rows{}, columns{};  // null: all
};

struct FillTile {
  int tile;
  Expr value;
};
struct LoadTile {
  int tile;
  int row_axis, column_axis;
  Expr element;
  TileLimits limits{};
};
struct StoreTile {
  int buffer;
  Expr index;  // over the axes
  int tile;
  int row_axis, column_axis;
  TileLimits limits{};
};
struct Dot {
  int into;
  TilePart lhs, rhs;
  bool is_lhs_transposed = false, is_rhs_transposed = false;
  bool is_async = false;
};
struct WaitDot {
  int pending;             // dots that may still be in flight
  std::vector<int> tiles;  // which may be read and written from here on
};
struct EachElement {
  int row_axis, column_axis;
  int tile;  // gives the extents
  TileLimits limits{};
  Body body;
};
struct ReadElement {
  int value;
  int tile;
};
struct WriteElement {
  int tile;
  int value;
};
enum class Along : uint8_t { rows, columns };
struct FoldTile {
  int into;
  Combine combine;
  int tile;
  Along along;
  TileLimits limits{};
};

struct Role {
  std::string name;
  int warps;                   // of one instance: 1, or 4 of a warpgroup
  int instances = 1;           // warps or warpgroups that run the body
  std::optional<int> index{};  // an axis: the number of the instance
  int registers = 0;           // of a thread; 0: as launched
  Body body;
};
// A persistent loop over tiles of the grid.
struct TileLoop {
  std::vector<int> axes;  // the last two are rows and columns of tiles, those before batches
  std::vector<Expr> extents;
  int group = 1;
  Expr from{};  // null: 0
  int step = 1;
  Body body;
};
struct Produce {
  int ring;
  Body body;
};
struct Consume {
  int ring;
  int lag = 0;
  Body body;
};
struct SkipSlots {
  int ring;
  Expr count;
};
// One side is a part of a view, the other a shared tile.
struct CopyTile {
  int tile;
  int view;
  std::vector<Expr> at;  // by dimension of the view
  bool is_store = false;
};
struct WaitStores {
  int pending;
  bool is_read_only = false;
};
struct MoveTile {
  int into;
  TilePart from;
};
struct NamedBarrier {
  int number;
  int threads;
  bool waits = true;
};

// The statements declared here, for those who treat all of them alike.
template <class Kind, class... Kinds>
concept OneOf = (std::is_same_v<Kind, Kinds> || ...);
template <class Kind>
concept TileStatement =
    OneOf<std::remove_cv_t<Kind>, FillTile, LoadTile, StoreTile, Dot, WaitDot, EachElement,
          ReadElement, WriteElement, FoldTile, Role, TileLoop, Produce, Consume, SkipSlots,
          CopyTile, WaitStores, MoveTile, NamedBarrier>;

}  // namespace ridge::loop
