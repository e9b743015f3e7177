// Slots that pass from a producer to its consumers, and named barriers.
#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/tile_machine.h"

namespace ridge::loop {

// All instances of a role take each slot; of a role that skips slots, one of them does.
void TileMachine::count_takers(const Body& body) {
  const auto count = [&](const Body& of_role, int instances) {
    std::vector<bool> consumes(takers_.size()), skips(takers_.size());
    for_each_statement(of_role, [&](const Statement& statement) {
      if (const auto* const consume = as<Consume>(statement)) {
        consumes[static_cast<size_t>(consume->ring)] = true;
      } else if (const auto* const skip = as<SkipSlots>(statement)) {
        skips[static_cast<size_t>(skip->ring)] = true;
      }
    });
    for (size_t ring = 0; ring < takers_.size(); ++ring) {
      if (consumes[ring]) takers_[ring] += skips[ring] ? 1 : instances;
    }
  };
  bool has_roles = false;
  for_each_statement(body, [&](const Statement& statement) {
    const auto* const role = as<Role>(statement);
    if (role == nullptr) return;
    has_roles = true;
    count(role->body, role->instances);
  });
  if (!has_roles) count(body, 1);
}

std::string TileMachine::ring_slot_text(int ring, int64_t slot) const {
  return concat("slot ", slot, " of ring ", kernel_.rings[static_cast<size_t>(ring)].name);
}

bool TileMachine::start(TileInstance& me, const Produce& produce) {
  RingState& ring = block_.rings[static_cast<size_t>(produce.ring)];
  if (ring.producer < 0) ring.producer = me.clock.self();
  if (ring.producer != me.clock.self()) {
    fail("rings that one role instance fills",
         concat(kernel_.rings[static_cast<size_t>(produce.ring)].name, " filled by ",
                block_.instances[static_cast<size_t>(ring.producer)]->name, " too"));
  }
  const auto slots = static_cast<int64_t>(ring.slots.size());
  const int64_t number = ring.filled % slots;
  RingSlot& slot = ring.slots[static_cast<size_t>(number)];
  if (slot.given_back < ring.filled / slots) {
    me.waits_for = concat("a free slot, ", ring_slot_text(produce.ring, number), ", which ",
                          slot.releases, " of ", ring.takers, " role instances gave back");
    return false;
  }
  ++ring.filled;
  me.clock.join(slot.empty);
  me.rings[static_cast<size_t>(produce.ring)].producing = static_cast<int>(number);
  for (size_t tile = 0; tile < kernel_.tiles.size(); ++tile) {
    if (kernel_.tiles[tile].ring != produce.ring) continue;
    TileSlot& filled = block_.tiles[tile].slots[static_cast<size_t>(number)];
    filled.values.forget();
    filled.is_copied = false;
  }
  me.frames.push_back({.body = &produce.body});
  return true;
}

void TileMachine::end(TileInstance& me, const Produce& produce) {
  RingUse& use = me.rings[static_cast<size_t>(produce.ring)];
  RingState& ring = block_.rings[static_cast<size_t>(produce.ring)];
  RingSlot& slot = ring.slots[static_cast<size_t>(use.producing)];
  use.producing = -1;
  slot.is_committed = true;
  me.clock.release(slot.full);
  hand_on_if_full(slot);
}

void TileMachine::hand_on_if_full(RingSlot& slot) const {
  if (!slot.is_committed || slot.fills_in_flight > 0) return;
  slot.is_committed = false;
  ++slot.handed_on;
}

bool TileMachine::start(TileInstance& me, const Consume& consume) {
  RingUse& use = me.rings[static_cast<size_t>(consume.ring)];
  RingState& ring = block_.rings[static_cast<size_t>(consume.ring)];
  const auto slots = static_cast<int64_t>(ring.slots.size());
  const int64_t number = use.taken % slots, fill = use.taken / slots;
  RingSlot& slot = ring.slots[static_cast<size_t>(number)];
  const std::string& name = kernel_.rings[static_cast<size_t>(consume.ring)].name;
  if (slot.handed_on < fill) {
    fail("waits for the next fill of a slot: two ahead, the parity of its mbarrier lets pass",
         concat(me.name, " waits for fill ", fill + 1, " of ", ring_slot_text(consume.ring, number),
                " after fill ", slot.handed_on));
  }
  if (slot.handed_on == fill) {
    me.waits_for =
        concat("a full slot, fill ", fill + 1, " of ", ring_slot_text(consume.ring, number));
    return false;
  }
  if (slot.handed_on > fill + 1) {
    fail(concat("slots of ring ", name, " that are filled again when all have given them back"),
         concat(me.name, " takes fill ", fill + 1, " of ", ring_slot_text(consume.ring, number),
                " after fill ", slot.handed_on));
  }
  me.clock.join(slot.full);
  use.held.push_back(use.taken++);
  use.consuming = static_cast<int>(number);
  me.frames.push_back({.body = &consume.body});
  return true;
}

void TileMachine::end(TileInstance& me, const Consume& consume) {
  RingUse& use = me.rings[static_cast<size_t>(consume.ring)];
  use.consuming = -1;
  for (; std::cmp_greater(use.held.size(), consume.lag); use.held.pop_front()) {
    give_back(me, consume.ring, use.held.front());
  }
}

void TileMachine::give_back(TileInstance& me, int number, int64_t fill) {
  RingState& ring = block_.rings[static_cast<size_t>(number)];
  const auto slots = static_cast<int64_t>(ring.slots.size());
  RingSlot& slot = ring.slots[static_cast<size_t>(fill % slots)];
  if (is_read_in_flight(me, number, fill % slots)) {
    fail("slots that are given back when nothing in flight reads them",
         ring_slot_text(number, fill % slots));
  }
  if (slot.given_back > fill / slots) {
    fail(concat("slots that ", ring.takers, " role instances take"),
         concat(ring_slot_text(number, fill % slots), " given back by one more"));
  }
  me.clock.release(slot.empty);
  if (++slot.releases < ring.takers) return;
  slot.releases = 0;
  ++slot.given_back;
}

bool TileMachine::is_read_in_flight(const TileInstance& me, int ring, int64_t slot) const {
  const auto is_of_slot = [&](const TileSlot* touched, int tile) {
    return kernel_.tiles[static_cast<size_t>(tile)].ring == ring &&
           touched == &block_.tiles[static_cast<size_t>(tile)].slots[static_cast<size_t>(slot)];
  };
  return std::ranges::any_of(me.dots,
                             [&](const DotInFlight& flight) {
                               return is_of_slot(flight.lhs, flight.dot->lhs.tile) ||
                                      is_of_slot(flight.rhs, flight.dot->rhs.tile);
                             }) ||
         std::ranges::any_of(me.stores, [&](const StoreInFlight& store) {
           return !store.is_read && is_of_slot(store.source, store.copy->tile);
         });
}

void TileMachine::run(TileInstance& me, const SkipSlots& skip) {
  RingUse& use = me.rings[static_cast<size_t>(skip.ring)];
  for (; !use.held.empty(); use.held.pop_front()) give_back(me, skip.ring, use.held.front());
  use.taken += std::max<int64_t>(0, value_of(me, skip.count, 0));
}

bool TileMachine::start(TileInstance& me, const NamedBarrier& statement) {
  BarrierState& barrier = block_.barriers[static_cast<size_t>(statement.number)];
  const std::string name = concat("barrier ", statement.number);
  const bool is_waiting = me.barrier_completions >= 0;
  if (!is_waiting) {
    if (barrier.arrived.empty()) barrier.threads = statement.threads;
    if (barrier.threads != statement.threads) {
      fail(concat(name, " with ", barrier.threads, " threads, as others say"),
           concat(statement.threads, " threads"));
    }
    if (std::ranges::find(barrier.arrived, me.clock.self()) != barrier.arrived.end()) {
      fail(concat("one arrival of a role instance at ", name, " until it completes"),
           concat("another one of ", me.name));
    }
    barrier.arrived.push_back(me.clock.self());
    barrier.arrived_threads += me.role == nullptr ? kernel_.threads : me.role->warps * kWarpSize;
    if (barrier.arrived_threads > barrier.threads) {
      fail(concat(barrier.threads, " threads at ", name), ridge::to_text(barrier.arrived_threads));
    }
    me.barrier_completions = barrier.completions;
    me.clock.release(barrier.clock);
    if (barrier.arrived_threads == barrier.threads) {
      ++barrier.completions;
      ++counts_.barriers;
      barrier.completed = std::move(barrier.clock);
      barrier.clock = {};
      barrier.arrived.clear();
      barrier.arrived_threads = 0;
    }
  }
  const bool is_complete = barrier.completions > me.barrier_completions;
  if (statement.waits && !is_complete) {
    me.waits_for =
        concat(name, ", where ", barrier.arrived_threads, " of ", barrier.threads, " threads are");
    return false;
  }
  me.barrier_completions = -1;
  if (statement.waits) me.clock.join(barrier.completed);
  return true;
}

}  // namespace ridge::loop
