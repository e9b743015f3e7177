#include "ridge/codegen/llvm/contract.h"

#include "ridge/base/error.h"

namespace ridge::codegen {
namespace {

class ContractEmitter {
 public:
  ContractEmitter(Emission& emission, const loop::Contract& contract)
      : emission_(emission),
        code_(emission.code),
        contract_(contract),
        plan_(plan_contract(emission, contract)) {}

  void emit() {
    RIDGE_INTERNAL_CHECK(emission_.frame.lanes == 1, "a contraction inside a vector loop");
    m_ = emit_uniform(emission_, contract_.m_extent);
    n_ = emit_uniform(emission_, contract_.n_extent);
    k_ = emit_uniform(emission_, contract_.k_extent);
    sums_ = scratch(plan_.m_block * plan_.n_block, "c");
    packed_rhs_ = scratch(plan_.k_block * plan_.n_block, "b");
    if (!plan_.is_lhs_direct) packed_lhs_ = scratch(plan_.m_block * plan_.lhs_pitch, "a");
    emit_counted_loop(emission_, zero(), m_, plan_.m_block, [&](Value* m0) {
      Value* rows = block_of(m_, m0, plan_.m_block);
      emit_counted_loop(emission_, zero(), n_, plan_.n_block, [&](Value* n0) {
        Value* columns = block_of(n_, n0, plan_.n_block);
        emit_sums(m0, rows, n0, columns);
        for_panels(columns, [&](Value* panel, Value* width) {
          Value* first = b().CreateMul(panel, number(plan_.width()));
          emit_bodies(m0, rows, panel, b().CreateAdd(n0, first), width);
        });
      });
    });
  }

 private:
  Builder& b() { return code_.builder; }
  Frame& frame() { return emission_.frame; }
  Value*& axis(int which) { return frame().axes[static_cast<size_t>(which)]; }
  Value* number(int64_t value) { return b().getInt64(static_cast<uint64_t>(value)); }
  Value* zero() { return number(0); }
  Value* least(Value* x, Value* y) { return b().CreateSelect(b().CreateICmpSLT(x, y), x, y); }

  Value* scratch(int64_t elements, const char* name) {
    auto* type = llvm::ArrayType::get(plan_.element, static_cast<uint64_t>(elements));
    llvm::AllocaInst* memory = stack_slot(emission_, type, name);
    memory->setAlignment(llvm::Align(64));
    return memory;
  }
  Value* element_at(Value* base, Value* offset) {
    return b().CreateGEP(plan_.element, base, offset);
  }

  // What is left of `extent` from `start` on, at most a block; known, if all blocks are whole.
  Value* block_of(Value* extent, Value* start, int64_t block) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(extent);
    if (known != nullptr && known->getSExtValue() <= block) return extent;
    if (known != nullptr && known->getSExtValue() % block == 0) return number(block);
    return least(b().CreateSub(extent, start), number(block));
  }

  // Calls emit(panel, columns of it).
  template <class Emit>
  void for_panels(Value* columns, Emit&& emit) {
    const auto width = static_cast<int64_t>(plan_.width());
    Value* count = b().CreateUDiv(b().CreateAdd(columns, number(width - 1)), number(width));
    emit_counted_loop(emission_, zero(), count, 1, [&](Value* panel) {
      emit(panel, block_of(columns, b().CreateMul(panel, number(width)), width));
    });
  }

  // Where row `row` of a panel of C begins.
  Value* sums_at(Value* panel, Value* row) {
    Value* line = b().CreateAdd(b().CreateMul(panel, number(plan_.m_block)), row);
    return element_at(sums_, b().CreateMul(line, number(plan_.width())));
  }

  // C of a block of rows and columns. With no k at all the sums are zero.
  void emit_sums(Value* m0, Value* rows, Value* n0, Value* columns) {
    // One block at least, of no depth if k is 0, so that C is set.
    Value* end = b().CreateSelect(b().CreateICmpSLT(k_, number(1)), number(1), k_);
    emit_counted_loop(emission_, zero(), end, plan_.k_block, [&](Value* k0) {
      Value* depth = block_of(k_, k0, plan_.k_block);
      pack_rhs(emission_, contract_, plan_, packed_rhs_, k0, depth, n0, columns);
      if (!plan_.is_lhs_direct) {
        pack_lhs(emission_, contract_, plan_, packed_lhs_, m0, rows, k0, depth);
      }
      for_panels(columns, [&](Value* panel, Value* width) {
        emit_tiles({m0, rows, k0, depth, panel}, width);
      });
    });
  }

  // The part of the product that one sweep over the rows of a block adds to.
  struct Sweep {
    Value* m0;
    Value* rows;
    Value* k0;
    Value* depth;
    Value* panel;
  };

  // Whole tiles, then the rest of the rows by one more; each for one register of columns or for
  // all.
  void emit_tiles(const Sweep& sweep, Value* columns) {
    const auto for_vectors = [&](unsigned vectors) {
      const auto tile_rows = static_cast<int64_t>(plan_.rows);
      Value* whole = b().CreateAnd(sweep.rows, number(-tile_rows));
      emit_counted_loop(emission_, zero(), whole, tile_rows,
                        [&](Value* row) { emit_tile(plan_.rows, vectors, sweep, row, nullptr); });
      Value* left = b().CreateSub(sweep.rows, whole);
      const auto emit_rest = [&](Value* fits, unsigned size) {
        emit_if(emission_, fits, "if",
                [&] { emit_tile(size, vectors, sweep, whole, b().CreateSub(left, number(1))); });
      };
      // A product with a row or two is common enough to have a tile of its own.
      emit_rest(b().CreateICmpSGT(left, number(2)), plan_.rows);
      Value* is_small = b().CreateICmpSLE(left, number(2));
      emit_rest(b().CreateAnd(is_small, b().CreateICmpSGT(left, zero())), 2);
    };
    if (!plan_.has_narrow_tiles) return for_vectors(plan_.vectors);
    Value* is_narrow = b().CreateICmpSLE(columns, number(plan_.lanes));
    emit_if(emission_, is_narrow, "if", [&] { for_vectors(1); });
    emit_if(emission_, b().CreateNot(is_narrow), "if", [&] { for_vectors(plan_.vectors); });
  }

  void emit_tile(unsigned rows, unsigned vectors, const Sweep& sweep, Value* row, Value* last_row) {
    MicroArguments arguments{};
    if (plan_.is_lhs_direct) {
      axis(contract_.m) = b().CreateAdd(sweep.m0, row);
      axis(contract_.k) = sweep.k0;
      Value* index = emit_uniform(emission_, contract_.lhs->args[0]);
      arguments.a = element_at(frame().buffers[static_cast<size_t>(contract_.lhs->index)], index);
      arguments.m_stride = emit_uniform(emission_, plan_.m_stride);
    } else {
      arguments.a = element_at(packed_lhs_, b().CreateMul(row, number(plan_.lhs_pitch)));
      arguments.m_stride = number(plan_.lhs_pitch);
    }
    Value* panel_start = b().CreateMul(sweep.panel, number(plan_.k_block * plan_.width()));
    arguments.b = element_at(packed_rhs_, panel_start);
    arguments.depth = sweep.depth;
    arguments.c = sums_at(sweep.panel, row);
    arguments.is_first = b().CreateICmpEQ(sweep.k0, zero());
    arguments.last_row = last_row;
    call_micro_kernel(emission_, plan_, rows, vectors, arguments);
  }

  // The body for each row and vector of a panel: whole ones first, then what is left.
  void emit_bodies(Value* m0, Value* rows, Value* panel, Value* n0, Value* columns) {
    const auto lanes = static_cast<int64_t>(plan_.lanes);
    Value* rest = b().CreateAnd(columns, number(lanes - 1));
    Value* whole = b().CreateSub(columns, rest);
    emit_counted_loop(emission_, zero(), rows, 1, [&](Value* row) {
      axis(contract_.m) = b().CreateAdd(m0, row);
      Value* start = sums_at(panel, row);
      emit_counted_loop(emission_, zero(), whole, lanes,
                        [&](Value* column) { emit_body_at(start, n0, column, nullptr); });
      emit_if(emission_, b().CreateICmpNE(rest, zero()), "if",
              [&] { emit_body_at(start, n0, whole, lanes_below(emission_, rest, plan_.lanes)); });
    });
  }

  void emit_body_at(Value* start, Value* n0, Value* column, Value* mask) {
    axis(contract_.n) = b().CreateAdd(n0, column);
    frame().vector_axis = contract_.n;
    frame().lanes = plan_.lanes;
    frame().mask = mask;
    Value* pointer = element_at(start, column);
    Value* sum =
        b().CreateAlignedLoad(with_lanes(plan_.element, plan_.lanes), pointer, llvm::Align(16));
    frame().values[static_cast<size_t>(contract_.value)] = {sum, nullptr};
    emit_body(emission_, contract_.body);
    frame().vector_axis = -1;
    frame().lanes = 1;
    frame().mask = nullptr;
  }

  Emission& emission_;
  Code& code_;
  const loop::Contract& contract_;
  ContractPlan plan_;
  Value* m_ = nullptr;
  Value* n_ = nullptr;
  Value* k_ = nullptr;
  Value* sums_ = nullptr;
  Value* packed_rhs_ = nullptr;
  Value* packed_lhs_ = nullptr;
};

}  // namespace

void emit_contract(Emission& emission, const loop::Contract& contract) {
  ContractEmitter(emission, contract).emit();
}

}  // namespace ridge::codegen
