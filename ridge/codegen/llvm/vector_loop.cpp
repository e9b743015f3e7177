// A vector loop: whole vectors first, then one more under a mask for what is left.
//
//   for (i = 0; i < n - n % lanes; i += lanes) body(i)
//   if (i < n) body(i) in the lanes below n - i
//
// A body that is much code is emitted once, under a mask in every round: compiling it twice would
// cost more than the mask does.
//
// A body that divides its axis by the size of a block (numbers of quantized weights) has rounds of several
// vectors, a block of 32 as 2 x 16: which half of the block it is at is known in each, and they share what
// they load. Each vector has partials of its own, so that sums do not wait for each other.
#include <bit>

#include "ridge/codegen/llvm/body_weight.h"
#include "ridge/codegen/llvm/emission.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen {

Value* lanes_below(Emission& emission, Value* count, unsigned lanes) {
  Builder& b = emission.builder();
  llvm::AllocaInst* memory = stack_slot(emission, b.getInt32Ty(), "lanes");
  b.CreateStore(b.CreateTrunc(count, b.getInt32Ty()), memory, true);
  Value* bound = splat(emission.code, b.CreateLoad(b.getInt32Ty(), memory, true), lanes);
  return b.CreateICmpULT(lane_numbers(emission.code, lanes, 32), bound);
}
namespace {

constexpr unsigned kVectors = 4;  // of a round

// A var from outside that the loop reduces into.
struct Partial {
  int value;
  loop::Combine combine;
  llvm::SmallVector<llvm::AllocaInst*, 4> memory{};  // by vector of a block
};

class VectorLoopEmitter {
 public:
  VectorLoopEmitter(Emission& emission, const loop::Loop& loop)
      : emission_(emission), loop_(loop), weight_(weigh(loop.body, emission.kernel)) {}

  void emit() {
    Value* extent = emit_uniform(emission_, loop_.extent);
    unsigned lanes = choose_lanes(emission_.code.target, weight_, longest(loop_.extent));
    vectors_ = 1;
    if (const auto block = find_block()) {
      lanes = register_lanes();
      block_ = *block;
      vectors_ = kVectors;
    }
    frame().lanes = lanes;
    frame().vector_axis = loop_.axis;
    frame().is_aligned = true;  // all rounds have `lanes` iterations
    find_partials(loop_.body);
    start_partials();
    if (vectors_ > 1) {
      emit_blocks(extent, lanes);
    } else if (weight_.is_heavy(emission_.code.target)) {
      emit_masked_rounds(b().getInt64(0), extent, lanes);
    } else {
      emit_rounds_and_tail(extent, lanes);
    }
    frame().lanes = 1;
    frame().vector_axis = -1;
    frame().is_aligned = false;
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

  void emit_masked_rounds(Value* begin, Value* extent, unsigned lanes) {
    emit_counted_loop(emission_, begin, extent, lanes, [&](Value* index) {
      Value* left = b().CreateSub(extent, index);
      Value* most = b().getInt64(lanes);
      left = b().CreateSelect(b().CreateICmpSLT(left, most), left, most);
      emit_at(index, lanes_below(emission_, left, lanes));
    });
  }

  unsigned register_lanes() const {
    return static_cast<unsigned>(emission_.code.target.vector_bytes / (weight_.has_f32 ? 4 : 8));
  }

  // The largest power of two that the axis is divided by, if registers divide it.
  std::optional<int64_t> find_block() const {
    int64_t block = 0;
    visit_statements(loop_.body, [&](const loop::Statement& statement) {
      loop::for_each_expression(statement, [&](const Expr& e) {
        expr::walk(e, [&](const Expr& node) {
          const bool divides =
              is_call(node, expr::Function::floor_div) || is_call(node, expr::Function::mod);
          if (!divides || node->args[0]->kind != expr::Kind::axis) return;
          if (node->args[0]->index != loop_.axis || !expr::is_constant(node->args[1])) return;
          const int64_t by = node->args[1]->integer;
          const bool fits = by > register_lanes() && std::has_single_bit(static_cast<uint64_t>(by));
          if (fits) block = std::max(block, by);
        });
      });
    });
    return block > 0 ? std::optional(block) : std::nullopt;
  }

  // Rounds of whole blocks, vector by vector; then vectors under a mask.
  void emit_blocks(Value* extent, unsigned lanes) {
    const int64_t size = int64_t{lanes} * vectors_;
    Value* step = b().getInt64(static_cast<uint64_t>(size));
    Value* rounds = b().CreateUDiv(extent, step);
    emit_counted_loop(emission_, b().getInt64(0), rounds, 1, [&](Value* number) {
      Value* first = b().CreateMul(number, step);
      for (unsigned i = 0; i < vectors_; ++i) {
        const int64_t offset = int64_t{i} * lanes;
        use_partials(i);
        frame().round = {.number = number, .size = size, .offset = offset};
        frame().prefetches =
            offset % block_ == 0;  // the other vectors of a block read the same lines
        emit_at(b().CreateAdd(first, b().getInt64(static_cast<uint64_t>(offset))), nullptr);
      }
    });
    use_partials(0);
    frame().round = {};
    frame().prefetches = false;
    emit_masked_rounds(b().CreateMul(rounds, step), extent, lanes);
  }

  void use_partials(unsigned vector) {
    for (const Partial& partial : partials_) {
      frame().partials[static_cast<size_t>(partial.value)] = partial.memory[vector];
    }
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
    for (Partial& partial : partials_) {
      Value* initial = identity(emission_, partial.combine, dtype(partial.value));
      initial = splat(emission_.code, initial, frame().lanes);
      for (unsigned i = 0; i < vectors_; ++i) {
        partial.memory.push_back(stack_slot(emission_, initial->getType(), "partial"));
        b().CreateStore(initial, partial.memory.back());
      }
    }
    use_partials(0);
  }

  void finish_partials() {
    for (const Partial& partial : partials_) {
      const auto number = static_cast<size_t>(partial.value);
      llvm::SmallVector<Value*, 4> lanes;
      for (llvm::AllocaInst* memory : partial.memory) {
        lanes.push_back(b().CreateLoad(memory->getAllocatedType(), memory));
      }
      // Halves first, as lanes are.
      for (size_t half = lanes.size() / 2; half > 0; half /= 2) {
        for (size_t i = 0; i < half; ++i) {
          lanes[i] = combine(emission_, partial.combine, lanes[i], lanes[i + half]);
        }
      }
      Value* sum = combine_lanes(emission_, partial.combine, lanes[0]);
      llvm::AllocaInst* target = frame().values[number].memory;
      Value* before = b().CreateLoad(target->getAllocatedType(), target);
      b().CreateStore(combine(emission_, partial.combine, before, sum), target);
      frame().partials[number] = nullptr;
    }
  }

  Emission& emission_;
  const loop::Loop& loop_;
  BodyWeight weight_;
  unsigned vectors_ = 1;  // of a round
  int64_t block_ = 0;     // numbers of a block, 0 where there are none
  std::vector<Partial> partials_;
};

}  // namespace

void emit_vector_loop(Emission& emission, const loop::Loop& loop) {
  VectorLoopEmitter(emission, loop).emit();
}

}  // namespace ridge::codegen
