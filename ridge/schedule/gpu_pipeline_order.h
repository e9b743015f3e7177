// Which rows a cluster has, over the axes of its kernel: gpu_pipeline_shape.h in expressions.
#pragma once

#include "ridge/schedule/gpu_pipeline_shape.h"

namespace ridge::schedule {

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
