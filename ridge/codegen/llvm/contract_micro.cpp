// The micro-kernel: a function of its own, so that all places that need a tile share its code.
#include "ridge/base/text.h"
#include "ridge/codegen/llvm/contract.h"

namespace ridge::codegen {
namespace {

constexpr int64_t kUnroll = 4;

enum Argument : unsigned { kA, kMStride, kB, kSumDepth, kC, kIsFirst, kLastRow };

std::optional<int64_t> known_row_stride(const ContractPlan& plan) {
  if (!plan.is_lhs_direct) return plan.lhs_pitch;
  if (!expr::is_constant(plan.m_stride)) return std::nullopt;
  return plan.m_stride->integer;
}

class MicroEmitter {
 public:
  MicroEmitter(Emission& emission, const ContractPlan& plan, llvm::Function* function,
               unsigned rows, unsigned vectors, bool is_whole)
      : code_(emission.code),
        emission_{emission.code, emission.kernel},
        plan_(plan),
        function_(function),
        rows_(rows),
        vectors_(vectors),
        is_whole_(is_whole) {
    emission_.frame.function = function;
  }

  void emit() {
    const llvm::IRBuilderBase::InsertPointGuard here(b());
    b().SetInsertPoint(llvm::BasicBlock::Create(code_.context, "entry", function_));
    find_rows();
    start();
    Value* depth = argument(kSumDepth);
    Value* rounds = b().CreateAnd(depth, b().getInt64(~uint64_t{kUnroll - 1}));
    emit_counted_loop(emission_, b().getInt64(0), rounds, kUnroll, [&](Value* k) {
      for (int64_t step = 0; step < kUnroll; ++step) {
        add_products(b().CreateAdd(k, b().getInt64(static_cast<uint64_t>(step))));
      }
    });
    emit_counted_loop(emission_, rounds, depth, 1, [&](Value* k) { add_products(k); });
    finish();
    b().CreateRetVoid();
  }

 private:
  Builder& b() { return code_.builder; }
  Value* argument(Argument which) { return function_->getArg(which); }
  llvm::Type* vector_type() const { return with_lanes(plan_.element, plan_.lanes); }

  void find_rows() {
    for (unsigned i = 0; i < rows_; ++i) {
      Value* row = b().getInt64(i);
      if (i > 0 && !is_whole_) {
        Value* last = argument(kLastRow);
        row = b().CreateSelect(b().CreateICmpSLT(row, last), row, last);
      }
      Value* offset = b().CreateMul(row, row_stride());
      row_pointers_.push_back(b().CreateGEP(plan_.element, argument(kA), offset));
    }
  }

  // Where it is known, rows are constant distances apart and need no address of their own.
  Value* row_stride() {
    const std::optional<int64_t> known = known_row_stride(plan_);
    return known ? b().getInt64(static_cast<uint64_t>(*known)) : argument(kMStride);
  }

  Value* c_pointer(unsigned row, unsigned vector) {
    const auto pitch =
        plan_.sum_pitch > 0 ? static_cast<uint64_t>(plan_.sum_pitch) : uint64_t{plan_.width()};
    const uint64_t offset = row * pitch + uint64_t{vector} * plan_.lanes;
    return b().CreateConstGEP1_64(plan_.element, argument(kC), offset);
  }

  void start() {
    auto* resumes = llvm::BasicBlock::Create(code_.context, "resume", function_);
    auto* ready = llvm::BasicBlock::Create(code_.context, "ready", function_);
    for (unsigned i = 0; i < rows_ * vectors_; ++i) {
      sums_.push_back(stack_slot(emission_, vector_type(), "sum"));
      b().CreateStore(llvm::Constant::getNullValue(vector_type()), sums_.back());
    }
    b().CreateCondBr(argument(kIsFirst), ready, resumes);
    b().SetInsertPoint(resumes);
    for (unsigned i = 0; i < rows_ * vectors_; ++i) {
      Value* pointer = c_pointer(i / vectors_, i % vectors_);
      b().CreateStore(b().CreateAlignedLoad(vector_type(), pointer, llvm::Align(16)), sums_[i]);
    }
    b().CreateBr(ready);
    b().SetInsertPoint(ready);
  }

  void add_products(Value* k) {
    llvm::SmallVector<Value*, 4> b_row;
    Value* start = b().CreateMul(k, b().getInt64(plan_.width()));
    for (unsigned v = 0; v < vectors_; ++v) {
      Value* offset = b().CreateAdd(start, b().getInt64(uint64_t{v} * plan_.lanes));
      Value* pointer = b().CreateGEP(plan_.element, argument(kB), offset);
      b_row.push_back(b().CreateAlignedLoad(vector_type(), pointer, llvm::Align(16)));
    }
    for (unsigned i = 0; i < rows_; ++i) {
      Value* pointer = b().CreateGEP(plan_.element, row_pointers_[i], k);
      Value* a = splat(code_, b().CreateLoad(plan_.element, pointer), plan_.lanes);
      for (unsigned v = 0; v < vectors_; ++v) {
        llvm::AllocaInst* sum = sums_[i * vectors_ + v];
        Value* before = b().CreateLoad(vector_type(), sum);
        b().CreateStore(product_sum(a, b_row[v], before), sum);
      }
    }
  }

  Value* product_sum(Value* a, Value* row, Value* before) {
    if (is_real(a)) return multiply_add(code_, a, row, before);
    return b().CreateAdd(before, b().CreateMul(a, row));
  }

  void finish() {
    for (unsigned i = 0; i < rows_ * vectors_; ++i) {
      Value* sum = b().CreateLoad(vector_type(), sums_[i]);
      b().CreateAlignedStore(sum, c_pointer(i / vectors_, i % vectors_), llvm::Align(16));
    }
  }

  Code& code_;
  Emission emission_;
  const ContractPlan& plan_;
  llvm::Function* function_;
  unsigned rows_;
  unsigned vectors_;
  bool is_whole_;
  std::vector<Value*> row_pointers_;
  std::vector<llvm::AllocaInst*> sums_;
};

llvm::Function* micro_kernel(Emission& emission, const ContractPlan& plan, unsigned rows,
                             unsigned vectors, bool is_whole) {
  Code& code = emission.code;
  const std::string_view type_name = plan.element->isFloatTy()    ? "f32"
                                     : plan.element->isDoubleTy() ? "f64"
                                                                  : "i64";
  const std::optional<int64_t> stride = known_row_stride(plan);
  const std::string name =
      concat("contract.", type_name, ".", rows, "x", vectors, ".of", plan.width(),
             stride ? concat(".by", *stride) : "",
             plan.sum_pitch > 0 ? concat(".to", plan.sum_pitch) : "", is_whole ? "" : ".part");
  if (llvm::Function* function = code.module.getFunction(name)) return function;
  llvm::Type* pointer = code.builder.getPtrTy();
  llvm::Type* word = code.builder.getInt64Ty();
  auto* type = llvm::FunctionType::get(
      code.builder.getVoidTy(),
      {pointer, word, pointer, word, pointer, code.builder.getInt1Ty(), word}, false);
  auto* function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, code.module);
  function->addFnAttr(llvm::Attribute::NoInline);
  for (const unsigned argument : {kA, kB, kC}) {
    function->addParamAttr(argument, llvm::Attribute::NoAlias);
  }
  MicroEmitter(emission, plan, function, rows, vectors, is_whole).emit();
  return function;
}

}  // namespace

void call_micro_kernel(Emission& emission, const ContractPlan& plan, unsigned rows,
                       unsigned vectors, const MicroArguments& arguments) {
  const bool is_whole = arguments.last_row == nullptr;
  Value* last_row = is_whole ? emission.builder().getInt64(rows - 1) : arguments.last_row;
  emission.builder().CreateCall(micro_kernel(emission, plan, rows, vectors, is_whole),
                                {arguments.a, arguments.m_stride, arguments.b, arguments.depth,
                                 arguments.c, arguments.is_first, last_row});
}

}  // namespace ridge::codegen
