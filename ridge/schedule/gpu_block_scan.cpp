#include "ridge/schedule/gpu_block_scan.h"

#include "ridge/expr/simplify.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/tuning.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kScratchElements = 16;  // of a thread at a time

DType arithmetic_in(DType dtype) { return dtype == f64 ? f64 : f32; }

Expr zero_of(DType dtype) { return identity_of(ops::Reducer::sum, dtype); }

// One block along one row: sums of some elements in each thread, of threads, and of what came before.
class ScratchScan {
 public:
  ScratchScan(const LoopInput& input, int planned, DType dtype, const Size& rows,
              const Size& length)
      : gpu_(input), dtype_(register_dtype(dtype)), length_(length) {
    const int row = emitter_.add_axis(rows);
    thread_ = emitter_.add_axis(kMaxBlockThreads);
    round_ = emitter_.add_axis(divided_up(length, kMaxBlockThreads * kScratchElements));
    buffer_ = scratch_buffer(emitter_, planned, dtype, {rows, length}, loop::Access::in_out);
    own_sums_ = own_.add("own", dtype_, kScratchElements, loop::Space::local);
    in_row_ = expr::axis(round_) * (kMaxBlockThreads * kScratchElements) +
              expr::axis(thread_) * kScratchElements;
    first_ = expr::axis(row) * length.expression() + in_row_;
    emitter_.open(row, loop::Place::gpu_block);
    emitter_.open(thread_, Expr(kMaxBlockThreads), loop::Place::gpu_thread, false);
  }

  EmittedKernel run() {
    BlockScan threads(emitter_, own_, kMaxBlockThreads, dtype_);
    const int carry = emitter_.new_value("carry", dtype_);
    emitter_.add({loop::Var{carry, zero_of(dtype_)}});
    emitter_.open(round_, loop::Place::serial);
    threads.run(sum_own(), thread_);
    const int start =
        emitter_.let("start", dtype_, arithmetic(), emitter_.read(carry) + threads.before(thread_));
    store_all(start);
    const Expr total = emitter_.read(carry) + threads.total();
    emitter_.add({loop::Assign{carry, arithmetic(), total}});
    emitter_.add({loop::Barrier{}});
    for (int i = 0; i < 3; ++i) emitter_.close();
    EmittedKernel result = gpu_.group.finish();
    own_.settle(result.kernel);
    return result;
  }

 private:
  DType arithmetic() const { return arithmetic_in(dtype_); }

  // What happens for each element of the thread that is there.
  template <class Emit>
  void where_there(int number, Emit&& emit) {
    emitter_.open_body(axis_mask({number, thread_, round_}));
    emitter_.stay_inside();
    emit();
    gpu_.close_if(emitter_.simplified(in_row_ + expr::axis(number) < length_.expression()));
  }

  // The sum of the thread's elements; each of them is kept as the sum of those before it.
  int sum_own() {
    const int sum = emitter_.new_value("sum", dtype_);
    emitter_.add({loop::Var{sum, zero_of(dtype_)}});
    const int number = emitter_.add_axis(kScratchElements);
    emitter_.open(number, loop::Place::serial);
    emitter_.add({loop::Store{own_sums_, expr::axis(number), sum}});
    where_there(number, [&] {
      const Expr element = expr::load(buffer_, scalar_type(dtype_), {index(number)});
      emitter_.add({loop::Assign{sum, arithmetic(), emitter_.read(sum) + element}});
    });
    emitter_.close();
    return sum;
  }
  void store_all(int start) {
    const int number = emitter_.add_axis(kScratchElements);
    emitter_.open(number, loop::Place::serial);
    where_there(number, [&] {
      const Expr own = expr::load(own_sums_, scalar_type(dtype_), {expr::axis(number)});
      const int sum = emitter_.let("before", dtype_, arithmetic(), emitter_.read(start) + own);
      emitter_.add({loop::Store{buffer_, index(number), sum}});
    });
    emitter_.close();
  }
  Expr index(int number) const { return emitter_.simplified(first_ + expr::axis(number)); }

  GpuEmitter gpu_;
  Emitter& emitter_ = gpu_.emitter;
  OnChipBuffers own_;
  DType dtype_;
  Size length_;
  int thread_, round_, buffer_, own_sums_;
  Expr in_row_, first_;
};

}  // namespace

BlockScan::BlockScan(Emitter& emitter, OnChipBuffers& own, int64_t threads, DType dtype)
    : emitter_(emitter),
      threads_(threads),
      dtype_(dtype),
      sums_{own.add("sums", dtype, threads), own.add("next_sums", dtype, threads)} {}

Expr BlockScan::sum_at(const Expr& index) const {
  return expr::load(sums_[now_], scalar_type(dtype_), {emitter_.simplified(index)});
}

void BlockScan::run(int value, int thread_axis) {
  const Expr thread = expr::axis(thread_axis);
  now_ = 0;
  emitter_.add({loop::Store{sums_[now_], thread, value}});
  emitter_.add({loop::Barrier{}});
  for (int64_t distance = 1; distance < threads_; distance *= 2) {
    const Expr earlier =
        expr::select(thread >= distance, sum_at(thread - distance), zero_of(dtype_));
    const int next = emitter_.let("next", dtype_, arithmetic_in(dtype_), earlier + sum_at(thread));
    now_ = 1 - now_;
    emitter_.add({loop::Store{sums_[now_], thread, next}});
    emitter_.add({loop::Barrier{}});
  }
}

Expr BlockScan::before(int thread_axis) const {
  const Expr thread = expr::axis(thread_axis);
  return expr::select(thread > 0, sum_at(thread - 1), zero_of(dtype_));
}

Expr BlockScan::total() const { return sum_at(Expr(threads_ - 1)); }

EmittedKernel scan_scratch(const LoopInput& input, int planned, DType dtype, const Size& rows,
                           const Size& length) {
  return ScratchScan(input, planned, dtype, rows, length).run();
}

}  // namespace ridge::schedule
