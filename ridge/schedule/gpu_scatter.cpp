#include "ridge/schedule/gpu_scatter.h"

#include <algorithm>
#include <bit>

#include "ridge/schedule/gpu_own_buffers.h"
#include "ridge/schedule/scatter_loops.h"
#include "ridge/schedule/scatter_targets.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kScannedPoints = 8;   // of a thread between two barriers, at most
constexpr int64_t kMostMarks = 32768;   // bytes of shared memory for what a block has touched
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
    tile_ = emitter_.add_axis(divided_up(columns_, threads_ * width_));
    owner_ = emitter_.add_axis(owners_);
    thread_ = emitter_.add_axis(threads_);
    lane_ = width_ > 1 ? emitter_.add_axis(width_) : -1;
    first_ = (expr::axis(tile_) * threads_ + expr::axis(thread_)) * width_;
    for (const int axis : {tile_, owner_}) emitter_.open(axis, loop::Place::grid);
    emitter_.open(thread_, Expr(threads_), loop::Place::block, false);
    if (can_mark())
      touched_ = shared_.add("touched", boolean, *slots_of_owner().known() * threads_);
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
    const int64_t wanted = static_cast<int64_t>(units) * kScatterBlocksPerUnit;
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

  Size slots_of_owner() const { return divided_up(slots_, owners_); }
  // Sums that are rounded once are kept in scratch. Where there is room to note which elements some point
  // leads to, only theirs are: a thread notes it for its own columns.
  bool can_mark() const {
    const auto slots = slots_of_owner().known();
    return input_.scratch >= 0 && targets_.is_uniform && slots && *slots * threads_ <= kMostMarks;
  }
  Expr mark_at(const Expr& own_slot) const {
    return emitter_.simplified(own_slot * threads_ + expr::axis(thread_));
  }
  Expr read_mark(const Expr& own_slot) {
    const Expr mark = expr::load(touched_, expr::Type::boolean, {mark_at(own_slot)});
    return emitter_.read(emitter_.let("touched", boolean, f32, mark));
  }
  void set_mark(const Expr& own_slot, bool value) {
    const int mark = emitter_.let("mark", boolean, f32, expr::constant(value));
    emitter_.add({loop::Store{touched_, mark_at(own_slot), mark}});
  }

  // Each slot of this block, in the columns of this thread.
  template <class Emit>
  void for_each_slot(Emit&& emit) {
    const int step = emitter_.add_axis(slots_of_owner());
    const Expr slot = expr::axis(step) * owners_ + expr::axis(owner_);
    emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
    open_guarded(axis_mask({step, thread_}));
    emit(expr::axis(step), position(slot));
    close_guarded(is_column() && slot < slots_.expression());
    emitter_.close();
  }

  void store_initial(const std::vector<Expr>& at) {
    emit_lanes([&] {
      const int initial = ScatterStep{emitter_, input_, node_}.initial(at);
      emitter_.add({loop::Store{buffer(), address(at), initial}});
    });
  }
  void start() {
    for_each_slot([&](const Expr& own_slot, const std::vector<Expr>& at) {
      touched_ >= 0 ? set_mark(own_slot, false) : store_initial(at);
    });
  }

  void store_result(const std::vector<Expr>& at, int value) {
    const ValueId result = input_.program.result(node_);
    const int to = emitter_.buffer(result, loop::Access::out);
    emitter_.add({loop::Store{to, emitter_.address(result, at), value}});
  }
  void copy_sum(const std::vector<Expr>& at) {
    emit_lanes([&] {
      const Expr sum = expr::load(buffer(), expr::Type::real, {address(at)});
      store_result(at, emitter_.let("sum", f32, f32, sum));
    });
  }
  void copy_out() {
    for_each_slot([&](const Expr& own_slot, const std::vector<Expr>& at) {
      if (touched_ < 0) return copy_sum(at);
      const Expr was = read_mark(own_slot);
      open_guarded(0);
      copy_sum(at);
      close_guarded(was);
      open_guarded(0);
      emit_lanes([&] { store_result(at, ScatterStep{emitter_, input_, node_}.initial(at)); });
      close_guarded(!was);
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
  // Of a slot of this block. The first point of an element finds scratch as others have left it.
  void add_own_point(const Expr& own_slot, const std::vector<Expr>& from) {
    const std::vector<Expr> to = position(own_slot * owners_ + expr::axis(owner_));
    const auto add = [&] { emit_lanes([&] { add_point(to, from); }); };
    if (touched_ < 0) return add();
    const Expr was = read_mark(own_slot);
    open_guarded(0);
    add();
    close_guarded(was);
    open_guarded(0);
    const ScatterStep step{emitter_, input_, node_};
    emit_lanes([&] { step.begin(buffer(), address(to), to, from); });
    set_mark(own_slot, true);
    close_guarded(!was);
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

  // The threads of a block read the index together, each a few neighbors at once.
  void scan_together() {
    int64_t each = kScannedPoints;
    while (points_.known().value_or(1) % each != 0) each /= 2;
    slots_seen_ = shared_.add("slots", i32, each * threads_);
    hits_ = shared_.add("hits", boolean, threads_);
    runs_ = shared_.add("runs", boolean, threads_ / kWarp);
    const int chunk = emitter_.add_axis(divided_up(points_, each * threads_));
    emitter_.open(chunk, emitter_.extent(chunk).expression(), loop::Place::serial, true);
    const Expr start = expr::axis(chunk) * (each * threads_);
    mark_own(start, each);
    emitter_.add({loop::Barrier{}});
    add_own(start, each);
    emitter_.add({loop::Barrier{}});
    emitter_.close();
  }

  // Which points of a chunk are for this block: their slot among its own, or -1; whether a thread, and a
  // warp, has found any.
  void mark_own(const Expr& start, int64_t each) {
    const int hit = emitter_.new_value("hit", boolean);
    emitter_.add({loop::Var{hit, expr::constant(false)}});
    const Expr first = expr::axis(thread_) * each;
    const int within = emitter_.add_axis(each);
    open_guarded(axis_mask({thread_}));
    emitter_.open(within, Expr(each), each > 1 ? loop::Place::vector : loop::Place::serial, true);
    const Expr slot = slot_at(point(start + first + expr::axis(within)));
    const Expr own = expr::select(is_own(slot), expr::floor_div(slot, Expr(owners_)), Expr(-1));
    const int mine = emitter_.let("mine", i64, f32, emitter_.simplified(own));
    const Expr place = emitter_.simplified(first + expr::axis(within));
    emitter_.add({loop::Store{slots_seen_, place, mine}});
    const int is_mine = emitter_.let("is_mine", boolean, f32, emitter_.read(mine) >= 0);
    emitter_.add({loop::Reduce{hit, loop::Combine::any, is_mine}});
    emitter_.close();
    close_guarded(start + first < points_.expression());
    emitter_.add({loop::Store{hits_, expr::axis(thread_), hit}});
    emitter_.add({loop::Across{hit, loop::Combine::any, loop::Place::lane}});
    open_guarded(0);
    const Expr run = expr::floor_div(expr::axis(thread_), Expr(kWarp));
    emitter_.add({loop::Store{runs_, emitter_.simplified(run), hit}});
    close_guarded(expr::equal(expr::mod(expr::axis(thread_), Expr(kWarp)), Expr(0)));
  }

  // Adds them, in their order, each thread in its own columns.
  void add_own(const Expr& start, int64_t each) {
    const int run = emitter_.add_axis(threads_ / kWarp);
    const int member = emitter_.add_axis(kWarp), within = emitter_.add_axis(each);
    const Expr finder = expr::axis(run) * kWarp + expr::axis(member);
    const auto is_set = [](int marks, const Expr& at) {
      return expr::load(marks, expr::Type::boolean, {at});
    };
    open_guarded(axis_mask({thread_}));
    emitter_.open(run, loop::Place::serial);
    emitter_.open_body();
    emitter_.open(member, loop::Place::serial);
    emitter_.open_body();
    emitter_.open(within, Expr(each), loop::Place::serial, false);
    const Expr place = finder * each + expr::axis(within);
    const Expr element = expr::load(slots_seen_, expr::Type::integer, {place});
    const Expr mine = emitter_.read(emitter_.let("mine", i64, f32, element));
    open_guarded(axis_mask({within}));
    add_own_point(mine, point(start + place));
    close_guarded(mine >= 0);
    emitter_.close();
    close_guarded(is_set(hits_, finder));
    emitter_.close();
    close_guarded(is_set(runs_, expr::axis(run)));
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
  // Shared: which sums this block has begun; what it has found in the index.
  int touched_ = -1, slots_seen_ = -1, hits_ = -1, runs_ = -1;
  Expr first_;
  OwnBuffers shared_;
};

}  // namespace

EmittedKernel gpu_scatter(const LoopInput& input) { return GpuScatter(input).run(); }

}  // namespace ridge::schedule
