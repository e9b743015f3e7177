// Statements over the elements of tiles: fill, load, store, each, fold, move.
#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "ridge/base/text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/tile_layout.h"
#include "ridge/loop/tile_machine.h"

namespace ridge::loop {
namespace {

constexpr std::array<uint32_t, kTileLanes> kEveryLane = [] {
  std::array<uint32_t, kTileLanes> lanes{};
  std::iota(lanes.begin(), lanes.end(), 0u);
  return lanes;
}();

constexpr int kPiece = 8;  // rows and columns of what one matrix load or store of a warp moves
constexpr int64_t kBanks = 32, kBankBytes = 4;

// Passes of the banks beyond those that the bytes of an 8 x 8 piece of the tile need.
int64_t piece_conflicts(const SharedTile& tile, Element first) {
  std::set<int64_t> words;
  for (int row = first.row; row < std::min(first.row + kPiece, tile.rows); ++row) {
    for (int column = first.column; column < std::min(first.column + kPiece, tile.columns);
         ++column) {
      words.insert(shared_offset(tile, {row, column}) / kBankBytes);
    }
  }
  std::array<int64_t, kBanks> of_bank{};
  for (const int64_t word : words) ++of_bank[static_cast<size_t>(word % kBanks)];
  const auto needed = (static_cast<int64_t>(words.size()) + kBanks - 1) / kBanks;
  return *std::ranges::max_element(of_bank) - needed;
}

}  // namespace

template <class RunLanes>
void TileMachine::for_lanes(TileInstance& me, const TileRange& range, int row_axis, int column_axis,
                            const RunLanes& run_lanes) {
  const Column rows = axis(me, row_axis), columns = axis(me, column_axis);
  const int64_t count = range.rows * range.columns;
  for (int64_t first = 0; first < count; first += kTileLanes) {
    const auto lanes =
        Lanes(kEveryLane).first(static_cast<size_t>(std::min<int64_t>(kTileLanes, count - first)));
    for (const uint32_t lane : lanes) {
      rows[lane].integer = (first + lane) / range.columns;
      columns[lane].integer = (first + lane) % range.columns;
    }
    run_lanes(lanes, rows, columns);
  }
}

TileRange TileMachine::within(TileInstance& me, const TileSlot& slot, const TileLimits& limits) {
  const auto limited = [&](const Expr& limit, int64_t extent) {
    return std::clamp<int64_t>(value_of(me, limit, extent), 0, extent);
  };
  return {0, 0, limited(limits.rows, slot.values.rows()),
          limited(limits.columns, slot.values.columns())};
}

void TileMachine::run(TileInstance& me, const FillTile& fill) {
  const Word word = word_of(me, fill.value);
  TileSlot& slot = writing(me, fill.tile);
  for (int64_t row = 0; row < slot.values.rows(); ++row) {
    for (int64_t column = 0; column < slot.values.columns(); ++column) {
      slot.values.set(row, column, word, fill.value->type);
    }
  }
  note_write(me, fill.tile, slot, slot.values.all());
}

void TileMachine::run(TileInstance& me, const LoadTile& load) {
  TileSlot& slot = writing(me, load.tile);
  const TileRange range = within(me, slot, load.limits);
  for (int64_t row = 0; row < slot.values.rows(); ++row) {
    for (int64_t column = 0; column < slot.values.columns(); ++column) {
      if (row >= range.rows || column >= range.columns) slot.values.set_zero(row, column);
    }
  }
  const ExpressionCode& code = program_.expressions.at(&load.element);
  const Column result = column(me, code.result);
  for_lanes(me, range, load.row_axis, load.column_axis,
            [&](Lanes lanes, Column rows, Column columns) {
              me.runner.run(code.code, lanes);
              for (const uint32_t lane : lanes) {
                slot.values.set(rows[lane].integer, columns[lane].integer, result[lane],
                                load.element->type);
              }
            });
  note_write(me, load.tile, slot, slot.values.all());
}

void TileMachine::run(TileInstance& me, const StoreTile& store) {
  TileSlot& slot = reading(me, store.tile);
  const TileRange range = within(me, slot, store.limits);
  reading(me, store.tile, range);
  const ExpressionCode& code = program_.expressions.at(&store.index);
  const Column index = column(me, code.result);
  const expr::Type type = scalar_type(slot.values.dtype());
  for_lanes(me, range, store.row_axis, store.column_axis,
            [&](Lanes lanes, Column rows, Column columns) {
              me.runner.run(code.code, lanes);
              for (const uint32_t lane : lanes) {
                globals_.store(store.buffer, index[lane].integer,
                               slot.values.get(rows[lane].integer, columns[lane].integer), type,
                               actor(me));
              }
            });
}

void TileMachine::run(TileInstance& me, const EachElement& each) {
  const TileRange range = within(me, slot_of(me, each.tile, true), each.limits);
  const Statement* const outside = me.at;
  for_lanes(me, range, each.row_axis, each.column_axis,
            [&](Lanes lanes, Column, Column) { run_each_body(me, each, each.body, lanes); });
  me.at = outside;
}

void TileMachine::run_each_body(TileInstance& me, const EachElement& each, const Body& body,
                                Lanes lanes) {
  if (lanes.empty()) return;
  for (const Statement& statement : body) {
    me.at = &statement;
    std::visit(
        [&]<class Kind>(const Kind& kind) {
          if constexpr (OneOf<Kind, Let, Var, Assign>) {
            assign(me, statement, lanes);
          } else if constexpr (OneOf<Kind, If>) {
            const ExpressionCode& code = program_.expressions.at(&kind.condition);
            me.runner.run(code.code, lanes);
            const Column condition = column(me, code.result);
            run_each_body(me, each, kind.then, me.runner.lanes_where(lanes, condition, true));
          } else if constexpr (OneOf<Kind, Store>) {
            store(me, kind, lanes);
          } else if constexpr (OneOf<Kind, Reduce>) {
            reduce(me, kind, lanes);
          } else if constexpr (OneOf<Kind, ReadElement>) {
            read(me, each, kind, lanes);
          } else if constexpr (OneOf<Kind, WriteElement>) {
            write(me, each, kind, lanes);
          } else {
            fail("statements over one element in an `each`", "another one");
          }
        },
        statement.kind);
  }
}

// A row or column of extent 1 is the same for all.
void TileMachine::read(TileInstance& me, const EachElement& each, const ReadElement& read,
                       Lanes lanes) {
  TileSlot& slot = reading(me, read.tile);
  const TileValues& tile = slot.values;
  const Column rows = axis(me, each.row_axis), columns = axis(me, each.column_axis);
  const Column into = value(me, read.value);
  for (const uint32_t lane : lanes) {
    const TileElement element{tile.rows() == 1 ? 0 : rows[lane].integer,
                              tile.columns() == 1 ? 0 : columns[lane].integer};
    const TileRange range{element.row, element.column, 1, 1};
    if (!tile.contains(range) || !tile.has(element.row, element.column)) {
      reading(me, read.tile, range);  // says what is wrong
    }
    note_read(me, read.tile, slot, range);
    into[lane] = tile.get(element.row, element.column);
  }
}

void TileMachine::write(TileInstance& me, const EachElement& each, const WriteElement& write,
                        Lanes lanes) {
  TileSlot& slot = writing(me, write.tile);
  const Column rows = axis(me, each.row_axis), columns = axis(me, each.column_axis);
  const Column from = value(me, write.value);
  const TileRange& shape = extents_[static_cast<size_t>(each.tile)];
  if (slot.values.rows() != shape.rows || slot.values.columns() != shape.columns) {
    fail("writes into tiles of the extents of the `each`", name_of(write.tile));
  }
  for (const uint32_t lane : lanes) {
    const TileElement element{rows[lane].integer, columns[lane].integer};
    note_write(me, write.tile, slot, {element.row, element.column, 1, 1});
    slot.values.set(element.row, element.column, from[lane], type_of(write.value));
  }
}

void TileMachine::store(TileInstance& me, const Store& store, Lanes lanes) {
  const ExpressionCode& code = program_.expressions.at(&store.index);
  me.runner.run(code.code, lanes);
  const Column index = column(me, code.result), from = value(me, store.value);
  for (const uint32_t lane : lanes) {
    globals_.store(store.buffer, index[lane].integer, from[lane], type_of(store.value), actor(me));
  }
}

void TileMachine::run(TileInstance& me, const FoldTile& fold) {
  TileSlot& from = reading(me, fold.tile);
  const TileRange range = within(me, from, fold.limits);
  reading(me, fold.tile, range);
  const bool is_along_columns = fold.along == Along::columns;
  const TileRange results =
      is_along_columns ? TileRange{0, 0, range.rows, 1} : TileRange{0, 0, 1, range.columns};
  reading(me, fold.into, results);
  TileSlot& into = writing(me, fold.into);
  fold_into(into.values, fold.combine, from.values, fold.along, range.rows, range.columns);
  note_write(me, fold.into, into, results);
}

void TileMachine::run(TileInstance& me, const MoveTile& move) {
  const TileRange& shape = extents_[static_cast<size_t>(move.into)];
  const TileRange range{value_of(me, move.from.row, 0), value_of(me, move.from.column, 0),
                        shape.rows, shape.columns};
  const TileSlot& from = reading(me, move.from.tile, range);
  const Tile& tile = kernel_.tiles[static_cast<size_t>(move.into)];
  if (tile.ring < 0 && tile.slots > 1) take_slot(me, move.into);
  TileSlot& into = writing(me, move.into);
  const expr::Type type = scalar_type(from.values.dtype());
  for (int64_t row = 0; row < range.rows; ++row) {
    for (int64_t column = 0; column < range.columns; ++column) {
      into.values.set(row, column, from.values.get(range.row + row, range.column + column), type);
    }
  }
  note_write(me, move.into, into, into.values.all());
  count_conflicts(tile, into.values.all());
  count_conflicts(kernel_.tiles[static_cast<size_t>(move.from.tile)], range);
}

void TileMachine::count_conflicts(const Tile& tile, const TileRange& range) {
  if (!is_shared(tile.layout)) return;
  const TileRange& extents = extents_[static_cast<size_t>(&tile - kernel_.tiles.data())];
  const SharedTile shared{static_cast<int>(extents.rows), static_cast<int>(extents.columns),
                          tile.layout, static_cast<int>(bytes_for(tile.dtype, 1)),
                          tile.is_column_contiguous};
  for (int64_t row = 0; row < range.rows; row += kPiece) {
    for (int64_t column = 0; column < range.columns; column += kPiece) {
      counts_.tiles.move_conflicts += piece_conflicts(
          shared, {static_cast<int>(range.row + row), static_cast<int>(range.column + column)});
    }
  }
}

}  // namespace ridge::loop
