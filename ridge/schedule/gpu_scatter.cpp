#include "ridge/schedule/gpu_scatter.h"

#include <algorithm>
#include <bit>

#include "ridge/schedule/gpu_own_buffers.h"
#include "ridge/schedule/scatter_loops.h"
#include "ridge/schedule/scatter_targets.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kScanRounds = 4;      // points of a thread between two barriers
constexpr int64_t kOwnersOfColumn = 4;  // where each has to read the whole index of a column

class GpuScatter {
 public:
  explicit GpuScatter(const LoopInput& input)
      : input_(input),
        emitter_(input.program, input.group, input.places),
        node_(input.group.members.front().node),
        meaning_(input.program.meaning(node_)),
        targets_(scatter_targets(input.program, node_)) {
    columns_ = size_of(targets_.columns, meaning_.shape);
    slots_ = size_of(targets_.slots, meaning_.shape);
    points_ = size_of(targets_.scanned, meaning_.definition.extents);
    choose_sizes();
  }

  EmittedKernel run() {
    tile_ = emitter_.add_axis((columns_ + (threads_ * width_ - 1)) / (threads_ * width_));
    owner_ = emitter_.add_axis(owners_);
    thread_ = emitter_.add_axis(threads_);
    lane_ = width_ > 1 ? emitter_.add_axis(width_) : -1;
    first_ = (expr::axis(tile_) * threads_ + expr::axis(thread_)) * width_;
    for (const int axis : {tile_, owner_}) emitter_.open(axis, loop::Place::grid);
    emitter_.open(thread_, Expr(threads_), loop::Place::block, false);
    start();
    targets_.is_uniform ? scan_together() : scan_alone();
    if (input_.scratch >= 0) copy_out();
    for (int i = 0; i < 3; ++i) emitter_.close();
    EmittedKernel result{{}, emitter_.buffers(), {}};
    result.kernel = emitter_.finish();
    shared_.settle(result.kernel);
    return result;
  }

 private:
  static Size size_of(const std::vector<int>& axes, const Shape& extents) {
    Size size = 1;
    for (const int axis : axes) size = size * extents[static_cast<size_t>(axis)];
    return size;
  }

  void choose_sizes() {
    const int64_t bytes = std::max(1, register_dtype(meaning_.dtype).bits / 8);
    width_ = targets_.is_uniform && targets_.has_neighbors ? kWideBytes / bytes : 1;
    while (width_ > 1 && !comes_out_even(width_)) width_ /= 2;
    threads_ = GpuEmitter::block_size(columns_ / width_);
    // Everyone helps to read the index, so a few more threads than columns are no loss.
    constexpr int64_t kLeastScanning = 128;
    if (targets_.is_uniform) threads_ = std::max(threads_, kLeastScanning);
    const double units = input_.sheet == nullptr ? 1 : input_.sheet->value("units").value_or(1);
    const int64_t wanted = static_cast<int64_t>(units) * kColumnBlocksPerUnit;
    const int64_t tiles =
        std::max<int64_t>(1, columns_.known().value_or(threads_ * width_) / (threads_ * width_));
    const int64_t most = targets_.is_uniform ? wanted : kOwnersOfColumn;
    const int64_t owners =
        std::clamp<int64_t>(wanted / tiles, 1, std::min(most, slots_.known().value_or(most)));
    owners_ = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(owners)));
  }

  // Do columns and points come in whole runs of so many, and enough of them for a warp?
  bool comes_out_even(int64_t width) const {
    const auto columns = meaning_.shape.back().known();
    const auto points = meaning_.definition.extents.back().known();
    return columns && points && *columns % width == 0 && *points % width == 0 &&
           *columns >= kWarp * width;
  }

  Expr column() const { return lane_ >= 0 ? first_ + expr::axis(lane_) : first_; }
  Expr is_column() const { return first_ < columns_.expression(); }

  template <class Emit>
  void emit_lanes(Emit&& emit) {
    if (lane_ < 0) return emit();
    emitter_.open(lane_, Expr(width_), loop::Place::vector, true);
    emit();
    emitter_.close();
  }
  void open_guarded(uint64_t axes) {
    emitter_.open_body(axes);
    emitter_.stay_inside();
  }
  void close_guarded(const Expr& condition) {
    loop::Body body = emitter_.close_body();
    emitter_.add({loop::If{emitter_.simplified(condition), std::move(body)}});
  }

  // The element of the result in a slot, in the column of this thread.
  std::vector<Expr> position(const Expr& slot) const {
    std::vector<Expr> result(meaning_.shape.size());
    unflatten(targets_.columns, meaning_.shape, column(), result);
    unflatten(targets_.slots, meaning_.shape, slot, result);
    return result;
  }
  // The axes of a point, in the column of this thread.
  std::vector<Expr> point(const Expr& scanned) const {
    std::vector<Expr> result(meaning_.definition.extents.size());
    unflatten(targets_.scanned, meaning_.definition.extents, scanned, result);
    std::vector<Expr> of_column(meaning_.shape.size());
    unflatten(targets_.columns, meaning_.shape, column(), of_column);
    for (size_t i = 0; i < targets_.columns.size(); ++i) {
      result[static_cast<size_t>(targets_.column_axes[i])] =
          of_column[static_cast<size_t>(targets_.columns[i])];
    }
    return result;
  }
  // Points may end before the result does.
  Expr has_points() const {
    Expr result = is_column();
    std::vector<Expr> at(meaning_.shape.size());
    unflatten(targets_.columns, meaning_.shape, first_, at);
    for (size_t i = 0; i < targets_.columns.size(); ++i) {
      const auto dim = static_cast<size_t>(targets_.columns[i]);
      const Size& extent =
          meaning_.definition.extents[static_cast<size_t>(targets_.column_axes[i])];
      if (!is_same({extent}, {meaning_.shape[dim]}))
        result = result && at[dim] < extent.expression();
    }
    return result;
  }
  void unflatten(const std::vector<int>& axes, const Shape& extents, Expr flat,
                 std::vector<Expr>& into) const {
    for (size_t i = axes.size(); i-- > 0;) {
      const auto axis = static_cast<size_t>(axes[i]);
      const Expr size = extents[axis].expression();
      into[axis] = emitter_.simplified(i == 0 ? flat : expr::mod(flat, size));
      if (i > 0) flat = expr::floor_div(flat, size);
    }
  }

  int buffer() {
    if (input_.scratch < 0) {
      return emitter_.buffer(input_.program.result(node_), loop::Access::in_out);
    }
    if (scratch_ < 0) scratch_ = emitter_.scratch(input_.scratch, f32, meaning_.shape);
    return scratch_;
  }
  Expr address(const std::vector<Expr>& at) {
    if (input_.scratch < 0) return emitter_.address(input_.program.result(node_), at);
    return emitter_.simplified(ops::linear_index(at, meaning_.shape));
  }

  // Each slot of this block, in the columns of this thread.
  template <class Emit>
  void for_each_slot(Emit&& emit) {
    const int step = emitter_.add_axis((slots_ + (owners_ - 1)) / owners_);
    const Expr slot = expr::axis(step) * owners_ + expr::axis(owner_);
    emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
    open_guarded(axis_mask({step, thread_}));
    emit_lanes([&] { emit(position(slot)); });
    close_guarded(is_column() && slot < slots_.expression());
    emitter_.close();
  }

  void start() {
    for_each_slot([&](const std::vector<Expr>& at) {
      const ScatterStep step{emitter_, input_, node_};
      const int initial = step.initial(at);
      emitter_.add({loop::Store{buffer(), address(at), initial}});
    });
  }
  void copy_out() {
    for_each_slot([&](const std::vector<Expr>& at) {
      const ValueId result = input_.program.result(node_);
      const Expr sum = expr::load(buffer(), expr::Type::real, {address(at)});
      const int value = emitter_.let("sum", f32, f32, sum);
      emitter_.add({loop::Store{emitter_.buffer(result, loop::Access::out),
                                emitter_.address(result, at), value}});
    });
  }

  // Where the index leads at a point, as one number.
  Expr slot_at(const std::vector<Expr>& at) {
    Expr slot = 0;
    for (const int dim : targets_.slots) {
      const auto number = static_cast<size_t>(dim);
      const Expr index = emitter_.lowered(node_, meaning_.definition.target[number], at);
      slot = slot * meaning_.shape[number].expression() + index;
    }
    return emitter_.read(emitter_.let("slot", i64, f32, emitter_.simplified(slot)));
  }
  Expr is_own(const Expr& slot) const {
    return expr::equal(expr::mod(slot, Expr(owners_)), expr::axis(owner_));
  }
  void add_point(const std::vector<Expr>& to, const std::vector<Expr>& from) {
    const ScatterStep step{emitter_, input_, node_};
    step.combine(buffer(), address(to), from);
  }

  // Each thread goes through the index of its own columns.
  void scan_alone() {
    const int scanned = emitter_.add_axis(points_);
    open_guarded(axis_mask({thread_}));
    emitter_.open(scanned, loop::Place::serial);
    const std::vector<Expr> from = point(expr::axis(scanned));
    const Expr slot = slot_at(from);
    open_guarded(0);
    add_point(position(slot), from);
    close_guarded(is_own(slot));
    emitter_.close();
    close_guarded(has_points());
  }

  // The threads of a block read the index together.
  void scan_together() {
    const int64_t chunk_points = kScanRounds * threads_;
    const int slots = shared_.add("slots", i32, chunk_points);
    const int hits = shared_.add("hits", boolean, chunk_points / kWarp);
    const int chunk = emitter_.add_axis((points_ + (chunk_points - 1)) / chunk_points);
    emitter_.open(chunk, emitter_.extent(chunk).expression(), loop::Place::serial, true);
    const Expr start = expr::axis(chunk) * chunk_points;
    mark_own(start, slots, hits);
    emitter_.add({loop::Barrier{}});
    add_own(start, slots, hits);
    emitter_.add({loop::Barrier{}});
    emitter_.close();
  }

  // Which points of a chunk are for this block: their slot among its own, or -1.
  void mark_own(const Expr& start, int slots, int hits) {
    const int round = emitter_.add_axis(kScanRounds);
    emitter_.open(round, Expr(kScanRounds), loop::Place::serial, false);
    const Expr within = expr::axis(round) * threads_ + expr::axis(thread_);
    const int mine = emitter_.new_value("mine", i64);
    emitter_.add({loop::Var{mine, expr::constant(int64_t{-1})}});
    open_guarded(axis_mask({round, thread_}));
    const Expr slot = slot_at(point(start + within));
    const Expr own = expr::select(is_own(slot), expr::floor_div(slot, Expr(owners_)), Expr(-1));
    emitter_.add({loop::Assign{mine, f32, emitter_.simplified(own)}});
    close_guarded(start + within < points_.expression());
    emitter_.add({loop::Store{slots, emitter_.simplified(within), mine}});
    const int hit = emitter_.new_value("hit", boolean);
    emitter_.add({loop::Var{hit, emitter_.read(mine) >= 0}});
    emitter_.add({loop::Across{hit, loop::Combine::any, loop::Place::lane}});
    open_guarded(0);
    const Expr run = expr::floor_div(within, Expr(kWarp));
    emitter_.add({loop::Store{hits, emitter_.simplified(run), hit}});
    close_guarded(expr::equal(expr::mod(expr::axis(thread_), Expr(kWarp)), Expr(0)));
    emitter_.close();
  }

  // Adds them, in their order, each thread in its own columns.
  void add_own(const Expr& start, int slots, int hits) {
    const int run = emitter_.add_axis(kScanRounds * threads_ / kWarp);
    const int member = emitter_.add_axis(kWarp);
    const Expr within = expr::axis(run) * kWarp + expr::axis(member);
    open_guarded(axis_mask({thread_}));
    emitter_.open(run, loop::Place::serial);
    emitter_.open_body();
    emitter_.open(member, Expr(kWarp), loop::Place::serial, false);
    const Expr element = expr::load(slots, expr::Type::integer, {within});
    const Expr mine = emitter_.read(emitter_.let("mine", i64, f32, element));
    open_guarded(axis_mask({member}));
    emit_lanes(
        [&] { add_point(position(mine * owners_ + expr::axis(owner_)), point(start + within)); });
    close_guarded(mine >= 0);
    emitter_.close();
    close_guarded(expr::load(hits, expr::Type::boolean, {expr::axis(run)}));
    emitter_.close();
    close_guarded(has_points());
  }

  const LoopInput& input_;
  Emitter emitter_;
  int32_t node_;
  const Meaning& meaning_;
  ScatterTargets targets_;
  Size columns_, slots_, points_;
  int64_t width_ = 1, threads_ = 0, owners_ = 1;
  int tile_ = -1, owner_ = -1, thread_ = -1, lane_ = -1, scratch_ = -1;
  Expr first_;
  OwnBuffers shared_;
};

}  // namespace

EmittedKernel gpu_scatter(const LoopInput& input) { return GpuScatter(input).run(); }

}  // namespace ridge::schedule
