// Note [Lane tables]: what lanes make of a code of a few bits is computed once for every code and looked up.
//
//   fma(scale, real(shift_right(v4, 4) % 16), minimum)      16 lanes, scale and minimum the same in all of them
//     entries = fma(scale, <0.0, 1.0, ..., 15.0>, minimum)
//     result  = permute(entries, v4 >> 4)                   which reads the low four bits of each lane
//
// A block of 32 quantized weights has two vectors of codes and one scale: one conversion and one multiplication by
// it serve both. The bits are those of computing it in each lane. With AVX-512 alone, where one register holds 16
// entries.
#pragma once

#include <unordered_map>

#include "ridge/codegen/llvm/lane_form.h"

namespace ridge::codegen {

// Finds expressions that differ from lane to lane by one code alone, at one point of the kernel.
class LaneCodes {
 public:
  LaneCodes(const Emission& emission, LaneForm& form, DType arithmetic);

  // `x % n`, n a power of two up to 16, if all that differs in lanes of the real `e` is this, and a table saves work;
  // else null.
  const Expr* find(const Expr& e);

 private:
  struct Dependence {
    bool is_known = false;       // depends on lanes through `code` alone, if at all
    const Expr* code = nullptr;  // null: the same in all lanes
    int steps = 0;               // functions of `code`, of those that take most
  };

  Dependence dependence(const Expr& e);

  const Emission& emission_;
  LaneForm& form_;
  bool has_tables_;
  std::unordered_map<const expr::Node*, Dependence> known_;
};

// The codes 0, 1, ... of `x % n`, again and again, in all lanes.
Value* code_numbers(Code& code, const expr::Node& modulo);
// Integers as an index of `look_up_lanes`: their low 32 bits in each lane.
Value* lane_index(Code& code, Value* integers);
// `shift_right(x, by)` as such an index, shifted as 32 bits: codes of one byte share its widening then. Null where
// the bits of `x` are not known to fit.
Value* shifted_lane_index(Code& code, Value* x, Value* by);
// In each lane the one of `entries` that the low four bits of `index` say.
Value* look_up_lanes(Code& code, Value* entries, Value* index);

}  // namespace ridge::codegen
