// Rows on a GPU: a block for each, whose threads stride along it and combine across the block.
#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_emitter.h"

namespace ridge::schedule {
namespace {

class GpuRows {
 public:
  explicit GpuRows(GpuEmitter& gpu) : gpu_(gpu) {}

  void emit() {
    const std::vector<int> passes = passes_of(input_.program, input_.group);
    const int count = 1 + *std::max_element(passes.begin(), passes.end());
    const Size length = gpu_.extent_of(axes_.inner);
    const size_t last = input_.group.extents().size() - 1;
    width_ = gpu_.width_along(axes_.inner, last, gpu_.extent_of(axes_.outer) * length);
    block_ = gpu_.block_size(length / width_);
    const int row = emitter_.add_axis(gpu_.extent_of(axes_.outer));
    thread_ = emitter_.add_axis(block_);
    gpu_.flatten(axes_.outer, expr::axis(row));
    emitter_.open(row, loop::Place::grid);
    emitter_.open(thread_, emitter_.extent(thread_).expression(), loop::Place::block, false);
    const std::vector<Expr> row_axes = emitter_.group_axes();
    for (int pass = 0; pass < count; ++pass) {
      std::vector<const Member*> along;
      for (size_t i = 0; i < passes.size(); ++i) {
        const Member& member = input_.group.members[i];
        if (passes[i] != pass) continue;
        if (group_.is_reduction(member) && gives_position(group_.reducer(member))) {
          group_.emit_position(member);
        } else if (group_.is_reduction(member) || (!member.is_row && group_.is_stored(member))) {
          along.push_back(&member);
        }
      }
      if (!along.empty()) emit_pass(along, length);
      emitter_.set_group_axes(row_axes);
    }
    for (const Member& member : input_.group.members) {
      const bool is_row = member.is_row || group_.is_reduction(member);
      if (!is_row || !group_.is_stored(member)) continue;
      const int value = emitter_.member_value(member);
      emitter_.open_body();
      emitter_.store(member, value);
      gpu_.close_if(expr::equal(expr::axis(thread_), Expr(0)));
    }
    emitter_.close();
    emitter_.close();
  }

 private:
  void emit_pass(const std::vector<const Member*>& members, const Size& length) {
    std::vector<int> vars;
    for (const Member* member : members) {
      vars.push_back(group_.is_reduction(*member) ? group_.declare(*member) : -1);
    }
    const int64_t width = width_;
    const int64_t stride = block_ * width;
    const int step = emitter_.add_axis((length + (stride - 1)) / stride);
    const int lane = width > 1 ? emitter_.add_axis(width) : -1;
    const Expr first = expr::axis(step) * stride + expr::axis(thread_) * width;
    gpu_.flatten(axes_.inner, width > 1 ? first + expr::axis(lane) : first);
    emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
    emitter_.open_body(axis_mask({step, thread_}));
    gpu_.emit_lanes(lane, width, [&] {
      for (size_t i = 0; i < members.size(); ++i) {
        if (vars[i] >= 0) {
          group_.reduce(*members[i], vars[i]);
        } else {
          emitter_.store(*members[i], emitter_.member_value(*members[i]));
        }
      }
    });
    gpu_.close_if(emitter_.simplified(first < length.expression()));
    emitter_.close();
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] < 0) continue;
      const auto combine = combine_of(group_.reducer(*members[i]));
      if (block_ > 1) emitter_.add({loop::Across{vars[i], combine, loop::Place::block}});
      emitter_.set_result(*members[i], vars[i]);
    }
  }

  GpuEmitter& gpu_;
  GroupEmitter& group_ = gpu_.group;
  const LoopInput& input_ = gpu_.input;
  Emitter& emitter_ = gpu_.emitter;
  const KernelAxes& axes_ = gpu_.axes;
  int64_t block_ = 0, width_ = 1;
  int thread_ = -1;
};

}  // namespace

void emit_gpu_rows(GpuEmitter& gpu) { GpuRows(gpu).emit(); }

}  // namespace ridge::schedule
