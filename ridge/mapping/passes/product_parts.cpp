#include "ridge/mapping/passes/product_parts.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/mapping/legal.h"

namespace ridge::mapping {
namespace {

loop::TileLayout layout_of(int swizzle) {
  switch (swizzle) {
    case 32: return loop::TileLayout::swizzle_32;
    case 64: return loop::TileLayout::swizzle_64;
    default: return loop::TileLayout::swizzle_128;
  }
}

class Maker {
 public:
  Maker(ProductParts& parts, const Mapping& mapping, const loop::DeviceLimits& limits)
      : parts_(parts), mapping_(mapping), limits_(limits), names_(parts.source) {}

  void run() {
    number_axes();
    find_windows();
    check_fit();
    parts_.kernel.threads = threads(parts_.product);
    const int blocks = mapping_.launch.min_blocks_per_sm;
    if (blocks > 1) parts_.kernel.min_blocks_per_sm = blocks;
    parts_.consumer = names_.unused("math"), parts_.producer = names_.unused("load");
    parts_.kernel.rings.push_back({names_.unused("stages"), parts_.product.stages});
    declare_operands();
    declare_pieces();
  }

 private:
  void number_axes() {
    int next = static_cast<int>(parts_.skeleton.batches.size());
    for (int* axis : {&parts_.row_tile, &parts_.column_tile, &parts_.depth_axis, &parts_.row,
                      &parts_.column, &parts_.index, &parts_.store_row, &parts_.store_column}) {
      *axis = next++;
    }
    parts_.kernel.axis_count = next;
  }

  void find_windows() {
    const ProductSkeleton& product = parts_.skeleton;
    parts_.lhs_window = lhs_window(parts_.source, product);
    parts_.rhs_window = rhs_window(parts_.source, product);
    if (parts_.product.store == StoreWay::elements) return;
    for (const loop::StoreTile* store : product.stores) {
      parts_.result_windows.push_back(result_window(parts_.source, product, *store));
      if (parts_.result_windows.back().is_column_contiguous) {
        refuse("the result's rows are not contiguous");
      }
    }
  }

  DType dtype_of(const Window& window) const {
    return parts_.source.buffers[static_cast<size_t>(window.buffer)].dtype;
  }

  // Of pitches nothing is known here: kLineAlignment stands for what the caller promises.
  void check_fit() {
    ProductWork work{
        .k = 1e9,
        .lhs = {.dtype = dtype_of(parts_.lhs_window),
                .is_k_contiguous = !parts_.lhs_window.is_column_contiguous},
        .rhs = {.dtype = dtype_of(parts_.rhs_window),
                .is_k_contiguous = parts_.rhs_window.is_column_contiguous},
        .accumulator = parts_.source.tiles[static_cast<size_t>(parts_.skeleton.sum)].dtype};
    for (const loop::StoreTile* store : parts_.skeleton.stores) {
      work.results.push_back(
          {.dtype = parts_.source.buffers[static_cast<size_t>(store->buffer)].dtype});
    }
    const Fit fit = can_run(mapping_, work, limits_);
    if (!fit.decision) refuse(concat(name(fit.field), ": ", fit.decision.reason));
    parts_.shape = shape_of(mapping_, work, limits_);
  }

  int add_view(const Window& window, const char* suffix, int box_rows, int box_columns,
               int swizzle) {
    loop::View view{.name = names_.unused(concat(
                        parts_.source.buffers[static_cast<size_t>(window.buffer)].name, suffix)),
                    .buffer = window.buffer,
                    .first = window.first,
                    .extents = {},
                    .strides = {},
                    .box = {},
                    .swizzle = swizzle};
    const auto add = [&](const Window::Dimension& dimension, int box) {
      view.extents.push_back(dimension.extent);
      view.strides.push_back(dimension.stride);
      view.box.push_back(box);
    };
    for (const Window::Dimension& batch : window.batches) add(batch, 1);
    add(window.is_column_contiguous ? window.columns : window.rows, box_rows);
    add(window.is_column_contiguous ? window.rows : window.columns, box_columns);
    if (view.extents.size() > kMostDimensions) refuse("a view of more than five dimensions");
    parts_.kernel.views.push_back(std::move(view));
    return static_cast<int>(parts_.kernel.views.size()) - 1;
  }

  int add_tile(loop::Tile tile) {
    tile.name = names_.unused(tile.name);
    parts_.kernel.tiles.push_back(std::move(tile));
    return static_cast<int>(parts_.kernel.tiles.size()) - 1;
  }
  int add_slot(const char* name, DType dtype, const SlotTile& slot) {
    return add_tile({.name = name,
                     .dtype = dtype,
                     .rows = slot.rows,
                     .columns = slot.columns,
                     .layout = layout_of(slot.swizzle),
                     .is_column_contiguous = slot.is_column_contiguous,
                     .ring = parts_.ring});
  }

  void declare_operands() {
    const SlotTile &lhs = parts_.shape.lhs, &rhs = parts_.shape.rhs;
    const auto outer = [](const SlotTile& slot) {
      return slot.is_column_contiguous ? slot.columns : slot.rows;
    };
    parts_.lhs_view = add_view(parts_.lhs_window, "_map", outer(lhs), lhs.span, lhs.swizzle);
    parts_.rhs_view = add_view(parts_.rhs_window, "_map", outer(rhs), rhs.span, rhs.swizzle);
    parts_.lhs = add_slot("lhs", dtype_of(parts_.lhs_window), lhs);
    parts_.rhs = add_slot("rhs", dtype_of(parts_.rhs_window), rhs);
    parts_.sum = add_tile({.name = "sum",
                           .dtype = f32,
                           .rows = rows_of_warpgroup(parts_.product),
                           .columns = parts_.product.columns,
                           .layout = loop::TileLayout::accumulator,
                           .role = parts_.consumer});
  }

  // A piece that is all of the sums is taken where they are.
  void declare_pieces() {
    for (const StorePiece& piece : parts_.shape.pieces) {
      EpiloguePiece made{.piece = piece};
      const bool is_all = piece.columns == parts_.product.columns && parts_.blocks() == 1;
      const size_t stored = parts_.result_windows.size();
      if (!parts_.moves_sums()) {
        made.values.push_back(is_all ? parts_.sum : add_values(piece));
        for (size_t i = 1; i < stored; ++i) made.values.push_back(add_values(piece));
      }
      for (size_t i = 0; i < stored; ++i) add_store_tile(made, i);
      parts_.pieces.push_back(std::move(made));
    }
  }
  void add_store_tile(EpiloguePiece& made, size_t result) {
    const StorePiece& piece = made.piece;
    const Window& window = parts_.result_windows[result];
    made.views.push_back(add_view(window, "_map", kWarpgroupRows, piece.columns, piece.swizzle));
    made.tiles.push_back(add_tile({.name = "out_tile",
                                   .dtype = dtype_of(window),
                                   .rows = kWarpgroupRows,
                                   .columns = piece.columns,
                                   .layout = layout_of(piece.swizzle),
                                   .slots = parts_.product.store_buffers,
                                   .role = parts_.consumer}));
  }
  int add_values(const StorePiece& piece) {
    return add_tile({.name = "part",
                     .dtype = f32,
                     .rows = kWarpgroupRows,
                     .columns = piece.columns,
                     .layout = loop::TileLayout::accumulator,
                     .role = parts_.consumer});
  }

  static constexpr size_t kMostDimensions = 5;

  ProductParts& parts_;
  const Mapping& mapping_;
  const loop::DeviceLimits& limits_;
  Names names_;
};

// Where a box begins, by dimension: batches by the new number of their loop.
std::vector<Expr> at(const ProductParts& parts, const Window& window, const Expr& row,
                     const Expr& column) {
  std::vector<Expr> result;
  const auto& batches = parts.skeleton.batches;
  for (const Window::Dimension& dimension : window.batches) {
    const auto found = std::ranges::find(batches, dimension.axis, &loop::Loop::axis);
    result.push_back(expr::axis(static_cast<int>(found - batches.begin())));
  }
  result.push_back(expr::simplify(window.is_column_contiguous ? column : row));
  result.push_back(expr::simplify(window.is_column_contiguous ? row : column));
  return result;
}

Expr tiles_of(const Expr& extent, int tile) {
  return expr::simplify(expr::floor_div(extent + (tile - 1), tile));
}

loop::Kernel head_of(const loop::Kernel& kernel) {
  loop::Kernel head = kernel;
  head.body.clear(), head.tiles.clear(), head.tile_sizes.clear();
  return head;
}

}  // namespace

Expr ProductParts::first_row() const {
  const bool divides = has_index() && !takes_turns();
  return divides ? rows_of_warpgroup(product) * expr::axis(index) : Expr(0);
}

Expr ProductParts::steps() const { return tiles_of(skeleton.k, product.depth); }

std::vector<Expr> ProductParts::lhs_at() const {
  return at(*this, lhs_window, product.rows * expr::axis(row_tile),
            product.depth * expr::axis(depth_axis));
}
std::vector<Expr> ProductParts::rhs_at() const {
  return at(*this, rhs_window, product.depth * expr::axis(depth_axis),
            product.columns * expr::axis(column_tile));
}
std::vector<Expr> ProductParts::result_at(size_t result, const Expr& row_in_tile,
                                          const Expr& column_in_tile) const {
  return at(*this, result_windows[result],
            product.rows * expr::axis(row_tile) + first_row() + row_in_tile,
            product.columns * expr::axis(column_tile) + column_in_tile);
}

loop::TileLoop ProductParts::tile_loop(loop::Body body) const {
  loop::TileLoop loop{.axes = {}, .extents = {}, .group = product.group, .body = std::move(body)};
  for (size_t i = 0; i < skeleton.batches.size(); ++i) {
    loop.axes.push_back(static_cast<int>(i));
    loop.extents.push_back(skeleton.batches[i]->extent);
  }
  loop.axes.insert(loop.axes.end(), {row_tile, column_tile});
  loop.extents.push_back(tiles_of(skeleton.m, product.rows));
  loop.extents.push_back(tiles_of(skeleton.n, product.columns));
  return loop;
}

Expr ProductParts::here(const Expr& e, const Expr& row_in_tile, const Expr& column_in_tile) const {
  const auto& batches = skeleton.batches;
  return replaced(
      e,
      [&](int axis) -> Expr {
        if (axis == skeleton.epilogue->row_axis) return first_row() + row_in_tile + expr::axis(row);
        if (axis == skeleton.epilogue->column_axis) return column_in_tile + expr::axis(column);
        if (axis == skeleton.row_tile) return expr::axis(row_tile);
        if (axis == skeleton.column_tile) return expr::axis(column_tile);
        const auto found = std::ranges::find(batches, axis, &loop::Loop::axis);
        if (found == batches.end()) refuse("the epilogue moves with another loop");
        return expr::axis(static_cast<int>(found - batches.begin()));
      },
      [&](int param) -> Expr {
        if (param == skeleton.tm) return product.rows;
        if (param == skeleton.tn) return product.columns;
        if (param == skeleton.tk) return product.depth;
        return {};
      });
}

ProductParts make_parts(const loop::Kernel& kernel, const ProductSkeleton& skeleton,
                        const Mapping& mapping, const loop::DeviceLimits& limits) {
  ProductParts parts{.source = kernel,
                     .skeleton = skeleton,
                     .product = std::get<Product>(mapping.family),
                     .shape = {},
                     .kernel = head_of(kernel)};
  Maker(parts, mapping, limits).run();
  return parts;
}

}  // namespace ridge::mapping
