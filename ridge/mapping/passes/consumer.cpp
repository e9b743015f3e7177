#include "ridge/mapping/passes/consumer.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::mapping {
namespace {

using loop::as;

class Consumer {
 public:
  explicit Consumer(const ProductParts& parts) : p_(parts) {}

  loop::Statement run() {
    loop::Role role{.name = p_.consumer,
                    .warps = loop::kWarpgroupWarps,
                    .instances = p_.product.warpgroups,
                    .registers = p_.shape.consumer_registers,
                    .body = {}};
    if (p_.has_index()) role.index = p_.index;
    if (p_.takes_turns()) {
      // The second warpgroup passes the first turn to the other, and over the slots of its tile.
      role.body.push_back(when(1, {loop::NamedBarrier{kFirstTurn, both(), false}}));
      role.body.push_back({loop::SkipSlots{p_.ring, expr::axis(p_.index) * p_.steps()}});
    }
    loop::TileLoop tiles = p_.tile_loop(tile());
    if (p_.takes_turns()) {
      tiles.from = expr::axis(p_.index);
      tiles.step = p_.product.warpgroups;
    }
    role.body.push_back({std::move(tiles)});
    if (!p_.stores.empty()) role.body.push_back({loop::WaitStores{0}});
    return {std::move(role)};
  }

 private:
  static constexpr int kFirstTurn = 1, kSecondTurn = 2;

  int both() const { return p_.product.warpgroups * loop::kWarpgroupWarps * loop::kWarpSize; }
  // Numbers of barriers are constants: a barrier whose number is in a register reserves all of them.
  loop::Statement when(int instance, loop::Statement statement) const {
    loop::If branch{.condition = expr::equal(expr::axis(p_.index), instance), .then = {}};
    branch.then.push_back(std::move(statement));
    return {std::move(branch)};
  }
  void pass_turn(loop::Body& body, int of_first, int of_second, bool waits) const {
    body.push_back(when(0, {loop::NamedBarrier{of_first, both(), waits}}));
    body.push_back(when(1, {loop::NamedBarrier{of_second, both(), waits}}));
  }

  loop::Body tile() {
    loop::Body body;
    body.push_back({loop::FillTile{p_.sum, Expr(0.0)}});
    if (p_.takes_turns()) pass_turn(body, kFirstTurn, kSecondTurn, true);
    body.push_back({loop::Loop{p_.depth_axis, p_.steps(), loop::Place::serial, {slot()}}});
    if (p_.takes_turns()) {
      // Before its last products are complete, so that the tensor cores always have some.
      pass_turn(body, kSecondTurn, kFirstTurn, false);
      body.push_back({loop::WaitDot{0, {p_.sum}}});
      body.push_back({loop::SkipSlots{p_.ring, p_.steps()}});
    }
    loop::EachElement each = epilogue();
    if (!changes_nothing(each)) body.push_back({std::move(each)});
    for (const StoreTarget& store : p_.stores) add_store(body, store);
    return body;
  }

  loop::Statement slot() const {
    loop::Consume consume{.ring = p_.ring, .lag = p_.takes_turns() ? 1 : 0, .body = {}};
    loop::TilePart lhs{.tile = p_.lhs};
    const Expr first = p_.first_row();
    if (!expr::is_constant(first, 0)) lhs.row = first, lhs.column = Expr(0);
    // Whole boxes may hold more columns than the product takes.
    loop::TilePart rhs{.tile = p_.rhs};
    if (p_.shape.rhs.columns > p_.product.columns) rhs.row = rhs.column = Expr(0);
    consume.body.push_back({loop::Dot{.into = p_.sum, .lhs = lhs, .rhs = rhs, .is_async = true}});
    consume.body.push_back({p_.takes_turns() ? loop::WaitDot{1, {}} : loop::WaitDot{0, {p_.sum}}});
    return {std::move(consume)};
  }

  loop::EachElement epilogue() const {
    const loop::EachElement& source = *p_.skeleton.epilogue;
    loop::EachElement each{p_.row, p_.column, p_.sum, limits(), {}};
    for (const loop::Statement& statement : source.body) {
      if (const auto* const write = as<loop::WriteElement>(statement)) {
        each.body.push_back(written(*write));
      } else {
        each.body.push_back(moved(statement));
      }
    }
    return each;
  }
  // `read v0 = sum  write sum = v0`: moves to store tiles round by themselves.
  static bool changes_nothing(const loop::EachElement& each) {
    if (each.body.size() != 2) return false;
    const auto* const read = as<loop::ReadElement>(each.body[0]);
    const auto* const write = as<loop::WriteElement>(each.body[1]);
    return read != nullptr && write != nullptr && read->value == write->value;
  }
  // Rows and columns of the matrix that are left where the warpgroup's tile begins.
  loop::TileLimits limits() const {
    const Expr rows = p_.skeleton.m - p_.product.rows * expr::axis(p_.row_tile);
    const Expr first = p_.first_row();
    return {.rows = expr::is_constant(first, 0) ? rows : rows - first,
            .columns = p_.skeleton.n - p_.product.columns * expr::axis(p_.column_tile)};
  }
  loop::Statement moved(const loop::Statement& statement) const {
    if (const auto* const read = as<loop::ReadElement>(statement)) {
      if (read->tile != p_.skeleton.sum) refuse("the epilogue reads another tile");
      return {loop::ReadElement{read->value, p_.sum}};
    }
    const auto* const let = as<loop::Let>(statement);
    if (let == nullptr) refuse("the epilogue has more than lets and writes");
    loop::Let other = *let;
    other.expression = p_.here(let->expression);
    return {std::move(other)};
  }
  // Into the sums, from where it is moved to the store tile; or to memory.
  loop::Statement written(const loop::WriteElement& write) const {
    const auto& stores = p_.skeleton.stores;
    const auto found = std::ranges::find_if(
        stores, [&](const loop::StoreTile* store) { return store->tile == write.tile; });
    if (found == stores.end()) refuse("the epilogue writes a tile that nobody stores");
    if (p_.stores.empty()) {
      return {loop::Store{(*found)->buffer, stored_index(**found), write.value}};
    }
    if (p_.source.values[static_cast<size_t>(write.value)].dtype != f32) {
      refuse("a result that is no f32 before it is rounded: `store elements`");
    }
    return {loop::WriteElement{p_.sum, write.value}};
  }
  // Stores name elements by axes that may be others than the epilogue's.
  Expr stored_index(const loop::StoreTile& store) const {
    const loop::EachElement& each = *p_.skeleton.epilogue;
    return p_.here(replaced(store.index, [&](int axis) -> Expr {
      if (axis == store.row_axis) return expr::axis(each.row_axis);
      if (axis == store.column_axis) return expr::axis(each.column_axis);
      return {};
    }));
  }

  void add_store(loop::Body& body, const StoreTarget& store) const {
    const int blocks = rows_of_warpgroup(p_.product) / kWarpgroupRows;
    const StorePiece& piece = store.piece;
    const Expr row = blocks > 1 ? kWarpgroupRows * expr::axis(p_.store_row) : Expr(0);
    const Expr column =
        piece.count > 1 ? piece.first + piece.columns * expr::axis(p_.store_column) : piece.first;
    loop::TilePart part{.tile = p_.sum};
    if (p_.product.columns > piece.columns || blocks > 1) {
      part.row = row, part.column = expr::simplify(column);
    }
    loop::Body one;
    one.push_back({loop::WaitStores{p_.product.store_buffers - 1, true}});
    one.push_back({loop::MoveTile{store.tile, part}});
    one.push_back({loop::CopyTile{store.tile, store.view, p_.result_at(row, column), true}});
    one = around(std::move(one), p_.store_column, piece.count);
    one = around(std::move(one), p_.store_row, blocks);
    for (loop::Statement& statement : one) body.push_back(std::move(statement));
  }
  static loop::Body around(loop::Body body, int axis, int count) {
    if (count == 1) return body;
    loop::Body outer;
    outer.push_back({loop::Loop{axis, Expr(count), loop::Place::serial, std::move(body)}});
    return outer;
  }

  const ProductParts& p_;
};

}  // namespace

loop::Statement consumer(const ProductParts& parts) { return Consumer(parts).run(); }

}  // namespace ridge::mapping
