// Bytecode: expressions compiled to a flat list of instructions over registers, run at many points.
//
//   x0[i0, i1] * 2.0    ->    r0 = i0   r1 = i1   r2 = 2.0      set beforehand
//                             r3 = load 0 at [r0, r1]
//                             r4 = r3 * r2
//                             back
//
// Every distinct value has one register, and types are settled when compiling, so running looks up
// nothing. Semantics are those of expr::evaluate, bit for bit. In particular `select` evaluates
// only the chosen side, because the other one may report an error. What always is needed is
// computed in order; the sides of a select are jumped over; a value needed on several such sides
// has its code once, behind the rest, and is computed at the first `once` that reaches it in a run.
//
//   select(c, v + 1, v * 2)    ->    jump_unless c to 4        with v in register 3
//                                    once r3 at 8
//                                    r5 = r3 + 1   ...
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ridge/expr/expr.h"
#include "ridge/reference/points.h"

namespace ridge::reference {

// What an instruction does beside calling a function.
enum class Step : uint8_t {
  load,  // element of an operand; `index` into Bytecode::loads
  copy,
  integer_to_real,
  real_to_integer,
  integer_to_boolean,
  real_to_boolean,
  jump,         // to instruction `index`
  jump_unless,  // the same, if args[0] is 0
  once,         // runs the code of register `dest` at `index`, unless it has run at this point
  back,         // from there, or ends the run
};

// One number for both, to switch on: functions of integers (or booleans), of reals, then steps.
constexpr uint8_t on_integers(expr::Function f) { return static_cast<uint8_t>(f); }
constexpr uint8_t on_reals(expr::Function f) {
  return static_cast<uint8_t>(expr::kFunctionCount + static_cast<int>(f));
}
constexpr uint8_t code(Step step) {
  return static_cast<uint8_t>(2 * expr::kFunctionCount + static_cast<int>(step));
}

struct Instruction {
  uint8_t code;
  uint32_t dest = 0;
  uint32_t index = 0;
  std::array<uint32_t, 5> args{};  // registers
};

struct Load {
  int operand;
  expr::Type type;
  SmallVector<uint32_t, 4> position;  // registers
};

struct Bytecode {
  std::vector<Word> registers;  // as they are at the start; the first ones are the axes, at 0
  std::vector<Instruction> code;
  std::vector<Load> loads;
  std::vector<uint32_t> results;  // the register of each root
  bool has_once = false;
};

// `params` are the numbers given as attributes, by position. A symbol, an input of a body or an
// axis that is not there is an internal error: definitions that are evaluated have none.
Bytecode compile(std::span<const expr::Expr> roots, size_t axis_count,
                 std::span<const expr::Number> params);

}  // namespace ridge::reference
