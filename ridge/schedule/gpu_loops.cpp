// The plain mapping to a GPU: a thread for each element of a map or of a product, a block for each
// row of a reduction, whose threads stride along it and combine through shared memory.
#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/kernel_text.h"
#include "ridge/schedule/loops.h"
#include "ridge/schedule/scatter_loops.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kLargestBlock = 256;
constexpr int64_t kWarp = 32;

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
  explicit GpuLoops(const LoopInput& input)
      : input_(input),
        emitter_(input.program, input.group, input.places),
        patterns_(access_patterns(input.program, input.group, input.places, input.is_stored)),
        axes_(merge_axes(emitter_, input.program, input.group, patterns_)) {}

  EmittedKernel run() {
    switch (input_.group.kind) {
      case GroupKind::map:
      case GroupKind::contraction: emit_elements(); break;
      case GroupKind::reduction: emit_rows(); break;
      case GroupKind::scatter: {
        const int only = emitter_.add_axis(1);
        emitter_.open(only, loop::Place::grid);
        emit_scatter(emitter_, input_, false);
        emitter_.close();
        break;
      }
    }
    const std::vector<int> buffers = emitter_.buffers();
    loop::Kernel kernel = emitter_.finish();
    for (loop::Buffer& buffer : shared_) kernel.buffers.push_back(std::move(buffer));
    return {std::move(kernel), buffers};
  }

 private:
  bool is_stored(const Member& member) const {
    const ValueId id = input_.program.result(member.node);
    return input_.is_stored[static_cast<size_t>(id.index)];
  }
  bool is_reduction(const Member& member) const {
    return !input_.program.meaning(member.node).is_map();
  }
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
      if (is_reduction(member)) emit_whole_row(member);
    }
    for (const Member& member : input_.group.members) {
      if (is_stored(member)) emitter_.store(member, emitter_.member_value(member));
    }
    close_if(emitter_.simplified(flat < count.expression()));
    emitter_.close();
    emitter_.close();
  }

  DType accumulator(const Member& member) const {
    const Meaning& meaning = input_.program.meaning(member.node);
    const expr::Type type = meaning.definition.value->type;
    if (type == expr::Type::real) return emitter_.arithmetic_of(member.node);
    const auto reducer = meaning.definition.reducer;
    const bool is_logic = reducer == ops::Reducer::any || reducer == ops::Reducer::all;
    return is_logic || type == expr::Type::boolean ? boolean : i64;
  }

  int declare(const Member& member) {
    const DType dtype = accumulator(member);
    const int var = emitter_.new_value("partial", dtype);
    const auto reducer = input_.program.meaning(member.node).definition.reducer;
    emitter_.add({loop::Var{var, identity_of(reducer, dtype)}});
    return var;
  }

  // One thread goes along the whole row: products, and positions of extrema.
  void emit_whole_row(const Member& member) {
    const auto reducer = input_.program.meaning(member.node).definition.reducer;
    if (gives_position(reducer)) return emit_position(member);
    const int var = declare(member);
    for (const int axis : axes_.inner) emitter_.open(axis, loop::Place::serial);
    const int operand = emitter_.reduced_value(member);
    emitter_.add({loop::Reduce{var, combine_of(reducer), operand}});
    for (size_t i = 0; i < axes_.inner.size(); ++i) emitter_.close();
    emitter_.set_result(member, var);
  }

  void emit_position(const Member& member) {
    const bool is_max =
        input_.program.meaning(member.node).definition.reducer == ops::Reducer::argmax;
    const int best = declare(member);
    const int at = emitter_.new_value("position", i64);
    emitter_.add({loop::Var{at, expr::constant(int64_t{0})}});
    for (const int axis : axes_.inner) emitter_.open(axis, loop::Place::serial);
    const int value = emitter_.reduced_value(member);
    const Expr v = emitter_.read(value), b = emitter_.read(best);
    Expr beats = is_max ? v > b : v < b;
    if (v->type == expr::Type::real) beats = beats || (is_nan(v) && !is_nan(b));
    if (v->type == expr::Type::boolean) beats = is_max ? (v && !b) : (!v && b);
    const DType arithmetic = emitter_.arithmetic_of(member.node);
    const Expr wins = emitter_.read(emitter_.let("beats", boolean, arithmetic, beats));
    const Expr position = emitter_.member_axes(member).back();
    emitter_.add({loop::Assign{at, arithmetic, select(wins, position, emitter_.read(at))}});
    emitter_.add({loop::Assign{best, arithmetic, select(wins, v, b)}});
    for (size_t i = 0; i < axes_.inner.size(); ++i) emitter_.close();
    emitter_.set_result(member, at);
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
        const auto reducer = input_.program.meaning(member.node).definition.reducer;
        if (is_reduction(member) && gives_position(reducer)) {
          emit_position(member);
        } else if (is_reduction(member) || (!member.is_row && is_stored(member))) {
          along.push_back(&member);
        }
      }
      if (!along.empty()) emit_pass(along, length);
      emitter_.set_group_axes(row_axes);
    }
    for (const Member& member : input_.group.members) {
      const bool is_row = member.is_row || is_reduction(member);
      if (!is_row || !is_stored(member)) continue;
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
      vars.push_back(is_reduction(*member) ? declare(*member) : -1);
    }
    const int step = emitter_.add_axis((length + (block_ - 1)) / block_);
    const Expr flat = expr::axis(step) * block_ + expr::axis(thread_);
    flatten(axes_.inner, flat);
    emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
    emitter_.open_body(mask({step, thread_}));
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) {
        const auto reducer = input_.program.meaning(members[i]->node).definition.reducer;
        const int operand = emitter_.reduced_value(*members[i]);
        emitter_.add({loop::Reduce{vars[i], combine_of(reducer), operand}});
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
    const DType dtype = accumulator(member), arithmetic = emitter_.arithmetic_of(member.node);
    const auto combine = combine_of(input_.program.meaning(member.node).definition.reducer);
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

  const LoopInput& input_;
  Emitter emitter_;
  std::vector<AccessPattern> patterns_;
  KernelAxes axes_;
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
