#include "ridge/mapping/passes/consumer.h"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::mapping {
namespace {

using loop::as;

class Consumer {
 public:
  explicit Consumer(ProductParts& parts) : p_(parts) {}

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
    if (!p_.result_windows.empty()) role.body.push_back({loop::WaitStores{0}});
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
    for (const EpiloguePiece& piece : p_.pieces) add_piece(body, piece);
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

  // Columns of the sums at a time, so that few of the epilogue's values are in registers at once.
  void add_piece(loop::Body& body, const EpiloguePiece& piece) {
    const int columns = piece.piece.columns, count = piece.piece.count;
    const Expr row = p_.blocks() > 1 ? kWarpgroupRows * expr::axis(p_.store_row) : Expr(0);
    const Expr column = expr::simplify(
        count > 1 ? piece.piece.first + columns * expr::axis(p_.store_column) : piece.piece.first);
    loop::TilePart part{.tile = p_.sum};
    if (p_.product.columns > columns || p_.blocks() > 1) part.row = row, part.column = column;
    loop::Body one;
    if (p_.moves_sums()) {
      add_store(one, piece, 0, part, row, column);
    } else {
      loop::EachElement each = epilogue(piece, row, column);
      // Elements beyond the matrix are stored too, so that they need some value.
      const bool is_whole =
          each.limits.rows.get() == nullptr && each.limits.columns.get() == nullptr;
      for (size_t i = 0; i < (is_whole ? 1 : piece.values.size()); ++i) {
        if (piece.values[i] != p_.sum) one.push_back({loop::MoveTile{piece.values[i], part}});
      }
      one.push_back({std::move(each)});
      for (size_t i = 0; i < piece.tiles.size(); ++i) {
        add_store(one, piece, i, {.tile = piece.values[i]}, row, column);
      }
    }
    one = around(std::move(one), p_.store_column, count);
    one = around(std::move(one), p_.store_row, p_.blocks());
    for (loop::Statement& statement : one) body.push_back(std::move(statement));
  }
  void add_store(loop::Body& body, const EpiloguePiece& piece, size_t result,
                 const loop::TilePart& from, const Expr& row, const Expr& column) const {
    // Results take turns, each with tiles of its own.
    const int in_flight = p_.product.store_buffers * static_cast<int>(piece.tiles.size()) - 1;
    body.push_back({loop::WaitStores{in_flight, true}});
    body.push_back({loop::MoveTile{piece.tiles[result], from}});
    body.push_back({loop::CopyTile{piece.tiles[result], piece.views[result],
                                   p_.result_at(result, row, column), true}});
  }

  // Values are assigned once, so the epilogue of further pieces has values of its own.
  loop::EachElement epilogue(const EpiloguePiece& piece, const Expr& row, const Expr& column) {
    const loop::EachElement& source = *p_.skeleton.epilogue;
    loop::EachElement each{p_.row, p_.column, piece.values.front(), limits(row, column), {}};
    std::map<int, int> renamed;
    const auto value = [&](int given) {
      const auto found = renamed.find(given);
      return found == renamed.end() ? given : found->second;
    };
    const auto define = [&](int given) {
      if (!has_epilogue_) return given;
      p_.kernel.values.push_back(p_.kernel.values[static_cast<size_t>(given)]);
      return renamed[given] = static_cast<int>(p_.kernel.values.size()) - 1;
    };
    const auto here = [&](const Expr& e) {
      return expr::transform(p_.here(e, row, column), [&](const Expr& node) {
        return node->kind == expr::Kind::input ? expr::input(value(node->index), node->type) : node;
      });
    };
    for (const loop::Statement& statement : source.body) {
      if (const auto* const write = as<loop::WriteElement>(statement)) {
        each.body.push_back(written({write->tile, value(write->value)}, piece, here));
      } else if (const auto* const read = as<loop::ReadElement>(statement)) {
        if (read->tile != p_.skeleton.sum) refuse("the epilogue reads another tile");
        each.body.push_back({loop::ReadElement{define(read->value), piece.values.front()}});
      } else if (const auto* const let = as<loop::Let>(statement)) {
        loop::Let other = *let;
        other.expression = here(let->expression);
        other.value = define(let->value);
        each.body.push_back({std::move(other)});
      } else {
        refuse("the epilogue has more than lets and writes");
      }
    }
    has_epilogue_ = true;
    return each;
  }
  // Rows and columns of the matrix that are left where a part of the warpgroup's tile begins. None are needed
  // where tiles fit whole.
  loop::TileLimits limits(const Expr& row, const Expr& column) const {
    const auto left = [](const Expr& whole, int tile, std::initializer_list<Expr> before) {
      if (whole->kind == expr::Kind::constant && whole->integer % tile == 0) return Expr();
      Expr rest = whole;
      for (const Expr& part : before) {
        if (!expr::is_constant(part, 0)) rest = rest - part;
      }
      return rest;
    };
    const Product& product = p_.product;
    return {.rows = left(p_.skeleton.m, product.rows,
                         {product.rows * expr::axis(p_.row_tile), p_.first_row(), row}),
            .columns = left(p_.skeleton.n, product.columns,
                            {product.columns * expr::axis(p_.column_tile), column})};
  }
  // Into the registers from where it is moved to its store tile; or to memory.
  template <class Here>
  loop::Statement written(const loop::WriteElement& write, const EpiloguePiece& piece,
                          const Here& here) const {
    const auto& stores = p_.skeleton.stores;
    const auto found = std::ranges::find_if(
        stores, [&](const loop::StoreTile* store) { return store->tile == write.tile; });
    if (found == stores.end()) refuse("the epilogue writes a tile that nobody stores");
    if (piece.tiles.empty()) {
      return {loop::Store{(*found)->buffer, here(stored_index(**found)), write.value}};
    }
    if (p_.kernel.values[static_cast<size_t>(write.value)].dtype != f32) {
      refuse("a result that is no f32 before it is rounded: `store elements`");
    }
    const auto result = static_cast<size_t>(found - stores.begin());
    return {loop::WriteElement{piece.values[result], write.value}};
  }
  // Stores name elements by axes that may be others than the epilogue's.
  Expr stored_index(const loop::StoreTile& store) const {
    const loop::EachElement& each = *p_.skeleton.epilogue;
    return replaced(store.index, [&](int axis) -> Expr {
      if (axis == store.row_axis) return expr::axis(each.row_axis);
      if (axis == store.column_axis) return expr::axis(each.column_axis);
      return {};
    });
  }

  static loop::Body around(loop::Body body, int axis, int count) {
    if (count == 1) return body;
    loop::Body outer;
    outer.push_back({loop::Loop{axis, Expr(count), loop::Place::serial, std::move(body)}});
    return outer;
  }

  ProductParts& p_;
  bool has_epilogue_ = false;
};

}  // namespace

loop::Statement consumer(ProductParts& parts) { return Consumer(parts).run(); }

}  // namespace ridge::mapping
