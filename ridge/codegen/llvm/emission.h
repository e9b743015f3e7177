// The state of emitting one function, and the emitters that share it.
//
// Frame says what names of the kernel stand for at the point reached: the buffers, the sizes, the
// loop variables around, the values seen so far, and the vector loop we are in. Invariants:
// - axes[k] is a scalar i64; inside the vector loop of axis k it is the index of lane 0.
// - mask is null (all lanes run) or <lanes x i1> with at least one lane set.
// - a value is per lane only if it was made inside the vector loop.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <vector>

#include "ridge/codegen/llvm/code.h"
#include "ridge/core/kernel_abi.h"
#include "ridge/loop/loop.h"

namespace ridge::codegen {

using expr::Expr;

// A let is a value; a var is memory on the stack, which LLVM turns into registers.
struct Slot {
  Value* value = nullptr;
  llvm::AllocaInst* memory = nullptr;
};

// A tile of the kernel (tiles.h): constant extents, and where its elements are.
struct TileMemory {
  llvm::AllocaInst* memory = nullptr;
  DType dtype = f32;
  int64_t rows = 0, columns = 0;
  int64_t pitch = 0;  // from row to row; of panels, their rows
  bool is_panels = false;
  unsigned vectors = 0;               // of a panel
  llvm::AllocaInst* depth = nullptr;  // rows of panels that were loaded
};

struct Frame {
  llvm::Function* function = nullptr;
  std::vector<Value*> buffers;
  std::vector<Value*> sizes;
  Value* status = nullptr;
  std::vector<Value*> axes;
  std::vector<Slot> values;
  // The partial results, one for each lane, of the reductions of the vector loop around.
  std::vector<llvm::AllocaInst*> partials;
  int vector_axis = -1;
  unsigned lanes = 1;
  // Lane 0 is at a multiple of `lanes` along the vector axis.
  bool is_aligned = false;
  // Where lane 0 is in a round of several vectors, if there are such: number * size + offset along the vector axis.
  // Quotients and rests by divisors of `size` follow from this, and are not left for LLVM to find.
  struct Round {
    Value* number = nullptr;
    int64_t size = 0;  // a power of two
    int64_t offset = 0;
  } round;
  // Runs of bytes are prefetched: blocks of quantized weights keep the vector units so busy that the
  // hardware's own prefetch falls behind (a core of a Xeon: 6.2 instead of 4.9 GB/s).
  bool prefetches = false;
  // Where several rows are taken at once: their axis, and how many.
  int row_axis = -1;
  unsigned rows = 1;
  // Calls of f16_value whose results lie in memory as f32 (block_scales.h).
  struct Scale {
    const expr::Node* call;
    Value* memory;
  };
  llvm::SmallVector<Scale, 4> scales;
  Value* mask = nullptr;
  std::vector<TileMemory> tiles;
  // The element that an `each` is at, of lane 0.
  Value* tile_row = nullptr;
  Value* tile_column = nullptr;
  bool has_lanes_along_rows = false;
};

struct Emission {
  Code& code;
  const loop::Kernel& kernel;
  Frame frame{};

  Builder& builder() { return code.builder; }
};

// expression.cpp. `arithmetic` is the type of the reals: f32 or f64.
Value* emit_expression(Emission& emission, const Expr& e, DType arithmetic);
// An integer that is the same for all lanes.
Value* emit_uniform(Emission& emission, const Expr& e);
void emit_store(Emission& emission, const loop::Store& store);
// The value of a slot: loaded, if it is memory.
Value* read_value(Emission& emission, int value);

// statement.cpp
void emit_body(Emission& emission, const loop::Body& body);

// vector_loop.cpp
void emit_vector_loop(Emission& emission, const loop::Loop& loop);
void enter_vector_loop(Frame& frame, const loop::Loop& loop, unsigned lanes);
void leave_vector_loop(Frame& frame);
// The body of a vector loop once, lane 0 at `index`, in the lanes of `mask` (null: all).
void emit_at(Emission& emission, const loop::Loop& loop, Value* index, Value* mask);
// The body from `begin` to `extent`, under a mask in every round.
void emit_masked_rounds(Emission& emission, const loop::Loop& loop, Value* begin, Value* extent);

// reduce.cpp
Value* identity(Emission& emission, loop::Combine combine, DType dtype);
Value* combine(Emission& emission, loop::Combine combine, Value* a, Value* b);
// All lanes into one, halves first, which fixes the order.
Value* combine_lanes(Emission& emission, loop::Combine how, Value* value);

// contract.cpp
void emit_contract(Emission& emission, const loop::Contract& contract);

// status.cpp: sets the status word if `is_wrong` holds in a lane that is active (null: all are).
void report(Emission& emission, KernelStatus status, Value* is_wrong, Value* active);

// module.cpp: stack memory in the entry block of the function.
llvm::AllocaInst* stack_slot(Emission& emission, llvm::Type* type, const char* name,
                             unsigned count = 1);

// A loop `for (i = begin; i < end; i += step)` that tests before the first round only by a guard,
// so that what does not change in it can be moved out. `body` is given i.
template <class Body>
void emit_counted_loop(Emission& emission, Value* begin, Value* end, int64_t step, Body&& body);

// `body` where the condition holds; nothing is tested where that is known now. `name` is for the
// block.
template <class Body>
void emit_if(Emission& emission, Value* condition, const char* name, Body&& body);

// The mask of the first `count` lanes. The count takes a trip through memory that LLVM does not look
// through: where it can tell that only one lane is ever on, LLVM 22 makes scalar accesses of masked
// ones, and writes beyond a truncated element, or reads whole vectors.
Value* lanes_below(Emission& emission, Value* count, unsigned lanes);

}  // namespace ridge::codegen

#include "ridge/codegen/llvm/counted_loop.h"
