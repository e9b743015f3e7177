#include <algorithm>
#include <map>
#include <set>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/statement_walk.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::loop {
namespace {

using expr::Kind;
using expr::Type;

bool is_register_dtype(DType d) { return d == f32 || d == f64 || d == i64 || d == boolean; }
bool is_number_dtype(DType d) { return d == f32 || d == f64 || d == i64; }
bool is_arithmetic(DType d) { return d == f32 || d == f64; }

bool is_value_name(std::string_view name) {
  return name.size() > 1 && name[0] == 'v' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Of a shared or local buffer: far more than any GPU has.
constexpr int64_t kMostOwnElements = int64_t{1} << 24;

// What an expression may be made of, besides constants, params and functions.
enum class Leaves { params, axes, all };

class ScopeVerifier {
 public:
  explicit ScopeVerifier(const Kernel& kernel)
      : kernel_(kernel),
        is_open_(static_cast<size_t>(std::max(kernel.axis_count, 0))),
        values_(kernel.values.size()) {
    for_each_statement(kernel.body, [&](const Statement& statement) {
      if (const auto* const copy = as<BulkCopy>(statement)) ++bulk_copies_[copy->buffer];
    });
  }

  void run() {
    head();
    body(kernel_.body);
  }

 private:
  struct ValueState {
    bool is_defined = false;  // somewhere before
    bool is_visible = false;  // here
    bool is_var = false;
  };

  [[noreturn]] void fail(std::string expected, std::string given = "") const {
    if (current_ != nullptr && given.empty()) refuse(kernel_, *current_, std::move(expected));
    throw_error({.op = kernel_.name, .expected = std::move(expected), .given = std::move(given)});
  }
  void check(bool condition, const char* expected) const {
    if (!condition) fail(expected);
  }

  void head() const {
    std::set<std::string_view> names;
    const auto add_name = [&](std::string_view name) {
      if (name.empty() || name.find('\n') != std::string_view::npos || !names.insert(name).second) {
        fail("buffers and sizes with names of their own", quoted_if_needed(name));
      }
    };
    for (const auto* sizes : {&kernel_.sizes, &kernel_.tile_sizes}) {
      for (const std::string& size : *sizes) {
        add_name(size);
        if (is_value_name(size)) fail("sizes that do not look like values", size);
      }
    }
    bool is_after_own = false;
    for (const Buffer& buffer : kernel_.buffers) {
      add_name(buffer.name);
      buffer_head(buffer);
      if (buffer.space == Space::global && is_after_own) {
        fail("shared and local buffers after the global ones", buffer.name);
      }
      is_after_own |= buffer.space != Space::global;
    }
    for (size_t i = 0; i < kernel_.values.size(); ++i) {
      if (!is_register_dtype(kernel_.values[i].dtype)) {
        fail("values of f32, f64, i64 or bool", concat("v", i));
      }
      if (kernel_.values[i].name.find('\n') != std::string::npos) {
        fail("names of one line", concat("v", i));
      }
    }
    if (kernel_.grain.get() != nullptr) expression(kernel_.grain, Type::integer, Leaves::params);
    tile_head();
  }
  void tile_head() const {
    for (const Tile& tile : kernel_.tiles) {
      expression(tile.rows, Type::integer, Leaves::params);
      expression(tile.columns, Type::integer, Leaves::params);
    }
    for (const View& view : kernel_.views) {
      if (view.first.get() != nullptr) expression(view.first, Type::integer, Leaves::params);
      for (const Expr& extent : view.extents) expression(extent, Type::integer, Leaves::params);
      for (const Expr& stride : view.strides) expression(stride, Type::integer, Leaves::params);
    }
  }

  void buffer_head(const Buffer& buffer) const {
    if (buffer.elements.get() == nullptr) fail("a number of elements", buffer.name);
    expression(buffer.elements, Type::integer, Leaves::params);
    if (buffer.space == Space::global) return;
    const std::string space = buffer.space == Space::shared ? "shared" : "local";
    const bool is_sized = is_constant(buffer.elements) && buffer.elements->integer >= 0 &&
                          buffer.elements->integer <= kMostOwnElements;
    if (!is_sized) {
      fail(concat("a ", space, " buffer of constant size up to ", kMostOwnElements),
           concat(buffer.name, "[", expression_text(kernel_, buffer.elements), "]"));
    }
    if (buffer.access != Access::in_out) {
      fail(concat("a ", space, " buffer that is in_out"), buffer.name);
    }
    if (!is_gpu_kernel(kernel_)) fail(concat(space, " buffers in GPU kernels only"), buffer.name);
  }

  // Values that a body defines are visible up to its end.
  void body(const Body& statements) {
    const size_t outer_count = visible_.size();
    for (const Statement& statement : statements) {
      const Statement* const outer = std::exchange(current_, &statement);
      std::visit([&](const auto& kind) { verify_kind(kind); }, statement.kind);
      current_ = outer;
    }
    for (size_t i = outer_count; i < visible_.size(); ++i) values_[visible_[i]].is_visible = false;
    visible_.resize(outer_count);
  }

  void verify_kind(const Loop& loop) {
    expression(loop.extent, Type::integer, Leaves::axes);
    open(loop.axis);
    body(loop.body);
    close(loop.axis);
  }
  void verify_kind(const If& branch) {
    expression(branch.condition, Type::boolean, Leaves::all);
    check(branch.inverse_probability >= 1, "one of a number of threads");
    body(branch.then);
  }
  void verify_kind(const Let& let) {
    const DType dtype = dtype_of(let.value);
    check(is_arithmetic(let.arithmetic), "arithmetic in f32 or f64");
    expression(let.expression, scalar_type(dtype), Leaves::all);
    if (let.rounds) {
      check(!is_storage_only(*let.rounds) && scalar_type(*let.rounds) == scalar_type(dtype),
            "rounding through a dtype of the value's kind");
    }
    check(let.forms == FunctionForms{} || dtype == f32, "cheaper functions for an f32 value alone");
    define(let.value, false);
  }
  void verify_kind(const Var& var) {
    expression(var.initial, scalar_type(dtype_of(var.value)), Leaves::all);
    define(var.value, true);
  }
  void verify_kind(const Assign& assign) {
    check(is_arithmetic(assign.arithmetic), "arithmetic in f32 or f64");
    var(assign.value);
    expression(assign.expression, scalar_type(dtype_of(assign.value)), Leaves::all);
  }
  void verify_kind(const Reduce& reduce) {
    var(reduce.value);
    visible(reduce.operand);
    check(dtype_of(reduce.value) == dtype_of(reduce.operand), "an operand of the dtype of the var");
    check_combine(reduce.combine, reduce.value);
    if (reduce.factor < 0) return;
    visible(reduce.factor);
    check(dtype_of(reduce.value) == dtype_of(reduce.factor), "a factor of the dtype of the var");
    check(reduce.combine == Combine::sum && is_floating(dtype_of(reduce.value)),
          "products in sums of reals only");
  }
  void check_combine(Combine combine, int value) const {
    const bool is_logic = combine == Combine::any || combine == Combine::all;
    check(is_logic == (dtype_of(value) == boolean), "any and all of bool, the others of numbers");
  }
  void verify_kind(const Store& store) {
    check(buffer(store.buffer).access != Access::in, "stores to out and in_out buffers only");
    check(!bulk_copies_.contains(store.buffer), "no store to the destination of a bulk_copy");
    expression(store.index, Type::integer, Leaves::all);
    visible(store.value);
  }
  void verify_kind(const Contract& contract) {
    const auto& [m, n, k, m_extent, n_extent, k_extent, lhs, rhs, accumulator, value, inner] =
        contract;
    for (const Expr* extent : {&m_extent, &n_extent, &k_extent}) {
      expression(*extent, Type::integer, Leaves::axes);
    }
    check(is_number_dtype(accumulator), "an accumulator of f32, f64 or i64");
    check(dtype_of(value) == accumulator, "a value of the accumulator's dtype");
    for (const int axis : {m, n, k}) open(axis);
    check(lhs.get() == nullptr || !mentions_axis(lhs, n), "an lhs without n");
    check(rhs.get() == nullptr || !mentions_axis(rhs, m), "an rhs without m");
    expression(lhs, scalar_type(accumulator), Leaves::all);
    expression(rhs, scalar_type(accumulator), Leaves::all);
    close(k);
    const size_t outer_count = visible_.size();
    define(value, false);
    body(inner);
    values_[visible_.back()].is_visible = false;
    visible_.resize(outer_count);
    close(m);
    close(n);
  }
  void verify_kind(const Barrier&) const {
    check(is_gpu_kernel(kernel_), "barriers in GPU kernels only");
  }
  void verify_kind(const CollectiveReduce& reduce) const {
    check(is_gpu_kernel(kernel_), "collective reductions in GPU kernels only");
    var(reduce.value);
    check_combine(reduce.combine, reduce.value);
  }
  void verify_kind(const AsyncCopy& copy) const {
    const Buffer& to = buffer(copy.buffer);
    const Buffer& from = buffer(copy.from);
    check(to.space == Space::shared, "async_copy to shared buffers");
    check(!bulk_copies_.contains(copy.buffer), "no async_copy to the destination of a bulk_copy");
    check(from.space == Space::global && from.access != Access::out,
          "async_copy from global buffers that are in or in_out");
    check(to.dtype == from.dtype, "async_copy between buffers of one dtype");
    expression(copy.index, Type::integer, Leaves::all);
    expression(copy.from_index, Type::integer, Leaves::all);
  }
  void verify_kind(const WaitCopies& wait) const {
    check(is_gpu_kernel(kernel_), "wait_copies in GPU kernels only");
    check(wait.pending >= 0, "how many groups may be in flight");
  }
  void verify_kind(const BulkCopy& copy) const {
    const Buffer& to = buffer(copy.buffer);
    const Buffer& from = buffer(copy.from);
    check(to.space == Space::shared, "bulk_copy to shared buffers");
    check(from.space == Space::global && from.access == Access::in,
          "bulk_copy from global buffers that are in");
    check(to.dtype == from.dtype, "bulk_copy between buffers of one dtype");
    check(bulk_copies_.at(copy.buffer) == 1, "one bulk_copy to a buffer");
    expression(copy.first, Type::integer, Leaves::all);
    expression(copy.count, Type::integer, Leaves::all);
  }
  // What is between tiles is verify_tiles.cpp's; here are the numbers, scopes and types of all else.
  void verify_kind(const FillTile& fill) const {
    expression(fill.value, scalar_type(tile(fill.tile).dtype), Leaves::all);
  }
  void verify_kind(const LoadTile& load) {
    limits(load.limits);
    open(load.row_axis);
    open(load.column_axis);
    expression(load.element, scalar_type(tile(load.tile).dtype), Leaves::all);
    close(load.row_axis);
    close(load.column_axis);
  }
  void verify_kind(const StoreTile& store) {
    check(buffer(store.buffer).access != Access::in, "stores to out and in_out buffers only");
    tile(store.tile);
    limits(store.limits);
    open(store.row_axis);
    open(store.column_axis);
    expression(store.index, Type::integer, Leaves::all);
    close(store.row_axis);
    close(store.column_axis);
  }
  void verify_kind(const Dot& dot) const {
    tile(dot.into);
    part(dot.lhs);
    part(dot.rhs);
  }
  void verify_kind(const WaitDot& wait) const {
    for (const int guarded : wait.tiles) tile(guarded);
  }
  void verify_kind(const EachElement& each) {
    tile(each.tile);
    limits(each.limits);
    open(each.row_axis);
    open(each.column_axis);
    body(each.body);
    close(each.row_axis);
    close(each.column_axis);
  }
  void verify_kind(const ReadElement& read) {
    check(scalar_type(tile(read.tile).dtype) == scalar_type(dtype_of(read.value)),
          "a value of the type of the tile's elements");
    define(read.value, false);
  }
  void verify_kind(const WriteElement& write) const {
    tile(write.tile);
    visible(write.value);
  }
  void verify_kind(const FoldTile& fold) const {
    tile(fold.into);
    tile(fold.tile);
    limits(fold.limits);
  }
  void verify_kind(const Role& role) {
    if (role.index) open(*role.index);
    body(role.body);
    if (role.index) close(*role.index);
  }
  void verify_kind(const TileLoop& loop) {
    for (const Expr& extent : loop.extents) expression(extent, Type::integer, Leaves::axes);
    if (loop.from.get() != nullptr) expression(loop.from, Type::integer, Leaves::axes);
    for (const int axis : loop.axes) open(axis);
    body(loop.body);
    for (const int axis : loop.axes) close(axis);
  }
  void verify_kind(const Produce& produce) { body(produce.body); }
  void verify_kind(const Consume& consume) { body(consume.body); }
  void verify_kind(const SkipSlots& skip) const {
    expression(skip.count, Type::integer, Leaves::axes);
  }
  void verify_kind(const CopyTile& copy) const {
    tile(copy.tile);
    for (const Expr& at : copy.at) expression(at, Type::integer, Leaves::axes);
  }
  void verify_kind(const WaitStores&) const {}
  void verify_kind(const MoveTile& move) const {
    tile(move.into);
    part(move.from);
  }
  void verify_kind(const NamedBarrier&) const {}

  const Tile& tile(int number) const {
    check(number >= 0 && std::cmp_less(number, kernel_.tiles.size()), "the number of a tile");
    return kernel_.tiles[static_cast<size_t>(number)];
  }
  void part(const TilePart& part) const {
    tile(part.tile);
    if (part.row.get() != nullptr) expression(part.row, Type::integer, Leaves::axes);
    if (part.column.get() != nullptr) expression(part.column, Type::integer, Leaves::axes);
  }
  void limits(const TileLimits& limits) const {
    if (limits.rows.get() != nullptr) expression(limits.rows, Type::integer, Leaves::axes);
    if (limits.columns.get() != nullptr) expression(limits.columns, Type::integer, Leaves::axes);
  }
  const Buffer& buffer(int number) const {
    check(number >= 0 && std::cmp_less(number, kernel_.buffers.size()), "the number of a buffer");
    return kernel_.buffers[static_cast<size_t>(number)];
  }

  void open(int axis) {
    check(axis >= 0 && axis < kernel_.axis_count, "the number of an axis");
    check(!is_open_[static_cast<size_t>(axis)], "an axis that no loop around has");
    is_open_[static_cast<size_t>(axis)] = true;
  }
  void close(int axis) { is_open_[static_cast<size_t>(axis)] = false; }

  bool is_value(int value) const {
    return value >= 0 && std::cmp_less(value, kernel_.values.size());
  }
  DType dtype_of(int value) const {
    check(is_value(value), "the number of a value");
    return kernel_.values[static_cast<size_t>(value)].dtype;
  }
  void define(int value, bool is_var) {
    ValueState& state = values_[static_cast<size_t>(value)];
    check(!state.is_defined, "a value defined once");
    state = {true, true, is_var};
    visible_.push_back(static_cast<size_t>(value));
  }
  void visible(int value) const {
    check(is_value(value), "the number of a value");
    if (!values_[static_cast<size_t>(value)].is_visible) {
      fail(concat("v", value, " defined before, in this body or around it"));
    }
  }
  void var(int value) const {
    visible(value);
    check(values_[static_cast<size_t>(value)].is_var, "a var");
  }

  void expression(const Expr& e, Type type, Leaves leaves) const {
    if (e.get() == nullptr) fail("an expression", current_ == nullptr ? "none" : "");
    walk(e, [&](const Expr& node) { verify_node(*node, leaves); });
    if (e->type != type) {
      fail(concat("an expression of type ", expr::name(type)),
           current_ == nullptr ? expression_text(kernel_, e) : "");
    }
  }
  void verify_node(const expr::Node& node, Leaves leaves) const {
    switch (node.kind) {
      case Kind::constant:
      case Kind::call:
      case Kind::cast: return;
      case Kind::symbol: return node_check(false, "params in place of symbols");
      case Kind::axis:
        node_check(leaves != Leaves::params, "an expression over params");
        node_check(node.index >= 0 && node.index < kernel_.axis_count &&
                       is_open_[static_cast<size_t>(node.index)],
                   "axes of the loops around");
        return;
      case Kind::param:
        node_check(node.index >= 0 &&
                       std::cmp_less(node.index, kernel_.sizes.size() + kernel_.tile_sizes.size()),
                   "the number of a param");
        node_check(node.type == Type::integer, "params that are integers");
        return;
      case Kind::input:
        node_check(leaves == Leaves::all, "an expression over params and axes");
        visible(node.index);
        node_check(node.type == scalar_type(dtype_of(node.index)), "values read by their type");
        return;
      case Kind::load:
        node_check(leaves == Leaves::all, "an expression over params and axes");
        verify_load(node);
        return;
    }
  }
  void verify_load(const expr::Node& load) const {
    const Buffer& from = buffer(load.index);
    check(from.access != Access::out, "loads of in and in_out buffers only");
    check(load.args.size() == 1 && load.args[0]->type == Type::integer, "loads at one flat index");
    check(load.type == scalar_type(from.dtype), "loads of the buffer's type");
  }
  // Outside of any statement there is no text to quote.
  void node_check(bool condition, const char* expected) const {
    if (!condition) fail(expected, current_ == nullptr ? "another one in the head" : "");
  }

  const Kernel& kernel_;
  const Statement* current_ = nullptr;
  std::vector<bool> is_open_;  // axes of the loops around
  std::vector<ValueState> values_;
  std::vector<size_t> visible_;     // in the order of definition
  std::map<int, int> bulk_copies_;  // into each buffer
};

}  // namespace

void verify_scopes(const Kernel& kernel) { ScopeVerifier(kernel).run(); }

void verify(const Kernel& kernel) {
  verify_scopes(kernel);
  verify_places(kernel);
  verify_barriers(kernel);
  verify_tiles(kernel);
}

void refuse(const Kernel& kernel, const Statement& statement, std::string expected) {
  throw_error({.op = kernel.name,
               .expected = std::move(expected),
               .given = concat("`", head_text(kernel, statement), "`")});
}

bool mentions(const Expr& e, Kind kind) {
  bool found = false;
  walk(e, [&](const Expr& node) { found |= node->kind == kind; });
  return found;
}

bool mentions_axis(const Expr& e, int axis) {
  bool found = false;
  walk(e, [&](const Expr& node) { found |= node->kind == Kind::axis && node->index == axis; });
  return found;
}

bool is_gpu_kernel(const Kernel& kernel) {
  if (kernel.threads > 0) return true;
  if (kernel.body.size() != 1) return false;
  const auto* const loop = std::get_if<Loop>(&kernel.body[0].kind);
  return loop != nullptr && is_parallel(loop->place) && loop->place != Place::cpu_thread;
}

}  // namespace ridge::loop
