#include "ridge/codegen/llvm/partials.h"

#include "ridge/codegen/llvm/body_weight.h"

namespace ridge::codegen {

Partials::Partials(Emission& emission, const loop::Body& body, unsigned vectors)
    : emission_(&emission) {
  find(body);
  Builder& b = emission.builder();
  for (Partial& partial : partials_) {
    Value* initial = identity(emission, partial.combine, dtype(partial.value));
    initial = splat(emission.code, initial, emission.frame.lanes);
    for (unsigned i = 0; i < vectors; ++i) {
      partial.memory.push_back(stack_slot(emission, initial->getType(), "partial"));
      b.CreateStore(initial, partial.memory.back());
    }
  }
  use(0);
}

void Partials::find(const loop::Body& body) {
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

void Partials::use(unsigned vector) {
  for (const Partial& partial : partials_) {
    emission_->frame.partials[static_cast<size_t>(partial.value)] = partial.memory[vector];
  }
}

void Partials::finish() {
  Emission& emission = *emission_;
  Frame& frame = emission.frame;
  Builder& b = emission.builder();
  for (const Partial& partial : partials_) {
    const auto number = static_cast<size_t>(partial.value);
    llvm::SmallVector<Value*, 4> lanes;
    for (llvm::AllocaInst* memory : partial.memory) {
      lanes.push_back(b.CreateLoad(memory->getAllocatedType(), memory));
    }
    for (size_t half = lanes.size() / 2; half > 0; half /= 2) {
      for (size_t i = 0; i < half; ++i) {
        lanes[i] = combine(emission, partial.combine, lanes[i], lanes[i + half]);
      }
    }
    Value* sum = combine_lanes(emission, partial.combine, lanes[0]);
    llvm::AllocaInst* target = frame.values[number].memory;
    Value* before = b.CreateLoad(target->getAllocatedType(), target);
    b.CreateStore(combine(emission, partial.combine, before, sum), target);
    frame.partials[number] = nullptr;
  }
}

}  // namespace ridge::codegen
