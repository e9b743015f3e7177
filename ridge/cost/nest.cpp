#include "ridge/cost/nest.h"

#include <algorithm>
#include <cmath>

#include "ridge/cost/function_cost.h"
#include "ridge/cost/index_steps.h"

namespace ridge::cost {
namespace {

using expr::Expr;
using expr::Function;
using expr::Kind;

class Reader {
 public:
  Reader(const loop::Kernel& kernel, std::span<const int64_t> sizes)
      : kernel_(kernel), sizes_(sizes), read_along_(kernel.values.size(), 0) {}

  KernelNest read() {
    KernelNest result;
    result.root.items = body(kernel_.body);
    for (const loop::Buffer& buffer : kernel_.buffers) {
      result.buffer_bytes.push_back(static_cast<double>(value(buffer.elements)) *
                                    buffer.dtype.bits / 8);
    }
    if (kernel_.grain.get() != nullptr) result.grain = static_cast<double>(value(kernel_.grain));
    result.tasks = tasks_;
    return result;
  }

 private:
  int64_t value(const Expr& e) const { return value_at(e, {}, sizes_); }

  // The mean of an extent over the loops around it. Where it depends on one, it is the same in all
  // iterations but the last.
  double mean_trips(const Expr& extent) {
    const auto first = static_cast<double>(value(extent));
    double mean = first;
    for (const AroundLoop& open : open_) {
      if (open.trips <= 1 || !holds_axis(extent, open.axis)) continue;
      const auto last = static_cast<double>(value_at(extent, {{open.axis, open.last()}}, sizes_));
      mean += (last - first) / open.trips;
    }
    return std::max(mean, 0.0);
  }

  // The axes along which a part of the expression is read from memory.
  AxisSet read_along(const Expr& e) const {
    AxisSet axes = 0;
    expr::walk(e, [&](const Expr& node) {
      if (node->kind == Kind::input) axes |= read_along_[static_cast<size_t>(node->index)];
      if (node->kind != Kind::load) return;
      expr::walk(node->args[0], [&](const Expr& inner) {
        if (inner->kind == Kind::axis) axes |= axis_bit(inner->index);
      });
    });
    return axes;
  }

  MemoryAccess access_of(int buffer, const Expr& index, bool is_store) {
    const loop::Buffer& b = kernel_.buffers[static_cast<size_t>(buffer)];
    MemoryAccess result{.buffer = buffer,
                        .is_store = is_store,
                        .element_bytes = std::max(1, b.dtype.bits / 8),
                        .elements = static_cast<double>(value(b.elements)),
                        .steps = steps_of(index, open_, sizes_, read_along(index))};
    return result;
  }

  int vector_axis() const {
    for (const AroundLoop& open : open_) {
      if (open.place == loop::Place::vector) return open.axis;
    }
    return -1;
  }

  // Divisions that run for each lane; others are a scalar or two.
  int index_divisions(const Expr& index) const {
    const int axis = vector_axis();
    int count = 0;
    if (axis < 0) return 0;
    expr::walk(index, [&](const Expr& node) {
      const bool divides = is_call(node, Function::floor_div) || is_call(node, Function::mod);
      count += divides && holds_axis(node, axis) ? 1 : 0;
    });
    return count;
  }

  void add_load(Block& block, const Expr& load) {
    const Expr& index = load->args[0];
    const MemoryAccess access = access_of(load->index, index, false);
    block.operations.index_divisions += index_divisions(index);
    const DType dtype = kernel_.buffers[static_cast<size_t>(load->index)].dtype;
    block.operations.conversions += dtype.bits < 32 ? 1 : 0;
    block.accesses.push_back(access);
  }

  // Values, not indices: the arithmetic of an index is mostly scalar.
  void add(Block& block, const Expr& e, bool is_wide) {
    block.operations.is_wide |= is_wide;
    count_functions(e, block.operations, [&](const Expr& load) { add_load(block, load); });
    expr::walk(e, [&](const Expr& node) { block.operations.twins += is_twin(node) ? 1 : 0; });
  }

  // Whether the cosine of this sine, or the sine of this cosine, was met before in the block.
  bool is_twin(const Expr& node) {
    if (!is_call(node, Function::sin) && !is_call(node, Function::cos)) return false;
    const auto has_same_argument = [&](const Expr& other) {
      return other->function != node->function && expr::same(other->args[0], node->args[0]);
    };
    const bool found = std::ranges::any_of(circular_, has_same_argument);
    circular_.push_back(node);
    return found;
  }

  Block& last_block(std::vector<Item>& items) {
    if (items.empty() || !std::holds_alternative<Block>(items.back())) {
      items.push_back(Block{});
      circular_.clear();
    }
    return std::get<Block>(items.back());
  }

  bool is_wide(int value) const {
    const DType dtype = kernel_.values[static_cast<size_t>(value)].dtype;
    return dtype == f64 || dtype == i64;
  }

  std::vector<Item> body(const loop::Body& statements) {
    std::vector<Item> items;
    for (const loop::Statement& statement : statements) {
      if (const auto* inner = std::get_if<loop::Loop>(&statement.kind)) {
        items.push_back(loop_of(*inner));
      } else if (const auto* product = std::get_if<loop::Contract>(&statement.kind)) {
        items.push_back(product_of(*product));
      } else if (const auto* branch = std::get_if<loop::If>(&statement.kind)) {
        add(last_block(items), branch->condition, false);
        for (Item& item : body(branch->then)) items.push_back(std::move(item));
      } else {
        add_statement(last_block(items), statement);
      }
    }
    return items;
  }

  void add_statement(Block& block, const loop::Statement& statement) {
    if (const auto* let = std::get_if<loop::Let>(&statement.kind)) {
      read_along_[static_cast<size_t>(let->value)] = read_along(let->expression);
      add(block, let->expression, is_wide(let->value) || let->arithmetic == f64);
      block.operations.conversions += let->rounds ? 1 : 0;
    } else if (const auto* assign = std::get_if<loop::Assign>(&statement.kind)) {
      add(block, assign->expression, is_wide(assign->value));
    } else if (const auto* reduce = std::get_if<loop::Reduce>(&statement.kind)) {
      ++block.operations.reductions;
      const bool is_extremum =
          reduce->combine == loop::Combine::max || reduce->combine == loop::Combine::min;
      block.operations.reduction_steps =
          std::max(block.operations.reduction_steps, is_extremum ? 2 : 1);
      block.operations.reduction_instructions += is_extremum ? instructions_of(Function::max) : 1;
      block.operations.is_wide |= is_wide(reduce->value);
    } else if (const auto* store = std::get_if<loop::Store>(&statement.kind)) {
      block.accesses.push_back(access_of(store->buffer, store->index, true));
      block.operations.index_divisions += index_divisions(store->index);
      const DType dtype = kernel_.buffers[static_cast<size_t>(store->buffer)].dtype;
      block.operations.conversions += dtype.bits < 32 ? 1 : 0;
    }
  }

  Nest loop_of(const loop::Loop& given) {
    Nest nest{given.place, given.axis, mean_trips(given.extent), {}};
    if (given.place == loop::Place::thread || given.place == loop::Place::grid ||
        given.place == loop::Place::cluster) {
      tasks_ *= nest.trips;
    }
    // Nothing in an empty loop runs, and its indices may have no value: 0 // 0.
    if (nest.trips <= 0) return nest;
    open_.push_back({given.axis, nest.trips, given.place});
    nest.items = body(given.body);
    open_.pop_back();
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
    open_.push_back({contract.m, product.m, loop::Place::serial});
    open_.push_back({contract.k, product.k, loop::Place::serial});
    add(product.lhs, contract.lhs, false);
    open_.back() = {contract.n, product.n, loop::Place::vector};
    for (Item& item : body(contract.body)) {
      if (auto* block = std::get_if<Block>(&item)) product.epilogue = std::move(*block);
    }
    open_[open_.size() - 2] = {contract.k, product.k, loop::Place::serial};
    add(product.rhs, contract.rhs, false);
    open_.resize(open_.size() - 2);
    product.is_lhs_along_k = is_along(product.lhs, contract.k);
    product.is_rhs_along_n = is_along(product.rhs, contract.n);
    return product;
  }

  static bool is_along(const Block& block, int axis) {
    return std::all_of(block.accesses.begin(), block.accesses.end(), [&](const MemoryAccess& a) {
      return std::all_of(a.steps.begin(), a.steps.end(), [&](const AxisStep& step) {
        return step.axis != axis || step.stride <= 1;
      });
    });
  }

  const loop::Kernel& kernel_;
  std::span<const int64_t> sizes_;
  std::vector<AxisSet> read_along_;  // by value
  std::vector<AroundLoop> open_;
  std::vector<Expr> circular_;  // sines and cosines of the block
  double tasks_ = 1;
};

}  // namespace

KernelNest nest_of(const loop::Kernel& kernel, std::span<const int64_t> sizes) {
  return Reader(kernel, sizes).read();
}

}  // namespace ridge::cost
