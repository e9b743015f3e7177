// Split reductions on a GPU, in several kernels: where there are too few rows to give each SM a block, a
// row is cut into chunks of a size fixed by its shape, each taken by a block.
//
//   sum of x[32, 2^20]        32 x 32 blocks   partial[row, chunk] = sum of 2^15 elements
//                             32 blocks        out[row] = sum over chunks of partial[row, chunk]
//
// Each pass over the row is two kernels, the second of which combines what the blocks of the first
// left in scratch, always in the same order; members of later passes read its result from scratch
// too. What is stored once for a row is stored by the last kernel that combines. Rows that a cluster
// keeps in registers for later passes are one kernel (gpu_row_shape.h). So are misaligned rows that are read
// once, and rows whose extremum's position is wanted, where there are enough clusters for all SMs.
#pragma once

#include <functional>
#include <map>

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

// What happens along a row before the next pass can start.
struct RowPass {
  std::vector<const Member*> reductions, stores;
};
std::vector<RowPass> row_passes(const LoopInput& input);
// The last pass with a reduction: after it all row values are known.
size_t last_reducing(const std::vector<RowPass>& passes);

// Can partial results be combined, whatever the order? Positions of extrema are not.
bool can_split(const LoopInput& input);

// How rows of partial results of columns lie in memory, where one is not just behind the other.
struct PartialRows {
  Size room;                               // elements from a row to the next
  std::function<Expr(const Expr&)> first;  // column of the row with this number, in its room
};

// Scratch between kernels: partial results of chunks, and the results of a pass.
class PartialScratch {
 public:
  explicit PartialScratch(const LoopInput& input) : next_(input.first_scratch) {}

  // Results only where a later pass reads them.
  void add(const Member& member, DType dtype, const Shape& partials,
           const std::optional<Shape>& results);
  int partials(const Member& member) const { return at(member).partials; }
  int results(const Member& member) const { return at(member).results; }
  std::vector<ScratchBuffer> buffers;

 private:
  struct Numbers {
    int partials, results = -1;
  };
  const Numbers& at(const Member& member) const { return numbers_.at(member.node); }

  int next_;
  std::map<int32_t, Numbers> numbers_;
};

// Elements of one vector access along the last of the kernel's axes `along`, which is axis `last` of the group:
// 16 bytes of the widest array that varies along it.
int64_t split_width(const GpuEmitter& gpu, const std::vector<int>& along, size_t last);
// The same where the last access may be shorter.
int64_t uneven_split_width(const GpuEmitter& gpu, size_t last);
// Ends the open body and makes it the body of an `if`; adds it as it is where the condition is always true.
void close_predicated(GpuEmitter& gpu, const Expr& condition);
// Removes those of the given lets that no statement reads: each of several passes needs only some of them.
void drop_unread(loop::Kernel& kernel, const std::vector<int>& lets);
// A buffer of scratch as a kernel sees it.
int scratch_buffer(Emitter& emitter, int planned, DType dtype, const Shape& shape,
                   loop::Access access);

// Chunks of a row: `size` elements in each but the last.
struct Chunks {
  int64_t count = 1, size = 0;
};
// About `wanted` of them, each a multiple of `multiple`; all of one size where such a size is near.
Chunks chunks_of(int64_t length, int64_t wanted, int64_t multiple);

// Are more bytes contiguous from row to row than along a row?
bool is_column_major(const Group& group, const std::vector<AccessPattern>& patterns);
// How rows are cut for so many SMs, by threads that take `width` elements at once; one
// chunk where a block for each row is as good.
Chunks row_chunks(int64_t rows, int64_t length, int64_t width, int64_t sms);
// Blocks of a cluster, of at most so many, that share a row where it is read once: enough of
// them for all SMs in one kernel. One where rows are enough, short, or too few even so.
int64_t blocks_of_row(int64_t rows, int64_t length, int64_t sms, int64_t cluster);

// How columns are shared among the threads of a block, and rows among blocks.
struct ColumnTile {
  int64_t width;           // columns of a thread
  int64_t column_threads;  // in a row of threads
  int64_t row_threads;     // rows of threads
  Chunks chunks{};         // of rows
  // Rows do not start at a multiple of the width; all rows of a row of threads have the same misalignment.
  bool is_misaligned = false;
  bool is_chunked() const { return chunks.count > 1; }
  int64_t columns() const { return width * column_threads; }
  // From the first column of a block to that of the next: misaligned by up to `width`, all rows of threads
  // have these.
  int64_t stride() const { return is_misaligned ? columns() - width : columns(); }
};
// Of a matrix whose sizes may be unknown.
ColumnTile column_tile(const Size& columns, const Size& length, int64_t width,
                       int64_t max_column_threads = kWarp);
// With a tail of less than `width` columns, or misaligned rows, where rows are many and narrow.
std::optional<ColumnTile> misaligned_column_tile(int64_t columns, int64_t length, int64_t width,
                                                 int64_t sms);
Chunks column_chunks(const ColumnTile& tile, int64_t batches, int64_t columns, int64_t length,
                     int64_t sms);
int64_t cluster_of(const loop::DeviceLimits& limits);  // blocks of a cluster, at most

// Each row by several blocks. Nothing where rows are enough, short, or not of known size.
std::optional<EmittedGroup> split_gpu_rows(const LoopInput& input);
// Neighboring threads take neighboring columns. Nothing where arrays are not contiguous from row to row.
std::optional<EmittedGroup> gpu_columns(const LoopInput& input);

}  // namespace ridge::schedule
