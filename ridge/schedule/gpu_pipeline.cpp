#include <algorithm>
#include <iterator>

#include "ridge/base/text.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/gpu_persistent_rows.h"
#include "ridge/schedule/gpu_pipeline_shape.h"
#include "ridge/schedule/gpu_row_loads.h"
#include "ridge/schedule/gpu_row_rewrites.h"

namespace ridge::schedule {
namespace {

class GpuPipeline {
 public:
  GpuPipeline(GpuEmitter& gpu, PersistentColumnSums& columns, const PipelineWork& work,
              const PipelineShape& shape)
      : gpu_(gpu), columns_(columns), work_(work), shape_(shape) {}

  void emit() {
    emitter_.kernel().min_blocks_per_sm = shape_.blocks_per_sm;
    open_threads();
    columns_.declare(shape_.steps * shape_.width);
    Expr segment = 0;
    if (shape_.segments > 1) {
      const int axis = emitter_.add_axis(shape_.segments);
      segment = expr::axis(axis);
      open(axis, loop::Place::serial);
    }
    const PipelineOrder order(work_, shape_, expr::axis(cluster_), segment);
    misalignment_ = emitter_.simplified(order.misalignment);
    cut_row();
    const Expr exists = emitter_.simplified(order.exists);
    emitter_.open_body();
    emitter_.stay_inside();
    columns_.declare_partials(loops(order.number));
    columns_.clear();
    fill_gap(order);
    emit_rows(order);
    columns_.store_partials(loops(order.number));
    if (expr::is_constant(exists, 1)) {
      for (loop::Statement& statement : emitter_.close_body()) emitter_.add(std::move(statement));
    } else {
      gpu_.close_if(exists);
    }
    for (int i = 0; i < open_loops_; ++i) emitter_.close();
  }

 private:
  void open_threads() {
    cluster_ = emitter_.add_axis(shape_.clusters);
    open(cluster_, loop::Place::gpu_block);
    if (shape_.blocks > 1) {
      const int part = emitter_.add_axis(shape_.blocks);
      part_ = expr::axis(part);
      open(part, loop::Place::gpu_cluster_block);
    }
    thread_ = emitter_.add_axis(shape_.threads);
    open(thread_, loop::Place::gpu_thread);
  }
  void open(int axis, loop::Place place) {
    emitter_.open(axis, place);
    ++open_loops_;
  }

  // Prologue and tail have one step each loop, because their elements may be outside of the row; the main loop is
  // unrolled by two. A stage is released, and the next one waited for, with each peeled loop.
  void cut_row() {
    lane_ = emitter_.add_axis(shape_.width);
    const int64_t end = shape_.end_step;
    const auto add = [&](int64_t first, int64_t count) {
      peeled_loops_.push_back({emitter_.add_axis(count), first, count});
    };
    add(0, 1);
    for (int64_t step = 1; step < end; step += 2) add(step, std::min<int64_t>(2, end - step));
    for (int64_t step = end; step < shape_.steps; ++step) add(step, 1);
  }
  bool is_last(const PeeledLoop& peeled) const { return peeled.first == shape_.steps - 1; }
  bool may_end(const PeeledLoop& peeled) const { return peeled.first >= shape_.end_step; }

  Expr vector_of(const PeeledLoop& peeled) const {  // of the block's slice
    return (expr::axis(peeled.step) + peeled.first) * shape_.threads + expr::axis(thread_);
  }
  Expr first_of(const PeeledLoop& peeled) const {  // element of a row
    return (vector_of(peeled) + part_ * shape_.slice) * shape_.width - misalignment_;
  }
  // Which lanes are inside of the row; null if all are.
  Expr lanes_inside(const PeeledLoop& peeled) const {
    const Expr element = first_of(peeled) + expr::axis(lane_);
    if (peeled.first == 0 && shape_.alignment_classes > 1)
      return emitter_.simplified(Expr(0) <= element);
    const bool is_even = shape_.alignment_classes == 1 && work_.length % shape_.width == 0;
    if (!may_end(peeled) || is_even) return {};
    return emitter_.simplified(element < Expr(work_.length));
  }
  // Has the thread a vector there, of the slice or of the row?
  Expr is_in_slice(const PeeledLoop& peeled) const {
    return is_last(peeled) ? emitter_.simplified(vector_of(peeled) < Expr(shape_.slice)) : Expr();
  }
  Expr is_inside(const PeeledLoop& peeled) const {
    if (!may_end(peeled)) return {};
    const Expr starts_inside = first_of(peeled) < Expr(work_.length);
    const Expr inside =
        emitter_.simplified(is_last(peeled) ? is_in_slice(peeled) && starts_inside : starts_inside);
    return expr::is_constant(inside, 1) ? Expr() : inside;
  }

  void fill_gap(const PipelineOrder& order) {
    const Expr is_gap = emitter_.simplified(order.leaves_gap);
    if (expr::is_constant(is_gap, 0)) return;
    emitter_.open_body();
    columns_.store_partials(loops(order.number - 1));
    gpu_.close_if(is_gap);
  }

  void emit_rows(const PipelineOrder& order) {
    const int64_t most = shape_.first_slot(1) + 1;
    row_loop_ = emitter_.add_axis(most);
    emitter_.open(row_loop_, order.trip_count, loop::Place::serial);
    gpu_.flatten(gpu_.axes.outer, order.row(expr::axis(row_loop_)));
    const std::vector<Expr> row_axes = emitter_.group_axes();
    const Expr start = emitter_.simplified(substitute_axes(work_.base, row_axes));
    std::vector<const Member*> sums, others;
    for (const Member& member : gpu_.input.group.members) {
      const bool is_sum = group_.is_reduction(member);
      const bool is_along = !member.is_per_row && !member.is_per_column && group_.is_stored(member);
      if (is_sum && !member.is_per_column) sums.push_back(&member);
      if (is_sum ? member.is_per_column : is_along) others.push_back(&member);
    }
    emit_sums(sums, row_axes);
    // First: what they need of the row may go when its first elements have gone.
    gpu_.store_row_values(expr::equal(expr::axis(thread_), Expr(0)) && expr::equal(part_, Expr(0)));
    emit_pass(others, {}, row_axes);
    align_rows(emitter_, emitter_.body(), {start, misalignment_, shape_.width});
    const Expr multiple = expr::floor_div(start, Expr(shape_.width)) * shape_.width;
    loop::Body before = pipeline_loads(
        emitter_, columns_.own(), emitter_.body(),
        {peeled_loops_, shape_.width, shape_.threads, shape_.slice, shape_.steps, work_.length,
         row_loop_, thread_, lane_, part_, emitter_.simplified(multiple), misalignment_, around()});
    emitter_.close();
    loop::Body& body = emitter_.body();
    body.insert(body.end() - 1, std::make_move_iterator(before.begin()),
                std::make_move_iterator(before.end()));
  }

  void emit_sums(const std::vector<const Member*>& sums, const std::vector<Expr>& row_axes) {
    std::vector<int> vars;
    for (const Member* member : sums) vars.push_back(group_.declare(*member));
    emit_pass(sums, vars, row_axes);
    const loop::Scope all = shape_.blocks > 1 ? loop::Scope::cluster : loop::Scope::block;
    for (size_t i = 0; i < sums.size(); ++i) {
      emitter_.add({loop::CollectiveReduce{vars[i], loop::Combine::sum, all}});
      emitter_.set_result(*sums[i], vars[i]);
    }
  }

  void emit_pass(const std::vector<const Member*>& members, const std::vector<int>& vars,
                 const std::vector<Expr>& row_axes) {
    for (const PeeledLoop& peeled : peeled_loops_) {
      gpu_.flatten(gpu_.axes.inner, first_of(peeled) + expr::axis(lane_));
      const Expr lanes = lanes_inside(peeled);
      const uint64_t bound = axis_mask({peeled.step});
      emitter_.open_body(static_cast<bool>(lanes) ? 0 : bound);
      const auto emit_members = [&] {
        for (size_t i = 0; i < members.size(); ++i) {
          if (!vars.empty()) {
            group_.reduce(*members[i], vars[i]);
          } else if (members[i]->is_per_column) {
            columns_.accumulate(*members[i], register_at(peeled));
          } else {
            emitter_.store(*members[i], emitter_.member_value(*members[i]));
          }
        }
      };
      emit_lanes(emitter_, lane_, shape_.width, emit_members, lanes, bound);
      emitter_.add(in_loop(peeled, is_inside(peeled), emitter_.close_body()));
      emitter_.set_group_axes(row_axes);
    }
  }
  Expr register_at(const PeeledLoop& peeled) const {
    const Expr step = expr::axis(peeled.step) + peeled.first;
    return emitter_.simplified(step * shape_.width + expr::axis(lane_));
  }

  static loop::Statement in_loop(const PeeledLoop& peeled, const Expr& inside, loop::Body body) {
    return {loop::Loop{peeled.step, Expr(*peeled.count), loop::Place::serial,
                       only_if(inside, std::move(body))}};
  }
  // Wraps the body of an innermost loop in a peeled loop and its masks.
  std::function<loop::Statement(const PeeledLoop&, loop::Body)> around() const {
    return [this](const PeeledLoop& peeled, loop::Body body) {
      body = only_if(lanes_inside(peeled), std::move(body));
      return in_loop(peeled, is_inside(peeled), in_lanes(lane_, shape_.width, std::move(body)));
    };
  }
  // Partial sums of all vectors of a slice are stored, also of elements in front of a row and behind it. An unused
  // number (PipelineOrder::leaves_gap) is read at another class's misalignment; those sums are zero.
  RowLoops loops(const Expr& number) const {
    const PipelineWork work =
        work_;  // the kernel that combines is written when this writer is gone
    const PipelineShape shape = shape_;
    return {
        .shape = {.width = shape_.width, .threads = shape_.threads},
        .length = work_.length,
        .block = cluster_,
        .thread = thread_,
        .lane = lane_,
        .peeled_loops = &peeled_loops_,
        .first_of = [this](const PeeledLoop& peeled) { return first_of(peeled) + misalignment_; },
        .around =
            [this](const PeeledLoop& peeled, loop::Body body) {
              return in_loop(peeled, is_in_slice(peeled),
                             in_lanes(lane_, shape_.width, std::move(body)));
            },
        .partials = shape_.partials,
        .partial = number,
        .partial_rows = {.room = shape_.blocks * shape_.slice * shape_.width,
                         .first = [work, shape](const Expr& at) {
                           return PipelineOrder::misalignment_of(work, shape, at);
                         }}};
  }

  GpuEmitter& gpu_;
  PersistentColumnSums& columns_;
  const PipelineWork& work_;
  const PipelineShape& shape_;
  GroupEmitter& group_ = gpu_.group;
  Emitter& emitter_ = gpu_.emitter;
  std::vector<PeeledLoop> peeled_loops_;
  Expr misalignment_{};
  Expr part_ = 0;  // of a row, that the block has
  int cluster_ = -1, thread_ = -1, lane_ = -1, row_loop_ = -1;
  int open_loops_ = 0;
};

}  // namespace

std::optional<EmittedGroup> gpu_pipeline(const LoopInput& input) {
  GpuEmitter gpu(input);
  const std::optional<PipelineWork> work = pipeline_work(gpu);
  const std::optional<PipelineShape> shape = work ? pipeline_shape(gpu, *work) : std::nullopt;
  if (!shape) return std::nullopt;
  PersistentColumnSums columns(gpu);
  GpuPipeline(gpu, columns, *work, *shape).emit();
  return columns.finish(Decision::yes(
      concat("a warp-specialized pipeline of ", shape->clusters,
             shape->blocks == 1 ? " blocks" : concat(" clusters of ", shape->blocks, " blocks"),
             ", which keep column sums in registers for a second kernel to combine")));
}

}  // namespace ridge::schedule
