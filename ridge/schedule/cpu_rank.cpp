#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/schedule/contraction.h"
#include "ridge/schedule/cpu_loops.h"
#include "ridge/schedule/rank_keys.h"

namespace ridge::schedule {
namespace {

constexpr int kCpuDigitBits = 8;
constexpr int64_t kCpuDigits = int64_t{1} << kCpuDigitBits;
// Counting is about a row's length of cheap steps for each element, sorting some forty and the counters of each pass.
constexpr int64_t kCpuCountedRow = 64;

// A row's number, from those of its axes.
Expr row_number(const Emitter& emitter, const RowsAlong& rows) {
  Expr number = 0;
  for (const int axis : rows.rows) {
    number = number * emitter.extent(axis).expression() + expr::axis(axis);
  }
  return number;
}

// Stores the elements of each row one behind the other.
std::optional<EmittedKernel> store_keys_of_rows(const LoopInput& input, const GroupRank& rank,
                                                const RankScratch& scratch) {
  GroupEmitter group(input);
  Emitter& emitter = group.emitter;
  const std::optional<RowsAlong> rows = rows_along(group, *rank.member, rank.form.dim);
  if (!rows) return std::nullopt;
  const Split piece = split(emitter, rows->along, kVectorChunk);
  emitter.kernel().grain = task_grain(kVectorChunk);
  for (const int axis : rows->rows) emitter.open(axis, loop::Place::cpu_thread);
  emitter.open(piece.part, loop::Place::cpu_thread);
  emitter.open(piece.within, piece.within_extent, loop::Place::vector);
  const Expr position = expr::axis(piece.part) * kVectorChunk + expr::axis(piece.within);
  const Expr index = row_number(emitter, *rows) * rows->length.expression() + position;
  const DType dtype = register_dtype(rank.keys.stored);
  const int key = emitter.let("key", dtype, dtype == f64 ? f64 : f32, ranked_element(group, rank));
  const int keys = emitter.scratch(scratch.keys(0), rank.keys.stored, {scratch.elements});
  emitter.kernel().buffers[static_cast<size_t>(keys)].access = loop::Access::out;
  emitter.add({loop::Store{keys, emitter.simplified(index), key}});
  for (size_t i = 0; i < rows->rows.size() + 2; ++i) emitter.close();
  return group.finish();
}

class RowSort {
 public:
  RowSort(const LoopInput& input, const GroupRank& rank, RankScratch& scratch)
      : group_(input), rank_(rank), scratch_(scratch) {}

  EmittedKernel run() {
    rows_ = *rows_along(group_, *rank_.member, rank_.form.dim);
    row_ = row_number(emitter_, rows_);
    first_ = emitter_.simplified(row_ * rows_.length.expression());
    const std::vector<int> digits = rank_.keys.digits(kCpuDigitBits);
    open_buffers(digits.size());
    emitter_.kernel().grain = task_grain(rows_.length);
    for (const int axis : rows_.rows) emitter_.open(axis, loop::Place::cpu_thread);
    for (size_t pass = 0; pass < digits.size(); ++pass) {
      count(pass, digits[pass]);
      find_starts();
      move(pass, digits[pass], pass + 1 == digits.size());
    }
    for (size_t i = 0; i < rows_.rows.size(); ++i) emitter_.close();
    EmittedKernel result = group_.finish();
    result.decisions.push_back(
        Decision::yes(concat("each row sorted in ", digits.size(), " passes")));
    return result;
  }

 private:
  void open_buffers(size_t passes) {
    const DType key = rank_.keys.read;
    for (size_t i = 0; i < std::min<size_t>(passes, 2); ++i) {
      keys_[i] = emitter_.scratch(scratch_.keys(i), key, scratch_.buffers[i].shape);
    }
    for (size_t i = 0; i < 2; ++i) {
      if (passes > 2 - i)
        sources_[i] = emitter_.scratch(scratch_.sources(i), i32, scratch_.buffers[2 + i].shape);
    }
    const Shape counts{group_.extent_of(rows_.rows), kCpuDigits};
    scratch_.buffers.push_back({i32, counts});
    counts_ = emitter_.scratch(scratch_.counts(), i32, counts);
  }

  Expr integer_at(int buffer, const Expr& index) const {
    return expr::load(buffer, expr::Type::integer, {emitter_.simplified(index)});
  }
  int let(const char* name, const Expr& e) { return emitter_.let(name, i64, f32, e); }
  Expr count_index(const Expr& digit) const { return row_ * kCpuDigits + digit; }
  void store_count(const Expr& digit, int value) {
    emitter_.add({loop::Store{counts_, emitter_.simplified(count_index(digit)), value}});
  }

  // The key at a place of the row, whose elements the pass before this one put there.
  int key_at(size_t pass, const Expr& place) {
    const int bits = let("key", integer_at(keys_[pass % 2], first_ + place));
    return pass > 0 ? bits : let("ordered", rank_.keys.ordered(emitter_.read(bits)));
  }
  int digit_of(int key, int first_bit) {
    return let("digit", rank_.keys.digit(emitter_.read(key), first_bit, kCpuDigitBits));
  }
  // Adds one to the counter of a digit; gives what it was.
  int counted(int digit) {
    const Expr at = emitter_.read(digit);
    const int before = let("before", integer_at(counts_, count_index(at)));
    store_count(at, let("after", emitter_.read(before) + 1));
    return before;
  }

  void count(size_t pass, int first_bit) {
    const int digit = emitter_.add_axis(kCpuDigits);
    emitter_.open(digit, loop::Place::vector);
    store_count(expr::axis(digit), let("none", Expr(0)));
    emitter_.close();
    const int place = emitter_.add_axis(rows_.length);
    emitter_.open(place, loop::Place::serial);
    counted(digit_of(key_at(pass, expr::axis(place)), first_bit));
    emitter_.close();
  }

  // Elements of a digit start behind those of all smaller ones.
  void find_starts() {
    const int total = emitter_.new_value("total", i64);
    emitter_.add({loop::Var{total, Expr(0)}});
    const int digit = emitter_.add_axis(kCpuDigits);
    emitter_.open(digit, loop::Place::serial);
    const int own = let("own", integer_at(counts_, count_index(expr::axis(digit))));
    store_count(expr::axis(digit), total);
    emitter_.add({loop::Assign{total, f32, emitter_.read(total) + emitter_.read(own)}});
    emitter_.close();
  }

  void move(size_t pass, int first_bit, bool is_last) {
    const int place = emitter_.add_axis(rows_.length);
    emitter_.open(place, loop::Place::serial);
    const int key = key_at(pass, expr::axis(place));
    const int to = counted(digit_of(key, first_bit));
    const Expr from =
        pass == 0 ? expr::axis(place) : integer_at(sources_[pass % 2], first_ + expr::axis(place));
    const int source = let("source", from);
    if (is_last) {
      store_rank(group_, rank_, rows_, emitter_.read(source), to);
    } else {
      const Expr index = emitter_.simplified(first_ + emitter_.read(to));
      emitter_.add({loop::Store{keys_[(pass + 1) % 2], index, key}});
      emitter_.add({loop::Store{sources_[(pass + 1) % 2], index, source}});
    }
    emitter_.close();
  }

  GroupEmitter group_;
  Emitter& emitter_ = group_.emitter;
  GroupRank rank_;
  RankScratch& scratch_;
  RowsAlong rows_{};
  Expr row_, first_;
  int keys_[2] = {-1, -1}, sources_[2] = {-1, -1}, counts_ = -1;
};

}  // namespace

std::optional<EmittedGroup> cpu_rank(const LoopInput& input) {
  const std::optional<GroupRank> rank = find_rank(input, kCpuCountedRow);
  if (!rank) return std::nullopt;
  const Size elements = numel(input.program.node_definition(rank->member->node).shape);
  RankScratch scratch(input, rank->keys, elements, rank->keys.digits(kCpuDigitBits).size());
  std::optional<EmittedKernel> keys = store_keys_of_rows(input, *rank, scratch);
  if (!keys) return std::nullopt;
  EmittedGroup result;
  result.kernels.push_back(std::move(*keys));
  result.kernels.push_back(RowSort(input, *rank, scratch).run());
  result.scratch_buffers = std::move(scratch.buffers);
  return result;
}

}  // namespace ridge::schedule
