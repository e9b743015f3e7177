#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/cpu_loops.h"
#include "ridge/schedule/rank_keys.h"

namespace ridge::schedule {
namespace {

class CpuScan {
 public:
  CpuScan(const LoopInput& input, const GroupScan& scan) : group_(input), scan_(scan) {}

  std::optional<EmittedKernel> run() {
    const std::optional<RowsAlong> rows = rows_along(group_, *scan_.member, scan_.form.along);
    if (!rows) return std::nullopt;
    const size_t opened = open_rows(*rows);
    emit_sums(*rows);
    for (size_t i = 0; i < opened; ++i) emitter_.close();
    EmittedKernel result = group_.finish();
    result.decisions.push_back(Decision::yes("prefix sums in one pass"));
    return result;
  }

 private:
  // A task for each row, or for neighboring ones.
  size_t open_rows(const RowsAlong& rows) {
    std::vector<int> threads = rows.rows;
    const bool has_lanes = are_strided_rows(group_, rows);
    Split lanes{};
    if (has_lanes) {
      lanes = split(emitter_, threads.back(), kColumnChunk);
      threads.back() = lanes.part;
    }
    emitter_.kernel().grain = task_grain(has_lanes ? rows.length * kColumnChunk : rows.length);
    for (const int axis : threads) emitter_.open(axis, loop::Place::cpu_thread);
    if (has_lanes) emitter_.open(lanes.within, lanes.within_extent, loop::Place::vector);
    return threads.size() + (has_lanes ? 1 : 0);
  }

  void emit_sums(const RowsAlong& rows) {
    const DType dtype = group_.accumulator(*scan_.member);
    const DType wide = is_floating(dtype) ? f64 : dtype;
    const DType arithmetic = is_floating(dtype) ? f64 : f32;
    const int sum = emitter_.new_value("sum", wide);
    emitter_.add({loop::Var{sum, identity_of(ops::Reducer::sum, wide)}});
    const int step = emitter_.add_axis(rows.length);
    const Expr last = rows.length.expression() - 1;
    group_.flatten({rows.along},
                   scan_.form.is_reversed ? last - expr::axis(step) : expr::axis(step));
    emitter_.open(step, loop::Place::serial);
    const int element = emitter_.let("element", wide, arithmetic, added());
    emitter_.add({loop::Reduce{sum, loop::Combine::sum, element}});
    const int so_far = emitter_.let("scan", dtype, arithmetic, emitter_.read(sum));
    emitter_.set_result(*scan_.member, so_far);
    group_.store_members(true);
    emitter_.close();
  }

  // What is summed at the point where the group's axes are.
  Expr added() {
    std::vector<Expr> axes = emitter_.member_axes(*scan_.member);
    axes[scan_.form.reduced] = axes[scan_.form.along];
    return emitter_.lowered(scan_.member->node, scan_.form.value, axes);
  }

  GroupEmitter group_;
  Emitter& emitter_ = group_.emitter;
  GroupScan scan_;
};

}  // namespace

std::optional<EmittedKernel> cpu_scan(const LoopInput& input) {
  const std::optional<GroupScan> scan = find_scan(input);
  return scan ? CpuScan(input, *scan).run() : std::nullopt;
}

}  // namespace ridge::schedule
