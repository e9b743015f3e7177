#include "ridge/eager/eager_kernel.h"

#include <mutex>
#include <unordered_map>

#include "ridge/base/large_stack.h"
#include "ridge/expr/evaluate.h"

namespace ridge::eager {
namespace {

using expr::Expr;

// The kernels for a class of calls.
struct ClassKernel {
  struct Part {
    std::shared_ptr<const execute::CpuKernel> kernel;
    std::vector<Expr> sizes;
    std::vector<int> buffers;
  };
  struct Scratch {
    DType dtype;
    Expr elements;
  };
  std::vector<Part> parts;  // in order
  std::vector<Scratch> scratch;
  std::vector<Ref<const expr::Symbol>> symbols;  // in the order the layout lists their values
  std::vector<expr::Guard> guards;
  Expr bytes;
};

struct Classes {
  std::mutex mutex;
  std::unordered_map<std::vector<uint64_t>, std::vector<std::shared_ptr<ClassKernel>>, ClassKeyHash>
      by_key;
  int64_t count = 0;
};

Classes& classes() {
  static Classes& instance = *new Classes;
  return instance;
}

int64_t value_of(const Expr& e, const ClassKernel& kernel, const std::vector<int64_t>& values) {
  const expr::Leaves leaves{.symbol = [&](const expr::Symbol& symbol) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (kernel.symbols[i].get() == &symbol) return expr::Number::of(values[i]);
    }
    RIDGE_INTERNAL_CHECK(false, "a symbol of another kernel");
    return expr::Number();
  }};
  return expr::evaluate(e, leaves).as_integer();
}

bool holds(const ClassKernel& kernel, const std::vector<int64_t>& values) {
  for (const expr::Guard& guard : kernel.guards) {
    if (value_of(guard.condition, kernel, values) == 0) return false;
  }
  return true;
}

// Numbers the buffers of a plan as an `EagerCall` does.
class BufferNumbers {
 public:
  BufferNumbers(const schedule::Plan& plan, size_t operand_count, ClassKernel& result)
      : plan_(plan), operand_count_(static_cast<int>(operand_count)), result_(result) {}

  int of(int id) {
    const schedule::PlannedBuffer& buffer = plan_.buffers[static_cast<size_t>(id)];
    if (buffer.kind == BufferKind::temporary) return scratch(id, buffer);
    if (buffer.kind != BufferKind::input) return EagerCall::kResult;
    const bool is_number = buffer.index >= operand_count_;
    return is_number ? EagerCall::kNumber - (buffer.index - operand_count_) : buffer.index;
  }

 private:
  int scratch(int id, const schedule::PlannedBuffer& buffer) {
    const auto [found, is_new] =
        scratch_.try_emplace(id, EagerCall::kScratch + static_cast<int>(result_.scratch.size()));
    if (is_new) result_.scratch.push_back({buffer.dtype, numel(buffer.shape).expression()});
    return found->second;
  }

  const schedule::Plan& plan_;
  int operand_count_;
  ClassKernel& result_;
  std::unordered_map<int, int> scratch_;
};

// Schedules the graph of one node and builds its kernels.
std::shared_ptr<ClassKernel> make_class_kernel(const CallClass& layout, OneNode one) {
  const schedule::InlinedGraph program(one.graph, {std::move(one.node_definition)});
  const schedule::Plan plan = schedule::schedule(program, {.input_strides = one.input_strides});
  auto result = std::make_shared<ClassKernel>();
  result->symbols = layout.symbols();
  result->guards = layout.guards();
  std::vector<const loop::Kernel*> kernels;
  for (const schedule::KernelCall& call : plan.calls) kernels.push_back(&call.kernel);
  const execute::CpuKernels built = linker::build_cpu(kernels);
  BufferNumbers numbers(plan, one.operand_count, *result);
  Size bytes = 0;
  for (size_t i = 0; i < plan.calls.size(); ++i) {
    const schedule::KernelCall& call = plan.calls[i];
    bytes = bytes + call.bytes;
    ClassKernel::Part& part = result->parts.emplace_back();
    part.kernel = built[i];
    part.sizes = call.sizes;
    for (const int id : call.buffers) part.buffers.push_back(numbers.of(id));
  }
  result->bytes = bytes.expression();
  return result;
}

// The kernel of a class for which every guard holds, made if it is missing.
std::shared_ptr<ClassKernel> find_kernel(const ClassedCall& call) {
  const CallClass& layout = call.layout;
  {
    const std::lock_guard lock(classes().mutex);
    const auto found = classes().by_key.find(layout.key());
    if (found != classes().by_key.end()) {
      for (const auto& kernel : found->second) {
        if (holds(*kernel, layout.values())) return kernel;
      }
    }
  }
  const std::shared_ptr<ClassKernel> made =
      on_large_stack([&] { return make_class_kernel(layout, call.graph()); });
  const std::lock_guard lock(classes().mutex);
  classes().by_key[layout.key()].push_back(made);
  ++classes().count;
  return made;
}

EagerCall bound(const ClassedCall& classed) {
  const std::shared_ptr<ClassKernel> kernel = find_kernel(classed);
  const std::vector<int64_t>& values = classed.layout.values();
  EagerCall call;
  for (const ClassKernel::Part& part : kernel->parts) {
    EagerLaunch& launch = call.launches.emplace_back();
    launch.kernel = part.kernel;
    launch.function = part.kernel->function;
    for (const Expr& size : part.sizes) launch.sizes.push_back(value_of(size, *kernel, values));
    launch.buffers = part.buffers;
  }
  for (const ClassKernel::Scratch& scratch : kernel->scratch) {
    call.scratch.push_back({scratch.dtype, value_of(scratch.elements, *kernel, values)});
  }
  call.numbers = classed.numbers;
  call.bytes = value_of(kernel->bytes, *kernel, values);
  return call;
}

}  // namespace

int64_t eager_kernel_count() {
  const std::lock_guard lock(classes().mutex);
  return classes().count;
}

EagerCall prepare_call(const ops::OpRecord& record, const ops::Call& call,
                       const ops::Resolved& resolved) {
  EagerCall ready;
  if (numel(resolved.shapes[0]).value() != 0) {
    ready = bound(class_of(record, call, resolved, ClassSizes::symbolic));
  }
  ready.shape = resolved.shapes[0];
  ready.dtype = resolved.dtypes.outputs[0];
  return ready;
}

EagerCall prepare_assign(const dispatch::Operator& op, const Tensor& to, const Tensor& from) {
  if (to.numel().value() == 0) return {};
  return bound(class_of_assign(op, to, from, ClassSizes::symbolic));
}

}  // namespace ridge::eager
