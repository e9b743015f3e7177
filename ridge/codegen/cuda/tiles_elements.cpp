#include "ridge/codegen/cuda/tiles_elements.h"

#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/codegen/cuda/tiles_body_copy.h"
#include "ridge/codegen/cuda/tiles_plan.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;
using loop::Body;
using loop::Expr;
using loop::Tile;
using loop::TileLayout;

constexpr int kQuad = 4;  // lanes that have a row of an accumulator

Expr identity(loop::Combine combine) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (combine) {
    case loop::Combine::sum: return Expr(0.0);
    case loop::Combine::prod: return Expr(1.0);
    case loop::Combine::max: return Expr(-kInfinity);
    case loop::Combine::min: return Expr(kInfinity);
    case loop::Combine::any: return Expr(false);
    case loop::Combine::all: return Expr(true);
  }
  return {};
}

class ElementWriter {
 public:
  explicit ElementWriter(loop::Kernel kernel) {
    out_.kernel = std::move(kernel);
    tiles_ = out_.kernel.tiles;
    out_.axes = {new_axis(), new_axis(), new_axis()};
    for (const Tile& tile : tiles_) out_.buffers.push_back(add_buffer(tile));
  }

  TileElements run() {
    for (loop::Statement& statement : out_.kernel.body) {
      auto& role = std::get<loop::Role>(statement.kind);
      threads_ = role.warps * loop::kWarpSize;
      role.body = written(role.body);
    }
    return std::move(out_);
  }

 private:
  int new_axis() { return out_.kernel.axis_count++; }
  int new_value(DType dtype = f32) {
    out_.kernel.values.push_back({"", dtype});
    return static_cast<int>(out_.kernel.values.size()) - 1;
  }
  const Tile& tile(int number) const { return tiles_[static_cast<size_t>(number)]; }

  int add_buffer(const Tile& tile) {
    const bool is_local = loop::is_in_registers(tile.layout);
    if (tile.layout == TileLayout::operand) return -1;
    if (!is_local && tile.layout != TileLayout::linear) return -1;
    const Expr elements = is_local
                              ? Expr(tile_registers(tile))
                              : Expr(constant_extent(tile.rows) * constant_extent(tile.columns));
    out_.kernel.buffers.push_back({.name = tile.name,
                                   .dtype = tile.dtype,
                                   .access = loop::Access::in_out,
                                   .space = is_local ? loop::Space::local : loop::Space::shared,
                                   .elements = elements});
    return static_cast<int>(out_.kernel.buffers.size()) - 1;
  }

  Expr index_in(int number, const Place& place) const {
    const Tile& info = tile(number);
    const int64_t rows = constant_extent(info.rows), columns = constant_extent(info.columns);
    const auto needs = [&](const Expr& e) {
      RIDGE_INTERNAL_CHECK(e.get() != nullptr,
                           concat("tile ", info.name, " is not laid out as the other"));
      return e;
    };
    switch (info.layout) {
      case TileLayout::accumulator:
        return sum(sum(times(columns / 2, needs(place.block)), times(4, needs(place.group))),
                   sum(times(2, needs(place.half)), needs(place.lane)));
      case TileLayout::row_values: return sum(times(2, needs(place.block)), needs(place.half));
      case TileLayout::column_values: return sum(times(2, needs(place.group)), needs(place.lane));
      case TileLayout::linear: break;
      default:
        RIDGE_INTERNAL_CHECK(false, concat("elements of tile ", info.name, " are not at hand"));
    }
    const Expr row = rows == 1 ? Expr(0) : place.row,
               column = columns == 1 ? Expr(0) : place.column;
    return info.is_column_contiguous ? sum(times(rows, column), row)
                                     : sum(times(columns, row), column);
  }

  // Without what is 0.
  static Expr sum(const Expr& a, const Expr& b) {
    if (expr::is_constant(a, 0)) return b;
    return expr::is_constant(b, 0) ? a : a + b;
  }
  static Expr times(int64_t factor, const Expr& e) {
    return expr::is_constant(e, 0) ? Expr(0) : factor == 1 ? e : Expr(factor) * e;
  }
  Expr row_at(const Place& place) const {
    return sum(sum(times(64, place.block), times(8, place.half)), expr::axis(out_.axes.row));
  }
  Expr column_at(const Place& place) const {
    return sum(sum(times(8, place.group), times(2, expr::axis(out_.axes.quad))), place.lane);
  }

  // Loops over what a thread has of a tile. `make` gives the body at a place.
  using Make = std::function<Body(const Place&)>;
  Expr open(std::vector<loop::Loop>& loops, int64_t extent,
            loop::Place place = loop::Place::serial) {
    if (extent == 1) return Expr(0);
    loops.push_back({.axis = new_axis(), .extent = Expr(extent), .place = place, .body = {}});
    return expr::axis(loops.back().axis);
  }
  static Body closed(std::vector<loop::Loop> loops, Body body) {
    while (!loops.empty()) {
      loop::Loop inner = std::move(loops.back());
      loops.pop_back();
      inner.body = std::move(body);
      body = Body();
      body.push_back({std::move(inner)});
    }
    return body;
  }
  Body over_elements(int number, bool is_vector, const Make& make) {
    const Tile& info = tile(number);
    if (!loop::is_in_registers(info.layout)) return over_threads(info, make);
    std::vector<loop::Loop> loops;
    Place place;
    const bool has_rows = info.layout != TileLayout::column_values;
    const bool has_columns = info.layout != TileLayout::row_values;
    if (has_rows) place.block = open(loops, constant_extent(info.rows) / 64);
    if (has_columns) place.group = open(loops, constant_extent(info.columns) / 8);
    if (has_rows) {
      place.half = open(loops, 2);
      place.row = row_at(place);
    } else {
      place.row = Expr(0);
    }
    if (has_columns) {
      place.lane = open(loops, 2, is_vector ? loop::Place::vector : loop::Place::serial);
      place.column = column_at(place);
    } else {
      place.column = Expr(0);
    }
    return closed(std::move(loops), make(place));
  }
  Body over_threads(const Tile& info, const Make& make) {
    const int64_t rows = constant_extent(info.rows), columns = constant_extent(info.columns);
    const int64_t inner = info.is_column_contiguous ? rows : columns, count = rows * columns;
    std::vector<loop::Loop> loops;
    const Expr step = open(loops, (count + threads_ - 1) / threads_);
    const Expr element = Expr(threads_) * step + expr::axis(out_.axes.thread);
    const bool is_line = inner == count;
    const Expr along = is_line ? element : expr::mod(element, Expr(inner));
    const Expr line = is_line ? Expr(0) : expr::floor_div(element, Expr(inner));
    const Place place = info.is_column_contiguous ? Place{.row = along, .column = line}
                                                  : Place{.row = line, .column = along};
    Body body = make(place);
    if (count % threads_ != 0) body = under(element < Expr(count), std::move(body));
    return closed(std::move(loops), std::move(body));
  }
  static Body under(const Expr& condition, Body body) {
    Body result;
    result.push_back({loop::If{condition, std::move(body)}});
    return result;
  }

  // What is stored once though several threads have it: values of rows and columns.
  Body by_one_owner(int number, Body body) const {
    bool stores = false;
    loop::for_each_statement(body, [&](const loop::Statement& statement) {
      const auto* const store = as<loop::Store>(statement);
      stores |= store != nullptr && out_.kernel.buffers[static_cast<size_t>(store->buffer)].space ==
                                        loop::Space::global;
    });
    if (!stores) return body;
    if (tile(number).layout == TileLayout::row_values) {
      return under(expr::equal(expr::axis(out_.axes.quad), Expr(0)), std::move(body));
    }
    if (tile(number).layout == TileLayout::column_values) {
      return under(expr::equal(expr::axis(out_.axes.row), Expr(0)), std::move(body));
    }
    return body;
  }

  static Expr all_of(const Expr& a, const Expr& b) {
    if (a.get() == nullptr) return b;
    return b.get() == nullptr ? a : a && b;
  }
  // Twice: for tiles that lie inside of the limits, in pairs of columns; for those at the edge, one by one.
  // `make(place, condition)`: the condition is null where the place is known to be inside.
  Body within(int number, const loop::TileLimits& limits,
              const std::function<Body(const Place&, const Expr&)>& make) {
    Expr inside;
    if (limits.rows.get() != nullptr) inside = tile(number).rows <= limits.rows;
    if (limits.columns.get() != nullptr) {
      inside = all_of(inside, tile(number).columns <= limits.columns);
    }
    const auto whole = [&](const Place& place) { return by_one_owner(number, make(place, {})); };
    if (inside.get() == nullptr) return over_elements(number, true, whole);
    const auto part = [&](const Place& place) {
      Expr condition;
      if (limits.rows.get() != nullptr) condition = place.row < limits.rows;
      if (limits.columns.get() != nullptr) {
        condition = all_of(condition, place.column < limits.columns);
      }
      return by_one_owner(number, make(place, condition));
    };
    if (!loop::is_in_registers(tile(number).layout)) return over_elements(number, false, part);
    const int is_inside = new_value(boolean);
    out_.kernel.values.back().name = "is_inside";
    Body result;
    result.push_back({loop::Let{.value = is_inside, .arithmetic = f32, .expression = inside}});
    const Expr known = expr::input(is_inside, expr::Type::boolean);
    result.push_back({loop::If{known, over_elements(number, true, whole)}});
    result.push_back({loop::If{!known, over_elements(number, false, part)}});
    return result;
  }

  Body each(const loop::EachElement& each) {
    return within(each.tile, each.limits, [&](const Place& place, const Expr& condition) {
      Body body = copier(each.row_axis, each.column_axis, place).copied(each.body);
      return condition.get() == nullptr ? body : under(condition, std::move(body));
    });
  }
  BodyCopier copier(int row_axis, int column_axis, const Place& place) {
    return BodyCopier(out_, row_axis, column_axis, place,
                      [this](int number, const Place& at) { return index_in(number, at); });
  }

  Body load(const loop::LoadTile& load) {
    return within(load.tile, load.limits, [&](const Place& place, const Expr& condition) {
      const Expr element = copier(load.row_axis, load.column_axis, place).copied(load.element);
      const int value = new_value();
      const bool is_certain = condition.get() == nullptr;
      Body body;
      body.push_back({loop::Let{
          .value = value,
          .arithmetic = f32,
          .expression = is_certain ? element : expr::select(condition, element, Expr(0.0))}});
      body.push_back({store_into(load.tile, place, value)});
      return body;
    });
  }
  loop::Store store_into(int number, const Place& place, int value) const {
    return {.buffer = out_.buffers[static_cast<size_t>(number)],
            .index = index_in(number, place),
            .value = value};
  }
  loop::Let load_from(int number, const Place& place, int value) const {
    const int buffer = out_.buffers[static_cast<size_t>(number)];
    return {.value = value,
            .arithmetic = f32,
            .expression = expr::load(buffer, expr::Type::real, {index_in(number, place)})};
  }

  Body store(const loop::StoreTile& store) {
    return within(store.tile, store.limits, [&](const Place& place, const Expr& condition) {
      const int value = new_value();
      const Expr index = copier(store.row_axis, store.column_axis, place).copied(store.index);
      Body body;
      body.push_back({load_from(store.tile, place, value)});
      body.push_back({loop::Store{.buffer = store.buffer, .index = index, .value = value}});
      return condition.get() == nullptr ? body : under(condition, std::move(body));
    });
  }

  Body fill(const loop::FillTile& fill) {
    return over_elements(fill.tile, false, [&](const Place& place) {
      const int value = new_value();
      Body body;
      body.push_back({loop::Let{.value = value, .arithmetic = f32, .expression = fill.value}});
      body.push_back({store_into(fill.tile, place, value)});
      return body;
    });
  }

  // Each thread its own columns of a row, then the quad.
  Body fold(const loop::FoldTile& fold) {
    const Tile& from = tile(fold.tile);
    std::vector<loop::Loop> rows;
    Place place;
    place.block = open(rows, constant_extent(from.rows) / 64);
    place.half = open(rows, 2);
    place.row = row_at(place);
    std::vector<loop::Loop> columns;
    place.group = open(columns, constant_extent(from.columns) / 8);
    place.lane = open(columns, 2);
    place.column = column_at(place);
    const int total = new_value(), element = new_value(), before = new_value();
    Body inner;
    inner.push_back({load_from(fold.tile, place, element)});
    inner.push_back({loop::Reduce{.value = total, .combine = fold.combine, .operand = element}});
    Expr condition;
    if (fold.limits.rows.get() != nullptr) condition = place.row < fold.limits.rows;
    if (fold.limits.columns.get() != nullptr) {
      condition = all_of(condition, place.column < fold.limits.columns);
    }
    if (condition.get() != nullptr) inner = under(condition, std::move(inner));
    Body body;
    body.push_back({loop::Var{total, identity(fold.combine)}});
    for (loop::Statement& statement : closed(std::move(columns), std::move(inner))) {
      body.push_back(std::move(statement));
    }
    body.push_back({loop::CollectiveReduce{
        .value = total, .combine = fold.combine, .scope = loop::Scope::warp, .threads = kQuad}});
    body.push_back({load_from(fold.into, place, before)});
    body.push_back({loop::Reduce{.value = total, .combine = fold.combine, .operand = before}});
    body.push_back({store_into(fold.into, place, total)});
    return closed(std::move(rows), std::move(body));
  }

  std::optional<Body> elements_of(const loop::Statement& statement) {
    if (const auto* const inner = as<loop::EachElement>(statement)) return each(*inner);
    if (const auto* const inner = as<loop::LoadTile>(statement)) return load(*inner);
    if (const auto* const inner = as<loop::StoreTile>(statement)) return store(*inner);
    if (const auto* const inner = as<loop::FoldTile>(statement)) return fold(*inner);
    const auto* const inner = as<loop::FillTile>(statement);
    if (inner == nullptr || is_clear_unless_set(*inner)) return std::nullopt;
    const bool is_free =
        tile(inner->tile).layout == TileLayout::accumulator && expr::is_constant(inner->value, 0);
    if (is_free) return std::nullopt;
    return fill(*inner);
  }

  Body written(const Body& body) {
    Body result;
    for (const loop::Statement& statement : body) {
      if (std::optional<Body> elements = elements_of(statement)) {
        for (loop::Statement& inner : *elements) result.push_back(std::move(inner));
        continue;
      }
      result.push_back(statement);
      if (const Body* const inner = loop::body_of(result.back())) {
        const_cast<Body&>(*inner) = written(Body(*inner));
      }
    }
    return result;
  }

  TileElements out_;
  std::vector<Tile> tiles_;
  int threads_ = 0;  // of an instance of the role being written
};

}  // namespace

TileElements in_elements(loop::Kernel kernel) {
  place_clears(kernel);
  return ElementWriter(std::move(kernel)).run();
}

}  // namespace ridge::codegen::cuda
