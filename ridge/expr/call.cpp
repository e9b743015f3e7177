// The factories that have operands: promotion to a common type, then constant folding.
#include <algorithm>
#include <optional>
#include <span>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/expr.h"
#include "ridge/expr/node.h"

namespace ridge::expr {
namespace {

// What a function asks of its operands.
enum class Operands {
  number,   // one common type, integer at least
  alike,    // one common type, boolean too
  boolean,  // x != 0
  integer,
  real,
  choice,  // a boolean, then two alike
};

Operands operands(Function function) {
  switch (function) {
    case Function::neg:
    case Function::add:
    case Function::sub:
    case Function::mul:
    case Function::floor_div:
    case Function::mod:
    case Function::pow:
    case Function::abs:
    case Function::sign: return Operands::number;
    case Function::min:
    case Function::max:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::trunc:
    case Function::equal:
    case Function::not_equal:
    case Function::less:
    case Function::less_equal:
    case Function::is_nan: return Operands::alike;
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor:
    case Function::logical_not: return Operands::boolean;
    case Function::select: return Operands::choice;
    case Function::fma:
    case Function::div:
    case Function::exp:
    case Function::log:
    case Function::sqrt:
    case Function::rsqrt:
    case Function::sin:
    case Function::cos:
    case Function::tanh:
    case Function::erf: return Operands::real;
    case Function::checked_index:
    case Function::philox:
    case Function::shift_right:
    case Function::f16_value: return Operands::integer;
  }
  return Operands::alike;
}

void cast_all(std::span<Expr> args, Type type) {
  for (Expr& arg : args) arg = cast(std::move(arg), type);
}

Type common_type(std::span<const Expr> args) {
  Type type = Type::boolean;
  for (const Expr& arg : args) type = std::max(type, arg->type);
  return type;
}

void promote(Function function, std::span<Expr> args) {
  switch (operands(function)) {
    case Operands::number: cast_all(args, std::max(Type::integer, common_type(args))); break;
    case Operands::alike: cast_all(args, common_type(args)); break;
    case Operands::boolean: cast_all(args, Type::boolean); break;
    case Operands::integer: cast_all(args, Type::integer); break;
    case Operands::real: cast_all(args, Type::real); break;
    case Operands::choice:
      cast_all(args.first(1), Type::boolean);
      cast_all(args.subspan(1), common_type(args.subspan(1)));
      break;
  }
}

Type result_type(Function function, std::span<const Expr> args) {
  switch (info(function).result) {
    case ResultType::promoted: return args.back()->type;
    case ResultType::real: return Type::real;
    case ResultType::boolean: return Type::boolean;
    case ResultType::integer: return Type::integer;
  }
  return Type::real;
}

bool is_rounding(Function function) {
  return function == Function::floor || function == Function::ceil || function == Function::round ||
         function == Function::trunc;
}

// The result, where it is known: by the types alone, or because all operands are constants. A call
// that would report an error is not folded, so that the error stays where the user can reach it.
std::optional<Expr> fold(Function function, std::span<const Expr> args) {
  if (args[0]->type != Type::real) {
    if (is_rounding(function)) return args[0];
    if (function == Function::is_nan) return constant(false);
  }
  if (!std::ranges::all_of(args, [](const Expr& arg) { return is_constant(arg); })) return {};
  if (function == Function::select) return args[0]->integer != 0 ? args[1] : args[2];
  SmallVector<Number, 5> numbers;
  for (const Expr& arg : args) numbers.push_back(constant_value(arg));
  if (!can_apply(function, numbers)) return {};
  return constant(apply(function, numbers));
}

}  // namespace

Expr cast(Expr value, Type type) {
  if (value->type == type) return value;
  if (is_constant(value)) return constant(convert(constant_value(value), type));
  Ref<Node> node = make_ref<Node>(Kind::cast, type);
  node->args.push_back(std::move(value));
  return finish(std::move(node));
}

Expr call(Function function, std::vector<Expr> args) {
  RIDGE_INTERNAL_CHECK(std::cmp_equal(args.size(), info(function).arity),
                       concat(info(function).name, " called with ", args.size(), " operands"));
  promote(function, args);
  if (std::optional<Expr> folded = fold(function, args)) return *folded;
  Ref<Node> node = make_ref<Node>(Kind::call, result_type(function, args));
  node->function = function;
  for (Expr& arg : args) node->args.push_back(std::move(arg));
  return finish(std::move(node));
}

}  // namespace ridge::expr
