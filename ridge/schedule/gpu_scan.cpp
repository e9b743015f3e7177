#include "ridge/schedule/gpu_scan.h"

#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_own_buffers.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kScanElements = 4;  // of a thread in a chunk

// The one reduction of a group, if it is a prefix sum.
struct Scan {
  const Member* member;
  Expr value;      // what is summed, over the axes of its definition
  size_t along;    // axis of the definition that it is scanned along,
  size_t reduced;  // and the one that stands for the elements up to it
  int axis;        // `along` as an axis of the group
  bool is_reversed;
};

bool is_axis_of_group(const Expr& e) { return e->kind == expr::Kind::axis; }

// select(k <= j, value, 0), or j <= k for sums from an element on.
std::optional<Scan> scan_of(const Meaning& meaning, const Member& member) {
  const ops::Definition& d = meaning.definition;
  if (d.reducer != ops::Reducer::sum || d.extents.size() != d.output_rank + 1) return std::nullopt;
  const Expr& select = d.value;
  if (!is_call(select, expr::Function::select) || !expr::is_constant(select->args[2], 0)) {
    return std::nullopt;
  }
  const Expr& order = select->args[0];
  if (!is_call(order, expr::Function::less_equal) || order->args[0]->kind != expr::Kind::axis ||
      order->args[1]->kind != expr::Kind::axis) {
    return std::nullopt;
  }
  const auto low = static_cast<size_t>(order->args[0]->index);
  const auto high = static_cast<size_t>(order->args[1]->index);
  const size_t reduced = d.output_rank, along = low == reduced ? high : low;
  if (low == high || (low != reduced && high != reduced)) return std::nullopt;
  const bool sees_itself = ((axes_in(select->args[1]) >> along) & 1) != 0;
  if (sees_itself || !is_same({d.extents[along]}, {d.extents[reduced]})) return std::nullopt;
  if (!is_axis_of_group(member.axes[along])) return std::nullopt;
  return Scan{&member, select->args[1], along, reduced, member.axes[along]->index, low == along};
}

std::optional<Scan> find_scan(const LoopInput& input) {
  std::optional<Scan> found;
  for (const Member& member : input.group.members) {
    const Meaning& meaning = input.program.meaning(member.node);
    if (meaning.is_map()) {
      if (!member.is_row) return std::nullopt;
      continue;
    }
    if (found) return std::nullopt;
    found = scan_of(meaning, member);
    if (!found) return std::nullopt;
  }
  return found;
}

class GpuScan {
 public:
  GpuScan(const LoopInput& input, const Scan& scan) : gpu_(input), scan_(scan) {
    along_ = emitter_.group_axes()[static_cast<size_t>(scan.axis)];
    if (!is_axis_of_group(along_)) return;
    length_ = emitter_.extent(along_->index);
    for (const int axis : gpu_.axes.outer) {
      if (axis != along_->index) rows_.push_back(axis);
    }
  }

  // Nothing where axes were merged so that the scanned one is not by itself.
  std::optional<EmittedKernel> run() {
    if (!is_axis_of_group(along_)) return std::nullopt;
    lies_across() ? emit_columns() : emit_rows();
    EmittedKernel result = gpu_.group.finish();
    own_.settle(result.kernel);
    result.decisions.push_back(Decision::yes("prefix sums in one pass"));
    return result;
  }

 private:
  DType dtype() const { return gpu_.group.accumulator(*scan_.member); }
  DType arithmetic() const { return emitter_.arithmetic_of(scan_.member->node); }
  Expr zero() const { return identity_of(ops::Reducer::sum, dtype()); }

  // Do the elements that are scanned lie apart, and those of other rows beside each other?
  bool lies_across() const {
    if (rows_.empty()) return false;
    const std::vector<Expr> steps =
        steps_along(emitter_, gpu_.group.patterns,
                    gpu_.axes.inner.empty() ? along_->index : gpu_.axes.inner[0]);
    return std::ranges::none_of(
        steps, [](const Expr& step) { return step.get() != nullptr && is_constant(step, 1); });
  }

  // The element at a step of the scan.
  Expr at(const Expr& step) const {
    return scan_.is_reversed ? length_.expression() - 1 - step : step;
  }
  // What is added there. The group's axes say where that is.
  Expr added() {
    std::vector<Expr> axes = emitter_.member_axes(*scan_.member);
    axes[scan_.reduced] = axes[scan_.along];
    return emitter_.lowered(scan_.member->node, scan_.value, axes);
  }
  void store(const Expr& sum) {
    const int value = emitter_.let("scan", dtype(), arithmetic(), sum);
    emitter_.set_result(*scan_.member, value);
    gpu_.group.store_members(true);
  }

  void emit_columns() {
    const Size count = gpu_.extent_of(rows_);
    const int64_t threads = GpuEmitter::block_size(count);
    const int block = emitter_.add_axis(divided_up(count, threads));
    const int thread = emitter_.add_axis(threads), step = emitter_.add_axis(length_);
    const Expr row = expr::axis(block) * threads + expr::axis(thread);
    gpu_.flatten(rows_, row);
    gpu_.flatten({along_->index}, at(expr::axis(step)));
    emitter_.open(block, loop::Place::grid);
    emitter_.open(thread, Expr(threads), loop::Place::block, false);
    emitter_.open_body(axis_mask({thread}));
    emitter_.stay_inside();
    const int sum = emitter_.new_value("sum", dtype());
    emitter_.add({loop::Var{sum, zero()}});
    emitter_.open(step, loop::Place::serial);
    const int element = emitter_.let("element", dtype(), arithmetic(), added());
    emitter_.add({loop::Reduce{sum, loop::Combine::sum, element}});
    store(emitter_.read(sum));
    emitter_.close();
    gpu_.close_if(emitter_.simplified(row < count.expression()));
    emitter_.close();
    emitter_.close();
  }

  void emit_rows() {
    threads_ = GpuEmitter::block_size(divided_up(length_, kScanElements));
    const int row = emitter_.add_axis(gpu_.extent_of(rows_));
    thread_ = emitter_.add_axis(threads_);
    const int64_t chunk_elements = threads_ * kScanElements;
    const int chunk = emitter_.add_axis(divided_up(length_, chunk_elements));
    first_ = expr::axis(chunk) * chunk_elements + expr::axis(thread_) * kScanElements;
    gpu_.flatten(rows_, expr::axis(row));
    const std::vector<Expr> row_axes = emitter_.group_axes();
    own_sums_ = own_.add("own", dtype(), kScanElements, loop::Space::local);
    for (int& sums : thread_sums_) sums = own_.add(sums_name(), dtype(), threads_);
    emitter_.open(row, loop::Place::grid);
    emitter_.open(thread_, Expr(threads_), loop::Place::block, false);
    const int carry = emitter_.new_value("carry", dtype());
    emitter_.add({loop::Var{carry, zero()}});
    emitter_.open(chunk, emitter_.extent(chunk).expression(), loop::Place::serial);
    load_elements();
    emitter_.set_group_axes(row_axes);
    const int sums = scan_threads(sum_own());
    const Expr thread = expr::axis(thread_);
    const Expr before = expr::select(thread > 0, sum_at(sums, thread - 1), zero());
    const int start = emitter_.let("start", dtype(), arithmetic(), emitter_.read(carry) + before);
    store_sums(emitter_.read(start));
    emitter_.set_group_axes(row_axes);
    const Expr total = emitter_.read(carry) + sum_at(sums, Expr(threads_ - 1));
    emitter_.add({loop::Assign{carry, arithmetic(), total}});
    emitter_.add({loop::Barrier{}});
    for (int i = 0; i < 3; ++i) emitter_.close();
  }

  std::string sums_name() const { return thread_sums_[0] < 0 ? "sums" : "next_sums"; }
  Expr sum_at(int buffer, const Expr& index) const {
    return expr::load(buffer, scalar_type(dtype()), {emitter_.simplified(index)});
  }

  // The elements of a thread, one by one or all at once, each under the condition that it is there.
  template <class Emit>
  void for_each_element(Emit&& emit) {
    const bool is_even = length_.known() && *length_.known() % kScanElements == 0;
    const int number = emitter_.add_axis(kScanElements);
    const Expr step = first_ + expr::axis(number);
    gpu_.flatten({along_->index}, at(step));
    emitter_.open(number, Expr(kScanElements),
                  is_even && !scan_.is_reversed ? loop::Place::vector : loop::Place::serial, false);
    emit(number, (is_even ? first_ : step) < length_.expression());
    emitter_.close();
  }
  void load_elements() {
    for_each_element([&](int number, const Expr& is_there) {
      const int element = emitter_.new_value("element", dtype());
      emitter_.add({loop::Var{element, zero()}});
      emitter_.open_body(axis_mask({number, thread_}));
      emitter_.stay_inside();
      emitter_.add({loop::Assign{element, arithmetic(), added()}});
      gpu_.close_if(emitter_.simplified(is_there));
      emitter_.add({loop::Store{own_sums_, expr::axis(number), element}});
    });
  }
  void store_sums(const Expr& start) {
    for_each_element([&](int number, const Expr& is_there) {
      emitter_.open_body(axis_mask({number, thread_}));
      emitter_.stay_inside();
      store(start + sum_at(own_sums_, expr::axis(number)));
      gpu_.close_if(emitter_.simplified(is_there));
    });
  }

  // Sums within a thread; gives the last one.
  int sum_own() {
    const int sum = emitter_.new_value("sum", dtype());
    emitter_.add({loop::Var{sum, zero()}});
    const int number = emitter_.add_axis(kScanElements);
    emitter_.open(number, loop::Place::serial);
    const Expr next = emitter_.read(sum) + sum_at(own_sums_, expr::axis(number));
    emitter_.add({loop::Assign{sum, arithmetic(), next}});
    emitter_.add({loop::Store{own_sums_, expr::axis(number), sum}});
    emitter_.close();
    return sum;
  }

  // Sums up to and including each thread, from one buffer to the other and back; gives the last.
  int scan_threads(int own) {
    const Expr thread = expr::axis(thread_);
    size_t now = 0;
    emitter_.add({loop::Store{thread_sums_[now], thread, own}});
    emitter_.add({loop::Barrier{}});
    for (int64_t distance = 1; distance < threads_; distance *= 2) {
      const Expr before =
          expr::select(thread >= distance, sum_at(thread_sums_[now], thread - distance), zero());
      const int next =
          emitter_.let("next", dtype(), arithmetic(), before + sum_at(thread_sums_[now], thread));
      now = 1 - now;
      emitter_.add({loop::Store{thread_sums_[now], thread, next}});
      emitter_.add({loop::Barrier{}});
    }
    return thread_sums_[now];
  }

  GpuEmitter gpu_;
  Emitter& emitter_ = gpu_.emitter;
  Scan scan_;
  Expr along_;  // the kernel's axis
  Size length_;
  std::vector<int> rows_;
  int64_t threads_ = 0;
  int thread_ = -1, own_sums_ = -1;
  int thread_sums_[2] = {-1, -1};
  Expr first_;
  OwnBuffers own_;
};

}  // namespace

std::optional<EmittedKernel> gpu_scan(const LoopInput& input) {
  const std::optional<Scan> scan = find_scan(input);
  return scan ? GpuScan(input, *scan).run() : std::nullopt;
}

}  // namespace ridge::schedule
