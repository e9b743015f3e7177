// Packing: lhs and rhs are evaluated once for each element of a block and laid out as the
// micro-kernel reads them.
#include "ridge/codegen/llvm/contract.h"
#include "ridge/codegen/llvm/convert.h"

namespace ridge::codegen {
namespace {

class Packer {
 public:
  Packer(Emission& emission, const loop::Contract& contract, const ContractPlan& plan)
      : emission_(emission), code_(emission.code), contract_(contract), plan_(plan) {}

  void lhs(Value* target, Value* m0, Value* rows, Value* k0, Value* depth) {
    emit_counted_loop(emission_, b().getInt64(0), rows, 1, [&](Value* row) {
      axis(contract_.m) = b().CreateAdd(m0, row);
      Value* start = b().CreateMul(row, number(plan_.packed_depth));
      emit_counted_loop(emission_, b().getInt64(0), depth, lanes(), [&](Value* k) {
        Value* value = evaluate(contract_.lhs, contract_.k, b().CreateAdd(k0, k),
                                lanes_below(b().CreateSub(depth, k)));
        store(value, target, b().CreateAdd(start, k));
      });
    });
  }

  void rhs(Value* target, Value* k0, Value* depth, Value* n0, Value* columns) {
    if (plan_.is_rhs_transposed) return rhs_transposed(target, k0, depth, n0, columns);
    Value* is_whole = b().CreateICmpSGE(columns, b().getInt64(plan_.width()));
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(is_whole)) {
      return known->isZero() ? rhs_part(target, k0, depth, n0, columns)
                             : rhs_whole(target, k0, depth, n0);
    }
    auto* whole = block("whole");
    auto* part = block("part");
    auto* after = block("packed");
    b().CreateCondBr(is_whole, whole, part);
    b().SetInsertPoint(whole);
    rhs_whole(target, k0, depth, n0);
    b().CreateBr(after);
    b().SetInsertPoint(part);
    rhs_part(target, k0, depth, n0, columns);
    b().CreateBr(after);
    b().SetInsertPoint(after);
  }

 private:
  Builder& b() { return code_.builder; }
  int64_t lanes() const { return plan_.lanes; }
  Value* number(int64_t value) { return b().getInt64(static_cast<uint64_t>(value)); }
  Value*& axis(int which) { return emission_.frame.axes[static_cast<size_t>(which)]; }
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(code_.context, name, emission_.frame.function);
  }

  // The lanes below min(count, lanes).
  Value* lanes_below(Value* count) {
    Value* most = number(lanes());
    count = b().CreateSelect(b().CreateICmpSLT(count, most), count, most);
    Value* bound = splat(code_, b().CreateTrunc(count, b().getInt32Ty()), plan_.lanes);
    return b().CreateICmpULT(lane_numbers(code_, plan_.lanes, 32), bound);
  }

  // Vectors of a panel that hold one of `columns` columns at least.
  Value* vectors_of(Value* columns) {
    Value* count = b().CreateUDiv(b().CreateAdd(columns, number(lanes() - 1)), number(lanes()));
    Value* most = number(plan_.vectors);
    return b().CreateSelect(b().CreateICmpSLT(count, most), count, most);
  }

  // The expression in lanes along `vector_axis` from `first` on.
  Value* evaluate(const Expr& e, int vector_axis, Value* first, Value* mask) {
    Frame& frame = emission_.frame;
    axis(vector_axis) = first;
    frame.vector_axis = vector_axis;
    frame.lanes = plan_.lanes;
    frame.mask = mask;
    Value* value = emit_expression(emission_, e, plan_.arithmetic);
    value = convert(code_, value, contract_.accumulator);
    frame.vector_axis = -1;
    frame.lanes = 1;
    frame.mask = nullptr;
    return splat(code_, value, plan_.lanes);
  }

  void store(Value* value, Value* target, Value* offset) {
    b().CreateAlignedStore(value, b().CreateGEP(plan_.element, target, offset), llvm::Align(16));
  }

  void rhs_whole(Value* target, Value* k0, Value* depth, Value* n0) {
    emit_counted_loop(emission_, b().getInt64(0), depth, 1, [&](Value* k) {
      axis(contract_.k) = b().CreateAdd(k0, k);
      for (unsigned v = 0; v < plan_.vectors; ++v) rhs_vector(target, k, n0, number(v), nullptr);
    });
  }
  void rhs_part(Value* target, Value* k0, Value* depth, Value* n0, Value* columns) {
    emit_counted_loop(emission_, b().getInt64(0), depth, 1, [&](Value* k) {
      axis(contract_.k) = b().CreateAdd(k0, k);
      emit_counted_loop(emission_, b().getInt64(0), vectors_of(columns), 1,
                        [&](Value* v) { rhs_vector(target, k, n0, v, columns); });
    });
  }

  // Vector v of row k; masked if `columns` says how many are left.
  void rhs_vector(Value* target, Value* k, Value* n0, Value* v, Value* columns) {
    Value* column = b().CreateMul(v, number(lanes()));
    Value* mask = columns == nullptr ? nullptr : lanes_below(b().CreateSub(columns, column));
    Value* value = evaluate(contract_.rhs, contract_.n, b().CreateAdd(n0, column), mask);
    store(value, target, b().CreateAdd(b().CreateMul(k, number(plan_.width())), column));
  }

  // Squares: `lanes` columns, each read along k, become `lanes` rows. Columns beyond the last
  // repeat it, and rows beyond the last are written to the panel's spare rows.
  void rhs_transposed(Value* target, Value* k0, Value* depth, Value* n0, Value* columns) {
    Value* last = b().CreateSub(columns, number(1));
    emit_counted_loop(emission_, b().getInt64(0), vectors_of(columns), 1, [&](Value* v) {
      Value* first = b().CreateMul(v, number(lanes()));
      emit_counted_loop(emission_, b().getInt64(0), depth, lanes(), [&](Value* k) {
        Value* mask = lanes_below(b().CreateSub(depth, k));
        Value* k_first = b().CreateAdd(k0, k);
        llvm::SmallVector<Value*, 16> square;
        for (int64_t j = 0; j < lanes(); ++j) {
          Value* column = b().CreateAdd(first, number(j));
          column = b().CreateSelect(b().CreateICmpSLT(column, last), column, last);
          axis(contract_.n) = b().CreateAdd(n0, column);
          square.push_back(evaluate(contract_.rhs, contract_.k, k_first, mask));
        }
        transpose(square);
        for (int64_t t = 0; t < lanes(); ++t) {
          Value* row = b().CreateMul(b().CreateAdd(k, number(t)), number(plan_.width()));
          store(square[static_cast<size_t>(t)], target, b().CreateAdd(row, first));
        }
      });
    });
  }

  // Swaps the off-diagonal blocks of size 1, 2, 4, ... in turn.
  void transpose(llvm::SmallVectorImpl<Value*>& square) {
    const auto size = static_cast<int>(square.size());
    for (int distance = 1; distance < size; distance *= 2) {
      llvm::SmallVector<int, 16> low;
      llvm::SmallVector<int, 16> high;
      for (int lane = 0; lane < size; ++lane) {
        const bool is_upper = (lane & distance) != 0;
        low.push_back(is_upper ? size + lane - distance : lane);
        high.push_back(is_upper ? size + lane : lane + distance);
      }
      for (int i = 0; i < size; ++i) {
        if ((i & distance) != 0) continue;
        Value*& upper = square[static_cast<size_t>(i)];
        Value*& lower = square[static_cast<size_t>(i + distance)];
        Value* first = b().CreateShuffleVector(upper, lower, low);
        lower = b().CreateShuffleVector(upper, lower, high);
        upper = first;
      }
    }
  }

  Emission& emission_;
  Code& code_;
  const loop::Contract& contract_;
  const ContractPlan& plan_;
};

}  // namespace

void pack_lhs(Emission& emission, const loop::Contract& contract, const ContractPlan& plan,
              Value* target, Value* m0, Value* rows, Value* k0, Value* depth) {
  Packer(emission, contract, plan).lhs(target, m0, rows, k0, depth);
}

void pack_rhs(Emission& emission, const loop::Contract& contract, const ContractPlan& plan,
              Value* target, Value* k0, Value* depth, Value* n0, Value* columns) {
  Packer(emission, contract, plan).rhs(target, k0, depth, n0, columns);
}

}  // namespace ridge::codegen
