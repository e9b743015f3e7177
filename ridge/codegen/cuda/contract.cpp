#include "ridge/codegen/cuda/contract.h"

#include <algorithm>

#include "ridge/codegen/cuda/contract_builder.h"

namespace ridge::codegen::cuda {
namespace {

constexpr int64_t kSmallestSide = 32, kLargestSide = 128;
constexpr int64_t kThreadColumns = 16;  // of 256 threads in a square
constexpr int64_t kWarpRows = 2, kWarpColumns = 4;

// The body of a block, if it ends in the one contraction of the kernel.
const loop::Body* contract_body(const loop::Kernel& kernel) {
  const loop::Body* body = &kernel.body;
  while (body->size() == 1) {
    const auto* const loop = std::get_if<loop::Loop>(&body->front().kind);
    if (loop == nullptr) break;
    if (loop->place != loop::Place::gpu_block) return nullptr;
    body = &loop->body;
  }
  if (body->empty() || !std::holds_alternative<loop::Contract>(body->back().kind)) return nullptr;
  for (size_t i = 0; i + 1 < body->size(); ++i) {
    if (!std::holds_alternative<loop::Let>((*body)[i].kind)) return nullptr;
  }
  return body;
}

// Of both operands, if tensor cores multiply such elements.
std::optional<DType> tensor_dtype(const loop::Kernel& kernel, const loop::Contract& contract) {
  const auto dtype_of = [&](Expr e) -> std::optional<DType> {
    while (e->kind == expr::Kind::cast) e = e->args[0];
    if (e->kind != expr::Kind::load) return std::nullopt;
    return kernel.buffers[static_cast<size_t>(e->index)].dtype;
  };
  const std::optional<DType> lhs = dtype_of(contract.lhs);
  if (contract.accumulator != f32 || !lhs || !is_16_bit_float(*lhs)) return std::nullopt;
  return lhs == dtype_of(contract.rhs) ? lhs : std::nullopt;
}

class ContractTiler {
 public:
  ContractTiler(const loop::Kernel& kernel, const loop::Body& around,
                const loop::Contract& contract, const CudaTarget& target)
      : builder_(kernel, contract, target), contract_(contract), around_(around) {
    tensor_dtype_ = target.uses_tensor_cores ? tensor_dtype(kernel, contract) : std::nullopt;
    depth_ = is_16_bit_float(tensor_dtype_.value_or(f32)) ? 32 : 16;
  }

  std::optional<TiledContract> run() {
    const std::optional<int64_t> rows = side_of(contract_.m_extent);
    const std::optional<int64_t> columns = side_of(contract_.n_extent);
    if (!rows || !columns || expr::is_constant(contract_.k_extent, 0)) return std::nullopt;
    builder_.thread = builder_.add_axis(kContractThreads);
    const Expr steps = expr::floor_div(contract_.k_extent + (depth_ - 1), depth_);
    const Expr step_count = builder_.simplified(steps);
    builder_.step = builder_.add_axis(expr::is_constant(step_count) ? step_count->integer : 0);
    Staging lhs = staging(contract_.lhs, contract_.m, contract_.m_extent, *rows, "lhs_tile");
    Staging rhs = staging(contract_.rhs, contract_.n, contract_.n_extent, *columns, "rhs_tile");
    divide(*rows, *columns);
    sums_ = builder_.add_buffer("sums", contract_.accumulator, loop::Space::local,
                                rows_.count() * columns_.count());
    loop::Body body = around_;
    body.pop_back();
    add(body, clear());
    loop::Body inside = stage(builder_, lhs);
    add(inside, stage(builder_, rhs));
    inside.push_back({loop::Barrier{}});
    add(inside, multiply_inside(lhs.tile, rhs.tile));
    inside.push_back({loop::Barrier{}});
    body.push_back({loop::Loop{builder_.step, step_count, loop::Place::serial, std::move(inside)}});
    add(body, finish());
    replace_innermost(builder_.kernel.body, std::move(body));
    return TiledContract{std::move(builder_.kernel), tensor_step_};
  }

 private:
  static void add(loop::Body& to, loop::Body more) {
    for (loop::Statement& statement : more) to.push_back(std::move(statement));
  }

  // Of the tile: what its extent can reach, in whole pieces.
  std::optional<int64_t> side_of(const Expr& extent) {
    const int64_t most = builder_.ranges.of(extent).range.high;
    if (most > kLargestSide) return std::nullopt;
    int64_t side = kSmallestSide;
    while (side < most) side *= 2;
    return side;
  }

  Staging staging(const Expr& operand, int axis, const Expr& extent, int64_t side,
                  std::string name) {
    Staging result{operand, axis, extent, {}, depth_, 1, false};
    choose_access(builder_, result);
    const bool is_tensor = tensor_dtype_.has_value();
    // Tensor cores take tiles as they lie in memory; threads read several rows or columns at once.
    const bool is_along_k = is_tensor && result.is_read_along_k;
    const DType dtype = tensor_dtype_.value_or(contract_.accumulator);
    const int64_t padding = 16 / (dtype.bits / 8);
    const int64_t lines = is_along_k ? side : depth_;
    const int64_t leading = (is_along_k ? depth_ : side) + padding;
    const int buffer =
        builder_.add_buffer(std::move(name), dtype, loop::Space::shared, lines * leading);
    result.tile = {buffer, side, is_along_k, leading};
    return result;
  }

  void divide(int64_t rows, int64_t columns) {
    const Expr t = expr::axis(builder_.thread);
    if (tensor_dtype_) {
      const Expr warp = expr::floor_div(t, 32), lane = expr::mod(t, 32);
      const int64_t down = rows / kWarpRows, right = columns / kWarpColumns;
      rows_ = {down / 8, 1, expr::floor_div(warp, kWarpColumns) * down + expr::floor_div(lane, 4),
               8};
      columns_ = {right / 8, 2, expr::mod(warp, kWarpColumns) * right + expr::mod(lane, 4) * 2, 8};
    } else {
      const auto part = [](int64_t side, const Expr& number) {
        const int64_t lanes = std::min<int64_t>(4, side / kThreadColumns);
        return ThreadPart{side / kThreadColumns / lanes, lanes, number * lanes,
                          kThreadColumns * lanes};
      };
      rows_ = part(rows, expr::floor_div(t, kThreadColumns));
      columns_ = part(columns, expr::mod(t, kThreadColumns));
    }
    rows_.first = builder_.simplified(rows_.first);
    columns_.first = builder_.simplified(columns_.first);
  }

  Expr zero() const { return contract_.accumulator == i64 ? Expr(0) : expr::constant(0.0); }
  loop::Body clear() {
    const int axis = builder_.add_axis(rows_.count() * columns_.count());
    const int value = builder_.add_value("", contract_.accumulator);
    loop::Body body, result;
    body.push_back({loop::Let{value, builder_.arithmetic, zero()}});
    body.push_back(builder_.store(sums_, expr::axis(axis), value));
    result.push_back(builder_.loop(axis, std::move(body)));
    return result;
  }

  static Expr index_in(const SharedTile& tile, const Expr& position, const Expr& k) {
    return tile.is_along_k ? position * tile.leading + k : k * tile.leading + position;
  }
  Expr load(int buffer, const Expr& index) const {
    return expr::load(buffer, scalar_type(contract_.accumulator), {builder_.simplified(index)});
  }

  // At the edge of the result some threads have nothing to store, and pass over all of this. Where only
  // the first of each thread's groups is inside, the others are passed over.
  loop::Body multiply_inside(const SharedTile& lhs, const SharedTile& rhs) {
    if (tensor_dtype_) return multiply(lhs, rhs, rows_, columns_);
    const ThreadPart few_rows = first_group(rows_), few_columns = first_group(columns_);
    const Expr is_small = builder_.simplified(contract_.m_extent <= few_rows.group_step &&
                                              contract_.n_extent <= few_columns.group_step);
    const bool has_more = rows_.groups + columns_.groups > 2;
    const bool has_both = has_more && !expr::is_constant(is_small, 0);
    loop::Body body;
    if (has_both) {
      add(body, in_branch(is_small, multiply(lhs, rhs, few_rows, few_columns)));
      add(body, in_branch(!is_small, multiply(lhs, rhs, rows_, columns_)));
    } else {
      body = multiply(lhs, rhs, rows_, columns_);
    }
    const Expr is_any_inside = builder_.simplified(rows_.first < contract_.m_extent &&
                                                   columns_.first < contract_.n_extent);
    return in_branch(is_any_inside, std::move(body));
  }
  static ThreadPart first_group(ThreadPart part) {
    part.groups = 1;
    return part;
  }

  // sums += lhs * rhs for each k of the tile, with a thread's part of both in registers.
  loop::Body multiply(const SharedTile& lhs, const SharedTile& rhs, const ThreadPart& rows,
                      const ThreadPart& columns) {
    const int k = builder_.add_axis(depth_);
    loop::Body body;
    if (tensor_dtype_) {
      tensor_step_ = {k,     builder_.thread,  *tensor_dtype_,      lhs,   rhs,
                      sums_, rows_.groups * 8, columns_.groups * 8, depth_};
      const int i = builder_.add_axis(rows_.groups);
      const int j = builder_.add_axis(columns_.groups), c = builder_.add_axis(2);
      const Expr row = rows_.at(expr::axis(i), 0);
      const Expr column = columns_.at(expr::axis(j), expr::axis(c));
      const Expr at = expr::axis(i) * columns_.count() + expr::axis(j) * 2 + expr::axis(c);
      body = add_product(at, load(lhs.buffer, index_in(lhs, row, expr::axis(k))),
                         load(rhs.buffer, index_in(rhs, column, expr::axis(k))));
      for (const int axis : {c, j, i}) body = in_loop(axis, std::move(body));
    } else {
      const bool is_all = rows.groups == rows_.groups && columns.groups == columns_.groups;
      const int a = registers(body, is_all ? "lhs_part" : "lhs_few", lhs, rows, k);
      const int b = registers(body, is_all ? "rhs_part" : "rhs_few", rhs, columns, k);
      const int i = builder_.add_axis(rows.count()), j = builder_.add_axis(columns.count());
      loop::Body products = add_product(expr::axis(i) * columns_.count() + expr::axis(j),
                                        load(a, expr::axis(i)), load(b, expr::axis(j)));
      add(body, in_loop(i, in_loop(j, std::move(products))));
    }
    return in_loop(k, std::move(body));
  }
  loop::Body in_loop(int axis, loop::Body body, loop::Place place = loop::Place::serial) {
    loop::Body result;
    result.push_back(builder_.loop(axis, std::move(body), place));
    return result;
  }
  loop::Body add_product(const Expr& at, const Expr& a, const Expr& b) {
    const int value = builder_.add_value("", contract_.accumulator);
    loop::Body body;
    const Expr sum = load(sums_, at);
    const bool is_real = sum->type == expr::Type::real;
    body.push_back(
        {loop::Let{value, builder_.arithmetic, is_real ? expr::fma(a, b, sum) : sum + a * b}});
    body.push_back(builder_.store(sums_, builder_.simplified(at), value));
    return body;
  }
  int registers(loop::Body& body, std::string name, const SharedTile& tile, const ThreadPart& part,
                int k) {
    const int buffer = builder_.add_buffer(std::move(name), contract_.accumulator,
                                           loop::Space::local, part.count());
    const int group = builder_.add_axis(part.groups), lane = builder_.add_axis(part.lanes);
    const int value = builder_.add_value("", contract_.accumulator);
    const Expr position = part.at(expr::axis(group), expr::axis(lane));
    loop::Body copy;
    copy.push_back({loop::Let{value, builder_.arithmetic,
                              load(tile.buffer, index_in(tile, position, expr::axis(k)))}});
    copy.push_back(
        builder_.store(buffer, expr::axis(group) * part.lanes + expr::axis(lane), value));
    add(body, in_loop(group, in_loop(lane, std::move(copy), loop::Place::vector)));
    return buffer;
  }

  // The body of the contraction, for each sum that is inside.
  loop::Body finish() {
    const int i = builder_.add_axis(rows_.groups), il = builder_.add_axis(rows_.lanes);
    const int j = builder_.add_axis(columns_.groups), jl = builder_.add_axis(columns_.lanes);
    const Expr m = builder_.simplified(rows_.at(expr::axis(i), expr::axis(il)));
    const Expr n = builder_.simplified(columns_.at(expr::axis(j), expr::axis(jl)));
    const Expr at = (expr::axis(i) * rows_.lanes + expr::axis(il)) * columns_.count() +
                    expr::axis(j) * columns_.lanes + expr::axis(jl);
    loop::Body body;
    body.push_back({loop::Let{contract_.value, builder_.arithmetic, load(sums_, at)}});
    add(body, contract_.body);
    for (size_t s = 1; s < body.size(); ++s) move(body[s], {.m = m, .n = n});
    // Adjacent columns that are all inside or all outside share one condition.
    const bool is_wide = builder_.multiple_of(contract_.n_extent) % columns_.lanes == 0;
    const Expr first = is_wide ? builder_.simplified(columns_.at(expr::axis(j), 0)) : n;
    const Expr is_inside = builder_.simplified(first < contract_.n_extent);
    if (is_wide) body = in_loop(jl, std::move(body), loop::Place::vector);
    body = in_branch(is_inside, std::move(body));
    if (!is_wide) body = in_loop(jl, std::move(body));
    body = in_branch(builder_.simplified(m < contract_.m_extent), in_loop(j, std::move(body)));
    return in_loop(i, in_loop(il, std::move(body)));
  }
  static loop::Body in_branch(const Expr& condition, loop::Body body) {
    if (expr::is_constant(condition, 1)) return body;
    loop::Body result;
    result.push_back({loop::If{condition, std::move(body)}});
    return result;
  }

  void move(loop::Statement& statement, const TilePosition& to) {
    const auto one = [&](Expr& e) { e = builder_.simplified(at_position(contract_, e, to)); };
    if (auto* const branch = std::get_if<loop::If>(&statement.kind)) {
      one(branch->condition);
      for (loop::Statement& inner : branch->then) move(inner, to);
    } else if (auto* const let = std::get_if<loop::Let>(&statement.kind)) {
      let->expression = at_position(contract_, let->expression, to);
    } else if (auto* const var = std::get_if<loop::Var>(&statement.kind)) {
      var->initial = at_position(contract_, var->initial, to);
    } else if (auto* const assign = std::get_if<loop::Assign>(&statement.kind)) {
      assign->expression = at_position(contract_, assign->expression, to);
    } else if (auto* const store = std::get_if<loop::Store>(&statement.kind)) {
      one(store->index);
    }
  }

  void replace_innermost(loop::Body& body, loop::Body inside) {
    auto* const loop = std::get_if<loop::Loop>(&body.front().kind);
    const bool is_grid =
        body.size() == 1 && loop != nullptr && loop->place == loop::Place::gpu_block;
    if (is_grid) return replace_innermost(loop->body, std::move(inside));
    body = in_loop(builder_.thread, std::move(inside), loop::Place::gpu_thread);
  }

  ContractBuilder builder_;
  const loop::Contract& contract_;
  const loop::Body& around_;
  std::optional<DType> tensor_dtype_;
  int64_t depth_;
  ThreadPart rows_{}, columns_{};
  int sums_ = -1;
  std::optional<TensorStep> tensor_step_;
};

}  // namespace

std::optional<TiledContract> in_tiles(const loop::Kernel& kernel, const CudaTarget& target) {
  const loop::Body* const body = contract_body(kernel);
  if (body == nullptr) return std::nullopt;
  const auto& contract = std::get<loop::Contract>(body->back().kind);
  return ContractTiler(kernel, *body, contract, target).run();
}

}  // namespace ridge::codegen::cuda
