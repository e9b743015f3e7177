// A kernel that reduces columns: reductions over strided axes, as in the gradients of biases and norms. Neighboring threads take neighboring columns, 16 bytes each.
//
//   x[16384, 4096] of bf16, summed over the first axis:
//     block (chunk, tile)     512 rows, 256 columns
//     thread (y, x)           rows y, y + 8, ...; columns 8 * x ... 8 * x + 7, sums in registers
//     then                    the 8 rows of threads through shared memory, from the first to the last
//
// Misaligned rows have an alignment class. A thread steps over as many rows as there are classes, so that
// all its rows have the same misalignment and its vectors are aligned; which column an element belongs to then differs
// between rows of threads. A vector at an end has elements of the row before or after it too, whose sums are
// dropped. Where the array ends inside of a vector, lanes past the end are masked off.
//
// Where tiles do not fill the device rows are cut into chunks, whose sums a second kernel combines:
// by the same loops, with chunks as rows (gpu_split_reduction.h).
#pragma once

#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split_reduction.h"

namespace ridge::schedule {

// What is combined at one point of a column: a member's own value, or the partial result of a chunk.
enum class ColumnSource : uint8_t { members, partials };

class ColumnKernel {
 public:
  // `length`: rows, of the group or of partial results.
  ColumnKernel(const LoopInput& input, const ColumnTile& tile, const Size& length);

  Size count() const { return emitter_.extent(batch_) * columns_; }  // columns of all batches
  DType accumulator(const Member& member) const { return gpu_.group.accumulator(member); }

  // Sums of each thread down its columns, then a block reduction over the rows of threads. Results go to shared
  // memory, partial results of a chunk to scratch.
  void pass(const RowPass& pass, ColumnSource source, const PartialScratch& scratch,
            const PartialRows* partials = nullptr);
  // What an earlier kernel found.
  void read_results(const RowPass& pass, const PartialScratch& scratch);
  void store_results(const RowPass& pass, const PartialScratch& scratch);
  void store_row_values();
  EmittedKernel finish();

 private:
  struct Result {
    const Member* member;
    int buffer;
    Expr index;
  };

  Expr lane() const { return lane_ >= 0 ? expr::axis(lane_) : Expr(0); }
  Expr column_in_tile() const { return expr::axis(x_) * tile_.width + lane(); }
  Expr flat_column() const;
  Expr is_column() const;
  // Of the rows of a row of threads, in elements.
  Expr misalignment_of(const Expr& y) const;
  // Is the element of a lane inside of the array? Its last vector may reach behind it, though the first
  // element never does. Null where the array ends with a vector.
  Expr is_lane_inside(const Expr& row) const;
  Expr is_first_row() const { return expr::equal(expr::axis(y_), Expr(0)) && is_column(); }
  // The columns of a thread, with what was found for them before.
  template <class Emit>
  void in_columns(const Expr& condition, Emit&& emit);
  void go_down(const RowPass& pass, ColumnSource source, const PartialScratch& scratch,
               const std::vector<int>& vars, const PartialRows* partials);
  void combine_rows(const RowPass& pass, const std::vector<int>& parts,
                    const PartialScratch& scratch);
  int combined(const Member& member, int part, const Expr& column);
  // Combines an element of a buffer into a var.
  void reduce(const Member& member, int var, int buffer, const Expr& index);

  GpuEmitter gpu_;
  Emitter& emitter_ = gpu_.emitter;
  ColumnTile tile_;
  Size length_, columns_;
  int batch_, chunk_, tile_axis_, y_, x_, lane_;
  Expr first_;  // column of the thread
  std::vector<Expr> own_axes_;
  OnChipBuffers shared_;
  int shared_count_ = 0;
  std::vector<Result> results_;
  std::vector<int> result_lets_;
};

}  // namespace ridge::schedule
