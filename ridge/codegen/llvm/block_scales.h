// The f16 scales and minima of blocks of quantized numbers, converted before the rounds that use them: two numbers by
// one instruction, instead of each in all lanes.
//
//   let v7 = fma(f16_value(256 * v2 + v3), ...)     v3, v2: bytes at 20 * (i2 // 32) and behind it
//
//   one round, two blocks of 32:  memory[0..3] = f32(scale 0, minimum 0, scale 1, minimum 1)
#pragma once

#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

class BlockScales {
 public:
  // Of the body of a vector loop with rounds of `size` numbers: what every round evaluates whatever its data say, and
  // whole vectors share.
  BlockScales(const loop::Loop& loop, const loop::Kernel& kernel, unsigned lanes, int64_t size);

  // f32 numbers of a round.
  unsigned count() const;
  // Stores them, in the frame of a row.
  void convert(Emission& emission, Value* round, Value* memory) const;
  // The vector at `offset` of a round reads them from there.
  void use(Emission& emission, int64_t offset, Value* memory) const;

 private:
  class Finder;
  // Beside each other in a buffer of bytes.
  struct Group {
    int buffer;
    Expr index;                              // of the first byte
    int64_t run;                             // numbers that share them
    std::vector<const expr::Node*> calls{};  // of f16_value
  };

  // visit(group, offset of the first number in the round, position in memory)
  template <class Visit>
  void for_each_slot(Visit&& visit) const;

  const loop::Loop& loop_;
  int64_t size_;
  std::vector<Group> groups_;
  loop::Body lets_;  // what their indices read, in order
};

}  // namespace ridge::codegen
