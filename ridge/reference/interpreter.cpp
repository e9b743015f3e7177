#include "ridge/reference/interpreter.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/expr/integer.h"
#include "ridge/reference/points.h"

namespace ridge::reference {

using expr::Function;
using expr::Number;
using expr::Type;

Interpreter::Interpreter(const Bytecode& bytecode, std::span<const Tensor* const> operands,
                         std::span<const DType> compute)
    : bytecode_(bytecode), registers_(bytecode.registers) {
  for (const Load& load : bytecode.loads) loads_.push_back(bind(load, operands, compute));
  if (bytecode.has_once) last_run_.resize(registers_.size());
}

Interpreter::BoundLoad Interpreter::bind(const Load& load, std::span<const Tensor* const> operands,
                                         std::span<const DType> compute) {
  const auto number = static_cast<size_t>(load.operand);
  RIDGE_INTERNAL_CHECK(number < operands.size() && operands[number] != nullptr,
                       concat("no operand ", load.operand));
  const Tensor& tensor = *operands[number];
  RIDGE_INTERNAL_CHECK(tensor.shape().size() == load.position.size(),
                       concat("operand ", load.operand, ", ", describe(tensor), ", loaded at ",
                              load.position.size(), " coordinates"));
  BoundLoad bound{tensor.raw_data(), Reader(tensor.dtype(), compute[number], load.type), {}};
  const Ints extents = known_sizes(tensor.shape());
  const Ints strides = known_sizes(tensor.strides());
  for (size_t i = 0; i < extents.size(); ++i) {
    bound.dimensions.push_back({load.position[i], extents[i], strides[i]});
  }
  return bound;
}

Word Interpreter::load(const BoundLoad& load) const {
  int64_t index = 0;
  for (const Dimension& dimension : load.dimensions) {
    const int64_t i = registers_[dimension.position].integer;
    // One comparison for both ends: negative ones are large when unsigned.
    if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(dimension.extent)) [[unlikely]] {
      refuse_position(load);
    }
    index += i * dimension.stride;
  }
  return load.read(load.data, index);
}

void Interpreter::refuse_position(const BoundLoad& load) const {
  Ints position;
  Ints extents;
  for (const Dimension& dimension : load.dimensions) {
    position.push_back(registers_[dimension.position].integer);
    extents.push_back(dimension.extent);
  }
  const size_t number = static_cast<size_t>(&load - loads_.data());
  throw Error({.code = ErrorCode::internal,
               .expected = concat("a position inside operand ", bytecode_.loads[number].operand,
                                  " of shape ", to_text(extents)),
               .given = to_text(position)});
}

// A function without a case of its own below, or with operands that it refuses.
void Interpreter::apply(const Instruction& instruction) {
  const int code = instruction.code;
  const bool is_real = code >= expr::kFunctionCount;
  const auto function = static_cast<Function>(is_real ? code - expr::kFunctionCount : code);
  const auto count = static_cast<size_t>(info(function).arity);
  std::array<Number, 5> args;
  for (size_t i = 0; i < count; ++i) {
    args[i] = number_of(registers_[instruction.args[i]], is_real ? Type::real : Type::integer);
  }
  registers_[instruction.dest] = Word::of(expr::apply(function, std::span(args).first(count)));
}

void Interpreter::run() {
  ++run_;
  return_to_.clear();
  const Instruction* const code_start = bytecode_.code.data();
  Word* const registers = registers_.data();
  for (const Instruction* at = code_start;; ++at) {
    Word& to = registers[at->dest];
    const Word a = registers[at->args[0]];
    const Word b = registers[at->args[1]];
    // What is frequent in definitions; all else, and every refusal, is left to expr::apply.
    switch (at->code) {
      case on_reals(Function::neg): to.real = -a.real; break;
      case on_reals(Function::add): to.real = a.real + b.real; break;
      case on_reals(Function::sub): to.real = a.real - b.real; break;
      case on_reals(Function::mul): to.real = a.real * b.real; break;
      case on_reals(Function::div): to.real = a.real / b.real; break;
      case on_reals(Function::min):
        to.real = std::isnan(a.real) || a.real < b.real ? a.real : b.real;
        break;
      case on_reals(Function::max):
        to.real = std::isnan(a.real) || b.real < a.real ? a.real : b.real;
        break;
      case on_reals(Function::abs): to.real = std::fabs(a.real); break;
      case on_reals(Function::sqrt): to.real = std::sqrt(a.real); break;
      case on_reals(Function::equal): to.integer = a.real == b.real; break;
      case on_reals(Function::not_equal): to.integer = a.real != b.real; break;
      case on_reals(Function::less): to.integer = a.real < b.real; break;
      case on_reals(Function::less_equal): to.integer = a.real <= b.real; break;
      case on_reals(Function::is_nan): to.integer = std::isnan(a.real); break;

      case on_integers(Function::add): to.integer = expr::wrapping_add(a.integer, b.integer); break;
      case on_integers(Function::sub): to.integer = expr::wrapping_sub(a.integer, b.integer); break;
      case on_integers(Function::mul): to.integer = expr::wrapping_mul(a.integer, b.integer); break;
      case on_integers(Function::min): to.integer = std::min(a.integer, b.integer); break;
      case on_integers(Function::max): to.integer = std::max(a.integer, b.integer); break;
      case on_integers(Function::floor_div):
        if (b.integer == 0) apply(*at);  // throws
        to.integer = expr::floor_divide(a.integer, b.integer);
        break;
      case on_integers(Function::mod):
        if (b.integer == 0) apply(*at);  // throws
        to.integer = expr::floor_modulo(a.integer, b.integer);
        break;
      case on_integers(Function::checked_index):
        if (a.integer < 0 || a.integer >= b.integer) apply(*at);  // throws
        to.integer = a.integer;
        break;
      case on_integers(Function::equal): to.integer = a.integer == b.integer; break;
      case on_integers(Function::not_equal): to.integer = a.integer != b.integer; break;
      case on_integers(Function::less): to.integer = a.integer < b.integer; break;
      case on_integers(Function::less_equal): to.integer = a.integer <= b.integer; break;
      case on_integers(Function::logical_and): to.integer = a.integer & b.integer; break;
      case on_integers(Function::logical_or): to.integer = a.integer | b.integer; break;
      case on_integers(Function::logical_xor): to.integer = a.integer ^ b.integer; break;
      case on_integers(Function::logical_not): to.integer = a.integer ^ 1; break;

      case code(Step::load): to = load(loads_[at->index]); break;
      case code(Step::copy): to = a; break;
      case code(Step::integer_to_real): to.real = static_cast<double>(a.integer); break;
      case code(Step::real_to_integer): to.integer = Number::of(a.real).as_integer(); break;
      case code(Step::integer_to_boolean): to.integer = a.integer != 0; break;
      case code(Step::real_to_boolean): to.integer = a.real != 0; break;

      // Jumps go to the instruction before the one that is next.
      case code(Step::jump): at = code_start + at->index - 1; break;
      case code(Step::jump_unless):
        if (a.integer == 0) at = code_start + at->index - 1;
        break;
      case code(Step::once):
        if (last_run_[at->dest] == run_) break;
        last_run_[at->dest] = run_;
        return_to_.push_back(static_cast<uint32_t>(at - code_start));
        at = code_start + at->index - 1;
        break;
      case code(Step::back):
        if (return_to_.empty()) return;
        at = code_start + return_to_.back();
        return_to_.pop_back();
        break;

      default: apply(*at);
    }
  }
}

}  // namespace ridge::reference
