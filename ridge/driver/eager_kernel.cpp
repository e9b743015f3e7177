#include "ridge/driver/eager_kernel.h"

#include <mutex>
#include <unordered_map>

#include "ridge/expr/evaluate.h"

namespace ridge::driver {
namespace {

using expr::Expr;
using schedule::BufferKind;

// A kernel for a class of calls.
struct ClassKernel {
  std::shared_ptr<const BuiltKernel> kernel;
  std::vector<Ref<const expr::Symbol>> symbols;  // in the order the layout lists their values
  std::vector<expr::Guard> guards;
  std::vector<Expr> sizes;
  std::vector<int> buffers;
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

// A launch has one piece of memory beside operands and result: f32 of the result's shape.
void check_scratch(const schedule::KernelCall& call, const schedule::Plan& plan,
                   const graph::Graph& graph) {
  const Shape& shape = graph[graph.nodes[0].results[0]].type.shape;
  int count = 0;
  for (const int id : call.buffers) {
    const schedule::PlannedBuffer& buffer = plan.buffers[static_cast<size_t>(id)];
    if (buffer.kind != BufferKind::temporary) continue;
    RIDGE_INTERNAL_CHECK(++count == 1, "an eager kernel with more than one temporary");
    RIDGE_INTERNAL_CHECK(buffer.dtype == f32 && is_same(buffer.shape, shape),
                         "the temporary of an eager kernel is f32 of its result's shape");
  }
}

int operand_of(const schedule::PlannedBuffer& buffer, int operand_count) {
  if (buffer.kind == BufferKind::temporary) return EagerCall::kScratch;
  if (buffer.kind != BufferKind::input) return EagerCall::kResult;
  const bool is_number = buffer.index >= operand_count;
  return is_number ? EagerCall::kNumber - (buffer.index - operand_count) : buffer.index;
}

// Schedules the graph of one node and builds its kernel.
std::shared_ptr<ClassKernel> make_class_kernel(const CallClass& layout, OneNode one) {
  const schedule::Program program(one.graph, {std::move(one.meaning)});
  const schedule::Plan plan = schedule::schedule(program, {.input_strides = one.input_strides});
  RIDGE_INTERNAL_CHECK(plan.calls.size() == 1, "an eager call is one kernel");
  const schedule::KernelCall& call = plan.calls[0];
  auto result = std::make_shared<ClassKernel>();
  const loop::Kernel* kernel = &call.kernel;
  result->kernel = build({&kernel, 1})[0];
  result->symbols = layout.symbols();
  result->guards = layout.guards();
  result->sizes = call.sizes;
  result->bytes = call.bytes.expression();
  check_scratch(call, plan, one.graph);
  for (const int id : call.buffers) {
    result->buffers.push_back(
        operand_of(plan.buffers[static_cast<size_t>(id)], static_cast<int>(one.operand_count)));
  }
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
  const std::shared_ptr<ClassKernel> made = make_class_kernel(layout, call.graph());
  const std::lock_guard lock(classes().mutex);
  classes().by_key[layout.key()].push_back(made);
  ++classes().count;
  return made;
}

EagerCall bound(const ClassedCall& classed) {
  const std::shared_ptr<ClassKernel> kernel = find_kernel(classed);
  const std::vector<int64_t>& values = classed.layout.values();
  EagerCall call;
  call.kernel = kernel->kernel;
  call.function = kernel->kernel->function;
  for (const Expr& size : kernel->sizes) call.sizes.push_back(value_of(size, *kernel, values));
  call.buffers = kernel->buffers;
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

}  // namespace ridge::driver
