#include "ridge/loop/tile_program.h"

#include "ridge/expr/evaluate.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::loop {
namespace {

class TileCompiler {
 public:
  TileCompiler(const Kernel& kernel, std::span<const int64_t> sizes)
      : kernel_(kernel), sizes_(sizes) {
    program_.code.width = kTileLanes;
    for (int i = 0; i < kernel.axis_count; ++i) {
      program_.registers.axes.push_back(add_register(program_.code, Spread::lane));
    }
    program_.registers.values.resize(kernel.values.size());
  }

  TileProgram run() {
    add(kernel_.body);
    return std::move(program_);
  }

 private:
  void add(const Body& body) {
    for (const Statement& statement : body) add(statement);
  }

  void add(const Statement& statement) {
    for_each_expression(statement, [&](const Expr& e) {
      program_.expressions[&e] = compile_expression(kernel_, sizes_, program_.registers, e,
                                                    arithmetic_of(statement), program_.code);
    });
    define_values(statement);
    const Body* const body = body_of(statement);
    if (body == nullptr) return;
    const bool is_each = as<EachElement>(statement) != nullptr;
    if (is_each) spread_ = Spread::lane;
    add(*body);
    if (is_each) spread_ = Spread::uniform;
  }

  void define_values(const Statement& statement) {
    if (const auto* const let = as<Let>(statement)) {
      define(let->value);
      assign(statement, let->expression, let->value, let->arithmetic, let->rounds);
    } else if (const auto* const var = as<Var>(statement)) {
      define(var->value);
      assign(statement, var->initial, var->value, arithmetic_of(statement), {});
    } else if (const auto* const assigned = as<Assign>(statement)) {
      assign(statement, assigned->expression, assigned->value, assigned->arithmetic, {});
    } else if (const auto* const read = as<ReadElement>(statement)) {
      define(read->value);
    }
  }
  void define(int value) {
    program_.registers.values[static_cast<size_t>(value)] = add_register(program_.code, spread_);
  }
  void assign(const Statement& statement, const Expr& e, int value, DType arithmetic,
              std::optional<DType> rounds) {
    program_.assignments[&statement] = assignment(
        kernel_, program_.registers, program_.expressions.at(&e), value, arithmetic, rounds);
  }

  DType arithmetic_of(const Statement& statement) const {
    if (const auto* const let = as<Let>(statement)) return let->arithmetic;
    if (const auto* const assigned = as<Assign>(statement)) return assigned->arithmetic;
    if (const auto* const branch = as<If>(statement)) {
      return condition_arithmetic(kernel_, branch->condition);
    }
    if (const auto* const var = as<Var>(statement)) {
      return usual_arithmetic(kernel_.values[static_cast<size_t>(var->value)].dtype);
    }
    if (const auto* const fill = as<FillTile>(statement)) return arithmetic_of_tile(fill->tile);
    if (const auto* const load = as<LoadTile>(statement)) return arithmetic_of_tile(load->tile);
    return f32;
  }
  DType arithmetic_of_tile(int tile) const {
    return usual_arithmetic(kernel_.tiles[static_cast<size_t>(tile)].dtype);
  }

  const Kernel& kernel_;
  std::span<const int64_t> sizes_;
  TileProgram program_;
  Spread spread_ = Spread::uniform;
};

}  // namespace

TileProgram compile_tiles(const Kernel& kernel, std::span<const int64_t> sizes) {
  return TileCompiler(kernel, sizes).run();
}

int64_t evaluate_size(const Expr& e, std::span<const int64_t> sizes) {
  expr::Leaves leaves;
  leaves.param = [&](int index) { return expr::Number::of(sizes[static_cast<size_t>(index)]); };
  return evaluate(e, leaves).integer;
}

}  // namespace ridge::loop
