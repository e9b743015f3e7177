#include "ridge/expr/formula.h"

#include <algorithm>

#include "ridge/base/small_vector.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/integer.h"

namespace ridge::expr {
namespace {

bool is_common(const Expr& node) {
  if (node->type == Type::real) return false;
  if (node->kind == Kind::cast) return node->args[0]->type != Type::real;
  return node->kind == Kind::constant || node->kind == Kind::symbol ||
         (node->kind == Kind::call && node->function != Function::select);
}

int64_t number_of(const Expr& symbol, const Symbols& symbols) {
  const auto found = std::ranges::find(symbols, symbol->symbol->id(),
                                       [](const Ref<const Symbol>& s) { return s->id(); });
  RIDGE_INTERNAL_CHECK(found != symbols.end(),
                       "a formula over the unknown symbol " + symbol->symbol->name());
  return found - symbols.begin();
}

// Those that sizes are made of; the others are rare enough for `apply`.
std::optional<int64_t> plain_value(Function function, int64_t a, int64_t b) {
  if (function == Function::add) return wrapping_add(a, b);
  if (function == Function::mul) return wrapping_mul(a, b);
  if (function == Function::sub) return wrapping_sub(a, b);
  if (function == Function::floor_div && b > 0) return floor_divide(a, b);
  if (function == Function::mod && b > 0) return floor_modulo(a, b);
  if (function == Function::min) return std::min(a, b);
  if (function == Function::max) return std::max(a, b);
  if (function == Function::equal) return a == b ? 1 : 0;
  if (function == Function::not_equal) return a != b ? 1 : 0;
  if (function == Function::less) return a < b ? 1 : 0;
  if (function == Function::less_equal) return a <= b ? 1 : 0;
  return std::nullopt;
}

int64_t called(Function function, std::span<const int64_t> args) {
  if (args.size() == 2) {
    if (const auto value = plain_value(function, args[0], args[1])) return *value;
  }
  SmallVector<Number, 4> numbers;
  for (const int64_t arg : args) numbers.push_back(Number::of(arg));
  return apply(function, std::span<const Number>(numbers.data(), numbers.size())).as_integer();
}

}  // namespace

Formula::Formula(const Expr& e, const Symbols& symbols) {
  bool is_plain = true;
  walk(e, [&](const Expr& node) { is_plain &= is_common(node); });
  if (!is_plain) {
    rare_ = transform(e, [&](const Expr& node) {
      if (node->kind != Kind::symbol) return node;
      return param(static_cast<int>(number_of(node, symbols)), Type::integer);
    });
    return;
  }
  // Written again for each use of a shared part: sizes are small.
  size_t height = 0;
  const auto emit = [&](auto&& self, const Expr& node) -> void {
    for (const Expr& arg : node->args) self(self, arg);
    using Kind_ = Instruction::Kind;
    if (node->kind == Kind::constant) {
      instructions_.push_back({.kind = Kind_::constant, .operand = node->integer});
    } else if (node->kind == Kind::symbol) {
      instructions_.push_back({.kind = Kind_::symbol, .operand = number_of(node, symbols)});
    } else if (node->kind == Kind::call) {
      instructions_.push_back({.kind = Kind_::call,
                               .function = node->function,
                               .operand = static_cast<int64_t>(node->args.size())});
      height -= node->args.size();
    } else if (node->type == Type::boolean && node->args[0]->type == Type::integer) {
      instructions_.push_back({.kind = Kind_::constant, .operand = 0});
      instructions_.push_back({.kind = Kind_::call, .function = Function::not_equal, .operand = 2});
      depth_ = std::max(depth_, height-- + 1);
    } else {
      --height;  // any other cast changes no value
    }
    depth_ = std::max(depth_, ++height);
  };
  emit(emit, e);
}

int64_t Formula::operator()(std::span<const int64_t> values) const {
  if (rare_.get() != nullptr) {
    const Leaves leaves{
        .param = [&](int index) { return Number::of(values[static_cast<size_t>(index)]); }};
    return evaluate(rare_, leaves).as_integer();
  }
  SmallVector<int64_t, 16> stack;
  stack.resize(depth_);
  size_t height = 0;
  for (const Instruction& one : instructions_) {
    switch (one.kind) {
      case Instruction::Kind::constant: stack[height++] = one.operand; break;
      case Instruction::Kind::symbol:
        stack[height++] = values[static_cast<size_t>(one.operand)];
        break;
      case Instruction::Kind::call: {
        height -= static_cast<size_t>(one.operand);
        const int64_t value =
            called(one.function, {stack.data() + height, static_cast<size_t>(one.operand)});
        stack[height++] = value;
        break;
      }
    }
  }
  return stack[0];
}

}  // namespace ridge::expr
