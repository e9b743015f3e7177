// The mapping to a GPU: 16 bytes of a map's widest array for each thread, a block for each tile of a
// product and for each row of a reduction, whose threads stride along it and combine across the block.
#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction_loops.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/scatter_loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kWideBytes = 16;  // of one load or store
constexpr int64_t kWarp = 32;

class GpuLoops {
 public:
  explicit GpuLoops(const LoopInput& input) : group_(input) {}

  EmittedKernel run() {
    switch (input_.group.kind) {
      case GroupKind::map: emit_elements(); break;
      case GroupKind::contraction:
        if (!emit_contraction(group_, {kProductTileSide, kProductTileSide, loop::Place::grid}))
          emit_elements();
        break;
      case GroupKind::reduction: emit_rows(); break;
      case GroupKind::scatter: {
        const int only = emitter_.add_axis(1);
        emitter_.open(only, loop::Place::grid);
        emit_scatter(emitter_, input_, false);
        emitter_.close();
        break;
      }
    }
    return group_.finish();
  }

 private:
  Size extent_of(const std::vector<int>& axes) const {
    Size extent = 1;
    for (const int axis : axes) extent = extent * emitter_.extent(axis);
    return extent;
  }

  static int64_t block_size(const Size& work) {
    const auto known = work.known();
    if (!known || *known >= kMostBlockThreads) return kMostBlockThreads;
    return std::max(kWarp, (*known + kWarp - 1) / kWarp * kWarp);
  }

  // The axes in terms of one flat index over them.
  void flatten(const std::vector<int>& axes, const Expr& flat) {
    std::vector<Expr> parts(static_cast<size_t>(emitter_.axis_count()));
    for (int i = 0; i < emitter_.axis_count(); ++i) parts[static_cast<size_t>(i)] = expr::axis(i);
    Expr rest = flat;
    for (size_t i = axes.size(); i-- > 0;) {
      const Expr size = emitter_.extent(axes[i]).expression();
      parts[static_cast<size_t>(axes[i])] = i == 0 ? rest : expr::mod(rest, size);
      if (i > 0) rest = expr::floor_div(rest, size);
    }
    std::vector<Expr> group_axes;
    for (const Expr& e : emitter_.group_axes()) {
      group_axes.push_back(emitter_.simplified(substitute_axes(e, parts)));
    }
    emitter_.set_group_axes(std::move(group_axes));
  }

  static uint64_t mask(std::initializer_list<int> axes) {
    uint64_t set = 0;
    for (const int axis : axes) set |= uint64_t{1} << axis;
    return set;
  }

  void close_if(const Expr& condition) {
    loop::Body body = emitter_.close_body();
    emitter_.add({loop::If{condition, std::move(body)}});
  }

  // Elements that one thread takes: as many as are 16 bytes of the widest array, if rows of that many
  // neighbors come out even. One where an array does not lie along them: `last` is their axis in the
  // group, `axes` are those of the kernel.
  int64_t width_along(const std::vector<int>& axes, size_t last, const Size& count) const {
    const auto known =
        axes.empty() ? std::optional<int64_t>() : emitter_.extent(axes.back()).known();
    if (!known || !count.known()) return 1;
    int64_t width = kWideBytes;
    bool has_neighbors = false;
    for (const AccessPattern& pattern : group_.patterns) {
      const int64_t bytes = std::max(1, pattern.dtype.bits / 8);
      width = std::min(width, kWideBytes / bytes);
      if (!pattern.is_affine) continue;
      const Expr& step = pattern.coefficients[last];
      if (!expr::is_constant(step, 0) && !expr::is_constant(step, 1)) return 1;
      has_neighbors |= expr::is_constant(step, 1);
    }
    // Less than a warp of them is better spread over more threads.
    while (width > 1 && (*known % width != 0 || *count.known() < kWarp * width)) width /= 2;
    return has_neighbors ? std::max<int64_t>(width, 1) : 1;
  }

  // The body of `first .. first + width - 1`, as a vector loop where there are several.
  template <class Emit>
  void emit_lanes(int lane, int64_t width, Emit&& emit) {
    if (width == 1) return emit();
    emitter_.open(lane, Expr(width), loop::Place::vector, true);
    emit();
    emitter_.close();
  }

  void emit_elements() {
    const Size count = extent_of(axes_.outer);
    const bool is_map = input_.group.kind == GroupKind::map;
    const int64_t width =
        is_map ? width_along(axes_.outer, input_.group.outer.size() - 1, count) : 1;
    const int64_t block = block_size(count / width);
    const int b = emitter_.add_axis((count + (block * width - 1)) / (block * width));
    const int t = emitter_.add_axis(block), lane = width > 1 ? emitter_.add_axis(width) : -1;
    const Expr first = (expr::axis(b) * block + expr::axis(t)) * width;
    flatten(axes_.outer, width > 1 ? first + expr::axis(lane) : first);
    emitter_.open(b, emitter_.extent(b).expression(), loop::Place::grid, false);
    emitter_.open(t, emitter_.extent(t).expression(), loop::Place::block, false);
    emitter_.open_body(mask({b, t}));
    emitter_.stay_inside();
    emit_lanes(lane, width, [&] {
      for (const Member& member : input_.group.members) {
        if (group_.is_reduction(member)) emit_whole_row(member);
      }
      group_.store_members();
    });
    close_if(emitter_.simplified(first < count.expression()));
    emitter_.close();
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

  void emit_rows() {
    const std::vector<int> passes = passes_of(input_.program, input_.group);
    const int count = 1 + *std::max_element(passes.begin(), passes.end());
    const Size length = extent_of(axes_.inner);
    const size_t last = input_.group.extents().size() - 1;
    width_ = width_along(axes_.inner, last, extent_of(axes_.outer) * length);
    block_ = block_size(length / width_);
    const int row = emitter_.add_axis(extent_of(axes_.outer));
    thread_ = emitter_.add_axis(block_);
    flatten(axes_.outer, expr::axis(row));
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
      close_if(expr::equal(expr::axis(thread_), Expr(0)));
    }
    emitter_.close();
    emitter_.close();
  }

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
    flatten(axes_.inner, width > 1 ? first + expr::axis(lane) : first);
    emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
    emitter_.open_body(mask({step, thread_}));
    emit_lanes(lane, width, [&] {
      for (size_t i = 0; i < members.size(); ++i) {
        if (vars[i] >= 0) {
          group_.reduce(*members[i], vars[i]);
        } else {
          emitter_.store(*members[i], emitter_.member_value(*members[i]));
        }
      }
    });
    close_if(emitter_.simplified(first < length.expression()));
    emitter_.close();
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] < 0) continue;
      const auto combine = combine_of(group_.reducer(*members[i]));
      if (block_ > 1) emitter_.add({loop::Across{vars[i], combine, loop::Place::block}});
      emitter_.set_result(*members[i], vars[i]);
    }
  }

  GroupEmitter group_;
  const LoopInput& input_ = group_.input;
  Emitter& emitter_ = group_.emitter;
  const KernelAxes& axes_ = group_.axes;
  int64_t block_ = 0, width_ = 1;
  int thread_ = -1;
};

}  // namespace

EmittedKernel gpu_loops(const LoopInput& input) { return GpuLoops(input).run(); }

}  // namespace ridge::schedule
