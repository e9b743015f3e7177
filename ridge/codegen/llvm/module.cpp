#include "ridge/codegen/llvm/module.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/codegen/llvm/block_loop.h"
#include "ridge/codegen/llvm/emission.h"
#include "ridge/codegen/llvm/tiles.h"

namespace ridge::codegen {
namespace {

// What the entry leaves on its stack for the tasks.
enum ContextField : unsigned { kBuffers, kSizes, kStatus, kContextFields };

bool has_feature(const CpuTarget& target, std::string_view name) {
  return ("," + target.features + ",").find(concat(",+", name, ",")) != std::string::npos;
}

void set_attributes(llvm::Function* function, const CpuTarget& target) {
  function->setDoesNotThrow();
  function->addFnAttr("target-cpu", target.cpu);
  function->addFnAttr("target-features", target.features);
  function->addFnAttr("prefer-vector-width", std::to_string(8 * target.vector_bytes));
  function->addFnAttr("min-legal-vector-width", std::to_string(8 * target.vector_bytes));
  function->addFnAttr("no-trapping-math", "true");
  // Frames are walked by nobody; without tables the object is smaller and links faster.
  function->setUWTableKind(llvm::UWTableKind::None);
}

class ModuleEmitter {
 public:
  ModuleEmitter(llvm::Module& module, const loop::Kernel& kernel, const CpuTarget& target)
      : builder_(module.getContext()),
        code_{module.getContext(),        module, builder_, target, has_feature(target, "fma"),
              has_feature(target, "f16c")},
        kernel_(kernel),
        symbol_(symbol_of(kernel)) {
    llvm::Type* pointer = builder_.getPtrTy();
    context_type_ = llvm::StructType::get(module.getContext(), {pointer, pointer, pointer});
  }

  void emit() {
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Function* entry = add_function(symbol_, {pointer, pointer, pointer, pointer},
                                         llvm::GlobalValue::ExternalLinkage);
    Emission emission = open(entry);
    load_arguments(emission, entry->getArg(0), entry->getArg(1), entry->getArg(3));
    int nests = 0;
    for (const loop::Statement& statement : kernel_.body) {
      const auto* loop = std::get_if<loop::Loop>(&statement.kind);
      if (loop != nullptr && loop->place == loop::Place::cpu_thread) {
        emit_nest(emission, *loop, entry, nests++);
      } else {
        emit_body(emission, {statement});
      }
    }
    builder_.CreateRetVoid();
    for (llvm::Function& function : code_.module) {
      if (!function.isDeclaration()) set_attributes(&function, code_.target);
    }
  }

 private:
  struct Nest {
    std::vector<const loop::Loop*> loops;  // outermost first
    const loop::Body& body() const { return loops.back()->body; }
  };

  static Nest nest_of(const loop::Loop& outermost) {
    Nest nest{{&outermost}};
    while (nest.body().size() == 1) {
      const auto* inner = std::get_if<loop::Loop>(&nest.body()[0].kind);
      if (inner == nullptr || inner->place != loop::Place::cpu_thread) break;
      nest.loops.push_back(inner);
    }
    return nest;
  }

  llvm::Function* add_function(const std::string& name, llvm::ArrayRef<llvm::Type*> parameters,
                               llvm::GlobalValue::LinkageTypes linkage) {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), parameters, false);
    return llvm::Function::Create(type, linkage, name, code_.module);
  }

  Emission open(llvm::Function* function) {
    Emission emission{code_, kernel_};
    emission.frame.function = function;
    emission.frame.axes.resize(static_cast<size_t>(kernel_.axis_count));
    emission.frame.values.resize(kernel_.values.size());
    emission.frame.partials.resize(kernel_.values.size());
    builder_.SetInsertPoint(llvm::BasicBlock::Create(code_.context, "entry", function));
    declare_tiles(emission);
    return emission;
  }

  Value* load_constant(llvm::Type* type, Value* array, size_t index) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(type, array, index);
    auto* load = builder_.CreateLoad(type, address);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(code_.context, {}));
    return load;
  }

  void load_arguments(Emission& emission, Value* buffers, Value* sizes, Value* status) {
    Frame& frame = emission.frame;
    for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
      frame.buffers.push_back(load_constant(builder_.getPtrTy(), buffers, i));
      frame.buffers.back()->setName(kernel_.buffers[i].name);
    }
    for (size_t i = 0; i < kernel_.sizes.size(); ++i) {
      frame.sizes.push_back(load_constant(builder_.getInt64Ty(), sizes, i));
      frame.sizes.back()->setName(kernel_.sizes[i]);
    }
    frame.status = status;
  }

  // Entry side: count the tasks, then hand them to the runtime.
  void emit_nest(Emission& emission, const loop::Loop& outermost, llvm::Function* entry,
                 int number) {
    const Nest nest = nest_of(outermost);
    Value* zero = builder_.getInt64(0);
    Value* count = builder_.getInt64(1);
    for (const loop::Loop* loop : nest.loops) {
      Value* extent = emit_uniform(emission, loop->extent);
      extent = builder_.CreateSelect(builder_.CreateICmpSLT(extent, zero), zero, extent);
      count = builder_.CreateMul(count, extent);
    }
    Value* grain = kernel_.grain ? emit_uniform(emission, kernel_.grain) : builder_.getInt64(1);
    llvm::AllocaInst* context = stack_slot(emission, context_type_, "context");
    const std::array<Value*, kContextFields> fields = {entry->getArg(0), entry->getArg(1),
                                                       entry->getArg(3)};
    for (unsigned i = 0; i < kContextFields; ++i) {
      builder_.CreateStore(fields[i], builder_.CreateStructGEP(context_type_, context, i));
    }
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Type* word = builder_.getInt64Ty();
    llvm::Function* tasks = add_function(concat(symbol_, ".tasks", number), {pointer, word, word},
                                         llvm::GlobalValue::InternalLinkage);
    Value* runtime = entry->getArg(2);
    auto* parallel_type = llvm::FunctionType::get(builder_.getVoidTy(),
                                                  {pointer, word, word, pointer, pointer}, false);
    Value* parallel = builder_.CreateLoad(pointer, runtime);
    builder_.CreateCall(parallel_type, parallel, {runtime, count, grain, tasks, context});
    const llvm::IRBuilderBase::InsertPointGuard here(builder_);
    emit_tasks(nest, tasks);
  }

  // Task side. The loop variables start from the number of the first task and then count on, the
  // innermost fastest.
  void emit_tasks(const Nest& nest, llvm::Function* tasks) {
    Emission emission = open(tasks);
    const auto field = [&](unsigned i) {
      Value* address = builder_.CreateStructGEP(context_type_, tasks->getArg(0), i);
      return builder_.CreateLoad(builder_.getPtrTy(), address);
    };
    Value* buffers = field(kBuffers);
    Value* sizes = field(kSizes);
    load_arguments(emission, buffers, sizes, field(kStatus));
    Value* begin = tasks->getArg(1);
    std::vector<Value*> extents;
    for (const loop::Loop* loop : nest.loops)
      extents.push_back(emit_uniform(emission, loop->extent));
    std::vector<llvm::AllocaInst*> counters;
    Value* rest = begin;
    for (size_t i = nest.loops.size(); i-- > 0;) {
      counters.push_back(stack_slot(emission, builder_.getInt64Ty(), "task"));
      const bool is_outermost = i == 0;
      Value* index = is_outermost ? rest : builder_.CreateURem(rest, extents[i]);
      if (!is_outermost) rest = builder_.CreateUDiv(rest, extents[i]);
      builder_.CreateStore(index, counters.back());
    }
    std::reverse(counters.begin(), counters.end());
    const unsigned rows = rows_at_once(nest.body(), nest.loops.back()->axis, kernel_, code_.target);
    Value* end = tasks->getArg(2);
    if (rows > 1) {
      emit_runs(nest, emission, {begin, end}, extents, counters, rows);
    } else {
      emit_counted_loop(emission, begin, end, 1, [&](Value*) {
        read_counters(nest, emission, counters);
        emit_body(emission, nest.body());
        count_on(nest, emission, extents, counters, builder_.getInt64(1));
      });
    }
    builder_.CreateRetVoid();
  }

  void read_counters(const Nest& nest, Emission& emission,
                     llvm::ArrayRef<llvm::AllocaInst*> counters) {
    for (size_t i = 0; i < nest.loops.size(); ++i) {
      emission.frame.axes[static_cast<size_t>(nest.loops[i]->axis)] =
          builder_.CreateLoad(builder_.getInt64Ty(), counters[i]);
    }
  }

  struct TaskRange {
    Value* begin;
    Value* end;
  };

  // Runs of tasks that are neighbors along the innermost axis: as many at once as there are, then one by one.
  void emit_runs(const Nest& nest, Emission& emission, const TaskRange& tasks,
                 llvm::ArrayRef<Value*> extents, llvm::ArrayRef<llvm::AllocaInst*> counters,
                 unsigned rows) {
    Builder& b = builder_;
    llvm::Function* function = emission.frame.function;
    llvm::AllocaInst* next = stack_slot(emission, b.getInt64Ty(), "next");
    b.CreateStore(tasks.begin, next);
    auto* run = llvm::BasicBlock::Create(code_.context, "run", function);
    auto* done = llvm::BasicBlock::Create(code_.context, "done", function);
    b.CreateCondBr(b.CreateICmpSLT(tasks.begin, tasks.end), run, done);
    b.SetInsertPoint(run);
    read_counters(nest, emission, counters);
    const int axis = nest.loops.back()->axis;
    Value* first = emission.frame.axes[static_cast<size_t>(axis)];
    Value* number = b.CreateLoad(b.getInt64Ty(), next);
    Value* left = b.CreateNSWSub(tasks.end, number);
    Value* in_line = b.CreateNSWSub(extents.back(), first);
    Value* count = b.CreateSelect(b.CreateICmpSLT(left, in_line), left, in_line);
    Value* whole = b.CreateNSWSub(count, b.CreateURem(count, b.getInt64(rows)));
    const auto go_to = [&](Value* task) {
      emission.frame.axes[static_cast<size_t>(axis)] = b.CreateNSWAdd(first, task);
    };
    emit_counted_loop(emission, b.getInt64(0), whole, rows, [&](Value* task) {
      go_to(task);
      emit_rows(emission, nest.body(), axis, rows);
    });
    emit_counted_loop(emission, whole, count, 1, [&](Value* task) {
      go_to(task);
      emit_body(emission, nest.body());
    });
    go_to(b.getInt64(0));
    count_on(nest, emission, extents, counters, count);
    number = b.CreateNSWAdd(number, count);
    b.CreateStore(number, next);
    b.CreateCondBr(b.CreateICmpSLT(number, tasks.end), run, done);
    b.SetInsertPoint(done);
  }

  // By `carry` tasks, which end within the innermost axis.
  void count_on(const Nest& nest, Emission& emission, llvm::ArrayRef<Value*> extents,
                llvm::ArrayRef<llvm::AllocaInst*> counters, Value* carry) {
    for (size_t i = nest.loops.size(); i-- > 0;) {
      Value* index = emission.frame.axes[static_cast<size_t>(nest.loops[i]->axis)];
      Value* next = builder_.CreateAdd(index, carry);
      if (i > 0) {
        Value* is_over = builder_.CreateICmpEQ(next, extents[i]);
        carry = builder_.CreateZExt(is_over, builder_.getInt64Ty());
        next = builder_.CreateSelect(is_over, builder_.getInt64(0), next);
      }
      builder_.CreateStore(next, counters[i]);
    }
  }

  Builder builder_;
  Code code_;
  const loop::Kernel& kernel_;
  std::string symbol_;
  llvm::StructType* context_type_;
};

}  // namespace

llvm::AllocaInst* stack_slot(Emission& emission, llvm::Type* type, const char* name,
                             unsigned count) {
  llvm::BasicBlock& entry = emission.frame.function->getEntryBlock();
  Builder b(&entry, entry.begin());
  return b.CreateAlloca(type, b.getInt32(count), name);
}

std::string symbol_of(const loop::Kernel& kernel) {
  std::string symbol = kernel.name.empty() ? "kernel" : kernel.name;
  for (char& c : symbol) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_plain) c = '_';
  }
  return symbol;
}

std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const loop::Kernel& kernel,
                                          const CpuTarget& target) {
  auto module = std::make_unique<llvm::Module>("ridge", context);
  ModuleEmitter(*module, kernel, target).emit();
  return module;
}

}  // namespace ridge::codegen
