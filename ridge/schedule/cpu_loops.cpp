#include "ridge/schedule/cpu_loops.h"

#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/scatter_loops.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

using loop::Statement;

class CpuLoops {
 public:
  CpuLoops(const LoopInput& input, const CpuVariant& variant) : group_(input), variant_(variant) {}

  EmittedKernel run() {
    switch (input_.group.kind) {
      case GroupKind::map: emit_map(); break;
      case GroupKind::reduction: emit_reduction(); break;
      case GroupKind::contraction: emit_product(); break;
      case GroupKind::scatter: emit_scatter(emitter_, input_, true); break;
      case GroupKind::chain: RIDGE_INTERNAL_CHECK(false, "emit_cpu_chain emits chains");
    }
    return group_.finish();
  }

 private:
  void set_grain(const Size& points_per_task) {
    emitter_.kernel().grain = task_grain(points_per_task);
  }

  void open_threads(const std::vector<int>& axes) {
    for (const int axis : axes) emitter_.open(axis, loop::Place::cpu_thread);
    opened_ += axes.size();
  }
  void close_all() {
    while (opened_ > 0) {
      emitter_.close();
      --opened_;
    }
  }

  void emit_map() {
    std::vector<int> threads = axes_.outer;
    if (threads.empty()) return group_.store_members(false);
    const int last = threads.back();
    threads.pop_back();
    const auto known = emitter_.extent(last).known();
    if (known && *known <= kVectorChunk) {
      set_grain(emitter_.extent(last));
      open_threads(threads);
      emitter_.open(last, loop::Place::vector);
      ++opened_;
    } else {
      const Split s = split(emitter_, last, kVectorChunk);
      set_grain(kVectorChunk);
      threads.push_back(s.part);
      open_threads(threads);
      emitter_.open(s.within, s.within_extent, loop::Place::vector);
      ++opened_;
    }
    group_.store_members(false);
    close_all();
  }

  void emit_reduction() {
    std::vector<int> threads = axes_.outer;
    Size points = 1;
    for (const int axis : axes_.inner) points = points * emitter_.extent(axis);
    if (variant_.is_row_per_lane && !axes_.outer.empty() && !axes_.inner.empty()) {
      const int last = threads.back();
      threads.pop_back();
      const Split s = split(emitter_, last, kColumnChunk);
      set_grain(points * kColumnChunk);
      threads.push_back(s.part);
      open_threads(threads);
      emitter_.open(s.within, s.within_extent, loop::Place::vector);
      ++opened_;
      emit_rows(loop::Place::serial);
    } else {
      set_grain(points);
      open_threads(threads);
      emit_rows(loop::Place::vector);
    }
    close_all();
  }

  // One row: pass after pass along it, then what is stored once for the row.
  void emit_rows(loop::Place last_place) {
    const std::vector<int> passes = passes_of(input_.program, input_.group);
    const int count = 1 + *std::max_element(passes.begin(), passes.end());
    for (int pass = 0; pass < count; ++pass) {
      std::vector<const Member*> along, positions;
      for (size_t i = 0; i < passes.size(); ++i) {
        const Member& member = input_.group.members[i];
        if (passes[i] != pass) continue;
        if (group_.is_reduction(member)) {
          (gives_position(group_.reducer(member)) ? positions : along).push_back(&member);
        } else if (!member.is_per_row && group_.is_stored(member)) {
          along.push_back(&member);
        }
      }
      if (!along.empty()) emit_pass(along, last_place);
      for (const Member* member : positions) group_.emit_position(*member);
    }
    group_.store_members(true);
  }

  void emit_pass(const std::vector<const Member*>& members, loop::Place last_place) {
    std::vector<int> vars;
    for (const Member* member : members) {
      vars.push_back(group_.is_reduction(*member) ? group_.declare(*member) : -1);
    }
    for (const int axis : axes_.inner) {
      const bool is_last = axis == axes_.inner.back();
      emitter_.open(axis, is_last ? last_place : loop::Place::serial);
    }
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) {
        reduce(*members[i], vars[i]);
      } else {
        emitter_.store(*members[i], emitter_.member_value(*members[i]));
      }
    }
    for (size_t i = 0; i < axes_.inner.size(); ++i) emitter_.close();
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) emitter_.set_result(*members[i], vars[i]);
    }
  }

  void reduce(const Member& member, int var);
  void emit_product();
  void emit_contraction_as_rows();

  GroupEmitter group_;
  CpuVariant variant_;
  const LoopInput& input_ = group_.input;
  Emitter& emitter_ = group_.emitter;
  const KernelAxes& axes_ = group_.axes;
  size_t opened_ = 0;
};

// A sum of products takes each by one fma, as tiles do (Note [Contraction]).
void CpuLoops::reduce(const Member& member, int var) {
  const DType dtype = group_.accumulator(member);
  const bool is_product = input_.program.is_contraction(member.node) && is_floating(dtype) &&
                          emitter_.arithmetic_of(member.node) == dtype;
  if (!is_product) return group_.reduce(member, var);
  const auto factors = factors_of(input_.program.node_definition(member.node).definition.value);
  const auto value_of = [&](const Expr& factor) {
    const Expr e = emitter_.lowered(member.node, factor, emitter_.member_axes(member));
    const bool is_value = e->kind == expr::Kind::input &&
                          emitter_.kernel().values[static_cast<size_t>(e->index)].dtype == dtype;
    return is_value ? e->index : emitter_.let("factor", dtype, dtype, e);
  };
  const int lhs = value_of(factors->lhs), rhs = value_of(factors->rhs);
  emitter_.add({loop::Reduce{var, loop::Combine::sum, lhs, rhs}});
}

void CpuLoops::emit_product() {
  const ProductTile tile{kTileRows, variant_.tile_columns, loop::Place::cpu_thread};
  const auto axes = emit_contraction(group_, tile);
  if (!axes) return variant_.is_row_per_lane ? emit_contraction_as_rows() : emit_reduction();
  const Size k = emitter_.extent(axes_.inner.front()), n = emitter_.extent(axes->n);
  set_grain(min(n, variant_.tile_columns) * k * kTileRows / 4);
}

// A product whose summed axes do not run as one, as in a convolution, or of a matrix and a vector: plain
// sums, lanes along the last axis of the result.
void CpuLoops::emit_contraction_as_rows() {
  Size points = kColumnChunk;
  for (const int axis : axes_.inner) points = points * emitter_.extent(axis);
  std::vector<int> threads = axes_.outer;
  set_grain(points);
  if (threads.empty()) return emit_rows(loop::Place::vector);
  const Split s = split(emitter_, threads.back(), kColumnChunk);
  threads.back() = s.part;
  open_threads(threads);
  emitter_.open(s.within, s.within_extent, loop::Place::vector);
  ++opened_;
  emit_rows(loop::Place::serial);
  close_all();
}

}  // namespace

Expr task_grain(const Size& points_per_task) {
  const Expr points = expr::max(points_per_task.expression(), Expr(1));
  return expr::simplify(expr::max(expr::floor_div(Expr(kPointsPerThread), points), Expr(1)));
}

EmittedKernel emit_cpu_loops(const LoopInput& input, const CpuVariant& variant) {
  if (input.group.kind == GroupKind::chain) return emit_cpu_chain(input, variant);
  return CpuLoops(input, variant).run();
}

}  // namespace ridge::schedule
