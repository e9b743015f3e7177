// Runs a kernel with tiles on the host, as tile.h says it means; loop::run calls it.
//
// Unmapped: one block after another, each by itself. Mapped: all role instances of a block, each until it has
// to wait, in turn. Asynchronous copies and dots take effect where they are issued, or as late as the
// kernel allows: a dot at its wait, a store at its wait (its tile is read then, too), a copy into a slot when
// nobody can go on without it. A kernel that keeps the rules gives the same bits both ways.
//
// Error{internal} with kernel, statement and role instance:
// - all instances of a block wait, with what each of them waits for;
// - an element that has no value is read; a tile of a ring is touched outside of `produce` and `consume`;
// - a slot is given back while a dot or store reads it, or waited for two fills ahead, where the parity of
//   its mbarrier would let the instance pass;
// - a tile is touched while a dot or store has it, or before a wait names it;
// - instances of a block touch an element of a tile that they share, and no ring or barrier orders them;
// - an element of a global buffer is written twice, or read and written without order (tile_globals.h);
// - dots in flight, unread stores or full slots are left over when the block ends.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ridge/loop/interpreter.h"
#include "ridge/loop/tile_globals.h"
#include "ridge/loop/tile_state.h"

namespace ridge::loop {

Counts run_tiles(const Kernel& kernel, std::span<void* const> buffers,
                 std::span<const int64_t> sizes, const Options& options);

// Tile number `number` of a persistent loop: batch axes, row, column. `extents` are those of the loop.
std::vector<int64_t> tile_at(int64_t number, std::span<const int64_t> extents, int64_t group);

class TileMachine {
 public:
  TileMachine(const Kernel& kernel, std::span<void* const> buffers, std::vector<int64_t> sizes,
              const Options& options, Counts& counts);
  void run();

 private:
  friend struct LaneHost;

  // tile_machine.cpp: blocks, and the walk of an instance over its statements.
  void run_block(int64_t number);
  void start_block(int64_t number, const Body& body);
  void add_instance(const Role* role, int number, const Body& body);
  void finish_block();
  void finish(TileInstance& me);
  bool run_until_blocked(TileInstance& me);
  bool step(TileInstance& me);                        // false: it waits
  bool start(TileInstance& me, const Statement& at);  // likewise
  bool start(TileInstance& me, const Loop& loop);
  bool start(TileInstance& me, const If& branch);
  bool start(TileInstance& me, const Role& role);
  bool start(TileInstance& me, const TileLoop& loop);
  bool start_tile(TileInstance& me, const TileLoop& loop, int64_t iteration);
  void end_body(TileInstance& me);
  void assign(TileInstance& me, const Statement& at, Lanes lanes);
  void reduce(TileInstance& me, const Reduce& reduce, Lanes lanes);
  [[noreturn]] void report_deadlock() const;
  std::string where(const TileInstance& me) const;
  [[noreturn]] void fail(std::string expected, std::string given) const;
  int64_t value_of(TileInstance& me, const Expr& e, int64_t otherwise);
  Word word_of(TileInstance& me, const Expr& e);
  Column column(TileInstance& me, Slot slot) const {
    return {me.words.data() + slot.offset, slot.shift};
  }
  Column axis(TileInstance& me, int axis) const {
    return column(me, program_.registers.axes[static_cast<size_t>(axis)]);
  }
  void set_axis(TileInstance& me, int axis, int64_t value);  // for all lanes
  Column value(TileInstance& me, int value) const {
    return column(me, program_.registers.values[static_cast<size_t>(value)]);
  }
  TileGlobals::Actor actor(const TileInstance& me) const { return {block_.number, me.clock}; }

  // tile_access.cpp: which slot a tile is, and whether it may be touched.
  TileState new_state(const Tile& tile, int slots, bool is_shared) const;
  TileSlot& slot_of(TileInstance& me, int tile, bool is_read);
  TileSlot& reading(TileInstance& me, int tile);
  TileSlot& reading(TileInstance& me, int tile, const TileRange& range);
  TileSlot& writing(TileInstance& me, int tile);
  void take_slot(TileInstance& me, int tile);  // the next one
  void note_read(TileInstance& me, int tile, TileSlot& slot, const TileRange& range);
  void note_write(TileInstance& me, int tile, TileSlot& slot, const TileRange& range);
  void report_race(const TileInstance& me, int tile, TileElement element, int other);
  void check_contains(int tile, const TileSlot& slot, const TileRange& range) const;
  const std::string& name_of(int tile) const {
    return kernel_.tiles[static_cast<size_t>(tile)].name;
  }

  // tile_elements.cpp: statements over elements.
  void run(TileInstance& me, const FillTile& fill);
  void run(TileInstance& me, const LoadTile& load);
  void run(TileInstance& me, const StoreTile& store);
  void run(TileInstance& me, const EachElement& each);
  void run(TileInstance& me, const FoldTile& fold);
  void run(TileInstance& me, const MoveTile& move);
  void count_conflicts(const Tile& tile, const TileRange& range);
  // Calls run_lanes(lanes) for all elements within the limits, in rows, with the axes set.
  template <class RunLanes>
  void for_lanes(TileInstance& me, const TileRange& range, int row_axis, int column_axis,
                 const RunLanes& run_lanes);
  TileRange within(TileInstance& me, const TileSlot& slot, const TileLimits& limits);
  void run_each_body(TileInstance& me, const EachElement& each, const Body& body, Lanes lanes);
  void read(TileInstance& me, const EachElement& each, const ReadElement& read, Lanes lanes);
  void write(TileInstance& me, const EachElement& each, const WriteElement& write, Lanes lanes);
  void store(TileInstance& me, const Store& store, Lanes lanes);
  expr::Type type_of(int value) const {
    return scalar_type(kernel_.values[static_cast<size_t>(value)].dtype);
  }

  // tile_dots.cpp
  void run(TileInstance& me, const Dot& dot);
  void run(TileInstance& me, const WaitDot& wait);
  void complete(DotInFlight& dot);

  // tile_copies.cpp: boxes.
  void run(TileInstance& me, const CopyTile& copy);
  void run(TileInstance& me, const WaitStores& wait);
  void complete(const FillInFlight& fill);
  void read_source(StoreInFlight& store);
  void write_view(TileInstance& me, StoreInFlight& store);
  void count_boxes(const CopyTile& copy);
  size_t other_dimension(int view) const;
  template <class Visit>  // visit(row, column, index): of the buffer, -1 beyond the view
  void for_elements(const CopyTile& copy, const std::vector<int64_t>& at, const Visit& visit) const;

  // tile_rings.cpp: slots and named barriers.
  bool start(TileInstance& me, const Produce& produce);
  bool start(TileInstance& me, const Consume& consume);
  bool start(TileInstance& me, const NamedBarrier& barrier);
  void run(TileInstance& me, const SkipSlots& skip);
  void end(TileInstance& me, const Produce& produce);
  void end(TileInstance& me, const Consume& consume);
  void give_back(TileInstance& me, int ring, int64_t fill);
  void hand_on_if_full(RingSlot& slot) const;
  bool is_read_in_flight(const TileInstance& me, int ring, int64_t slot) const;
  void count_takers(const Body& body);
  std::string ring_slot_text(int ring, int64_t slot) const;

  struct Window {  // a view with numbers
    int64_t first;
    std::vector<int64_t> extents, strides;
  };

  const Kernel& kernel_;
  std::vector<int64_t> sizes_;
  const Options& options_;
  Counts& counts_;
  TileProgram program_;
  TileGlobals globals_;
  std::vector<Window> windows_;
  std::vector<TileRange> extents_;  // of tiles
  std::vector<int> takers_;         // of rings
  std::vector<const Loop*> grid_;
  const Body* body_;  // of a block
  int64_t blocks_ = 1;
  TileBlock block_;
};

}  // namespace ridge::loop
