// How many kernels of a GPU a group will be, and of how many blocks, guessed before there are loops:
// by the rules of gpu_split.h, for values that lie row-major.
#pragma once

#include "ridge/schedule/emit.h"

namespace ridge::schedule {

struct GroupStages {
  bool goes_down = false;  // threads across columns
  double blocks = 0;       // of a kernel that reads everything; 0: one for each row
  double kernels = 1;
  double threads = 0;      // of a block that walks over rows, else 0
  double row_threads = 0;  // of a block, along one row, where several rows share it; 0: all
  bool keeps_rows_on_chip =
      false;                 // in registers or shared memory of clusters, whatever their length
  double partial_bytes = 0;  // of sums of columns that such blocks leave
};

// Everything row-major, each value in a buffer of its own.
ValueLocations plain_places(const Graph& graph);

GroupStages stages_of(const InlinedGraph& program, const Group& group, const ValueLocations& plain,
                      const cost::Sheet& sheet);

}  // namespace ridge::schedule
