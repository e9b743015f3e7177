// How rows that blocks cannot walk over, or only with many threads idle, stream through blocks or clusters of them
// (gpu_pipeline.h): how many blocks share a row, how many threads each has, and which rows come one after the other.
//
// Rows that do not start at multiples of 16 bytes differ in how far they are off. Those that are off alike
// are a class: row r is of class r % classes. Rows are put in order by their class, and each cluster takes a
// stretch of that order, so that its threads meet the same columns again but where a class ends:
//
//   4096 rows of 50257 of bf16       8 classes of 512 rows and 2 empty slots_per_class, 30 clusters with 135 to 137 rows
//   cluster 3                        rows of class 0 from place 411 on, then of class 1 up to place 33
#pragma once

#include <optional>

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

struct PipelineWork {
  int64_t length = 0, count = 0;  // of a row, and of rows
  int64_t width = 1;              // elements in 16 bytes of arrays that have rows
  int64_t row_stride = 0;         // from a row to the next, in elements
  Expr base{};                    // where a row starts, over the axes of the group
  int64_t fetched_bytes = 0;      // of each element, in arrays that are read
  int64_t row_sums = 0;           // sums of each row
  int64_t column_bytes = 0;       // of sums that a thread holds for each of its columns
  int64_t invariant_bytes = 0;    // of each element, in arrays that are the same for all rows
  int64_t sms = 0;                // of the device
  int64_t clustered_sms = 0;      // those of them that clusters fill
  int64_t cluster = 1;            // most blocks of one
  int64_t shared_bytes = 0;       // of a unit
};

struct PipelineShape {
  int64_t width = 1;
  int64_t blocks = 1;         // of a cluster
  int64_t blocks_per_sm = 1;  // such blocks, where each has rows of its own
  int64_t threads = 0;        // of a block, that compute
  int64_t slice = 0;          // vectors of `width` elements that a block has of each row
  int64_t steps = 0;          // of a thread along its slice
  int64_t end_step = 0;       // the first of them that may reach behind the end of a row
  int64_t workers = 0;        // clusters
  // Of rows, and slots_per_class of each: the last ones are empty, so that clusters with rows of two classes have fewer.
  int64_t classes = 1;
  int64_t slots_per_class = 0;
  int64_t segments = 1;  // classes that a cluster has rows of, at most
  int64_t partials =
      0;  // numbers of stretches of rows of one class and cluster, which have sums each

  int64_t first_slot(int64_t worker) const { return classes * slots_per_class * worker / workers; }
};

// What a group with columns asks for, if its rows can stream: one pass over a row finds all sums of it, and
// all arrays that have rows start them alike.
std::optional<PipelineWork> pipeline_work(const GpuEmitter& gpu);
// As few blocks for a row as hold its sums and have enough rows each; nothing where there are none.
std::optional<PipelineShape> pipeline_shape(const PipelineWork& work);
// The same; nothing where blocks that walk over rows, in steps as wide, fill the units.
std::optional<PipelineShape> pipeline_shape(const GpuEmitter& gpu, const PipelineWork& work);
std::optional<PipelineShape> pipeline_shape(const LoopInput& input);

// Which rows a cluster has, over the axes of its kernel: gpu_pipeline_shape.h in expressions.
struct PipelineOrder {
  // Of the stretch `segment` of cluster `walker`.
  PipelineOrder(const PipelineWork& work, const PipelineShape& shape, const Expr& worker,
                const Expr& segment);

  // Of the rows of the stretch with this number.
  static Expr shift_of(const PipelineWork& work, const PipelineShape& shape, const Expr& number);

  Expr row(const Expr& trip) const;  // that comes at a turn
  Expr trip_count;                   // rows of the stretch
  Expr exists;                       // does the cluster have so many stretches?
  Expr shift;   // elements from the multiple of 16 bytes before a row to the row
  Expr number;  // of the stretch among those of all clusters
  // Clusters and classes that start together leave out the number before: nothing is summed there.
  Expr leaves_gap;

 private:
  int64_t classes_;
  Expr class_, first_;  // place in the class
};

}  // namespace ridge::schedule
