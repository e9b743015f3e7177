// Compiles one expression of a kernel to code of a Bytecode (bytecode.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ridge/loop/bytecode.h"

namespace ridge::loop {

// Where the leaves of an expression are found.
struct Registers {
  std::vector<Slot> axes;
  std::vector<Slot> values;
};

struct ExpressionCode {
  Range code;
  Slot result;
};

// Reals in `arithmetic`. The result may be a register of the kernel, if the expression is a leaf.
ExpressionCode compile_expression(const Kernel& kernel, std::span<const int64_t> sizes,
                                  const Registers& registers, const Expr& e, DType arithmetic,
                                  Bytecode& program);

// A new register with a word for each lane, for each thread, or one for all.
Slot add_register(Bytecode& program, Spread spread);
Slot add_constant(Bytecode& program, Word word);

}  // namespace ridge::loop
