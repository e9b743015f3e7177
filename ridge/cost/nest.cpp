#include "ridge/cost/nest.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/cost/statement_filler.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::cost {
namespace {

using expr::Expr;
using loop::Place;

class Reader {
 public:
  Reader(const loop::Kernel& kernel, std::span<const int64_t> sizes)
      : kernel_(kernel), sizes_(sizes), filler_(kernel, sizes) {}

  KernelNest read() {
    KernelNest result;
    result.root.items = body(kernel_.body);
    for (const loop::Buffer& buffer : kernel_.buffers) {
      const double bytes = static_cast<double>(value(buffer.elements)) * buffer.dtype.bits / 8;
      result.buffer_bytes.push_back(bytes);
      if (buffer.space == loop::Space::shared) result.shared_bytes += bytes;
      if (buffer.space == loop::Space::local) result.register_bytes += bytes;
    }
    result.register_bytes += filler_.register_bytes();
    if (kernel_.grain.get() != nullptr) result.grain = static_cast<double>(value(kernel_.grain));
    result.tasks = tasks_;
    return result;
  }

 private:
  int64_t value(const Expr& e) const { return value_at(e, {}, sizes_); }

  double mean_trips(const Expr& extent) {
    return std::max(mean_of(extent, filler_.around(), sizes_), 0.0);
  }

  BasicBlock& last_block(std::vector<Item>& items) {
    if (items.empty() || !std::holds_alternative<BasicBlock>(items.back())) {
      items.push_back(BasicBlock{});
      filler_.start_block();
    }
    return std::get<BasicBlock>(items.back());
  }

  std::vector<Item> body(const loop::Body& statements) {
    std::vector<Item> items;
    for (const loop::Statement& statement : statements) {
      if (const auto* inner = std::get_if<loop::Loop>(&statement.kind)) {
        items.push_back(loop_of(*inner));
      } else if (const auto* product = std::get_if<loop::Contract>(&statement.kind)) {
        items.push_back(product_of(*product));
      } else if (const auto* branch = std::get_if<loop::If>(&statement.kind)) {
        add_branch(items, *branch);
      } else if (loop::is_tile_statement(statement)) {
        add_over_tiles(items, statement);
      } else {
        filler_.add_statement(last_block(items), statement);
      }
    }
    return items;
  }

  // Tiles lie in caches. What counts is what is computed, and what goes to and from memory.
  void add_over_tiles(std::vector<Item>& items, const loop::Statement& statement) {
    if (const auto* dot = loop::as<loop::Dot>(statement)) {
      const loop::Tile &into = tile(dot->into), &lhs = tile(dot->lhs.tile);
      items.push_back(
          Product{.m_axis = -1,
                  .n_axis = -1,
                  .k_axis = -1,
                  .m = static_cast<double>(value(into.rows)),
                  .n = static_cast<double>(value(into.columns)),
                  .k = static_cast<double>(value(dot->is_lhs_transposed ? lhs.rows : lhs.columns)),
                  .lhs = {},
                  .rhs = {},
                  .epilogue = {},
                  .is_wide = into.dtype != f32});
    } else if (const auto* load = loop::as<loop::LoadTile>(statement)) {
      items.push_back(load_of(*load));
    } else if (const auto* each = loop::as<loop::EachElement>(statement)) {
      items.push_back(over(each->tile, each->limits, each->row_axis, each->column_axis,
                           [&] { return body(each->body); }));
    } else if (const auto* fold = loop::as<loop::FoldTile>(statement)) {
      items.push_back(over(fold->tile, fold->limits, -1, -1, [&] {
        BasicBlock block;
        filler_.add_fold(block, *fold, tile(fold->into).dtype);
        return std::vector<Item>{std::move(block)};
      }));
    } else {
      const bool is_free = loop::as<loop::FillTile>(statement) != nullptr ||
                           loop::as<loop::ReadElement>(statement) != nullptr ||
                           loop::as<loop::WriteElement>(statement) != nullptr;
      RIDGE_INTERNAL_CHECK(is_free, "a mapping prices a mapped kernel over tiles");
    }
  }

  const loop::Tile& tile(int number) const { return kernel_.tiles[static_cast<size_t>(number)]; }
  double limited(const Expr& extent, const Expr& limit) {
    return mean_trips(limit.get() == nullptr ? extent : expr::min(extent, limit));
  }
  // What `inside` makes, for each row and, in lanes, for each column within the limits.
  template <class Inside>
  Nest over(int number, const loop::TileLimits& limits, int row_axis, int column_axis,
            const Inside& inside) {
    const bool is_column = expr::is_constant(tile(number).columns, 1);
    Nest rows{is_column ? Place::vector : Place::serial,
              row_axis,
              limited(tile(number).rows, limits.rows),
              {}};
    Nest columns{Place::vector, column_axis, limited(tile(number).columns, limits.columns), {}};
    if (rows.trips <= 0 || columns.trips <= 0) return rows;
    filler_.around().push_back({row_axis, rows.trips, rows.place});
    if (!is_column) filler_.around().push_back({column_axis, columns.trips, Place::vector});
    filler_.start_block();
    columns.items = inside();
    filler_.around().resize(filler_.around().size() - (is_column ? 1 : 2));
    if (is_column) {
      rows.items = std::move(columns.items);
    } else {
      rows.items.push_back(std::move(columns));
    }
    return rows;
  }
  // Lanes go along whichever axis is contiguous: squares are transposed in registers.
  Nest load_of(const loop::LoadTile& load) {
    const auto along = [&](int row_axis, int column_axis, const Expr& row_extent,
                           const Expr& column_extent) {
      Nest rows{Place::serial, row_axis, limited(row_extent, Expr()), {}};
      Nest columns{Place::vector, column_axis, limited(column_extent, Expr()), {}};
      BasicBlock block;
      fill(block,
           {{row_axis, rows.trips, Place::serial}, {column_axis, columns.trips, Place::vector}},
           load.element, tile(load.tile).dtype);
      columns.items.push_back(std::move(block));
      rows.items.push_back(std::move(columns));
      return rows;
    };
    const auto within = [](const Expr& extent, const Expr& limit) {
      return limit.get() == nullptr ? extent : expr::min(extent, limit);
    };
    const Expr rows = within(tile(load.tile).rows, load.limits.rows);
    const Expr columns = within(tile(load.tile).columns, load.limits.columns);
    Nest plain = along(load.row_axis, load.column_axis, rows, columns);
    const auto& lanes = std::get<Nest>(plain.items.front());
    if (is_along(std::get<BasicBlock>(lanes.items.front()), load.column_axis)) return plain;
    return along(load.column_axis, load.row_axis, columns, rows);
  }

  // Where every thread enters, its body runs on with what stands before it.
  void add_branch(std::vector<Item>& items, const loop::If& branch) {
    filler_.add_condition(last_block(items), branch.condition);
    const double share = share_of(branch.condition, filler_.around(), sizes_) /
                         static_cast<double>(branch.inverse_probability);
    std::vector<Item> inside = body(branch.then);
    if (share < 1) {
      items.push_back(Nest{Place::serial, -1, share, std::move(inside)});
      return;
    }
    for (Item& item : inside) items.push_back(std::move(item));
  }

  Nest loop_of(const loop::Loop& given) {
    Nest nest{given.place, given.axis, mean_trips(given.extent), {}};
    const bool makes_tasks = given.place == Place::cpu_thread || given.place == Place::gpu_block ||
                             given.place == Place::gpu_cluster_block;
    if (makes_tasks) tasks_ *= nest.trips;
    // Nothing in an empty loop runs, and its indices may have no value: 0 // 0.
    if (nest.trips <= 0) return nest;
    filler_.around().push_back({given.axis, nest.trips, given.place});
    nest.items = body(given.body);
    filler_.around().pop_back();
    return nest;
  }

  Product product_of(const loop::Contract& contract) {
    Product product{.m_axis = contract.m,
                    .n_axis = contract.n,
                    .k_axis = contract.k,
                    .m = mean_trips(contract.m_extent),
                    .n = mean_trips(contract.n_extent),
                    .k = mean_trips(contract.k_extent),
                    .lhs = {},
                    .rhs = {},
                    .epilogue = {},
                    .is_wide = contract.accumulator != f32};
    if (product.m * product.n * product.k <= 0) return product;
    const AroundLoop m{contract.m, product.m, Place::serial};
    const AroundLoop n{contract.n, product.n, Place::vector};
    const AroundLoop k{contract.k, product.k, Place::serial};
    const DType dtype = contract.accumulator;
    fill(product.lhs, {m, k}, contract.lhs, dtype);
    fill(product.rhs, {k, n}, contract.rhs, dtype);
    fill_epilogue(product.epilogue, {m, n}, contract.body);
    product.is_lhs_along_k = is_along(product.lhs, contract.k);
    product.is_rhs_along_n = is_along(product.rhs, contract.n);
    return product;
  }

  void fill(BasicBlock& operand, std::initializer_list<AroundLoop> loops, const Expr& e,
            DType dtype) {
    filler_.around().insert(filler_.around().end(), loops);
    filler_.start_block();
    filler_.add_value(operand, e, dtype, dtype == f64 ? f64 : f32);
    filler_.around().resize(filler_.around().size() - loops.size());
  }

  // Straight code, perhaps under conditions: a product has no loops inside.
  void fill_epilogue(BasicBlock& epilogue, std::initializer_list<AroundLoop> loops,
                     const loop::Body& statements) {
    filler_.around().insert(filler_.around().end(), loops);
    filler_.start_block();
    for (Item& item : body(statements)) append(epilogue, item);
    filler_.around().resize(filler_.around().size() - loops.size());
  }

  static void append(BasicBlock& epilogue, Item& item) {
    if (auto* branch = std::get_if<Nest>(&item); branch != nullptr && branch->axis < 0) {
      for (Item& inner : branch->items) append(epilogue, inner);
      return;
    }
    auto* block = std::get_if<BasicBlock>(&item);
    RIDGE_INTERNAL_CHECK(block != nullptr, "a loop in the body of a contraction");
    add_operations(epilogue.operations, block->operations);
    std::ranges::move(block->accesses, std::back_inserter(epilogue.accesses));
  }

  const loop::Kernel& kernel_;
  std::span<const int64_t> sizes_;
  StatementFiller filler_;
  double tasks_ = 1;
};

}  // namespace

KernelNest nest_of(const loop::Kernel& kernel, std::span<const int64_t> sizes) {
  return Reader(kernel, sizes).read();
}

}  // namespace ridge::cost
