#include "ridge/mapping/passes/contract_to_tiles.h"

#include <algorithm>
#include <optional>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::mapping {
namespace {

using loop::as;

// A row or column of the contraction in terms of the whole matrix: within = whole - chunk * part.
struct Cut {
  int within;                 // axis of the contract
  Expr whole;                 // how many there are
  Expr chunk;                 // of one tile, as it was
  std::optional<int> part{};  // grid axis; none where there is one tile
};

Expr size(int number) { return expr::param(number, expr::Type::integer); }

class ToTiles {
 public:
  explicit ToTiles(const loop::Kernel& kernel) : kernel_(kernel) {}

  loop::Kernel run() {
    find_contract();
    rows_ = cut(contract_->m, contract_->m_extent);
    columns_ = cut(contract_->n, contract_->n_extent);
    number_axes();
    declare();
    return written();
  }

 private:
  void find_contract() {
    const loop::Body* body = &kernel_.body;
    while (contract_ == nullptr) {
      take_invariants(*body);
      const auto* const loop = as<loop::Loop>(body->back());
      contract_ = as<loop::Contract>(body->back());
      const bool is_grid = loop != nullptr && loop->place == loop::Place::gpu_block;
      if (contract_ == nullptr && !is_grid) {
        refuse("its body is not grid loops around one contraction");
      }
      if (loop == nullptr) continue;
      loops_.push_back(loop);
      body = &loop->body;
    }
    if (has_other_tiles()) refuse("it has tiles already");
    collect_expressions();
  }
  // Values that are the same for all of a tile, or of the grid, stand in front of what reads them.
  void take_invariants(const loop::Body& body) {
    if (body.empty()) refuse("its body is not grid loops around one contraction");
    for (size_t i = 0; i + 1 < body.size(); ++i) {
      if (as<loop::Let>(body[i]) == nullptr) {
        refuse("its body is not grid loops around one contraction");
      }
      epilogue_.push_back(&body[i]);
    }
  }
  bool has_other_tiles() const { return kernel_.has_tiles(); }

  // All that depends on where a row or column is.
  void collect_expressions() {
    expressions_ = {contract_->lhs, contract_->rhs};
    for (const loop::Statement& statement : contract_->body) epilogue_.push_back(&statement);
    for (const loop::Statement* statement : epilogue_) {
      if (as<loop::Let>(*statement) == nullptr && as<loop::Store>(*statement) == nullptr) {
        refuse("its epilogue has more than lets and stores");
      }
      loop::for_each_expression(*statement, [&](const Expr& e) { expressions_.push_back(e); });
    }
  }

  // min(chunk, whole - chunk * part), or the extent of tiles that are all full.
  Cut cut(int within, const Expr& extent) {
    if (expr::is_call(extent, expr::Function::min)) {
      for (const size_t i : {0, 1}) {
        const auto rest = expr::as_affine(extent->args[1 - i], kernel_.axis_count);
        if (!expr::is_constant(extent->args[i]) || !rest) continue;
        Cut found{within, rest->constant, extent->args[i]};
        for (int axis = 0; axis < kernel_.axis_count; ++axis) {
          const Expr& step = rest->coefficients[static_cast<size_t>(axis)];
          if (expr::is_constant(step, 0)) continue;
          if (found.part || !is_same(step, -found.chunk)) refuse("a tile that is cut at an angle");
          found.part = axis;
        }
        if (!found.part || is_gone(found)) return taken(found);
      }
      refuse("rows or columns depend on the tile they lie in");
    }
    for (const loop::Loop* loop : loops_) {
      const Cut found{within, expr::simplify(extent * loop->extent), extent, loop->axis};
      if (!is_taken(loop->axis) && is_moved(found) && is_gone(found)) return taken(found);
    }
    return {within, extent, extent};
  }
  Cut taken(Cut cut) {
    if (cut.part) parts_.push_back(*cut.part);
    return cut;
  }
  bool is_taken(int axis) const { return std::ranges::find(parts_, axis) != parts_.end(); }

  // Do expressions mention the part of the tile only beside its row, as chunk * part + within?
  bool is_gone(const Cut& cut) const {
    return std::ranges::none_of(expressions_, [&](const Expr& e) {
      return mentions_axis(uncut(e, cut, expr::axis(cut.within)), *cut.part);
    });
  }
  bool is_moved(const Cut& cut) const {
    return std::ranges::any_of(expressions_,
                               [&](const Expr& e) { return mentions_axis(e, *cut.part); });
  }
  static Expr uncut(const Expr& e, const Cut& cut, const Expr& whole) {
    return replaced(e, [&](int axis) {
      if (axis != cut.within) return Expr();
      return cut.part ? whole - cut.chunk * expr::axis(*cut.part) : whole;
    });
  }

  // Batches first, then rows, columns and depth of tiles, then elements of tiles.
  void number_axes() {
    for (const loop::Loop* loop : loops_) {
      if (!is_taken(loop->axis) && !is_single(*loop)) batches_.push_back(loop);
    }
    const auto first = static_cast<int>(batches_.size());
    row_tile_ = first, column_tile_ = first + 1, depth_tile_ = first + 2;
    row_ = first + 3, column_ = first + 4;
    const auto sizes = static_cast<int>(kernel_.sizes.size());
    tm_ = size(sizes), tn_ = size(sizes + 1), tk_ = size(sizes + 2);
  }

  // An expression of the contract, over the new axes; elements at these axes of a tile.
  Expr moved(const Expr& e, const Expr& m, const Expr& n, const Expr& k) const {
    const Expr whole =
        uncut(uncut(e, rows_, expr::axis(rows_.within)), columns_, expr::axis(columns_.within));
    return replaced(whole, [&](int axis) -> Expr {
      if (axis == rows_.within) return m;
      if (axis == columns_.within) return n;
      if (axis == contract_->k) return k;
      for (size_t i = 0; i < batches_.size(); ++i) {
        if (batches_[i]->axis == axis) return expr::axis(static_cast<int>(i));
      }
      for (const loop::Loop* loop : loops_) {
        if (loop->axis == axis && is_single(*loop)) return 0;
      }
      refuse("an index moves with an axis that is no loop");
    });
  }
  Expr m_of(int element) const { return tm_ * expr::axis(row_tile_) + expr::axis(element); }
  Expr n_of(int element) const { return tn_ * expr::axis(column_tile_) + expr::axis(element); }
  Expr k_of(int element) const { return tk_ * expr::axis(depth_tile_) + expr::axis(element); }
  // As they read best.
  Expr rows_left() const { return rows_.whole - tm_ * expr::axis(row_tile_); }
  Expr columns_left() const { return columns_.whole - tn_ * expr::axis(column_tile_); }
  Expr depth_left() const { return contract_->k_extent - tk_ * expr::axis(depth_tile_); }

  void declare() {
    result_ = kernel_;
    result_.body.clear();
    Names names(kernel_);
    for (const char* name : {"tm", "tn", "tk"}) result_.tile_sizes.push_back(names.unused(name));
    result_.axis_count = column_ + 1;
    const auto add = [&](const char* name, DType dtype, const Expr& rows, const Expr& columns) {
      result_.tiles.push_back(
          {.name = names.unused(name), .dtype = dtype, .rows = rows, .columns = columns});
    };
    add("sum", contract_->accumulator, tm_, tn_);
    add("lhs", dtype_of(contract_->lhs), tm_, tk_);
    add("rhs", dtype_of(contract_->rhs), tk_, tn_);
    for (const loop::Statement* statement : epilogue_) {
      const auto* const store = as<loop::Store>(*statement);
      if (store == nullptr) continue;
      add("result", kernel_.buffers[static_cast<size_t>(store->buffer)].dtype, tm_, tn_);
    }
  }
  // Of the memory that an operand is loaded from; a cast around a load widens, which changes nothing.
  DType dtype_of(const Expr& operand) const {
    if (operand->kind == expr::Kind::cast) return dtype_of(operand->args[0]);
    if (operand->kind != expr::Kind::load) refuse("an operand is not one load");
    return kernel_.buffers[static_cast<size_t>(operand->index)].dtype;
  }
  static Expr behind_casts(const Expr& e) {
    return e->kind == expr::Kind::cast ? behind_casts(e->args[0]) : e;
  }

  static constexpr int kSum = 0, kLhs = 1, kRhs = 2, kFirstResult = 3;

  loop::Kernel written() {
    const bool is_real = is_floating(contract_->accumulator);
    loop::Body tile;
    tile.push_back({loop::FillTile{kSum, is_real ? Expr(0.0) : Expr(0)}});
    tile.push_back({loop::Loop{depth_tile_, tiles_of(contract_->k_extent, tk_), loop::Place::serial,
                               depth_body()}});
    write_epilogue(tile);
    loop::Body body = around(std::move(tile), column_tile_, tiles_of(columns_.whole, tn_));
    body = around(std::move(body), row_tile_, tiles_of(rows_.whole, tm_));
    for (size_t i = batches_.size(); i-- > 0;) {
      body = around(std::move(body), static_cast<int>(i), batch_extent(*batches_[i]));
    }
    result_.body = std::move(body);
    return std::move(result_);
  }
  // It runs once, so no tile or index needs its axis.
  static bool is_single(const loop::Loop& loop) { return expr::is_constant(loop.extent, 1); }
  static Expr tiles_of(const Expr& extent, const Expr& tile) {
    return expr::floor_div(extent + tile - 1, tile);
  }
  static Expr batch_extent(const loop::Loop& loop) {
    if (loop.extent->axes != 0) refuse("the extent of a loop depends on another");
    return loop.extent;
  }
  static loop::Body around(loop::Body body, int axis, Expr extent) {
    loop::Body outer;
    outer.push_back({loop::Loop{axis, std::move(extent), loop::Place::gpu_block, std::move(body)}});
    return outer;
  }

  loop::Body depth_body() const {
    const Expr lhs = moved(behind_casts(contract_->lhs), m_of(row_), Expr(0), k_of(column_));
    const Expr rhs = moved(behind_casts(contract_->rhs), Expr(0), n_of(column_), k_of(row_));
    loop::Body body;
    body.push_back({loop::LoadTile{kLhs, row_, column_, lhs, {rows_left(), depth_left()}}});
    body.push_back({loop::LoadTile{kRhs, row_, column_, rhs, {depth_left(), columns_left()}}});
    body.push_back({loop::Dot{.into = kSum, .lhs = {kLhs}, .rhs = {kRhs}}});
    return body;
  }

  void write_epilogue(loop::Body& tile) {
    loop::EachElement each{row_, column_, kSum, {rows_left(), columns_left()}, {}};
    loop::Body stores;
    each.body.push_back({loop::ReadElement{contract_->value, kSum}});
    int result = kFirstResult;
    const auto here = [&](const Expr& e) { return moved(e, m_of(row_), n_of(column_), Expr(0)); };
    for (const loop::Statement* statement : epilogue_) {
      if (const auto* const let = as<loop::Let>(*statement)) {
        loop::Let other = *let;
        other.expression = here(let->expression);
        each.body.push_back({std::move(other)});
      } else if (const auto* const store = as<loop::Store>(*statement)) {
        each.body.push_back({loop::WriteElement{result, store->value}});
        stores.push_back({loop::StoreTile{store->buffer,
                                          here(store->index),
                                          result,
                                          row_,
                                          column_,
                                          {rows_left(), columns_left()}}});
        ++result;
      }
    }
    tile.push_back({std::move(each)});
    for (loop::Statement& store : stores) tile.push_back(std::move(store));
  }

  const loop::Kernel& kernel_;
  std::vector<const loop::Loop*> loops_, batches_;
  const loop::Contract* contract_ = nullptr;
  std::vector<const loop::Statement*> epilogue_;  // lets and stores
  std::vector<Expr> expressions_;
  std::vector<int> parts_;
  Cut rows_, columns_;
  int row_tile_ = 0, column_tile_ = 0, depth_tile_ = 0, row_ = 0, column_ = 0;
  Expr tm_, tn_, tk_;
  loop::Kernel result_;
};

}  // namespace

Rewritten contract_to_tiles(loop::Kernel kernel) {
  try {
    loop::Kernel tiles = ToTiles(kernel).run();
    return {std::move(tiles), Decision::yes("a contraction in grid loops")};
  } catch (const Refused& refused) {
    return {std::move(kernel), Decision::no(refused.reason)};
  }
}

}  // namespace ridge::mapping
