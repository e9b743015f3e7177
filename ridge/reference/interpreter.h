// Runs bytecode at one point after another, with its loads bound to the memory of operands.
//
//   Interpreter interpreter(bytecode, operands, compute);
//   interpreter.axes(2)[0].integer = 3;      // the point
//   interpreter.run();
//   Word value = interpreter.result(0);
//
// Operands are borrowed and may be strided or expanded. A position outside of an operand is an
// internal error: definitions guard what may be outside by `select` or `checked_index`.
#pragma once

#include <span>
#include <vector>

#include "ridge/core/tensor.h"
#include "ridge/reference/bytecode.h"
#include "ridge/reference/reader.h"

namespace ridge::reference {

class Interpreter {
 public:
  // `operands` by number, null where left out; `compute` their dtypes in ops::DTypes::inputs.
  Interpreter(const Bytecode& bytecode, std::span<const Tensor* const> operands,
              std::span<const DType> compute);

  std::span<Word> axes(size_t count) { return std::span(registers_).first(count); }
  // May throw what expr::apply throws; the next run starts afresh.
  void run();
  Word result(size_t root) const { return registers_[bytecode_.results[root]]; }

 private:
  struct Dimension {
    uint32_t position;  // register
    int64_t extent;
    int64_t stride;
  };
  struct BoundLoad {
    const void* data;
    Reader read;
    SmallVector<Dimension, 4> dimensions;
  };

  static BoundLoad bind(const Load& load, std::span<const Tensor* const> operands,
                        std::span<const DType> compute);
  Word load(const BoundLoad& load) const;
  void apply(const Instruction& instruction);
  [[noreturn]] void refuse_position(const BoundLoad& load) const;

  const Bytecode& bytecode_;
  std::vector<Word> registers_;
  std::vector<BoundLoad> loads_;
  std::vector<uint64_t> last_run_;   // by register: the run that computed it, for Step::once
  std::vector<uint32_t> return_to_;  // out of the code of Step::once
  uint64_t run_ = 0;
};

}  // namespace ridge::reference
