#include "ridge/expr/expr.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ridge/base/error.h"
#include "ridge/base/hash.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/node.h"
#include "ridge/expr/symbol.h"

namespace ridge::expr {

Node::Node(Kind kind_, Type type_) : kind(kind_), type(type_) {}

Node::~Node() {
  // Left to the members, dropping the head of a long chain would recurse down its length. So the
  // arguments that nobody else holds are gathered here, and give up their own before they die.
  std::vector<Expr> dying;
  const auto gather = [&dying](Node& node) {
    for (Expr& arg : node.args) {
      const bool is_last_owner = arg.get() != nullptr && arg->use_count() == 1;
      if (is_last_owner && !arg->args.empty()) dying.push_back(std::move(arg));
    }
  };
  gather(*this);
  while (!dying.empty()) {
    const Expr next = std::move(dying.back());
    dying.pop_back();
    gather(const_cast<Node&>(*next));  // ours alone, and it dies at the end of this turn
  }
}

namespace {

// What is asked of whole trees often enough to be known at their roots.
void summarize(Node& node) {
  size_t size = 1;
  uint32_t axes = node.kind == Kind::axis ? 1u << std::min(node.index, Node::kLastAxis) : 0;
  bool has_check = node.kind == Kind::call && node.function == Function::checked_index;
  for (const Expr& arg : node.args) {
    size += arg->tree_size;
    axes |= arg->axes;
    has_check |= arg->has_index_check != 0;
  }
  node.tree_size = static_cast<uint8_t>(std::min<size_t>(size, Node::kLargestTree));
  node.axes = axes & ((1u << (Node::kLastAxis + 1)) - 1);
  node.has_index_check = has_check ? 1 : 0;
}

}  // namespace

Expr finish(Ref<Node> node) {
  summarize(*node);
  Hasher hasher;
  hasher.combine(node->kind).combine(node->type);
  switch (node->kind) {
    case Kind::constant: hasher.combine(node->integer).combine(node->real); break;
    case Kind::symbol: hasher.combine(node->symbol->name()).combine(node->symbol->id()); break;
    case Kind::axis:
    case Kind::input:
    case Kind::param:
    case Kind::load: hasher.combine(node->index); break;
    case Kind::call: hasher.combine(node->function); break;
    case Kind::cast: break;
  }
  for (const Expr& arg : node->args) hasher.combine(arg->hash);
  node->hash = hasher.digest();
  return Expr(std::move(node));
}

namespace {

Expr indexed(Kind kind, Type type, int index) {
  RIDGE_INTERNAL_CHECK(index >= 0, "an expression leaf with a negative index");
  Ref<Node> node = make_ref<Node>(kind, type);
  node->index = index;
  return finish(std::move(node));
}

}  // namespace

Expr constant(bool value) {
  Ref<Node> node = make_ref<Node>(Kind::constant, Type::boolean);
  node->integer = value ? 1 : 0;
  return finish(std::move(node));
}

Expr constant(int64_t value) {
  Ref<Node> node = make_ref<Node>(Kind::constant, Type::integer);
  node->integer = value;
  return finish(std::move(node));
}

Expr constant(double value) {
  Ref<Node> node = make_ref<Node>(Kind::constant, Type::real);
  // One NaN: its sign and payload mean nothing, but would be part of its hash.
  node->real = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  return finish(std::move(node));
}

Expr axis(int index) { return indexed(Kind::axis, Type::integer, index); }
Expr input(int index, Type type) { return indexed(Kind::input, type, index); }
Expr param(int index, Type type) { return indexed(Kind::param, type, index); }

Expr load(int operand, Type type, std::vector<Expr> position) {
  Ref<Node> node = make_ref<Node>(Kind::load, type);
  node->index = operand;
  for (Expr& coordinate : position)
    node->args.push_back(cast(std::move(coordinate), Type::integer));
  return finish(std::move(node));
}

Expr symbol(Ref<const Symbol> symbol) {
  Ref<Node> node = make_ref<Node>(Kind::symbol, Type::integer);
  node->symbol = std::move(symbol);
  return finish(std::move(node));
}

bool is_call(const Expr& e, Function function) {
  return e->kind == Kind::call && e->function == function;
}

bool is_constant(const Expr& e) { return e->kind == Kind::constant; }

bool is_constant(const Expr& e, double value) {
  if (!is_constant(e)) return false;
  if (e->type == Type::real) return e->real == value;
  // As integers, for 2^53 + 1 rounds to 2^53 and is not equal to it.
  return std::trunc(value) == value && value < 0x1p63 &&
         Number::of(value).as_integer() == e->integer;
}

Expr with_args(const Expr& e, std::vector<Expr> args) {
  switch (e->kind) {
    case Kind::constant:
    case Kind::symbol:
    case Kind::axis:
    case Kind::input:
    case Kind::param: return e;
    case Kind::load: return load(e->index, e->type, std::move(args));
    case Kind::call: return call(e->function, std::move(args));
    case Kind::cast: return cast(std::move(args.front()), e->type);
  }
  return e;
}

}  // namespace ridge::expr
