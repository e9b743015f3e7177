#include <algorithm>

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_block_scan.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/rank_keys.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kScanElements = 4;  // of a thread in a round
constexpr int64_t kMaxChunks = 4096;  // whose sums one block scans in about the time of a launch

// How a row is cut: rounds of a block in each chunk, one chunk where a block for each row is as good.
struct ScanChunks {
  int64_t rounds = 0;  // 0: not cut
  int64_t threads = 0;
  int64_t elements() const { return rounds * threads * kScanElements; }
};

// One of the kernels of a scan.
class GpuScan {
 public:
  GpuScan(const LoopInput& input, const GroupScan& scan, const ScanChunks& chunks = {})
      : gpu_(input), scan_(scan), chunks_(chunks) {
    rows_ = rows_along(gpu_.group, *scan.member, scan.form.along);
  }

  bool is_possible() const { return rows_.has_value(); }
  bool are_strided_rows() const { return schedule::are_strided_rows(gpu_.group, *rows_); }
  Size rows() const { return gpu_.extent_of(rows_->rows); }
  const Size& length() const { return rows_->length; }
  DType dtype() const { return gpu_.group.accumulator(*scan_.member); }

  // All of it, by a block or a thread for each row.
  EmittedKernel whole() {
    are_strided_rows() ? emit_columns() : emit_rows(-1);
    return finish("prefix sums in one pass");
  }
  // Chunks of rows, each behind the sum that `starts` has for it.
  EmittedKernel behind(int starts) {
    emit_rows(starts);
    return finish("prefix sums of chunks, behind the sums of those before");
  }
  // The sums of chunks.
  EmittedKernel sums_of_chunks(int planned) {
    const ScanRow row = open_row();
    const int sum = emitter_.new_value("sum", dtype());
    emitter_.add({loop::Var{sum, zero()}});
    open_round(row);
    load_elements(
        [&](int, int element) { emitter_.add({loop::Reduce{sum, loop::Combine::sum, element}}); });
    emitter_.set_group_axes(row.axes);
    emitter_.close();
    emitter_.add({loop::CollectiveReduce{sum, loop::Combine::sum, loop::Scope::block}});
    emitter_.open_body();
    const int sums = scratch_buffer(emitter_, planned, dtype(), partials(), loop::Access::out);
    emitter_.add({loop::Store{sums, row.number, sum}});
    gpu_.close_if(expr::equal(expr::axis(thread_), Expr(0)));
    close(row);
    return finish("a block for each chunk of a row");
  }

  Shape partials() const { return {rows(), chunk_count()}; }
  Size chunk_count() const { return divided_up(length(), chunks_.elements()); }

 private:
  // What is open around the rounds of a block.
  struct ScanRow {
    std::vector<Expr> axes;  // of the group
    Expr number;             // of the chunk among all of them
    Expr first;              // element of the row
    int opened;
  };

  DType arithmetic() const { return emitter_.arithmetic_of(scan_.member->node); }
  Expr zero() const { return identity_of(ops::Reducer::sum, dtype()); }
  EmittedKernel finish(const char* what) {
    EmittedKernel result = gpu_.group.finish();
    own_.settle(result.kernel);
    result.decisions.push_back(Decision::yes(what));
    return result;
  }

  // The element at a step of the scan.
  Expr at(const Expr& step) const {
    return scan_.form.is_reversed ? length().expression() - 1 - step : step;
  }
  // What is added there. The group's axes say where that is.
  Expr added() {
    std::vector<Expr> axes = emitter_.member_axes(*scan_.member);
    axes[scan_.form.reduced] = axes[scan_.form.along];
    return emitter_.lowered(scan_.member->node, scan_.form.value, axes);
  }
  void store(const Expr& sum) {
    const int value = emitter_.let("scan", dtype(), arithmetic(), sum);
    emitter_.set_result(*scan_.member, value);
    gpu_.group.store_members(true);
  }

  void emit_columns() {
    const Size count = rows();
    const int64_t threads = GpuEmitter::block_size(count);
    const int block = emitter_.add_axis(divided_up(count, threads));
    const int thread = emitter_.add_axis(threads), step = emitter_.add_axis(length());
    const Expr row = expr::axis(block) * threads + expr::axis(thread);
    gpu_.flatten(rows_->rows, row);
    gpu_.flatten({rows_->along}, at(expr::axis(step)));
    emitter_.open(block, loop::Place::gpu_block);
    emitter_.open(thread, Expr(threads), loop::Place::gpu_thread, false);
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

  // A block for each row, or for each chunk of one.
  ScanRow open_row() {
    const bool is_cut = chunks_.rounds > 0;
    threads_ =
        is_cut ? chunks_.threads : GpuEmitter::block_size(divided_up(length(), kScanElements));
    const int row = emitter_.add_axis(rows());
    const int chunk = is_cut ? emitter_.add_axis(chunk_count()) : -1;
    thread_ = emitter_.add_axis(threads_);
    gpu_.flatten(rows_->rows, expr::axis(row));
    ScanRow result{emitter_.group_axes(), expr::axis(row), Expr(0), 2};
    emitter_.open(row, loop::Place::gpu_block);
    if (is_cut) {
      emitter_.open(chunk, loop::Place::gpu_block);
      result.number =
          emitter_.simplified(expr::axis(row) * chunk_count().expression() + expr::axis(chunk));
      result.first = expr::axis(chunk) * chunks_.elements();
      ++result.opened;
    }
    emitter_.open(thread_, Expr(threads_), loop::Place::gpu_thread, false);
    return result;
  }
  void open_round(const ScanRow& row) {
    const int64_t elements = threads_ * kScanElements;
    const Size rounds = chunks_.rounds > 0 ? Size(chunks_.rounds) : divided_up(length(), elements);
    const int round = emitter_.add_axis(rounds);
    first_ = row.first + expr::axis(round) * elements + expr::axis(thread_) * kScanElements;
    emitter_.open(round, emitter_.extent(round).expression(), loop::Place::serial);
  }
  void close(const ScanRow& row) {
    for (int i = 0; i < row.opened; ++i) emitter_.close();
  }

  void emit_rows(int starts) {
    const ScanRow row = open_row();
    own_sums_ = own_.add("own", dtype(), kScanElements, loop::Space::local);
    BlockScan threads(emitter_, own_, threads_, dtype());
    const int carry = emitter_.new_value("carry", dtype());
    emitter_.add({loop::Var{carry, zero()}});
    if (starts >= 0) {
      const int buffer = scratch_buffer(emitter_, starts, dtype(), partials(), loop::Access::in);
      const Expr before = expr::load(buffer, scalar_type(dtype()), {row.number});
      emitter_.add({loop::Assign{carry, arithmetic(), before}});
    }
    open_round(row);
    load_elements([&](int number, int element) {
      emitter_.add({loop::Store{own_sums_, expr::axis(number), element}});
    });
    emitter_.set_group_axes(row.axes);
    threads.run(sum_own(), thread_);
    const int start = emitter_.let("start", dtype(), arithmetic(),
                                   emitter_.read(carry) + threads.before(thread_));
    store_sums(emitter_.read(start));
    emitter_.set_group_axes(row.axes);
    const Expr total = emitter_.read(carry) + threads.total();
    emitter_.add({loop::Assign{carry, arithmetic(), total}});
    emitter_.add({loop::Barrier{}});
    emitter_.close();
    close(row);
  }

  Expr own_sum(int number) const {
    return expr::load(own_sums_, scalar_type(dtype()), {expr::axis(number)});
  }

  // The elements of a thread, one by one or all at once, each under the condition that it is there.
  template <class Emit>
  void for_each_element(Emit&& emit) {
    const bool is_even = length().known() && *length().known() % kScanElements == 0;
    const int number = emitter_.add_axis(kScanElements);
    const Expr step = first_ + expr::axis(number);
    gpu_.flatten({rows_->along}, at(step));
    emitter_.open(number, Expr(kScanElements),
                  is_even && !scan_.form.is_reversed ? loop::Place::vector : loop::Place::serial,
                  false);
    emit(number, (is_even ? first_ : step) < length().expression());
    emitter_.close();
  }
  // Gives each element, 0 behind the end, to `use`.
  template <class Use>
  void load_elements(Use&& use) {
    for_each_element([&](int number, const Expr& is_there) {
      const int element = emitter_.new_value("element", dtype());
      emitter_.add({loop::Var{element, zero()}});
      emitter_.open_body(axis_mask({number, thread_}));
      emitter_.stay_inside();
      emitter_.add({loop::Assign{element, arithmetic(), added()}});
      gpu_.close_if(emitter_.simplified(is_there));
      use(number, element);
    });
  }
  void store_sums(const Expr& start) {
    for_each_element([&](int number, const Expr& is_there) {
      emitter_.open_body(axis_mask({number, thread_}));
      emitter_.stay_inside();
      store(start + own_sum(number));
      gpu_.close_if(emitter_.simplified(is_there));
    });
  }

  // Sums within a thread; gives the last one.
  int sum_own() {
    const int sum = emitter_.new_value("sum", dtype());
    emitter_.add({loop::Var{sum, zero()}});
    const int number = emitter_.add_axis(kScanElements);
    emitter_.open(number, loop::Place::serial);
    emitter_.add({loop::Assign{sum, arithmetic(), emitter_.read(sum) + own_sum(number)}});
    emitter_.add({loop::Store{own_sums_, expr::axis(number), sum}});
    emitter_.close();
    return sum;
  }

  GpuEmitter gpu_;
  Emitter& emitter_ = gpu_.emitter;
  GroupScan scan_;
  ScanChunks chunks_;
  std::optional<RowsAlong> rows_;
  int64_t threads_ = 0;
  int thread_ = -1, own_sums_ = -1;
  Expr first_;
  OnChipBuffers own_;
};

// Chunks for rows that are too few to give each SM a block, if they are long enough for two launches more.
ScanChunks chunks_for(const GpuScan& scan, const LoopInput& input) {
  const int64_t length = scan.length().hint_or(0);
  if (scan.rows().hint_or(1) >= input.limits.sms || length < kMinSplitRow) return {};
  ScanChunks chunks{1, kMaxBlockThreads};
  while (divided_up(length, chunks.elements()) > kMaxChunks) chunks.rounds *= 2;
  return chunks;
}

EmittedGroup in_chunks(const LoopInput& input, const GroupScan& found, const ScanChunks& chunks) {
  GpuScan sums(input, found, chunks), behind(input, found, chunks);
  const int planned = input.first_scratch;
  const Shape shape = sums.partials();
  EmittedGroup result;
  result.scratch_buffers.push_back({sums.dtype(), shape});
  result.kernels.push_back(sums.sums_of_chunks(planned));
  result.kernels.push_back(scan_scratch(input, planned, behind.dtype(), shape[0], shape[1]));
  result.kernels.push_back(behind.behind(planned));
  return result;
}

}  // namespace

std::optional<EmittedGroup> gpu_scan(const LoopInput& input) {
  const std::optional<GroupScan> found = find_scan(input);
  if (!found) return std::nullopt;
  GpuScan scan(input, *found);
  if (!scan.is_possible()) return std::nullopt;
  const ScanChunks chunks = scan.are_strided_rows() ? ScanChunks() : chunks_for(scan, input);
  if (chunks.rounds > 0) return in_chunks(input, *found, chunks);
  return EmittedGroup{{scan.whole()}, {}};
}

}  // namespace ridge::schedule
