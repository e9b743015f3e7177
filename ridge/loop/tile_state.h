// What a block of a kernel with tiles is made of while it runs: its role instances, and the rings, named
// barriers and tiles that they share.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ridge/loop/run_code.h"
#include "ridge/loop/tile_clock.h"
#include "ridge/loop/tile_program.h"
#include "ridge/loop/tile_values.h"

namespace ridge::loop {

class TileMachine;

// Who touched the elements of a tile that instances share, for races between them.
struct TileShadow {
  struct Touch {
    int instance = -1;
    int32_t time = 0;
  };
  size_t instances = 0;
  std::vector<Touch> writes;   // by element: the last one
  std::vector<int32_t> reads;  // by element and instance: the time of the last one; 0: none
};

struct TileSlot {
  explicit TileSlot(TileValues tile) : values(std::move(tile)) {}

  TileValues values;
  int dots_into = 0, dots_reading = 0, stores_reading = 0;  // in flight
  // A dot into it, or with it as an operand in registers, is complete, and no wait has named it yet.
  bool is_unguarded = false, is_unguarded_operand = false;
  bool is_copied = false;  // in a slot that is being filled: a copy into it has been issued
  TileShadow shadow{};     // of a tile that belongs to no role and no ring
};
struct TileState {
  std::deque<TileSlot> slots;  // a deque: what is in flight points to them
  int current = -1;            // the slot that the last `move` took
};

struct DotInFlight {
  const Dot* dot;
  TileSlot *into, *lhs, *rhs;
  TileRange lhs_range, rhs_range;
  int64_t k;
  bool is_done;  // has taken effect
};
struct StoreInFlight {
  const CopyTile* copy;
  std::vector<int64_t> at;
  TileSlot* source;
  std::vector<Word> read{};  // the source, once it is read
  bool is_read = false;      // as far as the kernel knows: its tile may be written
  bool is_written = false;
};
// A copy into a slot that has not taken effect yet.
struct FillInFlight {
  const CopyTile* copy;
  std::vector<int64_t> at;
  int ring, slot;
  int instance;
};

struct RingSlot {
  int64_t handed_on = 0;  // fills that are complete
  int64_t given_back = 0;
  int releases = 0;  // of the present fill
  int fills_in_flight = 0;
  bool is_committed = false;  // its `produce` has ended
  TileClock full, empty;
};
struct RingState {
  std::vector<RingSlot> slots;
  int takers = 0;     // instances that take each slot
  int producer = -1;  // the instance; none yet
  int64_t filled = 0;
};
// How far an instance is in a ring.
struct RingUse {
  int64_t taken = 0;
  int producing = -1, consuming = -1;  // slots
  std::deque<int64_t> held{};          // numbers of fills, oldest first
};

struct BarrierState {
  int threads = 0;  // that it waits for, as the first to arrive said
  int arrived_threads = 0;
  std::vector<int> arrived{};  // instances
  int64_t completions = 0;
  TileClock clock{}, completed{};  // of those who have arrived; as it was at the last completion
};

struct Frame {
  const Body* body;
  size_t next = 0;
  const Statement* owner = nullptr;  // of the body
  int64_t iteration = 0;
  int64_t extent = 1;
};

struct TileInstance;
// What CodeRunner asks for.
struct LaneHost {
  TileMachine& machine;
  TileInstance& instance;
  void load(const Instruction& instruction, Lanes lanes);
  void count_uneven_warps(Lanes, Column) {}
};

// One warp or warpgroup of a role; of an unmapped kernel, all of the block.
struct TileInstance {
  TileInstance(TileMachine& machine, const Bytecode& code, KernelStatus& status)
      : words(code.words), host{machine, *this}, runner(code, words.data(), status, host) {}
  TileInstance(const TileInstance&) = delete;

  std::string name{};
  const Role* role = nullptr;
  int number = 0;  // in its role
  TileClock clock{};
  std::vector<Word> words;
  LaneHost host;
  CodeRunner<LaneHost> runner;
  std::vector<TileState> tiles{};  // its own
  std::vector<RingUse> rings{};
  std::deque<DotInFlight> dots{};
  std::deque<StoreInFlight> stores{};
  std::vector<Frame> frames{};
  const Statement* at = nullptr;     // what it runs
  std::string waits_for{};           // while it is blocked
  int64_t barrier_completions = -1;  // before which it waits at a barrier
};

struct TileBlock {
  int64_t number = 0;
  std::vector<std::unique_ptr<TileInstance>> instances{};
  std::vector<TileState> tiles{};  // of rings, and of all
  std::vector<RingState> rings{};
  std::vector<BarrierState> barriers{};
  std::deque<FillInFlight> fills{};
};

}  // namespace ridge::loop
