// A vector loop: whole vectors first, then one more under a mask for what is left.
//
//   for (i = 0; i < n - n % lanes; i += lanes) body(i)
//   if (i < n) body(i) in the lanes below n - i
//
// A body that is much code is emitted once, under a mask in every round: compiling it twice would
// cost more than the mask does.
#include "ridge/codegen/llvm/body_weight.h"
#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

Value* lanes_below(Emission& emission, Value* count, unsigned lanes) {
  Builder& b = emission.builder();
  llvm::AllocaInst* memory = stack_slot(emission, b.getInt32Ty(), "lanes");
  b.CreateStore(b.CreateTrunc(count, b.getInt32Ty()), memory, true);
  Value* bound = splat(emission.code, b.CreateLoad(b.getInt32Ty(), memory, true), lanes);
  return b.CreateICmpULT(lane_numbers(emission.code, lanes, 32), bound);
}
namespace {

// A var from outside that the loop reduces into.
struct Partial {
  int value;
  loop::Combine combine;
};

class VectorLoopEmitter {
 public:
  VectorLoopEmitter(Emission& emission, const loop::Loop& loop)
      : emission_(emission), loop_(loop), weight_(weigh(loop.body, emission.kernel)) {}

  void emit() {
    Value* extent = emit_uniform(emission_, loop_.extent);
    const unsigned lanes = choose_lanes(emission_.code.target, weight_, longest(loop_.extent));
    frame().lanes = lanes;
    frame().vector_axis = loop_.axis;
    find_partials(loop_.body);
    start_partials();
    if (weight_.is_heavy(emission_.code.target)) {
      emit_masked_rounds(extent, lanes);
    } else {
      emit_rounds_and_tail(extent, lanes);
    }
    frame().lanes = 1;
    frame().vector_axis = -1;
    frame().mask = nullptr;
    finish_partials();
  }

 private:
  Frame& frame() { return emission_.frame; }
  Builder& b() { return emission_.builder(); }

  void emit_at(Value* index, Value* mask) {
    frame().axes[static_cast<size_t>(loop_.axis)] = index;
    frame().mask = mask;
    emit_body(emission_, loop_.body);
  }

  void emit_rounds_and_tail(Value* extent, unsigned lanes) {
    Value* rest = b().CreateAnd(extent, b().getInt64(lanes - 1));
    Value* whole = b().CreateSub(extent, rest);
    emit_counted_loop(emission_, b().getInt64(0), whole, lanes,
                      [&](Value* index) { emit_at(index, nullptr); });
    emit_if(emission_, b().CreateICmpSLT(whole, extent), "tail",
            [&] { emit_at(whole, lanes_below(emission_, rest, lanes)); });
  }

  void emit_masked_rounds(Value* extent, unsigned lanes) {
    emit_counted_loop(emission_, b().getInt64(0), extent, lanes, [&](Value* index) {
      Value* left = b().CreateSub(extent, index);
      Value* most = b().getInt64(lanes);
      left = b().CreateSelect(b().CreateICmpSLT(left, most), left, most);
      emit_at(index, lanes_below(emission_, left, lanes));
    });
  }

  void find_partials(const loop::Body& body) {
    std::vector<int> own;
    visit_statements(body, [&](const loop::Statement& statement) {
      if (const auto* var = std::get_if<loop::Var>(&statement.kind)) own.push_back(var->value);
      const auto* reduce = std::get_if<loop::Reduce>(&statement.kind);
      if (reduce == nullptr || llvm::is_contained(own, reduce->value)) return;
      for (const Partial& partial : partials_) {
        if (partial.value == reduce->value) return;
      }
      partials_.push_back({reduce->value, reduce->combine});
    });
  }

  DType dtype(int value) const { return emission_.kernel.values[static_cast<size_t>(value)].dtype; }

  void start_partials() {
    for (const Partial& partial : partials_) {
      Value* initial = identity(emission_, partial.combine, dtype(partial.value));
      initial = splat(emission_.code, initial, frame().lanes);
      llvm::AllocaInst* memory = stack_slot(emission_, initial->getType(), "partial");
      b().CreateStore(initial, memory);
      frame().partials[static_cast<size_t>(partial.value)] = memory;
    }
  }

  void finish_partials() {
    for (const Partial& partial : partials_) {
      const auto number = static_cast<size_t>(partial.value);
      llvm::AllocaInst*& memory = frame().partials[number];
      Value* lanes = b().CreateLoad(memory->getAllocatedType(), memory);
      Value* sum = combine_lanes(emission_, partial.combine, lanes);
      llvm::AllocaInst* target = frame().values[number].memory;
      Value* before = b().CreateLoad(target->getAllocatedType(), target);
      b().CreateStore(combine(emission_, partial.combine, before, sum), target);
      memory = nullptr;
    }
  }

  Emission& emission_;
  const loop::Loop& loop_;
  BodyWeight weight_;
  std::vector<Partial> partials_;
};

}  // namespace

void emit_vector_loop(Emission& emission, const loop::Loop& loop) {
  VectorLoopEmitter(emission, loop).emit();
}

}  // namespace ridge::codegen
