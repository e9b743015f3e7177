// The shape of a warp-specialized pipeline over rows (gpu_mappings.h): how many blocks share a row, how many
// threads each has, and which rows a cluster takes one after the other.
//
// The misalignment of a row is the distance from the multiple of 16 bytes before it to its start. Rows of equal
// misalignment are an alignment class: row r is of class r % classes. Slots number the rows class by class, and
// each cluster takes a range of slots. So a thread has the same columns in all rows of a class:
//
//   4096 rows of 50257 of bf16       8 classes, each of 512 rows and 2 empty slots; 30 clusters
//   cluster 3                        slots 411 to 513 of class 0, then slots 0 to 33 of class 1
//
// The rows of one class that a cluster has are a segment. Each segment leaves one row of partial sums.
#pragma once

#include <optional>

#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {

struct PipelineWork {
  int64_t length = 0, count = 0;  // of a row, and of rows
  int64_t width = 1;              // elements in 16 bytes of arrays that have rows
  int64_t row_stride = 0;         // from a row to the next, in elements
  Expr base{};                    // where a row starts, over the axes of the group
  int64_t copied_bytes = 0;       // of each element, in arrays that are read
  int64_t row_sums = 0;           // sums of each row
  int64_t column_bytes = 0;       // of sums that a thread keeps for each of its columns
  int64_t invariant_bytes = 0;    // of each element, in row-invariant arrays
  loop::DeviceLimits limits{};    // of the device
  int64_t cluster = 1;            // most blocks of one
};

struct PipelineShape {
  int64_t width = 1;
  int64_t blocks = 1;         // of a cluster
  int64_t blocks_per_sm = 1;  // where each block has rows of its own
  int64_t threads = 0;        // of a block, consumers only
  int64_t slice = 0;          // vectors of `width` elements that a block has of each row
  int64_t steps = 0;          // of a thread along its slice
  int64_t end_step = 0;       // the first of them that may reach past the end of a row
  int64_t clusters = 0;       // persistent ones
  // Alignment classes, and the slots of each: one for each of its rows, then some empty ones. A cluster that
  // changes to another class has empty slots among its own, and so fewer rows.
  int64_t alignment_classes = 1;
  int64_t slots_per_class = 0;
  int64_t segments = 1;  // classes that a cluster has rows of, at most
  int64_t partials = 0;  // segments of all clusters; each leaves a row of partial sums

  int64_t first_slot(int64_t cluster) const {
    return alignment_classes * slots_per_class * cluster / clusters;
  }
};

// Of a group with columns, if its rows can be pipelined: one pass over a row computes all its sums, and all
// arrays that have rows share an alignment.
std::optional<PipelineWork> pipeline_work(const GpuEmitter& gpu);
// The fewest blocks for a row that have registers for its sums, and enough rows each; nothing if there are none.
std::optional<PipelineShape> pipeline_shape(const PipelineWork& work);
// The same; nothing where persistent blocks with rows in registers fill the SMs, with vectors as wide.
std::optional<PipelineShape> pipeline_shape(const GpuEmitter& gpu, const PipelineWork& work);
std::optional<PipelineShape> pipeline_shape(const LoopInput& input);

// The rows of a cluster as expressions over the axes of its kernel.
struct PipelineOrder {
  // Of a segment of `cluster`.
  PipelineOrder(const PipelineWork& work, const PipelineShape& shape, const Expr& cluster,
                const Expr& segment);

  // Misalignment of the rows of the segment with this number.
  static Expr misalignment_of(const PipelineWork& work, const PipelineShape& shape,
                              const Expr& number);

  Expr row(const Expr& trip) const;  // of an iteration
  Expr trip_count;                   // rows of the segment
  Expr exists;                       // does the cluster have so many segments?
  Expr misalignment;  // elements from the multiple of 16 bytes before a row to the row
  Expr number;        // of the segment among those of all clusters
  // Where a cluster and a class start at the same slot, the number before is unused: its sums are zero.
  Expr leaves_gap;

 private:
  int64_t classes_;
  Expr class_, first_;  // slot in the class
};

}  // namespace ridge::schedule
