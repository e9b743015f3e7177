#include "ridge/codegen/cuda/tiles_barriers.h"

#include <algorithm>
#include <map>
#include <set>

#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;
using Tiles = std::set<int>;

// Of one statement, without those inside of it unless they are its elements'.
struct Accesses {
  Tiles reads, writes;  // by threads
  Tiles async_reads;    // by copies and products
};

void add_all(Tiles& to, const Tiles& from) { to.insert(from.begin(), from.end()); }
bool meet(const Tiles& a, const Tiles& b) {
  return std::ranges::any_of(a, [&](int tile) { return b.contains(tile); });
}

struct State {
  Tiles written{}, read{};  // by threads that have not met since
  Tiles unfenced{};         // written, and not fenced since
  Tiles given_back{};       // by a wait of one thread that the others do not know of
  void join(const State& other) {
    add_all(written, other.written);
    add_all(read, other.read);
    add_all(unfenced, other.unfenced);
    add_all(given_back, other.given_back);
  }
};

class BarrierAdder {
 public:
  explicit BarrierAdder(const loop::Kernel& kernel) : kernel_(kernel) {}

  void run(loop::Role& role) {
    loop::for_each_statement(role.body, [&](const loop::Statement& statement) {
      const auto* const copy = as<loop::CopyTile>(statement);
      if (copy != nullptr && copy->is_store) stored_.insert(copy->tile);
      add_all(read_by_units_, accesses(statement).async_reads);
    });
    State state;
    walk(role.body, state);
    insert(role.body);
  }

 private:
  bool is_own_shared(int tile) const {
    const loop::Tile& info = kernel_.tiles[static_cast<size_t>(tile)];
    return loop::is_shared(info.layout) && info.ring < 0;
  }
  void keep(Tiles& tiles) const {
    std::erase_if(tiles, [&](int tile) { return !is_own_shared(tile); });
  }

  Accesses accesses(const loop::Statement& statement) const {
    Accesses found;
    if (const auto* const move = as<loop::MoveTile>(statement)) {
      found.writes.insert(move->into);
      found.reads.insert(move->from.tile);
    } else if (const auto* const fill = as<loop::FillTile>(statement)) {
      found.writes.insert(fill->tile);
    } else if (const auto* const load = as<loop::LoadTile>(statement)) {
      found.writes.insert(load->tile);
    } else if (const auto* const store = as<loop::StoreTile>(statement)) {
      found.reads.insert(store->tile);
    } else if (const auto* const fold = as<loop::FoldTile>(statement)) {
      found.reads.insert(fold->tile);
      found.writes.insert(fold->into);
    } else if (const auto* const dot = as<loop::Dot>(statement)) {
      found.async_reads = {dot->lhs.tile, dot->rhs.tile};
    } else if (const auto* const copy = as<loop::CopyTile>(statement)) {
      if (copy->is_store) found.async_reads.insert(copy->tile);
    } else if (const auto* const each = as<loop::EachElement>(statement)) {
      loop::for_each_statement(each->body, [&](const loop::Statement& inner) {
        if (const auto* const read = as<loop::ReadElement>(inner)) found.reads.insert(read->tile);
        if (const auto* const write = as<loop::WriteElement>(inner))
          found.writes.insert(write->tile);
      });
    }
    for (Tiles* const tiles : {&found.reads, &found.writes, &found.async_reads}) keep(*tiles);
    return found;
  }

  // What is needed in front of a statement stays needed: a body is walked again with what its end leaves.
  void walk(const loop::Body& body, State& state) {
    for (const loop::Statement& statement : body) {
      visit(statement, state);
      const loop::Body* const inner = loop::body_of(statement);
      if (inner == nullptr || as<loop::EachElement>(statement) != nullptr) continue;
      const bool is_once =
          as<loop::Produce>(statement) != nullptr || as<loop::Consume>(statement) != nullptr;
      const bool repeats =
          as<loop::Loop>(statement) != nullptr || as<loop::TileLoop>(statement) != nullptr;
      State inside = state;
      walk(*inner, inside);
      if (repeats) {
        inside.join(state);
        walk(*inner, inside);
      }
      if (is_once) {
        state = inside;
      } else {
        state.join(inside);
      }
    }
  }

  void visit(const loop::Statement& statement, State& state) {
    if (const auto* const barrier = as<loop::NamedBarrier>(statement)) {
      if (!state.unfenced.empty()) needed_[&statement] = kFenceAlone;
      state.unfenced.clear();
      if (barrier->waits) state = {};
      return;
    }
    if (as<loop::WaitStores>(statement) != nullptr) add_all(state.given_back, stored_);
    const Accesses found = accesses(statement);
    const auto needed = needed_.find(&statement);
    const bool fences = meet(found.async_reads, state.unfenced) ||
                        (needed != needed_.end() && needed->second == kOwnFence);
    const bool waits = meet(found.reads, state.written) || meet(found.writes, state.read) ||
                       meet(found.writes, state.given_back) || needed != needed_.end();
    if (fences) {
      needed_[&statement] = kOwnFence;
      state = {};
    } else if (waits) {
      needed_[&statement] = kOwnBarrier;
      state.written.clear();
      state.read.clear();
      state.given_back.clear();
    }
    add_all(state.read, found.reads);
    if (as<loop::Dot>(statement) != nullptr) add_all(state.read, found.async_reads);
    add_all(state.written, found.writes);
    for (const int tile : found.writes) {
      if (read_by_units_.contains(tile)) state.unfenced.insert(tile);
    }
  }

  void insert(loop::Body& body) const {
    loop::Body with;
    for (loop::Statement& statement : body) {
      const auto needed = needed_.find(&statement);
      if (needed != needed_.end()) {
        with.push_back({loop::NamedBarrier{.number = needed->second, .threads = 0}});
      }
      if (loop::Body* const inner = const_cast<loop::Body*>(loop::body_of(statement)))
        insert(*inner);
      with.push_back(std::move(statement));
    }
    body = std::move(with);
  }

  const loop::Kernel& kernel_;
  Tiles stored_, read_by_units_;  // by copies of the role; by copies and products
  std::map<const loop::Statement*, int> needed_;
};

}  // namespace

void add_tile_barriers(loop::Kernel& kernel) {
  for (loop::Statement& statement : kernel.body) {
    if (auto* const role = std::get_if<loop::Role>(&statement.kind))
      BarrierAdder(kernel).run(*role);
  }
}

}  // namespace ridge::codegen::cuda
