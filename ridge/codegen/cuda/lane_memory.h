// How the lanes of a vector loop load and store: neighbors at once, in front of the loop over them and behind it.
#pragma once

#include <string>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// Are rows on their way that stream?
bool is_streamed(const Emission& emission);
// Have lanes with a mask and those without one way? All warps of a cluster through which rows stream would wait for the
// one that goes both; of short rows most warps would.
bool goes_one_way(const Emission& emission);

class LaneMemory {
 public:
  // The mask has a bit for each lane that takes part, where some may not.
  LaneMemory(Emission& emission, Region& region, const std::string& mask)
      : emission_(emission), region_(region), mask_(mask) {}

  // From memory to registers that hold two elements each.
  void copy_packed(const Expr& load, const loop::Store& store);
  // Into an array over lanes, which stands for the load from then on; perhaps only under a condition. Nothing where its
  // place follows from what a lane computes first, or lanes are no neighbors.
  void load_wide(const Expr& load, const std::string& if_chosen = "");
  // The array that lanes fill, and what stores it behind them; nothing where each has to store by itself.
  void declare_store(const loop::Store& store, std::string& lanes, std::string& after);
  void fill_lane(const loop::Store& store, const std::string& lanes);
  void write_store(const std::string& wide);

 private:
  bool is_touched_once(int buffer) const;
  std::string accessing(std::string_view function, int bytes, int buffer);
  std::string pointer(int buffer, const Expr& index);
  std::string packed_pointer(int buffer, const Expr& index);
  std::string if_some() const;
  std::string lanes_inside() const;
  bool may_read_words(int buffer, int bytes) const;
  bool can_shift(const Expr& load);
  bool keeps_floats(const loop::Store& store) const;

  Emission& emission_;
  Region& region_;
  const std::string& mask_;
};

}  // namespace ridge::codegen::cuda
