// Statements in order. Inside a vector loop a condition that differs from lane to lane becomes part
// of the mask, and what is assigned under a mask keeps its old value in the other lanes.
#include "ridge/base/error.h"
#include "ridge/codegen/llvm/emission.h"
#include "ridge/codegen/llvm/memory.h"
#include "ridge/codegen/llvm/scalar_function.h"
#include "ridge/codegen/llvm/tiles.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen {
namespace {

class StatementEmitter {
 public:
  explicit StatementEmitter(Emission& emission) : emission_(emission), code_(emission.code) {}

  void operator()(const loop::Loop& loop) {
    if (loop.place == loop::Place::vector) return emit_vector_loop(emission_, loop);
    RIDGE_INTERNAL_CHECK(loop.place == loop::Place::serial, "a loop placed where none can be");
    Value* extent = emit_uniform(emission_, loop.extent);
    emit_counted_loop(emission_, b().getInt64(0), extent, 1, [&](Value* index) {
      frame().axes[static_cast<size_t>(loop.axis)] = index;
      emit_body(emission_, loop.body);
    });
  }

  void operator()(const loop::If& branch) {
    Value* condition = emit_expression(emission_, branch.condition, f64);
    condition = convert(code_, condition, boolean);
    Value* outer = frame().mask;
    if (lanes_of(condition) > 1) frame().mask = condition = both(code_, outer, condition);
    auto* then = llvm::BasicBlock::Create(code_.context, "then", frame().function);
    auto* after = llvm::BasicBlock::Create(code_.context, "after", frame().function);
    b().CreateCondBr(any_lane(code_, condition), then, after);
    b().SetInsertPoint(then);
    emit_body(emission_, branch.then);
    b().CreateBr(after);
    b().SetInsertPoint(after);
    frame().mask = outer;
  }

  void operator()(const loop::Let& let) {
    Value* value = emit_expression(emission_, let.expression, let.arithmetic);
    if (let.rounds) value = round_through(code_, value, *let.rounds);
    slot(let.value) = {convert(code_, value, dtype(let.value)), nullptr};
  }

  void operator()(const loop::Var& var) {
    const DType type = dtype(var.value);
    Value* initial = emit_expression(emission_, var.initial, type == f32 ? f32 : f64);
    initial = splat(code_, convert(code_, initial, type), frame().lanes);
    llvm::AllocaInst* memory = stack_slot(emission_, initial->getType(), "var");
    b().CreateStore(initial, memory);
    slot(var.value) = {nullptr, memory};
  }

  void operator()(const loop::Assign& assign) {
    Value* value = emit_expression(emission_, assign.expression, assign.arithmetic);
    write(slot(assign.value).memory, convert(code_, value, dtype(assign.value)));
  }

  void operator()(const loop::Reduce& reduce) {
    llvm::AllocaInst* partial = frame().partials[static_cast<size_t>(reduce.value)];
    llvm::AllocaInst* memory = partial != nullptr ? partial : slot(reduce.value).memory;
    Value* operand = convert(code_, read_value(emission_, reduce.operand), dtype(reduce.value));
    Value* before = b().CreateLoad(memory->getAllocatedType(), memory);
    if (reduce.factor >= 0) {
      Value* factor = convert(code_, read_value(emission_, reduce.factor), dtype(reduce.value));
      const unsigned lanes = lanes_of(before);
      return write(memory, multiply_add(code_, splat(code_, operand, lanes),
                                        splat(code_, factor, lanes), before));
    }
    write(memory, combine(emission_, reduce.combine, before, operand));
  }

  void operator()(const loop::Store& store) { emit_store(emission_, store); }
  void operator()(const loop::Contract& contract) { emit_contract(emission_, contract); }
  void operator()(const loop::Barrier&) {
    RIDGE_INTERNAL_CHECK(false, "there are no barriers on a CPU");
  }
  void operator()(const loop::CollectiveReduce&) {
    RIDGE_INTERNAL_CHECK(false, "there are no warps and blocks on a CPU");
  }
  void operator()(const loop::AsyncCopy&) {
    RIDGE_INTERNAL_CHECK(false, "there is no shared memory on a CPU");
  }
  void operator()(const loop::WaitCopies&) {
    RIDGE_INTERNAL_CHECK(false, "a CPU has no asynchronous copies");
  }
  void operator()(const loop::BulkCopy&) {
    RIDGE_INTERNAL_CHECK(false, "there is no shared memory on a CPU");
  }
  void operator()(const loop::TileStatement auto&) {
    RIDGE_INTERNAL_CHECK(false, "emit_over_tile emits statements over tiles");
  }

 private:
  Builder& b() { return emission_.builder(); }
  Frame& frame() { return emission_.frame; }
  Slot& slot(int value) { return frame().values[static_cast<size_t>(value)]; }
  DType dtype(int value) const { return emission_.kernel.values[static_cast<size_t>(value)].dtype; }

  void write(llvm::AllocaInst* memory, Value* value) {
    value = splat(code_, value, frame().lanes);
    RIDGE_INTERNAL_CHECK(value->getType() == memory->getAllocatedType(),
                         "a var from outside a vector loop is assigned in it");
    if (frame().mask != nullptr) {
      Value* before = b().CreateLoad(value->getType(), memory);
      value = b().CreateSelect(hidden(frame().mask), value, before);
    }
    b().CreateStore(value, memory);
  }

  // The same mask, as LLVM cannot tell. Where a select has the mask of a load, LLVM 22 for AVX-512
  // moves the mask from the load to what is computed from it, and the load reads whole vectors.
  Value* hidden(Value* mask) {
    llvm::Type* bits = b().getIntNTy(lanes_of(mask));
    llvm::AllocaInst* memory = stack_slot(emission_, bits, "mask");
    b().CreateStore(b().CreateBitCast(mask, bits), memory, true);
    return b().CreateBitCast(b().CreateLoad(bits, memory, true), mask->getType());
  }

  Emission& emission_;
  Code& code_;
};

}  // namespace

void emit_body(Emission& emission, const loop::Body& body) {
  for (size_t i = 0; i < body.size(); ++i) {
    const loop::Statement& statement = body[i];
    if (!loop::is_tile_statement(statement)) {
      std::visit(StatementEmitter(emission), statement.kind);
    } else if (i + 1 < body.size() && is_cleared_by(statement, body[i + 1])) {
      emit_first_dot(emission, *loop::as<loop::Dot>(body[++i]));
    } else {
      emit_over_tile(emission, statement);
    }
  }
}

}  // namespace ridge::codegen
