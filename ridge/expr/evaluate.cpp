#include "ridge/expr/evaluate.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_map>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {
namespace {

Number symbol_value(const Symbol& symbol, const Leaves& leaves) {
  if (leaves.symbol) return leaves.symbol(symbol);
  RIDGE_INTERNAL_CHECK(symbol.hint().has_value(), "no value for the symbol " + symbol.name());
  return Number::of(symbol.hint()->value);
}

Number indexed_leaf(const std::function<Number(int)>& values, const Node& leaf) {
  RIDGE_INTERNAL_CHECK(values != nullptr, "no values for this kind of leaf");
  return convert(values(leaf.index), leaf.type);
}

Number load_value(const Node& load, std::span<const Number> position, const Leaves& leaves) {
  RIDGE_INTERNAL_CHECK(leaves.load != nullptr, "no values for loads");
  SmallVector<int64_t, 6> coordinates;
  for (const Number& coordinate : position) coordinates.push_back(coordinate.integer);
  return convert(leaves.load(load.index, coordinates), load.type);
}

// The value of a node, given the values of its arguments (for `select`: condition and choice).
Number node_value(const Expr& e, std::span<const Number> args, const Leaves& leaves) {
  switch (e->kind) {
    case Kind::constant: return constant_value(e);
    case Kind::symbol: return symbol_value(*e->symbol, leaves);
    case Kind::axis: return indexed_leaf(leaves.axis, *e);
    case Kind::input: return indexed_leaf(leaves.input, *e);
    case Kind::param: return indexed_leaf(leaves.param, *e);
    case Kind::load: return load_value(*e, args, leaves);
    case Kind::call: return e->function == Function::select ? args[1] : apply(e->function, args);
    case Kind::cast: return convert(args[0], e->type);
  }
  return {};
}

bool is_select(const Node& node) {
  return node.kind == Kind::call && node.function == Function::select;
}

}  // namespace

int64_t Number::as_integer() const {
  if (type != Type::real) return integer;
  if (std::isnan(real)) return 0;
  if (real >= 0x1p63) return std::numeric_limits<int64_t>::max();
  if (real < -0x1p63) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(real);
}

Number convert(Number value, Type type) {
  switch (type) {
    case Type::boolean: return Number::of(value.as_boolean());
    case Type::integer: return Number::of(value.as_integer());
    case Type::real: return Number::of(value.as_real());
  }
  return value;
}

Number constant_value(const Expr& e) {
  RIDGE_INTERNAL_CHECK(is_constant(e), "the value of an expression that is not a constant");
  return {e->type, e->integer, e->real};
}

Expr constant(Number value) {
  switch (value.type) {
    case Type::boolean: return constant(value.integer != 0);
    case Type::integer: return constant(value.integer);
    case Type::real: return constant(value.real);
  }
  return constant(value.real);
}

// A stack machine rather than a recursion, so that long chains are safe. Values of finished
// arguments lie on `values`, those of the innermost open node last.
Number evaluate(const Expr& e, const Leaves& leaves) {
  struct Step {
    const Expr* e;
    size_t args_done;
  };
  std::vector<Step> path = {{&e, 0}};
  std::vector<Number> values;
  std::unordered_map<const Node*, Number> shared;
  // A node with one owner has one parent: only the others can be met twice.
  const auto may_be_shared = [](const Node& node) {
    return !node.args.empty() && node.use_count() > 1;
  };
  while (!path.empty()) {
    Step& step = path.back();
    const Node& node = **step.e;
    const size_t args_needed = is_select(node) ? 2 : node.args.size();
    if (step.args_done < args_needed) {
      const bool skips_first_choice =
          is_select(node) && step.args_done == 1 && !values.back().as_boolean();
      const Expr& arg = node.args[step.args_done + (skips_first_choice ? 1 : 0)];
      ++step.args_done;
      const auto known = may_be_shared(*arg) ? shared.find(arg.get()) : shared.end();
      if (known != shared.end()) {
        values.push_back(known->second);
      } else {
        path.push_back({&arg, 0});
      }
      continue;
    }
    const std::span<const Number> args = std::span<const Number>(values).last(args_needed);
    const Number value = node_value(*step.e, args, leaves);
    values.resize(values.size() - args_needed);
    values.push_back(value);
    if (may_be_shared(node)) shared.emplace(&node, value);
    path.pop_back();
  }
  return values.back();
}

// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).

namespace {

constexpr int kRounds = 10;
constexpr uint32_t kMultiplier0 = 0xD2511F53;
constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kKeyStep0 = 0x9E3779B9;  // golden ratio
constexpr uint32_t kKeyStep1 = 0xBB67AE85;  // sqrt(3) - 1

uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

}  // namespace

uint32_t philox(uint64_t seed, uint64_t rank, uint64_t call, uint64_t element, int word) {
  std::array<uint32_t, 4> counter = {low(element), high(element), low(call), high(call)};
  uint32_t key0 = low(seed);
  uint32_t key1 = high(seed) ^ low(rank);
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t{kMultiplier0} * counter[0];
    const uint64_t product1 = uint64_t{kMultiplier1} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key0, low(product1),
               high(product0) ^ counter[3] ^ key1, low(product0)};
    key0 += kKeyStep0;
    key1 += kKeyStep1;
  }
  return counter[static_cast<size_t>(word) & 3];
}

}  // namespace ridge::expr
