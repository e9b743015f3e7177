// Products of tiles, where they stand or in flight.
#include "ridge/base/text.h"
#include "ridge/loop/tile_machine.h"

namespace ridge::loop {

void TileMachine::run(TileInstance& me, const Dot& dot) {
  const auto part = [&](const TilePart& operand) {
    return TileRange{value_of(me, operand.row, 0), value_of(me, operand.column, 0), 0, 0};
  };
  TileRange lhs = part(dot.lhs), rhs = part(dot.rhs);
  const TileRange& sums = extents_[static_cast<size_t>(dot.into)];
  const TileRange& left = extents_[static_cast<size_t>(dot.lhs.tile)];
  const TileRange& right = extents_[static_cast<size_t>(dot.rhs.tile)];
  const int64_t left_k = dot.is_lhs_transposed ? left.rows - lhs.row : left.columns - lhs.column;
  const int64_t right_k = dot.is_rhs_transposed ? right.columns - rhs.column : right.rows - rhs.row;
  // An offset that is not constant takes as much of k as the other operand has.
  const auto is_known = [](const Expr& offset) {
    return offset.get() == nullptr || is_constant(offset);
  };
  const bool is_left_known = is_known(dot.is_lhs_transposed ? dot.lhs.row : dot.lhs.column);
  const bool is_right_known = is_known(dot.is_rhs_transposed ? dot.rhs.column : dot.rhs.row);
  const int64_t k = is_left_known ? left_k : right_k;
  if (is_left_known && is_right_known && left_k != right_k) {
    fail("operands of a dot that share k", concat(name_of(dot.lhs.tile), " with ", left_k, " and ",
                                                  name_of(dot.rhs.tile), " with ", right_k));
  }
  (dot.is_lhs_transposed ? lhs.columns : lhs.rows) = sums.rows;
  (dot.is_lhs_transposed ? lhs.rows : lhs.columns) = k;
  (dot.is_rhs_transposed ? rhs.rows : rhs.columns) = sums.columns;
  (dot.is_rhs_transposed ? rhs.columns : rhs.rows) = k;
  DotInFlight flight{.dot = &dot,
                     .into = &slot_of(me, dot.into, false),
                     .lhs = &reading(me, dot.lhs.tile, lhs),
                     .rhs = &reading(me, dot.rhs.tile, rhs),
                     .lhs_range = lhs,
                     .rhs_range = rhs,
                     .k = k,
                     .is_done = false};
  // Dots add to sums in flight in order; all others wait.
  const bool is_behind_others =
      dot.is_async && (flight.into->dots_into > 0 || flight.into->is_unguarded);
  if (!is_behind_others) {
    reading(me, dot.into, sums);
    writing(me, dot.into);
  }
  ++counts_.tiles.dots;
  counts_.tiles.dot_flops += 2 * sums.rows * sums.columns * k;
  if (!dot.is_async || options_.completion == Completion::early) complete(flight);
  note_write(me, dot.into, *flight.into, sums);
  if (!dot.is_async) return;
  ++flight.into->dots_into;
  ++flight.lhs->dots_reading;
  ++flight.rhs->dots_reading;
  me.dots.push_back(flight);
}

void TileMachine::complete(DotInFlight& flight) {
  const Dot& dot = *flight.dot;
  const auto operand = [](const TileSlot& slot, const TileRange& range, bool is_transposed) {
    return DotOperand{slot.values, range.row, range.column, is_transposed};
  };
  add_product(flight.into->values, operand(*flight.lhs, flight.lhs_range, dot.is_lhs_transposed),
              operand(*flight.rhs, flight.rhs_range, dot.is_rhs_transposed), flight.k);
  flight.is_done = true;
}

void TileMachine::run(TileInstance& me, const WaitDot& wait) {
  while (std::cmp_greater(me.dots.size(), wait.pending)) {
    DotInFlight& flight = me.dots.front();
    if (!flight.is_done) complete(flight);
    --flight.into->dots_into;
    --flight.lhs->dots_reading;
    --flight.rhs->dots_reading;
    flight.into->is_unguarded = true;
    const Tile& lhs = kernel_.tiles[static_cast<size_t>(flight.dot->lhs.tile)];
    flight.lhs->is_unguarded_operand |= is_in_registers(lhs.layout);
    note_read(me, flight.dot->lhs.tile, *flight.lhs, flight.lhs_range);
    note_read(me, flight.dot->rhs.tile, *flight.rhs, flight.rhs_range);
    note_write(me, flight.dot->into, *flight.into, flight.into->values.all());
    me.dots.pop_front();
  }
  for (const int tile : wait.tiles) {
    if (kernel_.tiles[static_cast<size_t>(tile)].ring >= 0) continue;
    TileSlot& slot = slot_of(me, tile, true);
    if (slot.dots_into == 0) slot.is_unguarded = false;
    if (slot.dots_reading == 0) slot.is_unguarded_operand = false;
  }
}

}  // namespace ridge::loop
