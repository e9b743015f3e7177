// Vectorized loads in front of a loop over lanes, and vectorized stores after it.
#pragma once

#include <string>

#include "ridge/codegen/cuda/emission.h"

namespace ridge::codegen::cuda {

// In the loop over rows of a warp-specialized pipeline?
bool is_in_pipeline(const Emission& emission);
// Is masked code branch-free, the same for active and masked-off lanes? In a pipeline all warps of the cluster would wait
// for a divergent one, and of short rows most warps would diverge.
bool is_branch_free(const Emission& emission);

class LaneMemory {
 public:
  // The mask has a bit for each active lane; empty: all are active.
  LaneMemory(Emission& emission, Region& region, const std::string& mask)
      : emission_(emission), region_(region), mask_(mask) {}

  // From memory to packed registers, two elements each.
  void copy_packed(const Expr& load, const loop::Store& store);
  // Into an array over lanes, which stands for the load from then on; perhaps only under a condition. Does nothing if the
  // index depends on what a lane computes, or is not contiguous.
  void load_wide(const Expr& load, const std::string& if_chosen = "");
  // The array that lanes fill, and the store after them; empty where each lane stores by itself.
  void declare_store(const loop::Store& store, std::string& lanes, std::string& after);
  void fill_lane(const loop::Store& store, const std::string& lanes);
  void write_store(const std::string& wide);

 private:
  bool is_streaming(int buffer) const;
  std::string accessing(std::string_view function, int bytes, int buffer);
  std::string pointer(int buffer, const Expr& index);
  std::string packed_pointer(int buffer, const Expr& index);
  std::string if_some() const;
  std::string mask_argument() const;
  bool may_read_words(int buffer, int bytes) const;
  bool can_load_misaligned(const Expr& load);
  bool keeps_floats(const loop::Store& store) const;

  Emission& emission_;
  Region& region_;
  const std::string& mask_;
};

}  // namespace ridge::codegen::cuda
