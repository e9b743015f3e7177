#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_block_scan.h"
#include "ridge/schedule/gpu_mappings.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/rank_keys.h"

namespace ridge::schedule {
namespace {

constexpr int kGpuDigitBits = 4;
constexpr int64_t kGpuDigits = int64_t{1} << kGpuDigitBits;
constexpr int64_t kRankThreads = 256;
constexpr int64_t kRankElements = 16;  // of a thread
constexpr int64_t kRankChunk = kRankThreads * kRankElements;
// Counting reads a row for each of its elements, but is one launch in place of some twenty.
constexpr int64_t kGpuCountedRow = 1024;

// One kernel of a sort: a block for each chunk of each row.
class RankKernel {
 public:
  RankKernel(const LoopInput& input, const GroupRank& rank, const RankScratch& scratch)
      : gpu_(input), rank_(rank), scratch_(scratch) {
    rows_ = *rows_along(gpu_.group, *rank.member, rank.form.dim);
    row_ = emitter_.add_axis(gpu_.extent_of(rows_.rows));
    chunk_ = emitter_.add_axis(chunks());
    thread_ = emitter_.add_axis(kRankThreads);
    gpu_.flatten(rows_.rows, expr::axis(row_));
    emitter_.open(row_, loop::Place::gpu_block);
    emitter_.open(chunk_, loop::Place::gpu_block);
    emitter_.open(thread_, Expr(kRankThreads), loop::Place::gpu_thread, false);
  }

  Size chunks() const { return divided_up(rows_.length, kRankChunk); }
  Shape counts_shape() const { return {gpu_.extent_of(rows_.rows), kGpuDigits * chunks()}; }

  EmittedKernel store_keys() {
    const int number = emitter_.add_axis(kRankElements);
    const Expr place =
        expr::axis(chunk_) * kRankChunk + expr::axis(number) * kRankThreads + expr::axis(thread_);
    gpu_.flatten({rows_.along}, place);
    const int keys = scratch_buffer(emitter_, scratch_.keys(0), rank_.keys.stored,
                                    {scratch_.elements}, loop::Access::out);
    emitter_.open(number, loop::Place::serial);
    emitter_.open_body(axis_mask({number, thread_}));
    emitter_.stay_inside();
    const DType dtype = register_dtype(rank_.keys.stored);
    const int key =
        emitter_.let("key", dtype, dtype == f64 ? f64 : f32, ranked_element(gpu_.group, rank_));
    emitter_.add({loop::Store{keys, in_rows(place), key}});
    gpu_.close_if(emitter_.simplified(place < rows_.length.expression()));
    emitter_.close();
    return finish();
  }

  EmittedKernel count(size_t pass, int first_bit) {
    count_digits(pass, first_bit);
    // 16 threads for each digit, side by side.
    constexpr int64_t kShare = kRankThreads / kGpuDigits;
    const Expr digit = expr::floor_div(expr::axis(thread_), Expr(kShare));
    const Expr share = expr::mod(expr::axis(thread_), Expr(kShare));
    const int sum = emitter_.new_value("sum", i64);
    emitter_.add({loop::Var{sum, Expr(0)}});
    const int step = emitter_.add_axis(kGpuDigits);
    emitter_.open(step, loop::Place::serial);
    const Expr counter = shared_at(digit * kRankThreads + expr::axis(step) * kShare + share);
    emitter_.add({loop::Assign{sum, f32, emitter_.read(sum) + counter}});
    emitter_.close();
    emitter_.add({loop::CollectiveReduce{sum, loop::Combine::sum, loop::Scope::warp, kShare}});
    emitter_.open_body();
    const int counts =
        scratch_buffer(emitter_, scratch_.counts(), i32, counts_shape(), loop::Access::out);
    emitter_.add({loop::Store{counts, count_index(digit), sum}});
    gpu_.close_if(expr::equal(share, Expr(0)));
    return finish();
  }

  EmittedKernel move(size_t pass, int first_bit, bool is_last) {
    BlockScan threads(emitter_, own_, kRankThreads, i64);
    count_digits(pass, first_bit);
    scan_counters(threads);
    find_starts();
    const int keys = is_last ? -1 : out_buffer(scratch_.keys(pass + 1), rank_.keys.read);
    const int sources = is_last ? -1 : out_buffer(scratch_.sources(pass + 1), i32);
    const int from = pass == 0 ? -1
                               : scratch_buffer(emitter_, scratch_.sources(pass), i32,
                                                {scratch_.elements}, loop::Access::in);
    for_each_key(pass, [&](const Expr& place, int key) {
      const int digit = digit_of(key, first_bit);
      const Expr start = expr::load(starts_, expr::Type::integer, {emitter_.read(digit)});
      const int to = let("to", start + emitter_.read(counted(digit)));
      const int source = let("source", pass == 0 ? place : integer_at(from, in_rows(place)));
      if (is_last) return store_rank(gpu_.group, rank_, rows_, emitter_.read(source), to);
      emitter_.add({loop::Store{keys, in_rows(emitter_.read(to)), key}});
      emitter_.add({loop::Store{sources, in_rows(emitter_.read(to)), source}});
    });
    return finish();
  }

 private:
  EmittedKernel finish() {
    for (int i = 0; i < 3; ++i) emitter_.close();
    EmittedKernel result = gpu_.group.finish();
    own_.settle(result.kernel);
    return result;
  }
  int let(const char* name, const Expr& e) { return emitter_.let(name, i64, f32, e); }
  int out_buffer(int planned, DType dtype) {
    return scratch_buffer(emitter_, planned, dtype, {scratch_.elements}, loop::Access::out);
  }
  static Expr integer_at(int buffer, const Expr& index) {
    return expr::load(buffer, expr::Type::integer, {index});
  }
  // An element of the row in dense memory, and the count of a digit in this chunk.
  Expr in_rows(const Expr& place) const {
    return emitter_.simplified(expr::axis(row_) * rows_.length.expression() + place);
  }
  Expr count_index(const Expr& digit) const {
    const Expr count = chunks().expression();
    return emitter_.simplified((expr::axis(row_) * kGpuDigits + digit) * count +
                               expr::axis(chunk_));
  }
  Expr shared_at(const Expr& index) const {
    return integer_at(counters_, emitter_.simplified(index));
  }
  Expr own_counter(const Expr& digit) const {
    return emitter_.simplified(digit * kRankThreads + expr::axis(thread_));
  }

  int digit_of(int key, int first_bit) {
    return let("digit", rank_.keys.digit(emitter_.read(key), first_bit, kGpuDigitBits));
  }
  // Adds one to the thread's counter of a digit; gives what it was.
  int counted(int digit) {
    const Expr at = own_counter(emitter_.read(digit));
    const int before = let("before", integer_at(counters_, at));
    emitter_.add({loop::Store{counters_, at, let("after", emitter_.read(before) + 1)}});
    return before;
  }

  // The keys of the thread's elements, in order, with their places in the row.
  template <class Use>
  void for_each_key(size_t pass, Use&& use) {
    const int number = emitter_.add_axis(kRankElements);
    const Expr place =
        expr::axis(chunk_) * kRankChunk + expr::axis(thread_) * kRankElements + expr::axis(number);
    if (keys_ < 0) {
      keys_ = scratch_buffer(emitter_, scratch_.keys(pass), rank_.keys.read, {scratch_.elements},
                             loop::Access::in);
    }
    emitter_.open(number, loop::Place::serial);
    emitter_.open_body(axis_mask({number, thread_}));
    emitter_.stay_inside();
    const int bits = let("key", integer_at(keys_, in_rows(place)));
    use(place, pass > 0 ? bits : let("ordered", rank_.keys.ordered(emitter_.read(bits))));
    gpu_.close_if(emitter_.simplified(place < rows_.length.expression()));
    emitter_.close();
  }

  void count_digits(size_t pass, int first_bit) {
    counters_ = own_.add("counters", i32, kGpuDigits * kRankThreads);
    const int digit = emitter_.add_axis(kGpuDigits);
    emitter_.open(digit, loop::Place::serial);
    emitter_.add({loop::Store{counters_, own_counter(expr::axis(digit)), let("none", Expr(0))}});
    emitter_.close();
    for_each_key(pass, [&](const Expr&, int key) { counted(digit_of(key, first_bit)); });
    emitter_.add({loop::Barrier{}});
  }

  // Each counter becomes the sum of those before it, of smaller digits or of earlier threads with the same one. A
  // thread takes as many neighbors as there are digits.
  void scan_counters(BlockScan& threads) {
    const int sum = emitter_.new_value("sum", i64);
    emitter_.add({loop::Var{sum, Expr(0)}});
    const auto for_each = [&](auto&& emit) {
      const int number = emitter_.add_axis(kGpuDigits);
      emitter_.open(number, loop::Place::serial);
      emit(emitter_.simplified(expr::axis(thread_) * kGpuDigits + expr::axis(number)));
      emitter_.close();
    };
    for_each([&](const Expr& at) {
      const int own = let("own", integer_at(counters_, at));
      emitter_.add({loop::Assign{sum, f32, emitter_.read(sum) + emitter_.read(own)}});
    });
    threads.run(sum, thread_);
    const int before = emitter_.new_value("before", i64);
    emitter_.add({loop::Var{before, Expr(0)}});
    emitter_.add({loop::Assign{before, f32, threads.before(thread_)}});
    for_each([&](const Expr& at) {
      const int own = let("own", integer_at(counters_, at));
      emitter_.add({loop::Store{counters_, at, before}});
      emitter_.add({loop::Assign{before, f32, emitter_.read(before) + emitter_.read(own)}});
    });
    emitter_.add({loop::Barrier{}});
  }

  // Where a digit's elements of this chunk start, less the counter that its first one finds.
  void find_starts() {
    starts_ = own_.add("starts", i64, kGpuDigits);
    const int counts =
        scratch_buffer(emitter_, scratch_.counts(), i32, counts_shape(), loop::Access::in);
    const Expr digit = expr::axis(thread_);
    emitter_.open_body();
    const int start =
        let("start", integer_at(counts, count_index(digit)) - shared_at(digit * kRankThreads));
    emitter_.add({loop::Store{starts_, digit, start}});
    gpu_.close_if(digit < kGpuDigits);
    emitter_.add({loop::Barrier{}});
  }

  GpuEmitter gpu_;
  Emitter& emitter_ = gpu_.emitter;
  OnChipBuffers own_;
  const GroupRank& rank_;
  const RankScratch& scratch_;
  RowsAlong rows_{};
  int row_, chunk_, thread_;
  int keys_ = -1, counters_ = -1, starts_ = -1;
};

}  // namespace

std::optional<EmittedGroup> gpu_rank(const LoopInput& input) {
  const std::optional<GroupRank> rank = find_rank(input, kGpuCountedRow);
  if (!rank || !rows_along(GroupEmitter(input), *rank->member, rank->form.dim)) return std::nullopt;
  const Size elements = numel(input.program.node_definition(rank->member->node).shape);
  const std::vector<int> digits = rank->keys.digits(kGpuDigitBits);
  RankScratch scratch(input, rank->keys, elements, digits.size());
  const auto kernel = [&] { return RankKernel(input, *rank, scratch); };
  const Shape counts = kernel().counts_shape();
  scratch.buffers.push_back({i32, counts});
  EmittedGroup result;
  result.kernels.push_back(kernel().store_keys());
  for (size_t pass = 0; pass < digits.size(); ++pass) {
    result.kernels.push_back(kernel().count(pass, digits[pass]));
    result.kernels.push_back(scan_scratch(input, scratch.counts(), i32, counts[0], counts[1]));
    result.kernels.push_back(kernel().move(pass, digits[pass], pass + 1 == digits.size()));
  }
  result.kernels.front().decisions.push_back(
      Decision::yes(concat("each row sorted in ", digits.size(), " passes")));
  result.scratch_buffers = std::move(scratch.buffers);
  return result;
}

}  // namespace ridge::schedule
