// A vector loop: whole vectors first, then one more under a mask for what is left.
//
//   for (i = 0; i < n - n % lanes; i += lanes) body(i)
//   if (i < n) body(i) in the lanes below n - i
//
// A body that is much code is emitted once, under a mask in every round: compiling it twice would
// cost more than the mask does. Bodies over blocks of quantized numbers are in block_loop.h.
#include "ridge/codegen/llvm/block_loop.h"
#include "ridge/codegen/llvm/body_weight.h"
#include "ridge/codegen/llvm/partials.h"

namespace ridge::codegen {

Value* lanes_below(Emission& emission, Value* count, unsigned lanes) {
  Builder& b = emission.builder();
  llvm::AllocaInst* memory = stack_slot(emission, b.getInt32Ty(), "lanes");
  b.CreateStore(b.CreateTrunc(count, b.getInt32Ty()), memory, true);
  Value* bound = splat(emission.code, b.CreateLoad(b.getInt32Ty(), memory, true), lanes);
  return b.CreateICmpULT(lane_numbers(emission.code, lanes, 32), bound);
}

void emit_at(Emission& emission, const loop::Loop& loop, Value* index, Value* mask) {
  emission.frame.axes[static_cast<size_t>(loop.axis)] = index;
  emission.frame.mask = mask;
  emit_body(emission, loop.body);
}

void emit_masked_rounds(Emission& emission, const loop::Loop& loop, Value* begin, Value* extent) {
  Builder& b = emission.builder();
  const unsigned lanes = emission.frame.lanes;
  emit_counted_loop(emission, begin, extent, lanes, [&](Value* index) {
    Value* left = b.CreateSub(extent, index);
    Value* most = b.getInt64(lanes);
    left = b.CreateSelect(b.CreateICmpSLT(left, most), left, most);
    emit_at(emission, loop, index, lanes_below(emission, left, lanes));
  });
}

void enter_vector_loop(Frame& frame, const loop::Loop& loop, unsigned lanes) {
  frame.lanes = lanes;
  frame.vector_axis = loop.axis;
  frame.is_aligned = true;  // all rounds have `lanes` iterations
}

void leave_vector_loop(Frame& frame) {
  frame.lanes = 1;
  frame.vector_axis = -1;
  frame.is_aligned = false;
  frame.mask = nullptr;
}

namespace {

void emit_rounds_and_tail(Emission& emission, const loop::Loop& loop, Value* extent,
                          unsigned lanes) {
  Builder& b = emission.builder();
  Value* rest = b.CreateAnd(extent, b.getInt64(lanes - 1));
  Value* whole = b.CreateSub(extent, rest);
  emit_counted_loop(emission, b.getInt64(0), whole, lanes,
                    [&](Value* index) { emit_at(emission, loop, index, nullptr); });
  emit_if(emission, b.CreateICmpSLT(whole, extent), "tail",
          [&] { emit_at(emission, loop, whole, lanes_below(emission, rest, lanes)); });
}

}  // namespace

void emit_vector_loop(Emission& emission, const loop::Loop& loop) {
  const BodyWeight weight = weigh(loop.body, emission.kernel);
  if (const auto blocks = find_blocks(loop, emission.kernel, emission.code.target)) {
    std::vector<Frame> rows = {emission.frame};
    return emit_block_loop(emission, *blocks, rows);
  }
  Value* extent = emit_uniform(emission, loop.extent);
  const CpuTarget& target = emission.code.target;
  const unsigned lanes = choose_lanes(target, weight, longest(loop.extent));
  enter_vector_loop(emission.frame, loop, lanes);
  Partials partials(emission, loop.body, 1);
  if (weight.is_heavy(target)) {
    emit_masked_rounds(emission, loop, emission.builder().getInt64(0), extent);
  } else {
    emit_rounds_and_tail(emission, loop, extent, lanes);
  }
  leave_vector_loop(emission.frame);
  partials.finish();
}

}  // namespace ridge::codegen
