#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/cpu_variants.h"
#include "ridge/schedule/group_emitter.h"
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
      case GroupKind::contraction: emit_contraction(); break;
      case GroupKind::scatter: emit_scatter(emitter_, input_, true); break;
    }
    return group_.finish();
  }

 private:
  // An axis cut into pieces of `chunk`: the outer part @thread, the inner part left to the caller,
  // whose extent is returned. The group's axes follow.
  struct Split {
    int part, within;
    Expr within_extent;
  };
  Split split(int axis, int64_t chunk) {
    const Expr whole = emitter_.extent(axis).expression();
    const Size parts = (emitter_.extent(axis) + (chunk - 1)) / chunk;
    const int part = emitter_.add_axis(parts), within = emitter_.add_axis(chunk);
    const Expr index = expr::axis(part) * chunk + expr::axis(within);
    std::vector<Expr> axes;
    for (const Expr& e : emitter_.group_axes()) {
      axes.push_back(expr::transform(e, [&](const Expr& node) {
        const bool is_it = node->kind == expr::Kind::axis && node->index == axis;
        return is_it ? index : node;
      }));
    }
    emitter_.set_group_axes(std::move(axes));
    return {part, within, expr::min(Expr(chunk), whole - expr::axis(part) * chunk)};
  }

  void set_grain(const Size& points_per_task) {
    const Expr points = expr::max(points_per_task.expression(), Expr(1));
    emitter_.kernel().grain =
        expr::simplify(expr::max(expr::floor_div(Expr(kPointsPerThread), points), Expr(1)));
  }

  void open_threads(const std::vector<int>& axes) {
    for (const int axis : axes) emitter_.open(axis, loop::Place::thread);
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
      const Split s = split(last, kVectorChunk);
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
    if (variant_.runs_across_rows && !axes_.outer.empty() && !axes_.inner.empty()) {
      const int last = threads.back();
      threads.pop_back();
      const Split s = split(last, kColumnChunk);
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
        } else if (!member.is_row && group_.is_stored(member)) {
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
        group_.reduce(*members[i], vars[i]);
      } else {
        emitter_.store(*members[i], emitter_.member_value(*members[i]));
      }
    }
    for (size_t i = 0; i < axes_.inner.size(); ++i) emitter_.close();
    for (size_t i = 0; i < members.size(); ++i) {
      if (vars[i] >= 0) emitter_.set_result(*members[i], vars[i]);
    }
  }

  void emit_contraction();
  void emit_contraction_as_rows();

  GroupEmitter group_;
  CpuVariant variant_;
  const LoopInput& input_ = group_.input;
  Emitter& emitter_ = group_.emitter;
  const KernelAxes& axes_ = group_.axes;
  size_t opened_ = 0;
};

// Which axes of the kernel are m, n, k and batch: from where the two factors move.
void CpuLoops::emit_contraction() {
  const Member& product = input_.group.members.front();
  const Meaning& meaning = input_.program.meaning(product.node);
  auto factors = factors_of(meaning.definition.value);
  Expr lhs = emitter_.raw(product, factors->lhs), rhs = emitter_.raw(product, factors->rhs);
  const auto has = [](const Expr& e, int axis) { return ((axes_in(e) >> axis) & 1) != 0; };

  // n is the last axis of the result that only one factor has; that factor is rhs.
  int m = -1, n = -1;
  for (const int axis : axes_.outer) {
    if (has(lhs, axis) != has(rhs, axis)) n = axis;
  }
  if (n >= 0 && has(lhs, n)) std::swap(lhs, rhs);
  for (const int axis : axes_.outer) {
    if (has(lhs, axis) && !has(rhs, axis)) m = axis;
  }
  if (m < 0 || n < 0 || axes_.inner.size() != 1) return emit_contraction_as_rows();

  std::vector<int> threads;
  for (const int axis : axes_.outer) {
    if (axis != m && axis != n) threads.push_back(axis);
  }
  const Size k_size = emitter_.extent(axes_.inner[0]), n_size = emitter_.extent(n);
  const Split rows = split(m, kTileRows), columns = split(n, variant_.tile_columns);
  threads.push_back(rows.part);
  threads.push_back(columns.part);
  set_grain(min(n_size, variant_.tile_columns) * k_size * kTileRows / 4);
  open_threads(threads);
  loop::Contract contract{.m = rows.within,
                          .n = columns.within,
                          .k = axes_.inner[0],
                          .m_extent = emitter_.simplified(rows.within_extent),
                          .n_extent = emitter_.simplified(columns.within_extent),
                          .k_extent = k_size.expression(),
                          .lhs = {},
                          .rhs = {},
                          .accumulator = group_.accumulator(product),
                          .value = emitter_.new_value("product", group_.accumulator(product)),
                          .body = {}};
  // Again, over the axes as they are now.
  factors = factors_of(meaning.definition.value);
  contract.lhs = emitter_.raw(product, factors->lhs);
  contract.rhs = emitter_.raw(product, factors->rhs);
  if (has(contract.lhs, columns.within)) std::swap(contract.lhs, contract.rhs);
  emitter_.open_body((uint64_t{1} << rows.within) | (uint64_t{1} << columns.within));
  emitter_.set_result(product, contract.value);
  group_.store_members(false);
  contract.body = emitter_.close_body();
  emitter_.add({std::move(contract)});
  close_all();
}

// A product whose summed axes do not run as one, as in a convolution: plain sums, lanes across the
// last axis of the result.
void CpuLoops::emit_contraction_as_rows() {
  Size points = kColumnChunk;
  for (const int axis : axes_.inner) points = points * emitter_.extent(axis);
  std::vector<int> threads = axes_.outer;
  set_grain(points);
  if (threads.empty()) return emit_rows(loop::Place::vector);
  const Split s = split(threads.back(), kColumnChunk);
  threads.back() = s.part;
  open_threads(threads);
  emitter_.open(s.within, s.within_extent, loop::Place::vector);
  ++opened_;
  emit_rows(loop::Place::serial);
  close_all();
}

}  // namespace

EmittedKernel emit_cpu_loops(const LoopInput& input, const CpuVariant& variant) {
  return CpuLoops(input, variant).run();
}

}  // namespace ridge::schedule
