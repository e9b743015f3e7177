#include <array>
#include <cmath>
#include <cstddef>
#include <functional>

#include "ridge/core/tensor.h"
#include "ridge/expr/evaluate.h"
#include "ridge/expr/integer.h"
#include "ridge/loop/memory.h"

namespace ridge::loop {
namespace {

using expr::Function;
using expr::Number;
using expr::Type;

struct Operands {
  const Instruction& instruction;
  Word* words;
  Lanes lanes;

  Column arg(size_t i) const {
    const Slot slot = instruction.args[i];
    return {words + slot.offset, slot.shift};
  }
  Column dest() const { return {words + instruction.dest.offset, instruction.dest.shift}; }
  double rounded(double value) const {
    return instruction.rounds_to_f32 ? static_cast<double>(static_cast<float>(value)) : value;
  }
};

template <class Calculate>
void each_lane(const Operands& o, Calculate calculate_lane) {
  const Column dest = o.dest();
  for (const uint32_t lane : o.lanes) dest[lane] = calculate_lane(lane);
}
template <class Combine>
void reals(const Operands& o, Combine combine) {
  const Column a = o.arg(0), b = o.arg(1);
  each_lane(o, [&](uint32_t t) { return Word{.real = o.rounded(combine(a[t].real, b[t].real))}; });
}
// Rounded once: in double the product of floats is exact, but the sum would be rounded before it
// becomes a float.
void fused(const Operands& o) {
  const Column a = o.arg(0), b = o.arg(1), c = o.arg(2);
  each_lane(o, [&](uint32_t t) {
    const double x = a[t].real, y = b[t].real, z = c[t].real;
    if (!o.instruction.rounds_to_f32) return Word{.real = std::fma(x, y, z)};
    const auto sum = std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    return Word{.real = static_cast<double>(sum)};
  });
}
template <class Combine>
void integers(const Operands& o, Combine combine) {
  const Column a = o.arg(0), b = o.arg(1);
  each_lane(
      o, [&](uint32_t t) { return Word{.integer = int64_t{combine(a[t].integer, b[t].integer)}}; });
}
template <class Compare>
void comparison(const Operands& o, Compare compare) {
  if (!o.instruction.is_real) return integers(o, compare);
  const Column a = o.arg(0), b = o.arg(1);
  each_lane(o, [&](uint32_t t) { return Word{.integer = compare(a[t].real, b[t].real) ? 1 : 0}; });
}

KernelStatus status_of(Function refused) {
  if (refused == Function::checked_index) return KernelStatus::index_out_of_range;
  if (refused == Function::pow) return KernelStatus::negative_exponent;
  return KernelStatus::division_by_zero;
}

// By way of the definition of each function, in expr/evaluate.h.
void by_definition(const Operands& o, KernelStatus& status) {
  const Function function = o.instruction.function;
  const auto arity = static_cast<size_t>(info(function).arity);
  std::array<Number, 5> numbers;
  const std::span<const Number> args = std::span(numbers).first(arity);
  each_lane(o, [&](uint32_t lane) {
    for (size_t i = 0; i < arity; ++i) {
      const Word word = o.arg(i)[lane];
      numbers[i] = o.instruction.is_real ? Number::of(word.real) : Number::of(word.integer);
    }
    if (!can_apply(function, args)) {
      if (status == KernelStatus::ok) status = status_of(function);
      return Word{};
    }
    const Number result = apply(function, args);
    if (result.type == Type::real) return Word{.real = o.rounded(result.real)};
    return Word{.integer = result.integer};
  });
}

void divide_integers(const Operands& o, int64_t (*divide)(int64_t, int64_t), KernelStatus& status) {
  integers(o, [&](int64_t a, int64_t b) {
    if (b != 0) return divide(a, b);
    if (status == KernelStatus::ok) status = KernelStatus::division_by_zero;
    return int64_t{0};
  });
}

// The functions that index arithmetic and most bodies are made of; the rest goes by definition.
void call(const Operands& o, KernelStatus& status) {
  const bool is_real = o.instruction.is_real;
  const Function function = o.instruction.function;
  if (function == Function::add) {
    return is_real ? reals(o, std::plus<>()) : integers(o, expr::wrapping_add);
  }
  if (function == Function::sub) {
    return is_real ? reals(o, std::minus<>()) : integers(o, expr::wrapping_sub);
  }
  if (function == Function::mul) {
    return is_real ? reals(o, std::multiplies<>()) : integers(o, expr::wrapping_mul);
  }
  if (function == Function::fma) return fused(o);
  if (function == Function::div) return reals(o, std::divides<>());
  if (function == Function::less) return comparison(o, std::less<>());
  if (function == Function::less_equal) return comparison(o, std::less_equal<>());
  if (function == Function::equal) return comparison(o, std::equal_to<>());
  if (function == Function::logical_and) return integers(o, std::bit_and<>());
  if (function == Function::logical_or) return integers(o, std::bit_or<>());
  if (function == Function::floor_div && !is_real) {
    return divide_integers(o, expr::floor_divide, status);
  }
  if (function == Function::mod && !is_real) {
    return divide_integers(o, expr::floor_modulo, status);
  }
  by_definition(o, status);
}

Word rounded_through(DType dtype, Word word, bool is_real) {
  std::array<std::byte, 8> element;
  store_element(dtype, element.data(), 0,
                is_real ? Number::of(word.real) : Number::of(word.integer));
  const Number number = load_element(dtype, element.data(), 0);
  return number.type == Type::real ? Word{.real = number.real} : Word{.integer = number.integer};
}

}  // namespace

void calculate(const Instruction& instruction, Word* words, Lanes lanes, KernelStatus& status) {
  const Operands o{instruction, words, lanes};
  const Column a = o.arg(0);
  switch (instruction.operation) {
    case Operation::call: return call(o, status);
    case Operation::copy:
      if (!instruction.rounds_to_f32) return each_lane(o, [&](uint32_t t) { return a[t]; });
      return each_lane(o, [&](uint32_t t) { return Word{.real = o.rounded(a[t].real)}; });
    case Operation::integer_to_real:
      // One rounding, not two by way of double.
      return each_lane(o, [&](uint32_t t) {
        return Word{.real = instruction.rounds_to_f32
                                ? static_cast<double>(static_cast<float>(a[t].integer))
                                : static_cast<double>(a[t].integer)};
      });
    case Operation::real_to_integer:
      return each_lane(
          o, [&](uint32_t t) { return Word{.integer = Number::of(a[t].real).as_integer()}; });
    case Operation::integer_to_boolean:
      return each_lane(o, [&](uint32_t t) { return Word{.integer = a[t].integer != 0 ? 1 : 0}; });
    case Operation::real_to_boolean:
      return each_lane(o, [&](uint32_t t) { return Word{.integer = a[t].real != 0 ? 1 : 0}; });
    case Operation::round:
      return each_lane(o, [&](uint32_t t) {
        return rounded_through(instruction.rounds, a[t], instruction.is_real);
      });
    case Operation::load:
    case Operation::select:
    case Operation::once: return;  // the machine's own
  }
}

}  // namespace ridge::loop
