// Which slot a tile is for a role instance, and whether the instance may touch it now.
#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/tile_machine.h"

namespace ridge::loop {
namespace {

// Shared memory that belongs to no role and no ring is there once for the block.
bool is_of_block(const Tile& tile) {
  return tile.ring < 0 && tile.role.empty() && is_shared(tile.layout);
}

}  // namespace

TileState TileMachine::new_state(const Tile& tile, int slots, bool is_shared) const {
  TileState state;
  if (is_shared != (tile.ring >= 0 || is_of_block(tile))) return state;
  const TileRange& extents = extents_[static_cast<size_t>(&tile - kernel_.tiles.data())];
  for (int i = 0; i < slots; ++i) {
    TileSlot& slot =
        state.slots.emplace_back(TileValues(tile.dtype, extents.rows, extents.columns));
    if (!is_of_block(tile)) continue;
    const auto elements = static_cast<size_t>(extents.rows * extents.columns);
    slot.shadow.instances = block_.instances.size();
    slot.shadow.writes.resize(elements);
    slot.shadow.reads.resize(elements * slot.shadow.instances);
  }
  return state;
}

TileSlot& TileMachine::slot_of(TileInstance& me, int number, bool is_read) {
  const Tile& tile = kernel_.tiles[static_cast<size_t>(number)];
  if (tile.ring >= 0) {
    const RingUse& use = me.rings[static_cast<size_t>(tile.ring)];
    const int slot = is_read && use.consuming >= 0 ? use.consuming : use.producing;
    if (slot < 0) {
      fail(concat(is_read ? "reads" : "writes", " of tiles of ring ",
                  kernel_.rings[static_cast<size_t>(tile.ring)].name, " inside of its ",
                  is_read ? "`consume`" : "`produce`"),
           concat(tile.name, " outside"));
    }
    return block_.tiles[static_cast<size_t>(number)].slots[static_cast<size_t>(slot)];
  }
  if (!tile.role.empty() && (me.role == nullptr || me.role->name != tile.role)) {
    fail("tiles of one's own role", concat(tile.name, " of ", tile.role));
  }
  TileState& state = (is_of_block(tile) ? block_.tiles : me.tiles)[static_cast<size_t>(number)];
  return state.slots[static_cast<size_t>(std::max(0, state.current))];
}

void TileMachine::take_slot(TileInstance& me, int number) {
  const Tile& tile = kernel_.tiles[static_cast<size_t>(number)];
  TileState& state = (is_of_block(tile) ? block_.tiles : me.tiles)[static_cast<size_t>(number)];
  state.current = (state.current + 1) % tile.slots;
}

TileSlot& TileMachine::reading(TileInstance& me, int tile) {
  TileSlot& slot = slot_of(me, tile, true);
  if (slot.dots_into > 0) {
    fail(concat("a wait_dot for ", name_of(tile), " before it is touched"),
         concat(slot.dots_into, " dots into ", name_of(tile), " in flight"));
  }
  if (slot.is_unguarded) {
    fail(concat("a wait_dot that names ", name_of(tile), " before it is touched"),
         "one that does not name it");
  }
  const int ring = kernel_.tiles[static_cast<size_t>(tile)].ring;
  if (slot.is_copied && me.rings[static_cast<size_t>(ring)].consuming < 0) {
    fail("copies into a slot that are complete before it is touched",
         concat("a copy into ", name_of(tile), " in flight"));
  }
  return slot;
}

TileSlot& TileMachine::reading(TileInstance& me, int tile, const TileRange& range) {
  TileSlot& slot = reading(me, tile);
  check_contains(tile, slot, range);
  if (const auto missing = slot.values.first_missing(range)) {
    fail("elements of tiles that have a value when they are read",
         concat(name_of(tile), "[", missing->row, ", ", missing->column, "]"));
  }
  note_read(me, tile, slot, range);
  return slot;
}

void TileMachine::check_contains(int tile, const TileSlot& slot, const TileRange& range) const {
  if (slot.values.contains(range)) return;
  fail(concat("parts within the ", slot.values.rows(), " x ", slot.values.columns(),
              " elements of ", name_of(tile)),
       concat(range.rows, " x ", range.columns, " from [", range.row, ", ", range.column, "] on"));
}

TileSlot& TileMachine::writing(TileInstance& me, int tile) {
  TileSlot& slot = slot_of(me, tile, false);
  const auto refuse = [&](int count, const char* wait, const char* what) {
    if (count == 0) return;
    fail(concat("a ", wait, " before ", name_of(tile), " is written"),
         concat(count, what, name_of(tile), " in flight"));
  };
  refuse(slot.dots_into, "wait_dot", " dots into ");
  refuse(slot.dots_reading, "wait_dot", " dots with operand ");
  refuse(slot.stores_reading, "wait_stores", " stores of ");
  if (slot.is_copied) {
    fail("tiles that are filled once in a slot", concat("a second time ", name_of(tile)));
  }
  if (slot.is_unguarded || slot.is_unguarded_operand) {
    fail(concat("a wait_dot that names ", name_of(tile), " before it is written"),
         "one that does not name it");
  }
  return slot;
}

void TileMachine::note_read(TileInstance& me, int tile, TileSlot& slot, const TileRange& range) {
  TileShadow& shadow = slot.shadow;
  if (shadow.writes.empty() || options_.on_race == OnRace::ignore) return;
  const auto self = static_cast<size_t>(me.clock.self());
  for (int64_t row = range.row; row < range.row + range.rows; ++row) {
    for (int64_t column = range.column; column < range.column + range.columns; ++column) {
      const auto index = static_cast<size_t>(row * slot.values.columns() + column);
      const TileShadow::Touch& write = shadow.writes[index];
      if (write.instance >= 0 && !me.clock.has_seen(write.instance, write.time)) {
        report_race(me, tile, {row, column}, write.instance);
      }
      shadow.reads[index * shadow.instances + self] = me.clock.now();
    }
  }
}

void TileMachine::note_write(TileInstance& me, int tile, TileSlot& slot, const TileRange& range) {
  TileShadow& shadow = slot.shadow;
  if (shadow.writes.empty() || options_.on_race == OnRace::ignore) return;
  for (int64_t row = range.row; row < range.row + range.rows; ++row) {
    for (int64_t column = range.column; column < range.column + range.columns; ++column) {
      const auto index = static_cast<size_t>(row * slot.values.columns() + column);
      TileShadow::Touch& write = shadow.writes[index];
      if (write.instance >= 0 && !me.clock.has_seen(write.instance, write.time)) {
        report_race(me, tile, {row, column}, write.instance);
      }
      for (size_t other = 0; other < shadow.instances; ++other) {
        const int32_t time = shadow.reads[index * shadow.instances + other];
        if (time > 0 && !me.clock.has_seen(static_cast<int>(other), time)) {
          report_race(me, tile, {row, column}, static_cast<int>(other));
        }
      }
      write = {me.clock.self(), me.clock.now()};
    }
  }
}

void TileMachine::report_race(const TileInstance& me, int tile, TileElement element, int other) {
  ++counts_.races;
  if (options_.on_race != OnRace::fail) return;
  fail("a ring or a barrier between role instances that share a tile, where one writes",
       concat("a race at ", name_of(tile), "[", element.row, ", ", element.column, "] between ",
              block_.instances[static_cast<size_t>(other)]->name, " and ", me.name));
}

}  // namespace ridge::loop
