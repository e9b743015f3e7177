// What the mappings to a GPU share: flat indices over several axes, elements of a thread, sizes of
// blocks.
#pragma once

#include <functional>
#include <vector>

#include "ridge/loop/device_limits.h"
#include "ridge/loop/loop.h"
#include "ridge/schedule/group_emitter.h"

namespace ridge::schedule {

inline constexpr int64_t kWideBytes = loop::kCudaLimits.vector_bytes;  // of one load or store
inline constexpr int64_t kWarp = loop::kCudaLimits.warp_size;

inline uint64_t axis_mask(std::initializer_list<int> axes) {
  uint64_t set = 0;
  for (const int axis : axes) set |= uint64_t{1} << axis;
  return set;
}

class GpuEmitter {
 public:
  explicit GpuEmitter(const LoopInput& given) : group(given) {}

  Size extent_of(const std::vector<int>& over) const { return group.extent_of(over); }
  // Threads for so much work, each taking one part of it.
  static int64_t block_size(const Size& work);
  void flatten(const std::vector<int>& over, const Expr& flat) { group.flatten(over, flat); }
  // Ends the open body and makes it the body of an `if`.
  void close_if(const Expr& condition);
  // Stores the row values that are needed outside of the kernel, by the thread for which `is_first` holds.
  void store_row_values(const Expr& is_first);
  // Elements of one vector access: 16 bytes of the widest array, if the length of a row is a multiple of that.
  // One where an array is not contiguous along the row. `last` is the axis of the row in the group, `along` are
  // its axes in the kernel.
  int64_t width_along(const std::vector<int>& along, size_t last, const Size& count) const;
  // Elements of one vector access where all points of the map are contiguous in each array, but for small arrays
  // that all rows share. The last access may be shorter. One where arrays are not contiguous.
  int64_t flat_width(const Size& count) const;

  GroupEmitter group;
  const LoopInput& input = group.input;
  Emitter& emitter = group.emitter;
  const KernelAxes& axes = group.axes;
};

// What is emitted for each of `width` neighbors, as a vector loop where there are several; for those that are inside, if
// each has to be masked. Values that depend on the axes `bound` are then made only there.
template <class Emit>
void emit_lanes(Emitter& emitter, int lane, int64_t width, Emit&& emit, const Expr& inside = {},
                uint64_t bound = 0) {
  RIDGE_INTERNAL_CHECK(width > 1 || !static_cast<bool>(inside), "a scalar with a mask");
  if (width == 1) return emit();
  const bool is_masked = static_cast<bool>(inside);
  emitter.open(lane, Expr(width), loop::Place::vector, !is_masked);
  if (is_masked) emitter.open_body(axis_mask({lane}) | bound);
  emit();
  if (is_masked) emitter.add({loop::If{inside, emitter.close_body()}});
  emitter.close();
}

// What happens where the condition holds; in all cases if it is null.
loop::Body only_if(const Expr& condition, loop::Body body);
// What happens for each of `width` neighbors; just so if the axis is -1.
loop::Body in_lanes(int lane, int64_t width, loop::Body body);

// Each element by a thread, or a few by one. `emit_products(element)` gives the members that are no maps their
// values at this row-major position; without it, a thread goes along the whole row.
void emit_gpu_map(GpuEmitter& gpu,
                  const std::function<void(const Expr& element)>& emit_products = {});
// Each row by a block, whose threads stride along it; with columns, persistent blocks (gpu_rows.cpp).
class PersistentColumnSums;
void emit_gpu_rows(GpuEmitter& gpu, PersistentColumnSums* columns = nullptr);

// Shared memory and registers of a kernel that is being emitted.
//
// Global buffers come first in a kernel, and the emitter meets them one by one; so the others have
// stand-in numbers until all are known.
class OnChipBuffers {
 public:
  // A number to load and store by.
  int add(std::string name, DType dtype, int64_t elements, loop::Space space = loop::Space::shared);
  // Appends them to the kernel, under their final numbers.
  void settle(loop::Kernel& kernel) const;

 private:
  std::vector<loop::Buffer> buffers_;
};

}  // namespace ridge::schedule
