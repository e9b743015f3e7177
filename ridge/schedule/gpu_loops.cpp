// The plain mapping to a GPU: a thread for each element of a map, a block for each tile of a product
// and for each row of a reduction, whose threads stride along it and combine through shared memory.
#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction_loops.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/scatter_loops.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kLargestBlock = 256;
constexpr int64_t kWarp = 32;
constexpr int64_t kTileSide = 128;

Expr apply(loop::Combine combine, const Expr& a, const Expr& b) {
  switch (combine) {
    case loop::Combine::sum: return a + b;
    case loop::Combine::prod: return a * b;
    case loop::Combine::max: return expr::max(a, b);
    case loop::Combine::min: return expr::min(a, b);
    case loop::Combine::any: return a || b;
    case loop::Combine::all: return a && b;
  }
  return {};
}

class GpuLoops {
 public:
  explicit GpuLoops(const LoopInput& input) : group_(input) {}

  EmittedKernel run() {
    switch (input_.group.kind) {
      case GroupKind::map: emit_elements(); break;
      case GroupKind::contraction:
        if (!emit_contraction(group_, {kTileSide, kTileSide, loop::Place::grid})) emit_elements();
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
    EmittedKernel emitted = group_.finish();
    for (loop::Buffer& buffer : shared_) emitted.kernel.buffers.push_back(std::move(buffer));
    return emitted;
  }

 private:
  Size extent_of(const std::vector<int>& axes) const {
    Size extent = 1;
    for (const int axis : axes) extent = extent * emitter_.extent(axis);
    return extent;
  }

  static int64_t block_size(const Size& work) {
    const auto known = work.known();
    if (!known || *known >= kLargestBlock) return kLargestBlock;
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

  void emit_elements() {
    const Size count = extent_of(axes_.outer);
    const int64_t block = block_size(count);
    const int b = emitter_.add_axis((count + (block - 1)) / block), t = emitter_.add_axis(block);
    const Expr flat = expr::axis(b) * block + expr::axis(t);
    flatten(axes_.outer, flat);
    emitter_.open(b, emitter_.extent(b).expression(), loop::Place::grid, false);
    emitter_.open(t, emitter_.extent(t).expression(), loop::Place::block, false);
    emitter_.open_body(mask({b, t}));
    emitter_.stay_inside();
    for (const Member& member : input_.group.members) {
      if (group_.is_reduction(member)) emit_whole_row(member);
    }
    group_.store_members();
    close_if(emitter_.simplified(flat < count.expression()));
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
    block_ = block_size(length);
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
    const int step = emitter_.add_axis((length + (block_ - 1)) / block_);
    const Expr flat = expr::axis(step) * block_ + expr::axis(thread_);
    flatten(axes_.inner, flat);
    emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
    emitter_.open_body(mask({step, thread_}));
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) {
        group_.reduce(*members[i], vars[i]);
      } else {
        emitter_.store(*members[i], emitter_.member_value(*members[i]));
      }
    }
    close_if(emitter_.simplified(flat < length.expression()));
    emitter_.close();
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) emitter_.set_result(*members[i], combine_block(*members[i], vars[i]));
    }
  }

  // Partials meet in shared memory: half of the threads take over from the other half, until one
  // is left.
  int combine_block(const Member& member, int var) {
    const DType dtype = group_.accumulator(member),
                arithmetic = emitter_.arithmetic_of(member.node);
    const auto combine = combine_of(group_.reducer(member));
    const expr::Type type = scalar_type(dtype);
    const Expr t = expr::axis(thread_);
    const int shared = add_shared(dtype);
    emitter_.add({loop::Store{shared, t, var}});
    emitter_.add({loop::Barrier{}});
    for (int64_t width = 1; width < block_; width *= 2) {
      const int64_t stride = 2 * width;
      emitter_.open_body();
      const int mine = emitter_.let("mine", dtype, arithmetic, expr::load(shared, type, {t}));
      const int other =
          emitter_.let("other", dtype, arithmetic, expr::load(shared, type, {t + width}));
      const int both = emitter_.let("both", dtype, arithmetic,
                                    apply(combine, emitter_.read(mine), emitter_.read(other)));
      emitter_.add({loop::Store{shared, t, both}});
      close_if(expr::equal(expr::mod(t, Expr(stride)), Expr(0)) && t + width < Expr(block_));
      emitter_.add({loop::Barrier{}});
    }
    return emitter_.let("row", dtype, arithmetic, expr::load(shared, type, {Expr(0)}));
  }

  int add_shared(DType dtype) {
    shared_.push_back({"shared" + std::to_string(shared_.size()), dtype, loop::Access::in_out,
                       loop::Space::shared, expr::constant(block_)});
    return kFirstShared + static_cast<int>(shared_.size()) - 1;
  }

  // Shared buffers come after global ones, whose number is known at the end.
  static constexpr int kFirstShared = 1 << 20;

  GroupEmitter group_;
  const LoopInput& input_ = group_.input;
  Emitter& emitter_ = group_.emitter;
  const KernelAxes& axes_ = group_.axes;
  std::vector<loop::Buffer> shared_;
  int64_t block_ = 0;
  int thread_ = -1;

 public:
  static int first_shared() { return kFirstShared; }
};

}  // namespace

EmittedKernel gpu_loops(const LoopInput& input) {
  EmittedKernel emitted = GpuLoops(input).run();
  renumber_buffers(emitted.kernel, GpuLoops::first_shared(),
                   static_cast<int>(emitted.buffers.size()));
  return emitted;
}

}  // namespace ridge::schedule
