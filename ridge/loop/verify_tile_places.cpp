// Which statements stand where: in which form, in roles, in `each`, in the slots of rings. And what roles
// have in common: rings, named barriers, the sequence of their tiles.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ridge/base/text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/verify_parts.h"
#include "ridge/loop/verify_tiles.h"

namespace ridge::loop {
namespace {

constexpr int kNamedBarriers = 16;  // of a block; 0 is that of all threads

class TilePlaceVerifier {
 public:
  explicit TilePlaceVerifier(const Kernel& kernel) : kernel_(kernel), rings_(kernel.rings.size()) {}

  void run() {
    body(kernel_.body);
    if (is_mapped()) {
      check_rings();
      check_barriers();
      check_tile_loops();
    }
  }

 private:
  // What is around a statement.
  struct Around {
    const Role* role = nullptr;
    const Statement* each = nullptr;
    const Produce* produce = nullptr;
    std::set<int> consumed{};     // rings
    bool is_in_loop = false;      // of the role, or of `each`
    bool is_conditional = false;  // in `produce`: whether, or how often, it is done depends
  };
  struct RingUse {
    const Role* producer = nullptr;
    const Statement* produce = nullptr;
    std::set<const Role*> consumers{};
  };
  struct BarrierUse {
    const Statement* first = nullptr;
    std::set<const Role*> roles{};
    bool is_waited_for = false;
  };

  bool is_mapped() const { return kernel_.threads > 0; }
  [[noreturn]] void fail(std::string expected) const {
    refuse(kernel_, *current_, std::move(expected));
  }
  void check(bool condition, const char* expected) const {
    if (!condition) fail(expected);
  }

  void body(const Body& statements) {
    for (const Statement& statement : statements) {
      const Statement* const outer = std::exchange(current_, &statement);
      check_unit(statement);
      check_tiles(statement);
      std::visit([&](const auto& kind) { verify_kind(kind); }, statement.kind);
      current_ = outer;
    }
  }
  void inside(const Around& around, const Body& statements) {
    const Around outer = std::exchange(around_, around);
    body(statements);
    around_ = outer;
  }

  // A mapped kernel is its roles, in loops over the grid at most.
  void check_unit(const Statement& statement) const {
    if (!is_mapped() || around_.role != nullptr) return;
    const Loop* const loop = as<Loop>(statement);
    check(as<Role>(statement) != nullptr || (loop != nullptr && loop->place == Place::gpu_block),
          "roles alone, or loops over the grid with roles in them, in a mapped kernel");
  }
  // Tiles of rings are written in `produce`, read in `consume`; those of a role are its own.
  void check_tiles(const Statement& statement) {
    const TouchedTiles touched = touched_by(statement);
    const auto check_tile = [&](int number, bool is_write) {
      const Tile& tile = kernel_.tiles[static_cast<size_t>(number)];
      if (tile.ring >= 0 && is_write) {
        const bool is_in = around_.produce != nullptr && around_.produce->ring == tile.ring;
        if (!is_in) fail(concat("tile ", tile.name, " written in `produce` of its ring only"));
        written_.insert(number);
      } else if (tile.ring >= 0) {
        const bool is_in = around_.consumed.contains(tile.ring);
        if (!is_in) fail(concat("tile ", tile.name, " read in `consume` of its ring only"));
      }
      if (!tile.role.empty() && around_.role != nullptr && around_.role->name != tile.role) {
        fail(concat("tile ", tile.name, " touched by its own role only"));
      }
    };
    for (const int number : touched.read) check_tile(number, false);
    for (const int number : touched.written) check_tile(number, true);
  }

  void mapped_only() const { check(is_mapped(), "this statement in a mapped kernel only"); }
  void outside_each() const {
    check(around_.each == nullptr, "in `each` nothing but scalars, reads and writes");
  }

  void verify_kind(const Loop& loop) {
    const bool is_grid = loop.place == Place::gpu_block || loop.place == Place::cpu_thread;
    check(loop.place == Place::serial || (is_grid && around_.role == nullptr),
          "loops over the grid and serial ones only, where statements are a thread block's");
    Around around = around_;
    around.is_in_loop |= loop.place == Place::serial;
    around.is_conditional |= !is_constant(loop.extent) || loop.extent->integer < 1;
    inside(around, loop.body);
  }
  void verify_kind(const If& branch) {
    Around around = around_;
    around.is_conditional = true;
    inside(around, branch.then);
  }
  void verify_kind(const Let&) const {}
  void verify_kind(const Var&) const {}
  void verify_kind(const Assign&) const {}
  void verify_kind(const Reduce&) const {}
  void verify_kind(const Store&) const {}
  // The statements of a thread's program, and `contract`, which becomes dots.
  template <class Kind>
  void verify_kind(const Kind&) const {
    fail("statements over tiles and scalars only, in a kernel with tiles");
  }

  void verify_kind(const FillTile&) const { outside_each(); }
  void verify_kind(const LoadTile&) const { outside_each(); }
  void verify_kind(const StoreTile&) const { outside_each(); }
  void verify_kind(const Dot& dot) const {
    outside_each();
    if (dot.is_async) mapped_only();
  }
  void verify_kind(const WaitDot& wait) const {
    mapped_only();
    outside_each();
    check(wait.pending >= 0 && wait.pending <= 7, "0 to 7 dots in flight");
  }
  void verify_kind(const EachElement& each) {
    outside_each();
    written_in_each_.clear();
    Around around = around_;
    around.each = current_;
    around.is_in_loop = false;
    inside(around, each.body);
  }
  void verify_kind(const ReadElement&) const {
    check(around_.each != nullptr, "elements read in `each` only");
  }
  void verify_kind(const WriteElement& write) {
    check(around_.each != nullptr, "elements written in `each` only");
    check(!around_.is_in_loop,
          "an element written outside of loops in `each`, as it is written once");
    check(written_in_each_.insert(write.tile).second, "one write to a tile in an `each`");
  }
  void verify_kind(const FoldTile&) const { outside_each(); }
  void verify_kind(const MoveTile&) const {
    mapped_only();
    outside_each();
  }

  void verify_kind(const Role& role) {
    mapped_only();
    check(around_.role == nullptr, "no role inside another");
    Around around;
    around.role = &role;
    inside(around, role.body);
  }
  void verify_kind(const TileLoop& loop) {
    mapped_only();
    outside_each();
    check(!around_.is_in_loop && !around_.is_conditional && around_.consumed.empty() &&
              around_.produce == nullptr,
          "loops over tiles directly in a role");
    check(loop.axes.size() >= 2 && loop.axes.size() == loop.extents.size(),
          "an extent for each axis, rows and columns of tiles at least");
    check(loop.group >= 1, "a group of a row of tiles at least");
    const auto& index = around_.role->index;
    const bool has_all = loop.step == 1 && loop.from.get() == nullptr;
    const bool has_own = loop.from.get() != nullptr && index &&
                         loop.from->kind == expr::Kind::axis && loop.from->index == *index &&
                         loop.step == around_.role->instances;
    check(has_all || has_own,
          "all tiles for each instance, or from its index on as many steps as there are instances");
    tile_loops_[around_.role].push_back(current_);
    Around around = around_;
    around.is_in_loop = true;
    inside(around, loop.body);
  }
  void verify_kind(const Produce& produce) {
    mapped_only();
    outside_each();
    check_ring(produce.ring);
    check(around_.produce == nullptr && !around_.consumed.contains(produce.ring),
          "no `produce` inside another, or in `consume` of the same ring");
    check(around_.role->instances == 1, "one instance of the role that produces");
    RingUse& use = rings_[static_cast<size_t>(produce.ring)];
    check(use.producer == nullptr || use.producer == around_.role,
          "one role that produces in a ring");
    use.producer = around_.role;
    use.produce = current_;
    written_.clear();
    Around around = around_;
    around.produce = &produce;
    around.is_conditional = false;
    inside(around, produce.body);
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      if (kernel_.tiles[i].ring != produce.ring || written_.contains(static_cast<int>(i))) continue;
      fail(concat("each tile of the ring written, but not ", kernel_.tiles[i].name));
    }
  }
  void verify_kind(const Consume& consume) {
    mapped_only();
    outside_each();
    check_ring(consume.ring);
    check(!around_.consumed.contains(consume.ring), "no `consume` of a ring inside another");
    const int slots = kernel_.rings[static_cast<size_t>(consume.ring)].slots;
    check(consume.lag == 0 || (consume.lag == 1 && slots > 1),
          "a lag of 0, or 1 where the ring has more slots than one");
    rings_[static_cast<size_t>(consume.ring)].consumers.insert(around_.role);
    Around around = around_;
    around.consumed.insert(consume.ring);
    inside(around, consume.body);
  }
  void verify_kind(const SkipSlots& skip) const {
    mapped_only();
    outside_each();
    check_ring(skip.ring);
    check(!around_.consumed.contains(skip.ring) &&
              (around_.produce == nullptr || around_.produce->ring != skip.ring),
          "slots skipped outside of `produce` and `consume` of the ring");
  }
  void verify_kind(const CopyTile& copy) const {
    mapped_only();
    outside_each();
    if (copy.is_store) return;
    const int ring = kernel_.tiles[static_cast<size_t>(copy.tile)].ring;
    check(around_.produce != nullptr && ring == around_.produce->ring,
          "copies into tiles in `produce` of their ring only");
    check(!around_.is_conditional,
          "copies of a slot under no condition and in loops of constant extent");
  }
  void verify_kind(const WaitStores& wait) const {
    mapped_only();
    outside_each();
    check(wait.pending >= 0, "how many stores may be in flight");
  }
  void verify_kind(const NamedBarrier& barrier) {
    mapped_only();
    outside_each();
    check(barrier.number >= 1 && barrier.number < kNamedBarriers, "a named barrier from 1 to 15");
    check(barrier.threads > 0 && barrier.threads % kWarpSize == 0,
          "whole warps at a named barrier");
    const auto [at, is_new] = barriers_.try_emplace(barrier.number);
    BarrierUse& use = at->second;
    if (is_new) use.first = current_;
    check(as<NamedBarrier>(*use.first)->threads == barrier.threads,
          "the same number of threads wherever a barrier is named");
    use.roles.insert(around_.role);
    use.is_waited_for |= barrier.waits;
  }

  void check_ring(int ring) const {
    check(ring >= 0 && std::cmp_less(ring, kernel_.rings.size()), "the number of a ring");
  }
  void check_rings() {
    for (size_t i = 0; i < rings_.size(); ++i) {
      const RingUse& use = rings_[i];
      const auto& name = kernel_.rings[i].name;
      current_ = use.produce != nullptr ? use.produce : &kernel_.body.front();
      if (use.producer == nullptr) fail(concat("a role that produces in ring ", name));
      if (use.consumers.empty()) fail(concat("a role that consumes from ring ", name));
      check(!use.consumers.contains(use.producer), "a ring that another role consumes from");
    }
  }
  void check_barriers() {
    for (const auto& [number, use] : barriers_) {
      current_ = use.first;
      check(use.is_waited_for, "a barrier that someone waits at");
      int threads = 0;
      for (const Role* role : use.roles) threads += threads_of(*role);
      check(as<NamedBarrier>(*use.first)->threads <= threads,
            "at most as many threads as the roles have that name the barrier");
    }
  }
  // All roles that go through the tiles of a block do so in the same sequence.
  void check_tile_loops() {
    if (tile_loops_.empty()) return;
    const auto& first = tile_loops_.begin()->second;
    for (const auto& [role, loops] : tile_loops_) {
      for (size_t i = 0; i < std::max(first.size(), loops.size()); ++i) {
        current_ = i < loops.size() ? loops[i] : first[i];
        check(i < first.size() && i < loops.size() && is_same(*first[i], *loops[i]),
              "the same tiles in the same groups in all roles");
      }
    }
  }
  static bool is_same(const Statement& a, const Statement& b) {
    const TileLoop& first = *as<TileLoop>(a);
    const TileLoop& second = *as<TileLoop>(b);
    return first.group == second.group &&
           std::ranges::equal(first.extents, second.extents,
                              [](const Expr& x, const Expr& y) { return same(x, y); });
  }

  const Kernel& kernel_;
  const Statement* current_ = nullptr;
  Around around_;
  std::vector<RingUse> rings_;
  std::map<int, BarrierUse> barriers_;
  std::map<const Role*, std::vector<const Statement*>> tile_loops_;
  std::set<int> written_;          // in the `produce` around
  std::set<int> written_in_each_;  // tiles
};

}  // namespace

void verify_tile_places(const Kernel& kernel) { TilePlaceVerifier(kernel).run(); }

}  // namespace ridge::loop
