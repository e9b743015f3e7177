#include "ridge/reference/bytecode.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/expr/expr.h"
#include "ridge/expr/symbol.h"
#include "ridge/expr/text.h"

namespace ridge::reference {
namespace {

using expr::Expr;
using expr::Function;
using expr::Kind;
using expr::Type;

// Value numbering: the distinct values of some expressions, numbered so that arguments come before their users.
//
// Structurally equal nodes get one number, whether they are shared in memory or not:
//
//   x0[i0] * x0[i0]    ->    0: i0    1: x0[v0]    2: v1 * v1
using ValueId = uint32_t;
struct Value {
  expr::Expr e;
  SmallVector<ValueId, 3> args;
};

class Numbering {
 public:
  // Returns the number of the root, after numbering all below it that is new.
  ValueId add(const expr::Expr& root);
  std::span<const Value> values() const { return values_; }

 private:
  // All that two equal values agree on: what the node holds, then the numbers of its arguments.
  using Identity = std::vector<int64_t>;
  static Identity identity_of(const expr::Node& node, std::span<const ValueId> args);

  std::vector<Value> values_;
  std::map<Identity, ValueId> known_;
};

ValueId Numbering::add(const expr::Expr& root) {
  std::unordered_map<const expr::Node*, ValueId> number_of;
  expr::walk(root, [&](const expr::Expr& e) {
    SmallVector<ValueId, 3> args;
    for (const expr::Expr& arg : e->args) args.push_back(number_of.at(arg.get()));
    const auto next = static_cast<ValueId>(values_.size());
    const auto [known, is_new] = known_.emplace(identity_of(*e, args), next);
    if (is_new) values_.push_back({e, std::move(args)});
    number_of.emplace(e.get(), known->second);
  });
  return number_of.at(root.get());
}

Numbering::Identity Numbering::identity_of(const expr::Node& node, std::span<const ValueId> args) {
  Identity identity = {static_cast<int64_t>(node.kind),
                       static_cast<int64_t>(node.type),
                       static_cast<int64_t>(node.function),
                       node.index,
                       node.integer,
                       std::bit_cast<int64_t>(node.real),
                       node.symbol ? static_cast<int64_t>(node.symbol->id()) : 0};
  identity.insert(identity.end(), args.begin(), args.end());
  return identity;
}

bool is_select(const Expr& e) { return e->kind == Kind::call && e->function == Function::select; }

bool is_leaf(const Expr& e) { return e->args.empty() && e->kind != Kind::load; }

Step conversion(Type from, Type to) {
  const bool is_real = from == Type::real;
  switch (to) {
    case Type::boolean: return is_real ? Step::real_to_boolean : Step::integer_to_boolean;
    case Type::integer: return is_real ? Step::real_to_integer : Step::copy;
    case Type::real: return Step::integer_to_real;
  }
  return Step::copy;
}

class BytecodeCompiler {
 public:
  explicit BytecodeCompiler(std::span<const Value> values)
      : values_(values), state_(values.size()) {}

  Bytecode run(std::vector<uint32_t> results, size_t axis_count,
               std::span<const expr::Number> params) {
    for (const Value& value : values_) {
      bytecode_.registers.push_back(start_value(value.e, axis_count, params));
    }
    find_uses(results);
    bytecode_.results = std::move(results);
    for (ValueId id = 0; id < values_.size(); ++id) {
      if (state_[id].is_always_needed && !is_leaf(values_[id].e)) emit(id);
    }
    add({.code = code(Step::back)});
    emit_shared();
    return std::move(bytecode_);
  }

 private:
  struct State {
    int uses = 0;
    bool is_always_needed = false;
    bool has_shared_code = false;  // behind the rest, for every `once` that asks for it
    uint32_t shared_code = 0;
  };

  static Word start_value(const Expr& e, size_t axis_count, std::span<const expr::Number> params) {
    const auto index = static_cast<size_t>(e->index);
    switch (e->kind) {
      case Kind::constant: return Word::of(constant_value(e));
      case Kind::axis:
        if (index < axis_count) return {};
        break;
      case Kind::param:
        if (index < params.size()) return Word::of(convert(params[index], e->type));
        break;
      case Kind::load:
      case Kind::call:
      case Kind::cast: return {};
      case Kind::symbol:
      case Kind::input: break;
    }
    throw Error({.code = ErrorCode::internal,
                 .expected = "a definition whose values are all known",
                 .given = to_text(e)});
  }

  // Users come after their arguments, so going backwards all uses of a value are known before it.
  void find_uses(std::span<const uint32_t> results) {
    for (const uint32_t id : results) state_[id].is_always_needed = true;
    for (size_t id = values_.size(); id-- > 0;) {
      const Value& value = values_[id];
      for (size_t i = 0; i < value.args.size(); ++i) {
        State& arg = state_[value.args[i]];
        const bool is_side = is_select(value.e) && i > 0;
        ++arg.uses;
        arg.is_always_needed |= state_[id].is_always_needed && !is_side;
      }
    }
  }

  // Makes the value available at this place of the code.
  void need(ValueId id) {
    if (is_leaf(values_[id].e) || state_[id].is_always_needed) return;  // it is already
    // Nesting without end, as in the join of very many tensors, must not exhaust our own stack.
    constexpr int kDeepest = 500;
    if (state_[id].uses == 1 && depth_ < kDeepest) {
      ++depth_;
      emit(id);
      --depth_;
      return;
    }
    add({.code = code(Step::once), .dest = id});
    if (!std::exchange(state_[id].has_shared_code, true)) pending_.push_back(id);
    bytecode_.has_once = true;
  }

  void emit(ValueId id) {
    const Value& value = values_[id];
    if (is_select(value.e)) return emit_select(id);
    for (const ValueId arg : value.args) need(arg);
    if (value.e->kind == Kind::load) {
      const auto index = static_cast<uint32_t>(bytecode_.loads.size());
      bytecode_.loads.push_back({value.e->index, value.e->type, {}});
      bytecode_.loads.back().position.assign(value.args.begin(), value.args.end());
      add({.code = code(Step::load), .dest = id, .index = index});
      return;
    }
    Instruction instruction{.code = operation(value), .dest = id};
    std::copy(value.args.begin(), value.args.end(), instruction.args.begin());
    add(instruction);
  }

  uint8_t operation(const Value& value) const {
    const Type from = values_[value.args[0]].e->type;
    if (value.e->kind == Kind::cast) return code(conversion(from, value.e->type));
    return from == Type::real ? on_reals(value.e->function) : on_integers(value.e->function);
  }

  void emit_select(ValueId id) {
    const auto& args = values_[id].args;
    need(args[0]);
    const size_t to_false = add({.code = code(Step::jump_unless), .args = {args[0]}});
    need(args[1]);
    add({.code = code(Step::copy), .dest = id, .args = {args[1]}});
    const size_t to_end = add({.code = code(Step::jump)});
    bytecode_.code[to_false].index = next();
    need(args[2]);
    add({.code = code(Step::copy), .dest = id, .args = {args[2]}});
    bytecode_.code[to_end].index = next();
  }

  // Emitting one may ask for more. Addresses are filled in when all are known.
  void emit_shared() {
    while (!pending_.empty()) {
      const ValueId id = pending_.back();
      pending_.pop_back();
      state_[id].shared_code = next();
      emit(id);
      add({.code = code(Step::back)});
    }
    for (Instruction& instruction : bytecode_.code) {
      if (instruction.code != code(Step::once)) continue;
      instruction.index = state_[instruction.dest].shared_code;
    }
  }

  uint32_t next() const { return static_cast<uint32_t>(bytecode_.code.size()); }
  size_t add(Instruction instruction) {
    bytecode_.code.push_back(instruction);
    return bytecode_.code.size() - 1;
  }

  std::span<const Value> values_;
  std::vector<State> state_;
  std::vector<ValueId> pending_;  // needed by a `once`, not emitted yet
  int depth_ = 0;
  Bytecode bytecode_;
};

}  // namespace

Bytecode compile(std::span<const Expr> roots, size_t axis_count,
                 std::span<const expr::Number> params) {
  Numbering numbering;
  for (size_t i = 0; i < axis_count; ++i) numbering.add(expr::axis(static_cast<int>(i)));
  std::vector<uint32_t> results;
  for (const Expr& root : roots) results.push_back(numbering.add(root));
  return BytecodeCompiler(numbering.values()).run(std::move(results), axis_count, params);
}

}  // namespace ridge::reference
