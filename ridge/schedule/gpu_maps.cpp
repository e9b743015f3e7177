// Maps on a GPU: 16 bytes of the widest array for each thread.
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {
namespace {

class GpuMap {
 public:
  explicit GpuMap(GpuEmitter& gpu) : gpu_(gpu) {}

  void emit() {
    const Size count = gpu_.extent_of(axes_.outer);
    const bool is_map = input_.group.kind == GroupKind::map;
    const int64_t width = is_map ? width_of(count) : 1;
    const int64_t block = gpu_.block_size(count / width);
    const int b = emitter_.add_axis((count + (block * width - 1)) / (block * width));
    const int t = emitter_.add_axis(block), lane = width > 1 ? emitter_.add_axis(width) : -1;
    const Expr first = (expr::axis(b) * block + expr::axis(t)) * width;
    gpu_.flatten(axes_.outer, width > 1 ? first + expr::axis(lane) : first);
    emitter_.open(b, emitter_.extent(b).expression(), loop::Place::grid, false);
    emitter_.open(t, emitter_.extent(t).expression(), loop::Place::block, false);
    emitter_.open_body(axis_mask({b, t}));
    emitter_.stay_inside();
    const bool has_rest = width > 1 && count.known().value_or(0) % width != 0;
    if (has_rest) {
      emit_inside(lane, width, first + expr::axis(lane) < count.expression());
    } else {
      gpu_.emit_lanes(lane, width, [&] { emit_members(); });
    }
    gpu_.close_if(emitter_.simplified(first < count.expression()));
    emitter_.close();
    emitter_.close();
  }

 private:
  // Rows that do not come out even are no reason to touch large arrays element by element, if what is
  // read along rows is small; but accesses of 8 bytes each are better than some of 16 and some of one
  // element.
  int64_t width_of(const Size& count) const {
    const int64_t along = gpu_.width_along(axes_.outer, input_.group.outer.size() - 1, count);
    const int64_t flat = gpu_.flat_width(count);
    return flat > (axes_.outer.size() == 1 ? along : 2 * along) ? flat : along;
  }

  void emit_members() {
    for (const Member& member : input_.group.members) {
      if (group_.is_reduction(member)) emit_whole_row(member);
    }
    group_.store_members();
  }
  // What depends on the lane is done where the condition holds.
  void emit_inside(int lane, int64_t width, const Expr& condition) {
    emitter_.open(lane, Expr(width), loop::Place::vector, false);
    emitter_.open_body(axis_mask({lane}));
    emit_members();
    gpu_.close_if(emitter_.simplified(condition));
    emitter_.close();
  }

  // One thread goes along the whole row: products, and positions of extrema.
  void emit_whole_row(const Member& member) {
    if (gives_position(group_.reducer(member))) return group_.emit_position(member);
    const int var = group_.declare(member);
    for (const int axis : axes_.inner) emitter_.open(axis, loop::Place::serial);
    group_.reduce(member, var);
    for (size_t i = 0; i < axes_.inner.size(); ++i) emitter_.close();
    emitter_.set_result(member, var);
  }

  GpuEmitter& gpu_;
  GroupEmitter& group_ = gpu_.group;
  const LoopInput& input_ = gpu_.input;
  Emitter& emitter_ = gpu_.emitter;
  const KernelAxes& axes_ = gpu_.axes;
};

}  // namespace

void emit_gpu_map(GpuEmitter& gpu) { GpuMap(gpu).emit(); }

}  // namespace ridge::schedule
