// What holds a value, and what is in flight, at each statement: all states that a role can be in are
// followed at once, through loops until no new one comes up.
#include <algorithm>
#include <set>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/verify_parts.h"
#include "ridge/loop/verify_tiles.h"

namespace ridge::loop {
namespace {

constexpr size_t kMostInFlight = 32;     // dots or stores: a loop that never waits ends there
constexpr int64_t kMostIterations = 16;  // of a constant number, followed one by one

constexpr int kMostFollowed = 1'000'000;  // statements: loops inside loops multiply

struct DotInFlight {
  const Dot* dot;
  int lhs_age = 0, rhs_age = 0;  // how often since a slot of the operand's ring has been left
  auto operator<=>(const DotInFlight&) const = default;
};
struct State {
  std::vector<bool> is_defined;     // by tile
  std::vector<DotInFlight> dots{};  // oldest first
  std::set<int> unnamed{};          // tiles of dots that are complete, but no wait has named them
  std::vector<int> stores{};        // tiles that copies in flight read, oldest first
  auto operator<=>(const State&) const = default;
};
using States = std::set<State>;

class FlowVerifier {
 public:
  explicit FlowVerifier(const Kernel& kernel) : kernel_(kernel) {}

  void run() {
    State first{.is_defined = std::vector<bool>(kernel_.tiles.size())};
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      // What several roles write is for the interpreter to follow.
      const Tile& tile = kernel_.tiles[i];
      first.is_defined[i] = is_shared(tile.layout) && tile.role.empty();
    }
    body(kernel_.body, {first});
  }

 private:
  [[noreturn]] void fail(std::string expected) const {
    refuse(kernel_, *current_, std::move(expected));
  }
  const Tile& tile(int number) const { return kernel_.tiles[static_cast<size_t>(number)]; }
  bool is_held(int number) const { return is_in_registers(tile(number).layout); }

  States body(const Body& statements, States states) {
    for (const Statement& statement : statements) {
      const Statement* const outer = std::exchange(current_, &statement);
      if (++followed_ > kMostFollowed) fail("fewer loops inside loops");
      states = std::visit([&](const auto& kind) { return follow(kind, std::move(states)); },
                          statement.kind);
      current_ = outer;
    }
    return states;
  }
  template <class Change>
  static States each_state(const States& states, const Change& change) {
    States changed;
    for (State state : states) {
      change(state);
      changed.insert(std::move(state));
    }
    return changed;
  }

  // Scalars, and waits at barriers.
  template <class Kind>
  States follow(const Kind&, States states) {
    return states;
  }
  States follow(const If& branch, States states) {
    states.merge(body(branch.then, states));
    return states;
  }
  States follow(const Loop& loop, const States& states) {
    if (loop.place != Place::serial) {
      body(loop.body, states);
      return states;
    }
    const int64_t count = is_constant(loop.extent) ? loop.extent->integer : 0;
    States after = states;
    for (int64_t i = 0; i < std::min(count, kMostIterations); ++i) {
      States next = body(loop.body, after);
      if (next == after) return after;
      after = std::move(next);
    }
    return count > 0 && count <= kMostIterations ? after : repeated(loop.body, after);
  }
  States follow(const TileLoop& loop, const States& states) { return repeated(loop.body, states); }
  // After any number of iterations.
  States repeated(const Body& statements, const States& states) {
    States all = states;
    for (States latest = states; !latest.empty();) {
      States fresh;
      for (const State& state : body(statements, std::move(latest))) {
        if (all.insert(state).second) fresh.insert(state);
      }
      latest = std::move(fresh);
    }
    return all;
  }
  States follow(const EachElement& each, const States& states) { return body(each.body, states); }
  States follow(const Produce& produce, const States& states) { return body(produce.body, states); }
  States follow(const Consume& consume, const States& states) {
    return each_state(body(consume.body, states),
                      [&](State& state) { leave(consume.ring, consume.lag, state); });
  }
  States follow(const SkipSlots& skip, const States& states) {
    return each_state(states, [&](State& state) { leave(skip.ring, 0, state); });
  }
  States follow(const Role& role, const States& states) {
    for (const State& state : body(role.body, states)) {
      if (!state.dots.empty()) fail("a wait for all dots before a role ends");
      if (!state.stores.empty()) fail("a wait for all stores before a role ends");
    }
    return states;
  }
  // The slot of this, or with a lag that of the one before, goes back to the producer.
  void leave(int ring, int lag, State& state) const {
    for (DotInFlight& in_flight : state.dots) {
      const Dot& dot = *in_flight.dot;
      for (const auto& [operand, age] : {std::pair(dot.lhs.tile, &in_flight.lhs_age),
                                         std::pair(dot.rhs.tile, &in_flight.rhs_age)}) {
        if (tile(operand).ring != ring || ++*age <= lag) continue;
        fail(concat("a wait for the dot that reads ", tile(operand).name,
                    " before its slot is given back"));
      }
    }
    for (const int stored : state.stores) {
      if (tile(stored).ring != ring) continue;
      fail(concat("a wait for the store of ", tile(stored).name, " before its slot is given back"));
    }
  }

  States follow(const WaitDot& wait, const States& states) {
    return each_state(states, [&](State& state) {
      const size_t pending = std::min<size_t>(static_cast<size_t>(wait.pending), state.dots.size());
      const auto end = state.dots.end() - static_cast<std::ptrdiff_t>(pending);
      for (auto at = state.dots.begin(); at != end; ++at) {
        state.unnamed.insert(at->dot->into);
        if (is_held(at->dot->lhs.tile)) state.unnamed.insert(at->dot->lhs.tile);
      }
      state.dots.erase(state.dots.begin(), end);
      for (const int guarded : wait.tiles) {
        for (const DotInFlight& left : state.dots) {
          const bool is_of =
              left.dot->into == guarded || (is_held(guarded) && left.dot->lhs.tile == guarded);
          if (is_of)
            fail(concat("a wait after which no dot of ", tile(guarded).name, " is in flight"));
        }
        state.unnamed.erase(guarded);
      }
    });
  }
  States follow(const WaitStores& wait, const States& states) {
    return each_state(states, [&](State& state) {
      const auto pending = static_cast<std::ptrdiff_t>(
          std::min<size_t>(static_cast<size_t>(wait.pending), state.stores.size()));
      state.stores.erase(state.stores.begin(), state.stores.end() - pending);
    });
  }

  States follow(const Dot& dot, const States& states) {
    return each_state(states, [&](State& state) {
      check_defined(state, dot.into);
      for (const int operand : {dot.lhs.tile, dot.rhs.tile}) {
        check_defined(state, operand);
        check_no_sum(state, operand);
      }
      if (!dot.is_async) return check_free(state, dot.into, 0);
      state.dots.push_back({&dot});
      if (state.dots.size() > kMostInFlight) fail("a wait_dot in a loop with dots in flight");
    });
  }
  States follow(const FillTile& fill, const States& states) { return write(fill.tile, states); }
  States follow(const LoadTile& load, const States& states) { return write(load.tile, states); }
  States follow(const StoreTile& store, const States& states) { return read(store.tile, states); }
  States follow(const ReadElement& element, const States& states) {
    return read(element.tile, states);
  }
  States follow(const WriteElement& element, const States& states) {
    return write(element.tile, states);
  }
  States follow(const FoldTile& fold, const States& states) {
    return write(fold.into, read(fold.into, read(fold.tile, states)));
  }
  // A tile with slots goes on to the next.
  States follow(const MoveTile& move, const States& states) {
    return write(move.into, read(move.from.tile, states), tile(move.into).slots - 1);
  }
  States follow(const CopyTile& copy, const States& states) {
    if (!copy.is_store) return write(copy.tile, states);
    return each_state(read(copy.tile, states), [&](State& state) {
      state.stores.push_back(copy.tile);
      if (state.stores.size() > kMostInFlight)
        fail("a wait_stores in a loop with stores in flight");
    });
  }

  States read(int number, const States& states) const {
    return each_state(states, [&](State& state) {
      check_defined(state, number);
      check_no_sum(state, number);
      check_named(state, number);
    });
  }
  States write(int number, const States& states, int other_slots = 0) const {
    return each_state(states, [&](State& state) {
      check_free(state, number, other_slots);
      state.is_defined[static_cast<size_t>(number)] = true;
    });
  }
  void check_defined(const State& state, int number) const {
    if (state.is_defined[static_cast<size_t>(number)]) return;
    fail(concat("tile ", tile(number).name, " defined before it is read"));
  }
  void check_no_sum(const State& state, int number) const {
    for (const DotInFlight& in_flight : state.dots) {
      if (in_flight.dot->into != number) continue;
      fail(concat("a wait_dot before tile ", tile(number).name, ", in flight, is read or written"));
    }
  }
  void check_named(const State& state, int number) const {
    if (!state.unnamed.contains(number)) return;
    fail(concat("a wait_dot that names tile ", tile(number).name, " before it is read or written"));
  }
  static int64_t reads_in_flight(const State& state, int number) {
    return std::ranges::count_if(state.dots, [&](const DotInFlight& in_flight) {
      return in_flight.dot->lhs.tile == number || in_flight.dot->rhs.tile == number;
    });
  }
  // Nothing in flight needs what the tile holds, but for its other slots.
  void check_free(const State& state, int number, int other_slots) const {
    check_no_sum(state, number);
    check_named(state, number);
    if (reads_in_flight(state, number) > other_slots) {
      fail(concat("tile ", tile(number).name, " left alone while a dot in flight reads it"));
    }
    if (std::ranges::count(state.stores, number) > other_slots) {
      fail(
          concat("a wait_stores before the slot of tile ", tile(number).name, " is written again"));
    }
  }

  const Kernel& kernel_;
  const Statement* current_ = nullptr;
  int followed_ = 0;
};

}  // namespace

void verify_tile_flow(const Kernel& kernel) { FlowVerifier(kernel).run(); }

}  // namespace ridge::loop
