// Expressions to values, and the loads and stores they index.
#include <optional>
#include <unordered_map>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/emission.h"
#include "ridge/codegen/llvm/lane_form.h"
#include "ridge/codegen/llvm/lane_table.h"
#include "ridge/codegen/llvm/memory.h"
#include "ridge/codegen/llvm/scalar_function.h"

namespace ridge::codegen {
namespace {

using expr::Function;
using expr::Kind;
using expr::Node;

MemoryOperand operand_of(Emission& emission, int buffer) {
  const auto number = static_cast<size_t>(buffer);
  const loop::Buffer& info = emission.kernel.buffers[number];
  bool is_constant = info.access == loop::Access::in;
  for (const loop::Buffer& other : emission.kernel.buffers) {
    is_constant &= other.access != loop::Access::in_out;  // which may overlap
  }
  return {emission.frame.buffers[number], info.dtype, is_constant};
}

class ExpressionEmitter {
 public:
  ExpressionEmitter(Emission& emission, DType arithmetic)
      : emission_(emission),
        code_(emission.code),
        real_(register_type(emission.code, arithmetic)),
        form_(emission),
        codes_(emission, form_, arithmetic) {}

  // `predicate` is the lanes (null: all that run) that choose the side of a select `e` is on.
  Value* emit(const Expr& e, Value* predicate) {
    if (Value* known = find(e)) return known;
    Value* value = emit_node(e, predicate);
    // What cannot go wrong has the same value under any predicate.
    const bool is_safe = !form_.is_unsafe(e);
    (is_safe ? scopes_.front() : scopes_.back())[e.get()] = value;
    return value;
  }

  // The element that `index` selects, by how it moves from lane to lane.
  Value* load(const MemoryOperand& operand, const Expr& index, Value* predicate) {
    const unsigned lanes = emission_.frame.lanes;
    const std::optional<Expr> stride = form_.stride(index);
    if (stride && expr::is_constant(*stride, 0)) {
      Value* position =
          form_.is_uniform(index) ? emit(index, predicate) : at_first_lane(index, predicate);
      if (predicate != nullptr && lanes_of(predicate) > 1) predicate = active(predicate);
      return load_one(code_, operand, position,
                      predicate == nullptr ? nullptr : any_lane(code_, predicate));
    }
    if (stride && expr::is_constant(*stride, 1)) {
      Value* first = at_first_lane(index, predicate);
      if (emission_.frame.prefetches && operand.dtype.bits == 8) {
        prefetch(code_, operand, first, prefetch_distance(index));
      }
      return load_run(code_, operand, first, lanes, active(predicate));
    }
    return gather(code_, operand, positions(index, stride, predicate), active(predicate));
  }

  void store(const MemoryOperand& operand, const Expr& index, Value* value) {
    const Frame& frame = emission_.frame;
    if (frame.lanes == 1) return store_one(code_, operand, emit(index, nullptr), value);
    const std::optional<Expr> stride = form_.stride(index);
    value = splat(code_, value, frame.lanes);
    if (stride && expr::is_constant(*stride, 1)) {
      return store_run(code_, operand, at_first_lane(index, nullptr), value, frame.mask);
    }
    scatter(code_, operand, positions(index, stride, nullptr), value, frame.mask);
  }

 private:
  using Cache = std::unordered_map<const Node*, Value*>;

  Value* active(Value* predicate) { return both(code_, emission_.frame.mask, predicate); }

  Value* find(const Expr& e) const {
    for (const Cache& scope : scopes_) {
      const auto known = scope.find(e.get());
      if (known != scope.end()) return known->second;
    }
    return nullptr;
  }

  // Of rows that are taken at once, what lies close behind one is read with the others: prefetched are rows to come.
  int64_t prefetch_distance(const Expr& index) const {
    const Frame& frame = emission_.frame;
    if (frame.rows == 1) return kAhead;
    const std::optional<Expr> row = LaneForm(emission_, frame.row_axis).stride(index);
    if (!row || !expr::is_constant(*row) || (*row)->integer <= 0) return kAheadOfRows;
    const int64_t rows = (*row)->integer * frame.rows;
    return (kAheadOfRows + rows - 1) / rows * rows;
  }

  // The value of a (linear) integer expression in lane 0, as a scalar.
  Value* at_first_lane(const Expr& e, Value* predicate) {
    if (predicate != nullptr) predicate = any_lane(code_, active(predicate));
    ExpressionEmitter first(emission_, f64);
    first.is_first_lane_ = true;
    return first.emit(e, predicate);
  }

  Value* positions(const Expr& index, const std::optional<Expr>& stride, Value* predicate) {
    Builder& b = code_.builder;
    const unsigned lanes = emission_.frame.lanes;
    if (!stride) return splat(code_, emit(index, predicate), lanes);
    made_.push_back(
        *stride);  // values are remembered by node, whose address must not be used again
    Value* step = splat(code_, emit(*stride, predicate), lanes);
    Value* first = splat(code_, at_first_lane(index, predicate), lanes);
    return b.CreateAdd(first, b.CreateMul(step, lane_numbers(code_, lanes)));
  }

  // Note [Lane tables] in lane_table.h.
  Value* look_up(const Expr& e, const Expr& code, Value* predicate) {
    ExpressionEmitter entries(emission_, f32);
    entries.table_code_ = &code;
    return look_up_lanes(code_, entries.emit(e, nullptr),
                         emit_lane_index(code->args[0], predicate));
  }

  Value* emit_lane_index(const Expr& x, Value* predicate) {
    if (is_call(x, Function::shift_right)) {
      Value* index =
          shifted_lane_index(code_, emit(x->args[0], predicate), emit(x->args[1], predicate));
      if (index != nullptr) return index;
    }
    return lane_index(code_, emit(x, predicate));
  }

  Value* emit_node(const Expr& e, Value* predicate) {
    if (table_code_ != nullptr) {
      if (expr::same(e, *table_code_)) return code_numbers(code_, *e);
    } else if (!is_first_lane_) {
      if (const Expr* code = codes_.find(e)) return look_up(e, *code, predicate);
    }
    switch (e->kind) {
      case Kind::constant: return emit_constant(*e);
      case Kind::symbol:
        RIDGE_INTERNAL_CHECK(e->kind != Kind::symbol, "a kernel knows sizes as params only");
        return nullptr;
      case Kind::axis: return emit_axis(e->index);
      case Kind::input: return typed(read_value(emission_, e->index), e);
      case Kind::param: return typed(emission_.frame.sizes[static_cast<size_t>(e->index)], e);
      case Kind::load:
        return typed(load(operand_of(emission_, e->index), e->args[0], predicate), e);
      case Kind::call: return emit_call(e, predicate);
      case Kind::cast: return typed(emit(e->args[0], predicate), e);
    }
    return nullptr;
  }

  Value* typed(Value* value, const Expr& e) { return convert(code_, value, e->type, real_); }

  Value* emit_constant(const Node& node) {
    switch (node.type) {
      case expr::Type::boolean: return code_.builder.getInt1(node.integer != 0);
      case expr::Type::integer: return code_.builder.getInt64(static_cast<uint64_t>(node.integer));
      case expr::Type::real: return llvm::ConstantFP::get(real_, node.real);
    }
    return nullptr;
  }

  Value* emit_axis(int axis) {
    const Frame& frame = emission_.frame;
    Value* index = frame.axes[static_cast<size_t>(axis)];
    if (axis != frame.vector_axis || is_first_lane_) return index;
    return code_.builder.CreateAdd(splat(code_, index, frame.lanes),
                                   lane_numbers(code_, frame.lanes));
  }

  // Whether an index has one value for all lanes though it holds their axis: i1 // 32.
  bool is_shared_index(const Expr& e) {
    if (!emission_.frame.is_aligned || is_first_lane_ || form_.is_uniform(e)) return false;
    if (e->type == expr::Type::real || !form_.is_index_arithmetic(e)) return false;
    const std::optional<Expr> stride = form_.stride(e);
    return stride && expr::is_constant(*stride, 0);
  }

  // The vector axis divided by what divides a round, in lane 0; null if `e` is no such quotient or rest.
  Value* divide_round(const Node& e) {
    const Frame::Round& round = emission_.frame.round;
    if (!is_first_lane_ || round.number == nullptr) return nullptr;
    if (e.function != Function::floor_div && e.function != Function::mod) return nullptr;
    const Node &axis = *e.args[0], &by = *e.args[1];
    if (axis.kind != Kind::axis || axis.index != emission_.frame.vector_axis) return nullptr;
    if (by.kind != Kind::constant || by.integer <= 0 || round.size % by.integer != 0)
      return nullptr;
    Builder& b = code_.builder;
    if (e.function == Function::mod)
      return b.getInt64(static_cast<uint64_t>(round.offset % by.integer));
    Value* first =
        b.CreateMul(round.number, b.getInt64(static_cast<uint64_t>(round.size / by.integer)));
    return b.CreateAdd(first, b.getInt64(static_cast<uint64_t>(round.offset / by.integer)));
  }

  // What was converted beforehand, in all lanes; null if `e` was not.
  Value* converted_scale(const Expr& e) {
    for (const Frame::Scale& scale : emission_.frame.scales) {
      if (scale.call != e.get()) continue;
      Value* value = code_.builder.CreateLoad(code_.builder.getFloatTy(), scale.memory);
      return splat(code_, typed(value, e), emission_.frame.lanes);
    }
    return nullptr;
  }

  Value* emit_call(const Expr& e, Value* predicate) {
    if (is_shared_index(e)) return at_first_lane(e, predicate);
    if (Value* known = divide_round(*e)) return known;
    if (Value* converted = converted_scale(e)) return converted;
    if (e->function == Function::select) return emit_select(e, predicate);
    llvm::SmallVector<Value*, 5> args;
    unsigned lanes = 1;
    for (const Expr& arg : e->args) {
      args.push_back(emit(arg, predicate));
      lanes = std::max(lanes, lanes_of(args.back()));
    }
    if (e->function != Function::philox) {  // which keeps its keys scalar
      for (Value*& arg : args) arg = splat(code_, arg, lanes);
    }
    if (e->function == Function::f16_value) {
      // In all lanes at once: a scale is broadcast as it is loaded, and converted where it is used.
      args[0] = splat(code_, args[0], emission_.frame.lanes);
    }
    const bool divides = e->function == Function::floor_div || e->function == Function::mod;
    if (divides && lanes > 1 && is_integer(args[0]) && form_.is_index_arithmetic(e)) {
      const Quotient result = divide_indices(emission_, args[0], args[1], predicate);
      return e->function == Function::mod ? result.rest : result.quotient;
    }
    Value* result = emit_function(emission_, e->function, args, predicate);
    return e->function == Function::f16_value ? typed(result, e) : result;
  }

  // Both sides are computed, each touching memory only in the lanes that choose it.
  Value* emit_select(const Expr& e, Value* predicate) {
    Value* condition = emit(e->args[0], predicate);
    const auto side = [&](size_t arg, Value* chosen) {
      const bool needs_guard = form_.is_unsafe(e->args[arg]);
      scopes_.emplace_back();
      Value* value = emit(e->args[arg], needs_guard ? both(code_, predicate, chosen) : predicate);
      scopes_.pop_back();
      return value;
    };
    Value* if_true = side(1, condition);
    Value* if_false = side(2, code_.builder.CreateNot(condition));
    return choose(code_, condition, if_true, if_false);
  }

  Emission& emission_;
  Code& code_;
  llvm::Type* real_;
  LaneForm form_;
  LaneCodes codes_;
  bool is_first_lane_ = false;
  const Expr* table_code_ = nullptr;  // whose every value has a lane
  // Values by node; a scope for each side of a select that we are on, because what was loaded under
  // a predicate is not there outside of it.
  std::vector<Cache> scopes_ = std::vector<Cache>(1);
  std::vector<Expr> made_;
};

}  // namespace

Value* read_value(Emission& emission, int value) {
  const Slot& slot = emission.frame.values[static_cast<size_t>(value)];
  RIDGE_INTERNAL_CHECK(slot.value != nullptr || slot.memory != nullptr,
                       "a value is read before it is made");
  if (slot.memory == nullptr) return slot.value;
  return emission.builder().CreateLoad(slot.memory->getAllocatedType(), slot.memory);
}

Value* emit_expression(Emission& emission, const Expr& e, DType arithmetic) {
  return ExpressionEmitter(emission, arithmetic).emit(e, nullptr);
}

Value* emit_uniform(Emission& emission, const Expr& e) {
  Value* value = emit_expression(emission, e, f64);
  RIDGE_INTERNAL_CHECK(lanes_of(value) == 1, "an extent that differs from lane to lane");
  return convert(emission.code, value, i64);
}

void emit_store(Emission& emission, const loop::Store& store) {
  Value* value = read_value(emission, store.value);
  ExpressionEmitter(emission, f64).store(operand_of(emission, store.buffer), store.index, value);
}

}  // namespace ridge::codegen
