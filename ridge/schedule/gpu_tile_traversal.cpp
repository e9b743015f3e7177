#include "ridge/schedule/gpu_tile_traversal.h"

#include <utility>

namespace ridge::schedule {
namespace {

TileTraversal new_traversal(Emitter& emitter, int64_t steps, int64_t width) {
  TileTraversal traversal{.step = emitter.add_axis(steps), .steps = steps, .width = width};
  if (width > 1) traversal.lane = emitter.add_axis(width);
  return traversal;
}

// What number of all vectors of the tile a thread takes at a step.
Expr vector_number(const TileTraversal& traversal, const TileShape& shape,
                   const TileThreads& threads) {
  const Expr first = expr::axis(traversal.step) * shape.threads;
  return first + expr::axis(threads.row) * shape.beside() + expr::axis(threads.thread);
}

Expr at_lane_zero(const TileTraversal& traversal, const Expr& e, int axis_count) {
  std::vector<Expr> axes;
  for (int i = 0; i < axis_count; ++i)
    axes.push_back(i == traversal.lane ? Expr(0) : expr::axis(i));
  return substitute_axes(e, axes);
}

TileTraversal placed(TileTraversal traversal, const Emitter& emitter, const TileShape& shape,
                     const TileThreads& threads) {
  const TilePoint& point = traversal.point;
  const Expr i = point.chunk * shape.across_width + point.in_chunk;
  traversal.across = emitter.simplified(expr::axis(threads.across_tile) * shape.across_side + i);
  traversal.along =
      emitter.simplified(expr::axis(threads.along_tile) * shape.along_side + point.row);
  const Expr inside = traversal.across < emitter.extent(shape.across).expression() &&
                      traversal.along < emitter.extent(shape.along).expression();
  // Vectors are inside as a whole.
  const Expr asked = emitter.simplified(at_lane_zero(traversal, inside, emitter.axis_count()));
  if (!expr::is_constant(asked)) traversal.is_inside = asked;
  return traversal;
}

loop::Body only(loop::Statement statement) {
  loop::Body body;
  body.push_back(std::move(statement));
  return body;
}

}  // namespace

loop::Statement TileTraversal::with(loop::Body body) const {
  if (lane >= 0) body = only({loop::Loop{lane, Expr(width), loop::Place::vector, std::move(body)}});
  if (is_inside) body = only({loop::If{is_inside, std::move(body)}});
  return {loop::Loop{step, Expr(steps), loop::Place::serial, std::move(body)}};
}

TileTraversal traverse_across(Emitter& emitter, const TileShape& shape,
                              const TileThreads& threads) {
  TileTraversal traversal = new_traversal(emitter, shape.across_steps(), shape.across_width);
  const Expr number = vector_number(traversal, shape, threads);
  const Expr chunks = shape.across_side / shape.across_width;
  const Expr row = expr::floor_div(number, chunks);
  traversal.point = {expr::mod(number, chunks), traversal.in_vector(),
                     expr::floor_div(row, shape.along_width), row};
  return placed(std::move(traversal), emitter, shape, threads);
}

TileTraversal traverse_along(Emitter& emitter, const TileShape& shape, const TileThreads& threads) {
  TileTraversal traversal = new_traversal(emitter, shape.along_steps(), shape.along_width);
  const Expr number = vector_number(traversal, shape, threads);
  const Expr beside = shape.along_threads();
  const Expr line = expr::floor_div(number, beside);
  const Expr i = expr::mod(line, shape.across_side);
  const Expr vector = expr::floor_div(line, shape.across_side) * beside + expr::mod(number, beside);
  traversal.point = {expr::floor_div(i, shape.across_width), expr::mod(i, shape.across_width),
                     vector, vector * shape.along_width + traversal.in_vector()};
  return placed(std::move(traversal), emitter, shape, threads);
}

}  // namespace ridge::schedule
