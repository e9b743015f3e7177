// Packing: lhs and rhs are evaluated once for each element of a block and laid out as the
// micro-kernel reads them.
#include "ridge/codegen/llvm/contract.h"
#include "ridge/codegen/llvm/memory.h"

namespace ridge::codegen {
namespace {

class Packer {
 public:
  Packer(Emission& emission, const loop::Contract& contract, const ContractPlan& plan)
      : emission_(emission), code_(emission.code), contract_(contract), plan_(plan) {}

  void lhs(Value* target, Value* m0, Value* rows, Value* k0, Value* depth) {
    if (plan_.is_lhs_transposed) return lhs_transposed(target, m0, rows, k0, depth);
    Value* tiles = b().CreateAnd(b().CreateAdd(rows, number(plan_.rows - 1)), number(-tile_rows()));
    Value* last = b().CreateSub(rows, number(1));
    emit_counted_loop(emission_, b().getInt64(0), tiles, 1, [&](Value* row) {
      Value* source = b().CreateSelect(b().CreateICmpSLT(row, last), row, last);
      axis(contract_.m) = b().CreateAdd(m0, source);
      Value* start = b().CreateMul(row, number(plan_.lhs_pitch));
      emit_counted_loop(emission_, b().getInt64(0), depth, lanes(), [&](Value* k) {
        Value* value = evaluate(contract_.lhs, contract_.k, b().CreateAdd(k0, k),
                                lanes_below(b().CreateSub(depth, k)));
        store(value, target, b().CreateAdd(start, k));
      });
    });
  }

  void rhs(Value* target, Value* k0, Value* depth, Value* n0, Value* columns) {
    if (plan_.is_rhs_transposed) return rhs_transposed(target, k0, depth, n0, columns);
    Value* whole = b().CreateUDiv(columns, number(plan_.width()));
    emit_counted_loop(emission_, b().getInt64(0), depth, 1, [&](Value* k) {
      axis(contract_.k) = b().CreateAdd(k0, k);
      emit_counted_loop(emission_, b().getInt64(0), whole, 1, [&](Value* panel) {
        for (unsigned v = 0; v < plan_.vectors; ++v) {
          rhs_vector(target, panel, k, n0, number(v * lanes()), nullptr);
        }
      });
    });
    Value* left = b().CreateSub(columns, b().CreateMul(whole, number(plan_.width())));
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(left); known && known->isZero())
      return;
    emit_counted_loop(emission_, b().getInt64(0), filled(left), lanes(), [&](Value* column) {
      emit_counted_loop(emission_, b().getInt64(0), depth, 1, [&](Value* k) {
        axis(contract_.k) = b().CreateAdd(k0, k);
        rhs_vector(target, whole, k, n0, column, left);
      });
    });
  }

 private:
  Builder& b() { return code_.builder; }
  int64_t lanes() const { return plan_.lanes; }
  int64_t tile_rows() const { return plan_.rows; }
  Value* number(int64_t value) { return b().getInt64(static_cast<uint64_t>(value)); }
  Value*& axis(int which) { return emission_.frame.axes[static_cast<size_t>(which)]; }

  // The lanes below min(count, lanes), which are none for a count below 0.
  Value* lanes_below(Value* count) {
    Value* most = number(lanes());
    Value* none = number(0);
    count = b().CreateSelect(b().CreateICmpSLT(count, none), none, count);
    count = b().CreateSelect(b().CreateICmpSLT(count, most), count, most);
    Value* bound = splat(code_, b().CreateTrunc(count, b().getInt32Ty()), plan_.lanes);
    return b().CreateICmpULT(lane_numbers(code_, plan_.lanes, 32), bound);
  }

  // How many columns of the last panel are packed, for `left` that there are.
  Value* filled(Value* left) {
    const int64_t unit = plan_.has_narrow_tiles ? lanes() : plan_.width();
    return b().CreateAnd(b().CreateAdd(left, number(unit - 1)), number(-unit));
  }

  // The expression in lanes along `vector_axis` from `first` on.
  Value* evaluate(const Expr& e, int vector_axis, Value* first, Value* mask) {
    Frame& frame = emission_.frame;
    axis(vector_axis) = first;
    frame.vector_axis = vector_axis;
    frame.lanes = plan_.lanes;
    frame.is_aligned = true;  // `first` is a multiple of them
    frame.mask = mask;
    Value* value = emit_expression(emission_, e, plan_.arithmetic);
    value = convert(code_, value, contract_.accumulator);
    if (mask != nullptr && plan_.fills_zeros) value = zero_beyond(value, mask);
    frame.vector_axis = -1;
    frame.lanes = 1;
    frame.is_aligned = false;
    frame.mask = nullptr;
    return splat(code_, value, plan_.lanes);
  }

  Value* zero_beyond(Value* value, Value* mask) {
    value = splat(code_, value, plan_.lanes);
    return b().CreateSelect(mask, value, llvm::Constant::getNullValue(value->getType()));
  }

  void store(Value* value, Value* target, Value* offset) {
    b().CreateAlignedStore(value, b().CreateGEP(plan_.element, target, offset), llvm::Align(16));
  }

  // Where a panel begins in the packed block.
  Value* panel_start(Value* panel) {
    return b().CreateMul(panel, number(plan_.k_block * plan_.width()));
  }

  // The vector of row k of a panel from `column` on; masked if `left` says how many there are.
  void rhs_vector(Value* target, Value* panel, Value* k, Value* n0, Value* column, Value* left) {
    Value* mask = left == nullptr ? nullptr : lanes_below(b().CreateSub(left, column));
    Value* first = b().CreateAdd(n0, b().CreateMul(panel, number(plan_.width())));
    Value* value = evaluate(contract_.rhs, contract_.n, b().CreateAdd(first, column), mask);
    Value* row = b().CreateAdd(panel_start(panel), b().CreateMul(k, number(plan_.width())));
    store(value, target, b().CreateAdd(row, column));
  }

  // A square of `e`: `lanes` lines, numbered along `line_axis` from `origin` on, each read along
  // `lane_axis`; then transposed. Lines beyond the last repeat it.
  llvm::SmallVector<Value*, 16> square(const Expr& e, int line_axis, Value* origin, Value* first,
                                       Value* last, int lane_axis, Value* first_lane, Value* mask) {
    llvm::SmallVector<Value*, 16> lines;
    for (int64_t j = 0; j < lanes(); ++j) {
      Value* line = b().CreateAdd(first, number(j));
      line = b().CreateSelect(b().CreateICmpSLT(line, last), line, last);
      axis(line_axis) = b().CreateAdd(origin, line);
      lines.push_back(evaluate(e, lane_axis, first_lane, mask));
    }
    transpose(lines);
    return lines;
  }

  // Rows beyond the last of a panel or block are written to its spare rows.
  void store_square(llvm::ArrayRef<Value*> lines, Value* target, Value* row, Value* column,
                    int64_t pitch) {
    for (int64_t t = 0; t < lanes(); ++t) {
      Value* start = b().CreateMul(b().CreateAdd(row, number(t)), number(pitch));
      store(lines[static_cast<size_t>(t)], target, b().CreateAdd(start, column));
    }
  }

  void rhs_transposed(Value* target, Value* k0, Value* depth, Value* n0, Value* columns) {
    Value* last = b().CreateSub(columns, number(1));
    emit_counted_loop(emission_, b().getInt64(0), filled(columns), lanes(), [&](Value* first) {
      Value* panel = b().CreateUDiv(first, number(plan_.width()));
      Value* column = b().CreateURem(first, number(plan_.width()));
      Value* start = b().CreateAdd(panel_start(panel), column);
      emit_counted_loop(emission_, b().getInt64(0), depth, lanes(), [&](Value* k) {
        Value* mask = lanes_below(b().CreateSub(depth, k));
        auto lines = square(contract_.rhs, contract_.n, n0, first, last, contract_.k,
                            b().CreateAdd(k0, k), mask);
        if (plan_.fills_zeros) {
          Value* columns_there = lanes_below(b().CreateSub(columns, first));
          for (Value*& line : lines) line = zero_beyond(line, columns_there);
        }
        store_square(lines, target, k, start, plan_.width());
      });
    });
  }

  void lhs_transposed(Value* target, Value* m0, Value* rows, Value* k0, Value* depth) {
    Value* last = b().CreateSub(depth, number(1));
    emit_counted_loop(emission_, b().getInt64(0), rows, lanes(), [&](Value* row) {
      Value* mask = lanes_below(b().CreateSub(rows, row));
      Value* first_row = b().CreateAdd(m0, row);
      emit_counted_loop(emission_, b().getInt64(0), depth, lanes(), [&](Value* k) {
        const auto lines =
            square(contract_.lhs, contract_.k, k0, k, last, contract_.m, first_row, mask);
        store_square(lines, target, row, k, plan_.lhs_pitch);
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
