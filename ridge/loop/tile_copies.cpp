// Asynchronous copies between views and shared tiles, by boxes.
#include "ridge/base/text.h"
#include "ridge/loop/tile_machine.h"

namespace ridge::loop {

// The last dimension of a view is contiguous and so runs along the contiguous one of the tile; the other
// extent of the tile lies along the last other dimension of which a box has more than one.
template <class Visit>
void TileMachine::for_elements(const CopyTile& copy, const std::vector<int64_t>& at,
                               const Visit& visit) const {
  const Tile& tile = kernel_.tiles[static_cast<size_t>(copy.tile)];
  const TileRange& shape = extents_[static_cast<size_t>(copy.tile)];
  const Window& window = windows_[static_cast<size_t>(copy.view)];
  const size_t last = window.extents.size() - 1, other = other_dimension(copy.view);
  std::vector<int64_t> position = at;
  for (int64_t row = 0; row < shape.rows; ++row) {
    for (int64_t column = 0; column < shape.columns; ++column) {
      position[other] = at[other] + (tile.is_column_contiguous ? column : row);
      position[last] = at[last] + (tile.is_column_contiguous ? row : column);
      int64_t index = window.first;
      bool is_inside = true;
      for (size_t i = 0; i < position.size(); ++i) {
        is_inside &= position[i] >= 0 && position[i] < window.extents[i];
        index += position[i] * (i < window.strides.size() ? window.strides[i] : 1);
      }
      visit(row, column, is_inside ? index : int64_t{-1});
    }
  }
}

size_t TileMachine::other_dimension(int number) const {
  const View& view = kernel_.views[static_cast<size_t>(number)];
  size_t other = view.box.size() < 2 ? 0 : view.box.size() - 2;
  for (size_t i = 0; i + 1 < view.box.size(); ++i) {
    if (view.box[i] > 1) other = i;
  }
  return other;
}

void TileMachine::count_boxes(const CopyTile& copy) {
  const Tile& tile = kernel_.tiles[static_cast<size_t>(copy.tile)];
  const TileRange& shape = extents_[static_cast<size_t>(copy.tile)];
  const View& view = kernel_.views[static_cast<size_t>(copy.view)];
  const int64_t along_last = tile.is_column_contiguous ? shape.rows : shape.columns;
  const int64_t along_other = shape.rows * shape.columns / along_last;
  const int64_t last = view.box.back();
  const int64_t other = view.box.size() < 2 ? 1 : view.box[other_dimension(copy.view)];
  if (along_last % last != 0 || along_other % other != 0) {
    fail("tiles of whole boxes", concat(tile.name, " and boxes of ", other, " x ", last));
  }
  const int64_t boxes = along_last / last * (along_other / other);
  const int64_t elements = shape.rows * shape.columns;
  const auto bytes = static_cast<int64_t>(bytes_for(tile.dtype, elements));
  (copy.is_store ? counts_.tiles.boxes_out : counts_.tiles.boxes_in) += boxes;
  (copy.is_store ? counts_.tiles.box_bytes_out : counts_.tiles.box_bytes_in) += bytes;
}

void TileMachine::run(TileInstance& me, const CopyTile& copy) {
  std::vector<int64_t> at;
  for (const Expr& e : copy.at) at.push_back(value_of(me, e, 0));
  count_boxes(copy);
  const bool is_early = options_.completion == Completion::early;
  if (copy.is_store) {
    const TileRange& shape = extents_[static_cast<size_t>(copy.tile)];
    TileSlot& source = reading(me, copy.tile, shape);
    ++source.stores_reading;
    me.stores.push_back({.copy = &copy, .at = std::move(at), .source = &source});
    if (!is_early) return;
    read_source(me.stores.back());
    write_view(me, me.stores.back());
    return;
  }
  const int ring = kernel_.tiles[static_cast<size_t>(copy.tile)].ring;
  if (ring < 0) fail("copies into tiles of rings", name_of(copy.tile));
  TileSlot& slot = writing(me, copy.tile);
  slot.is_copied = true;
  const int number = me.rings[static_cast<size_t>(ring)].producing;
  RingSlot& state = block_.rings[static_cast<size_t>(ring)].slots[static_cast<size_t>(number)];
  ++state.fills_in_flight;
  FillInFlight fill{&copy, std::move(at), ring, number, me.clock.self()};
  if (is_early) return complete(fill);
  block_.fills.push_back(std::move(fill));
}

void TileMachine::complete(const FillInFlight& fill) {
  const TileInstance& me = *block_.instances[static_cast<size_t>(fill.instance)];
  const auto slot = static_cast<size_t>(fill.slot);
  const size_t tile = static_cast<size_t>(fill.copy->tile);
  const int buffer = kernel_.views[static_cast<size_t>(fill.copy->view)].buffer;
  TileValues& values = block_.tiles[tile].slots[slot].values;
  const expr::Type type = scalar_type(kernel_.buffers[static_cast<size_t>(buffer)].dtype);
  for_elements(*fill.copy, fill.at, [&](int64_t row, int64_t column, int64_t index) {
    if (index < 0) return values.set_zero(row, column);
    values.set(row, column, globals_.load(buffer, index, actor(me)), type);
  });
  RingSlot& state = block_.rings[static_cast<size_t>(fill.ring)].slots[slot];
  --state.fills_in_flight;
  hand_on_if_full(state);
}

void TileMachine::read_source(StoreInFlight& store) {
  const TileValues& values = store.source->values;
  for (int64_t row = 0; row < values.rows(); ++row) {
    for (int64_t column = 0; column < values.columns(); ++column) {
      store.read.push_back(values.get(row, column));
    }
  }
}

void TileMachine::write_view(TileInstance& me, StoreInFlight& store) {
  if (store.is_written) return;
  const TileValues& values = store.source->values;
  const int buffer = kernel_.views[static_cast<size_t>(store.copy->view)].buffer;
  for_elements(*store.copy, store.at, [&](int64_t row, int64_t column, int64_t index) {
    if (index < 0) return;
    globals_.store(buffer, index, store.read[static_cast<size_t>(row * values.columns() + column)],
                   scalar_type(values.dtype()), actor(me));
  });
  store.is_written = true;
  store.read.clear();
}

void TileMachine::run(TileInstance& me, const WaitStores& wait) {
  for (size_t i = 0; std::cmp_less(i + static_cast<size_t>(wait.pending), me.stores.size()); ++i) {
    StoreInFlight& store = me.stores[i];
    if (!store.is_read) {
      if (!store.is_written) read_source(store);
      store.is_read = true;
      --store.source->stores_reading;
      note_read(me, store.copy->tile, *store.source, store.source->values.all());
    }
    if (!wait.is_read_only) write_view(me, store);
  }
  while (!me.stores.empty() && me.stores.front().is_read && me.stores.front().is_written) {
    me.stores.pop_front();
  }
}

}  // namespace ridge::loop
