#include "ridge/schedule/gpu_scatter_sums.h"

namespace ridge::schedule {
namespace {

constexpr int64_t kMaxMarks = 32768;  // bytes of shared memory for what a block has touched

}  // namespace

ScatterSums::ScatterSums(ScatterThreads& threads)
    : threads_(threads), emitter_(threads.emitter), probabilities_(threads.shape) {
  if (!can_mark()) return;
  const ScatterShape& shape = threads.shape;
  touched_ =
      threads.shared.add("touched", boolean, *shape.slots_of_owner().known() * shape.threads);
}

int ScatterSums::buffer() {
  const LoopInput& input = threads_.input;
  if (!is_in_scratch()) {
    return emitter_.buffer(input.program.result(threads_.node), loop::Access::in_out);
  }
  if (scratch_ < 0) scratch_ = emitter_.scratch(input.scratch, f32, threads_.node_definition.shape);
  return scratch_;
}

Expr ScatterSums::address(const std::vector<Expr>& at) {
  if (!is_in_scratch()) return emitter_.address(threads_.input.program.result(threads_.node), at);
  return emitter_.simplified(ops::linear_index(at, threads_.node_definition.shape));
}

bool ScatterSums::can_mark() const {
  const ScatterShape& shape = threads_.shape;
  const auto slots = shape.slots_of_owner().known();
  return is_in_scratch() && threads_.targets.is_uniform && slots &&
         *slots * shape.threads <= kMaxMarks;
}

Expr ScatterSums::mark_at(const Expr& own_slot) const {
  return emitter_.simplified(own_slot * threads_.shape.threads + expr::axis(threads_.thread));
}

Expr ScatterSums::read_mark(const Expr& own_slot) {
  const Expr mark = expr::load(touched_, expr::Type::boolean, {mark_at(own_slot)});
  return emitter_.read(emitter_.let("touched", boolean, f32, mark));
}

void ScatterSums::set_mark(const Expr& own_slot, bool value) {
  const int mark = emitter_.let("mark", boolean, f32, expr::constant(value));
  emitter_.add({loop::Store{touched_, mark_at(own_slot), mark}});
}

// Each slot of this block, in the columns of this thread.
template <class Emit>
void ScatterSums::for_each_slot(Emit&& emit) {
  const int step = emitter_.add_axis(threads_.shape.slots_of_owner());
  const Expr slot = threads_.slot_of(expr::axis(step));
  emitter_.open(step, emitter_.extent(step).expression(), loop::Place::serial, false);
  threads_.open_predicated(axis_mask({step, threads_.thread}));
  emit(expr::axis(step), threads_.position(slot));
  threads_.close_predicated(threads_.is_column() && slot < threads_.shape.slots.expression());
  emitter_.close();
}

void ScatterSums::store_initial(const std::vector<Expr>& at) {
  threads_.for_each_lane([&] {
    const int initial = threads_.step().initial(at);
    emitter_.add({loop::Store{buffer(), address(at), initial}});
  });
}

void ScatterSums::start() {
  for_each_slot([&](const Expr& own_slot, const std::vector<Expr>& at) {
    touched_ >= 0 ? set_mark(own_slot, false) : store_initial(at);
  });
}

void ScatterSums::add_point(const std::vector<Expr>& to, const std::vector<Expr>& from) {
  threads_.step().combine(buffer(), address(to), from);
}

// The first point of an element finds scratch as others have left it.
void ScatterSums::add_own_point(const Expr& own_slot, const std::vector<Expr>& from) {
  const std::vector<Expr> to = threads_.position(threads_.slot_of(own_slot));
  const auto add = [&] { threads_.for_each_lane([&] { add_point(to, from); }); };
  if (touched_ < 0) return add();
  const Expr was = read_mark(own_slot);
  threads_.open_predicated();
  add();
  threads_.close_predicated(was, inverse(probabilities_.repeated()));
  threads_.open_predicated();
  threads_.for_each_lane([&] { threads_.step().begin(buffer(), address(to), to, from); });
  set_mark(own_slot, true);
  threads_.close_predicated(!was, inverse(1 - probabilities_.repeated()));
}

void ScatterSums::store_result(const std::vector<Expr>& at, int value) {
  const ValueId result = threads_.input.program.result(threads_.node);
  const int to = emitter_.buffer(result, loop::Access::out);
  emitter_.add({loop::Store{to, emitter_.address(result, at), value}});
}

void ScatterSums::copy_sum(const std::vector<Expr>& at) {
  threads_.for_each_lane([&] {
    const Expr sum = expr::load(buffer(), expr::Type::real, {address(at)});
    store_result(at, emitter_.let("sum", f32, f32, sum));
  });
}

void ScatterSums::copy_out() {
  if (!is_in_scratch()) return;
  for_each_slot([&](const Expr& own_slot, const std::vector<Expr>& at) {
    if (touched_ < 0) return copy_sum(at);
    const Expr was = read_mark(own_slot);
    threads_.open_predicated();
    copy_sum(at);
    threads_.close_predicated(was, inverse(probabilities_.touched()));
    threads_.open_predicated();
    threads_.for_each_lane([&] { store_result(at, threads_.step().initial(at)); });
    threads_.close_predicated(!was, inverse(1 - probabilities_.touched()));
  });
}

}  // namespace ridge::schedule
