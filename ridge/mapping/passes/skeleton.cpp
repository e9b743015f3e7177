#include "ridge/mapping/passes/skeleton.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::mapping {
namespace {

using loop::as;

class Matcher {
 public:
  explicit Matcher(const loop::Kernel& kernel) : kernel_(kernel) {}

  ProductSkeleton run() {
    const loop::Body& tile = find_tile();
    if (tile.size() < 4) refuse("not one product with an epilogue");
    const auto* const fill = as<loop::FillTile>(tile[0]);
    const auto* const depth = as<loop::Loop>(tile[1]);
    product_.epilogue = as<loop::EachElement>(tile[2]);
    if (fill == nullptr || depth == nullptr || product_.epilogue == nullptr) {
      refuse("not a fill, one loop and one body for each element");
    }
    match_loop(*depth);
    if (fill->tile != product_.sum || !expr::is_constant(fill->value, 0)) {
      refuse("sums do not begin at 0");
    }
    for (size_t i = 3; i < tile.size(); ++i) {
      product_.stores.push_back(as<loop::StoreTile>(tile[i]));
      if (product_.stores.back() == nullptr) refuse("more than stores behind the epilogue");
    }
    match_sizes();
    return product_;
  }

 private:
  // Inside of all grid loops, of which the last two are rows and columns.
  const loop::Body& find_tile() {
    const loop::Body* body = &kernel_.body;
    while (body->size() == 1) {
      const auto* const loop = as<loop::Loop>(body->front());
      if (loop == nullptr || loop->place != loop::Place::gpu_block) break;
      loops_.push_back(loop);
      body = &loop->body;
    }
    if (loops_.size() < 2) refuse("no grid of tiles");
    product_.batches.assign(loops_.begin(), loops_.end() - 2);
    product_.row_tile = loops_[loops_.size() - 2]->axis;
    product_.column_tile = loops_.back()->axis;
    return *body;
  }

  void match_loop(const loop::Loop& depth) {
    const bool is_one = depth.place == loop::Place::serial && depth.body.size() == 3;
    const auto* const dot = is_one ? as<loop::Dot>(depth.body[2]) : nullptr;
    if (dot == nullptr) refuse("not one product in one loop");
    for (const size_t i : {0, 1}) {
      const auto* const load = as<loop::LoadTile>(depth.body[i]);
      if (load == nullptr) refuse("not two loads and one product");
      if (load->tile == dot->lhs.tile) product_.lhs = load;
      if (load->tile == dot->rhs.tile) product_.rhs = load;
    }
    if (product_.lhs == nullptr || product_.rhs == nullptr || product_.lhs == product_.rhs) {
      refuse("the product is of other tiles than are loaded");
    }
    if (dot->is_lhs_transposed || dot->is_rhs_transposed) refuse("a transposed operand");
    if (product_.epilogue->tile != dot->into) refuse("the epilogue is over another tile");
    product_.sum = dot->into;
    product_.depth_tile = depth.axis;
    depth_extent_ = depth.extent;
  }

  // Tile sizes are params of their own, and limits say where matrices end.
  void match_sizes() {
    const loop::Tile& lhs = tile(product_.lhs->tile);
    const loop::Tile& rhs = tile(product_.rhs->tile);
    product_.tm = size(lhs.rows), product_.tk = size(lhs.columns), product_.tn = size(rhs.columns);
    product_.m = whole(product_.lhs->limits.rows, product_.row_tile, lhs.rows);
    product_.k = whole(product_.lhs->limits.columns, product_.depth_tile, lhs.columns);
    product_.n = whole(product_.rhs->limits.columns, product_.column_tile, rhs.columns);
    if (!is_same(whole(product_.rhs->limits.rows, product_.depth_tile, lhs.columns), product_.k)) {
      refuse("operands of different depth");
    }
    hold_extent(loops_[loops_.size() - 2]->extent, product_.m, lhs.rows);
    hold_extent(loops_.back()->extent, product_.n, rhs.columns);
    hold_extent(depth_extent_, product_.k, lhs.columns);
    const auto is_tile = [&](const loop::TileLimits& limits) {
      return is_same(whole(limits.rows, product_.row_tile, lhs.rows), product_.m) &&
             is_same(whole(limits.columns, product_.column_tile, rhs.columns), product_.n);
    };
    if (!is_tile(product_.epilogue->limits)) refuse("an epilogue with limits of its own");
    for (const loop::StoreTile* store : product_.stores) {
      if (!is_tile(store->limits)) refuse("a store with limits of its own");
    }
  }
  const loop::Tile& tile(int number) const { return kernel_.tiles[static_cast<size_t>(number)]; }
  int size(const Expr& extent) const {
    const bool is_named = extent->kind == expr::Kind::param &&
                          std::cmp_greater_equal(extent->index, kernel_.sizes.size());
    if (!is_named) refuse("a tile whose extents are not named");
    return extent->index;
  }
  // m of m - tm * i0.
  static Expr whole(const Expr& limit, int axis, const Expr& size) {
    if (limit.get() == nullptr) refuse("a tile without limits");
    const Expr result = expr::simplify(limit + size * expr::axis(axis));
    if (result->axes != 0) refuse("limits that are not those of whole matrices");
    return result;
  }
  static void hold_extent(const Expr& extent, const Expr& whole, const Expr& size) {
    if (!is_same(extent, expr::floor_div(whole + size - 1, size))) {
      refuse("a loop that is not over all tiles");
    }
  }

  const loop::Kernel& kernel_;
  std::vector<const loop::Loop*> loops_;
  Expr depth_extent_;
  ProductSkeleton product_;
};

Expr size_of(int param) { return expr::param(param, expr::Type::integer); }

Window operand_window(const loop::Kernel& kernel, const ProductSkeleton& product,
                      const loop::LoadTile& load, const TilePlace& place) {
  Expr element = load.element;
  while (element->kind == expr::Kind::cast) element = element->args[0];
  if (element->kind != expr::Kind::load) refuse("an operand is not one load");
  const DType dtype = kernel.buffers[static_cast<size_t>(element->index)].dtype;
  if (dtype != kernel.tiles[static_cast<size_t>(load.tile)].dtype) {
    refuse("an operand that is converted while it is loaded");
  }
  return window_of(kernel, product, element->index, element->args[0], place);
}

}  // namespace

bool ProductSkeleton::has_plain_epilogue() const {
  if (epilogue->body.size() != 2) return false;
  const auto* const read = as<loop::ReadElement>(epilogue->body[0]);
  const auto* const write = as<loop::WriteElement>(epilogue->body[1]);
  return read != nullptr && write != nullptr && read->value == write->value;
}

ProductSkeleton match_product(const loop::Kernel& kernel) { return Matcher(kernel).run(); }

Window window_of(const loop::Kernel& kernel, const ProductSkeleton& product, int buffer,
                 const Expr& index, const TilePlace& place) {
  const std::string& name = kernel.buffers[static_cast<size_t>(buffer)].name;
  const auto affine = expr::as_affine(index, kernel.axis_count);
  if (!affine) refuse(concat(name, " is not read by strides"));
  const auto step = [&](int axis) {
    return expr::simplify(affine->coefficients[static_cast<size_t>(axis)]);
  };
  Window window{.buffer = buffer,
                .batches = {},
                .rows = {kRowDimension, place.rows, step(place.row_axis)},
                .columns = {kColumnDimension, place.columns, step(place.column_axis)}};
  if (!expr::is_constant(affine->constant, 0)) window.first = expr::simplify(affine->constant);
  std::vector<int> known = {place.row_axis, place.column_axis, place.row_tile, place.column_tile};
  for (const loop::Loop* batch : product.batches) {
    known.push_back(batch->axis);
    if (expr::is_constant(step(batch->axis), 0)) continue;
    window.batches.push_back({batch->axis, batch->extent, step(batch->axis)});
  }
  for (int axis = 0; axis < kernel.axis_count; ++axis) {
    const bool is_known = std::ranges::find(known, axis) != known.end();
    if (!is_known && !expr::is_constant(step(axis), 0)) {
      refuse(concat(name, " moves with another loop"));
    }
  }
  const bool is_whole = is_same(step(place.row_tile), place.row_size * window.rows.stride) &&
                        is_same(step(place.column_tile), place.column_size * window.columns.stride);
  if (!is_whole) refuse(concat("tiles of ", name, " do not follow each other"));
  window.is_column_contiguous = !expr::is_constant(window.columns.stride, 1);
  if (window.is_column_contiguous && !expr::is_constant(window.rows.stride, 1)) {
    refuse(concat("neither rows nor columns of ", name, " are contiguous"));
  }
  return window;
}

Window lhs_window(const loop::Kernel& kernel, const ProductSkeleton& p) {
  return operand_window(kernel, p, *p.lhs,
                        {p.lhs->row_axis, p.lhs->column_axis, p.row_tile, p.depth_tile,
                         size_of(p.tm), size_of(p.tk), p.m, p.k});
}

Window rhs_window(const loop::Kernel& kernel, const ProductSkeleton& p) {
  return operand_window(kernel, p, *p.rhs,
                        {p.rhs->row_axis, p.rhs->column_axis, p.depth_tile, p.column_tile,
                         size_of(p.tk), size_of(p.tn), p.k, p.n});
}

Window result_window(const loop::Kernel& kernel, const ProductSkeleton& p,
                     const loop::StoreTile& store) {
  return window_of(kernel, p, store.buffer, store.index,
                   {store.row_axis, store.column_axis, p.row_tile, p.column_tile, size_of(p.tm),
                    size_of(p.tn), p.m, p.n});
}

}  // namespace ridge::mapping
