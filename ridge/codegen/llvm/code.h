// What every emitter of this folder works on: the module being built, and values in lanes.
//
// A value is scalar (the same for all lanes) or a vector with one element for each lane of the
// vector loop around. Its LLVM type says which, and which of the four register types it has:
// float, double, i64 or i1. Mixed operands are matched by repeating the scalar one:
//
//   v: <16 x float>, s: float      match(code, v, s)      s becomes <s, s, ..., s>
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "ridge/codegen/llvm/generate.h"

namespace ridge::codegen {

using Builder = llvm::IRBuilder<>;
using Value = llvm::Value;

struct Code {
  llvm::LLVMContext& context;
  llvm::Module& module;
  Builder& builder;
  const CpuTarget& target;
  bool has_fma = false;
  bool has_f16c = false;
};

// 1 for a scalar.
unsigned lanes_of(const Value* value);
bool is_real(const Value* value);
bool is_integer(const Value* value);  // i64, of any number of lanes
bool is_boolean(const Value* value);

// The type with that many lanes; `type` is scalar.
llvm::Type* with_lanes(llvm::Type* type, unsigned lanes);
// `element` with the lanes of `like`.
llvm::Type* shaped_like(const Value* like, llvm::Type* element);
llvm::Type* register_type(Code& code, DType dtype);  // of a value: f32, f64, i64 or bool

Value* splat(Code& code, Value* value, unsigned lanes);
void match(Code& code, Value*& a, Value*& b);

// A constant of the (scalar or vector) type of `like`.
Value* real_like(const Value* like, double value);
// A 32-bit pattern with the lanes of `like`.
Value* bits_like(const Value* like, uint32_t pattern);
Value* integer_like(const Value* like, int64_t value);

// <0, 1, 2, ...> of i64 (or of i32).
Value* lane_numbers(Code& code, unsigned lanes, unsigned bits = 64);
// Conjunction of masks, where null stands for "all".
Value* both(Code& code, Value* a, Value* b);
// Whether the mask is set anywhere; itself if scalar.
Value* any_lane(Code& code, Value* mask);

Value* call_intrinsic(Code& code, llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> args);
// a * b + c, rounded once where that is one instruction: for terms whose rounding nobody relies on.
Value* multiply_add(Code& code, Value* a, Value* b, Value* c);

// Calls of scalar functions for each lane: what lanes have no instruction for.
//
// The lanes go through memory in a loop, in a function of their own, so that a kernel that calls it
// from several places stays small.

// `name` is an import or a function of the module, from `args` (all of one type) to their type.
Value* call_by_lane(Code& code, llvm::StringRef name, llvm::ArrayRef<Value*> args);

}  // namespace ridge::codegen
