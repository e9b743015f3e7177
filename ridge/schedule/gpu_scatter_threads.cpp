#include "ridge/schedule/gpu_scatter_threads.h"

#include "ridge/base/text.h"

namespace ridge::schedule {

ScatterThreads::ScatterThreads(const LoopInput& given)
    : input(given),
      emitter(given.program, given.group, given.locations),
      node(given.group.members.front().node),
      node_definition(given.program.node_definition(node)),
      targets(scatter_targets(given.program, node)),
      shape(scatter_shape(given, node_definition, targets)),
      tile(emitter.add_axis(divided_up(shape.columns, shape.threads * shape.width))),
      owner(emitter.add_axis(shape.owners)),
      thread(emitter.add_axis(shape.threads)),
      lane(shape.width > 1 ? emitter.add_axis(shape.width) : -1),
      first_((expr::axis(tile) * shape.threads + expr::axis(thread)) * shape.width) {
  for (const int axis : {tile, owner}) emitter.open(axis, loop::Place::gpu_block);
  emitter.open(thread, Expr(shape.threads), loop::Place::gpu_thread, false);
}

EmittedKernel ScatterThreads::finish() {
  for (int i = 0; i < 3; ++i) emitter.close();
  EmittedKernel result{{}, emitter.buffers(), {}};
  result.kernel = emitter.finish();
  shared.settle(result.kernel);
  result.decisions.push_back(Decision::yes(concat(
      shape.threads, " threads a block, ", shape.width, shape.width == 1 ? " column" : " columns",
      " each: ", shape.owners, shape.owners == 1 ? " block has" : " blocks share",
      " the slots of a column, and each reads the whole index")));
  return result;
}

Expr ScatterThreads::has_points() const {
  Expr result = is_column();
  std::vector<Expr> at(node_definition.shape.size());
  unflatten(targets.columns, node_definition.shape, first_, at);
  for (size_t i = 0; i < targets.columns.size(); ++i) {
    const auto dim = static_cast<size_t>(targets.columns[i]);
    const Size& extent =
        node_definition.definition.extents[static_cast<size_t>(targets.column_axes[i])];
    if (!is_same({extent}, {node_definition.shape[dim]}))
      result = result && at[dim] < extent.expression();
  }
  return result;
}

std::vector<Expr> ScatterThreads::position(const Expr& slot) const {
  std::vector<Expr> result(node_definition.shape.size());
  unflatten(targets.columns, node_definition.shape, column(), result);
  unflatten(targets.slots, node_definition.shape, slot, result);
  return result;
}

std::vector<Expr> ScatterThreads::point(const Expr& scanned) const {
  std::vector<Expr> result(node_definition.definition.extents.size());
  unflatten(targets.scanned, node_definition.definition.extents, scanned, result);
  std::vector<Expr> of_column(node_definition.shape.size());
  unflatten(targets.columns, node_definition.shape, column(), of_column);
  for (size_t i = 0; i < targets.columns.size(); ++i) {
    result[static_cast<size_t>(targets.column_axes[i])] =
        of_column[static_cast<size_t>(targets.columns[i])];
  }
  return result;
}

void ScatterThreads::open_predicated(uint64_t axes) {
  emitter.open_body(axes);
  emitter.stay_inside();
}

void ScatterThreads::close_predicated(const Expr& condition, int64_t inverse_probability) {
  loop::Body body = emitter.close_body();
  emitter.add({loop::If{emitter.simplified(condition), std::move(body), inverse_probability}});
}

void ScatterThreads::unflatten(const std::vector<int>& axes, const Shape& extents, Expr flat,
                               std::vector<Expr>& into) const {
  for (size_t i = axes.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(axes[i]);
    const Expr size = extents[axis].expression();
    into[axis] = emitter.simplified(i == 0 ? flat : expr::mod(flat, size));
    if (i > 0) flat = expr::floor_div(flat, size);
  }
}

}  // namespace ridge::schedule
