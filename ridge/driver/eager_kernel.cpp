#include "ridge/driver/eager_kernel.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "ridge/base/hash.h"
#include "ridge/driver/merged_layout.h"
#include "ridge/expr/evaluate.h"
#include "ridge/ops/registry.h"
#include "ridge/schedule/plan.h"

namespace ridge::driver {
namespace {

using dispatch::Arg;
using dispatch::ArgKind;
using expr::Expr;
using schedule::BufferKind;
using schedule::Meaning;

// Sizes and strides a kernel takes as arguments lie in this range; anything else is part of its class.
constexpr int64_t kLargestSize = int64_t{1} << 31;

// A kernel for a class of calls.
struct ClassKernel {
  std::shared_ptr<const BuiltKernel> kernel;
  std::vector<Ref<const expr::Symbol>> symbols;  // in the order the layout lists their values
  std::vector<expr::Guard> guards;
  std::vector<Expr> sizes;
  std::vector<int> buffers;
  Expr bytes;
};

// The layout of a call as a class and the numbers inside it.
class CallClass {
 public:
  void word(uint64_t value) { key_.push_back(value); }
  void dtype(DType dtype) { word(static_cast<uint64_t>(dtype.kind) << 8 | dtype.bits); }
  // A size: symbolic if it may differ between calls of the class.
  Size size(int64_t value) {
    const bool is_symbolic = value > 1 && value <= kLargestSize;
    word(is_symbolic ? ~uint64_t{0} : static_cast<uint64_t>(value));
    return is_symbolic ? fresh(value, {2, kLargestSize}) : Size(value);
  }
  Size stride(int64_t value) {
    const bool is_symbolic = value > 1 && value <= kLargestSize;
    word(is_symbolic ? ~uint64_t{0} : static_cast<uint64_t>(value));
    return is_symbolic ? fresh(value, {1, kLargestSize}) : Size(value);
  }
  void argument(const Arg& arg, bool is_read_from_memory = false);

  const std::vector<uint64_t>& key() const { return key_; }
  const std::vector<int64_t>& values() const { return values_; }
  const std::vector<Ref<const expr::Symbol>>& symbols() const { return symbols_; }
  std::vector<expr::Guard> guards() const { return log_->guards(); }

 private:
  Size fresh(int64_t value, expr::Interval range) {
    const Size size = symbolic_size("s" + std::to_string(values_.size()), range, value, log_);
    values_.push_back(value);
    symbols_.push_back(size.expression()->symbol);
    return size;
  }

  std::vector<uint64_t> key_;
  std::vector<int64_t> values_;
  std::vector<Ref<const expr::Symbol>> symbols_;
  std::shared_ptr<expr::GuardLog> log_ = std::make_shared<expr::GuardLog>();
};

// Attributes are part of the class as they are, but for numbers the kernel reads from memory.
void CallClass::argument(const Arg& arg, bool is_read_from_memory) {
  word(static_cast<uint64_t>(arg.kind));
  switch (arg.kind) {
    case ArgKind::none:
    case ArgKind::tensor:
    case ArgKind::tensors: break;
    case ArgKind::integer: word(static_cast<uint64_t>(arg.integer)); break;
    case ArgKind::real: word(is_read_from_memory ? 0 : Hasher().combine(arg.real).digest()); break;
    case ArgKind::flag: word(arg.flag ? 1 : 0); break;
    case ArgKind::dtype: dtype(arg.dtype); break;
    case ArgKind::device: word(static_cast<uint64_t>(arg.device.kind)); break;
    case ArgKind::ints:
      word(arg.count);
      for (const int64_t value : arg.ints()) word(static_cast<uint64_t>(value));
      break;
    case ArgKind::sizes: word(arg.count); break;  // the sizes follow, as sizes
  }
}

struct KeyHash {
  size_t operator()(const std::vector<uint64_t>& key) const {
    Hasher hasher;
    for (const uint64_t word : key) hasher.combine(word);
    return hasher.digest();
  }
};

struct Classes {
  std::mutex mutex;
  std::unordered_map<std::vector<uint64_t>, std::vector<std::shared_ptr<ClassKernel>>, KeyHash>
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

// Schedules the graph of one node and builds its kernel.
std::shared_ptr<ClassKernel> make_kernel(const graph::Graph& graph, std::vector<Meaning> meanings,
                                         const schedule::Options& options, const CallClass& layout,
                                         size_t operand_count) {
  const schedule::Program program(graph, std::move(meanings));
  const schedule::Plan plan = schedule::schedule(program, options);
  RIDGE_INTERNAL_CHECK(plan.calls.size() == 1, "an eager call is one kernel");
  const schedule::KernelCall& call = plan.calls[0];
  auto result = std::make_shared<ClassKernel>();
  const loop::Kernel* kernel = &call.kernel;
  result->kernel = build({&kernel, 1})[0];
  result->symbols = layout.symbols();
  result->guards = layout.guards();
  result->sizes = call.sizes;
  result->bytes = call.bytes.expression();
  check_scratch(call, plan, graph);
  for (const int id : call.buffers) {
    const schedule::PlannedBuffer& buffer = plan.buffers[static_cast<size_t>(id)];
    const auto number = static_cast<int>(operand_count);
    if (buffer.kind == BufferKind::input && buffer.index >= number) {
      result->buffers.push_back(EagerCall::kNumber - (buffer.index - number));
    } else {
      result->buffers.push_back(buffer.kind == BufferKind::input       ? buffer.index
                                : buffer.kind == BufferKind::temporary ? EagerCall::kScratch
                                                                       : EagerCall::kResult);
    }
  }
  return result;
}

// The kernel of a class for which every guard holds; `make` builds one that is missing.
template <class Make>
std::shared_ptr<ClassKernel> find_kernel(const CallClass& layout, Make make) {
  {
    const std::lock_guard lock(classes().mutex);
    const auto found = classes().by_key.find(layout.key());
    if (found != classes().by_key.end()) {
      for (const auto& kernel : found->second) {
        if (holds(*kernel, layout.values())) return kernel;
      }
    }
  }
  const std::shared_ptr<ClassKernel> made = make();
  const std::lock_guard lock(classes().mutex);
  classes().by_key[layout.key()].push_back(made);
  ++classes().count;
  return made;
}

EagerCall bound(const std::shared_ptr<ClassKernel>& kernel, const CallClass& layout) {
  EagerCall call;
  call.kernel = kernel->kernel;
  call.function = kernel->kernel->function;
  for (const Expr& size : kernel->sizes) {
    call.sizes.push_back(value_of(size, *kernel, layout.values()));
  }
  call.buffers = kernel->buffers;
  call.bytes = value_of(kernel->bytes, *kernel, layout.values());
  return call;
}

// The operands of a pointwise call as tensors of one merged shape.
struct MergedGraph {
  graph::Graph graph;
  schedule::Options options;
  Shape shape;
};
MergedGraph merged_graph(CallClass& layout, const MergedLayout& merged,
                         std::span<const Tensor* const> operands) {
  MergedGraph result;
  layout.word(merged.sizes.size());
  for (const int64_t size : merged.sizes) result.shape.push_back(layout.size(size));
  for (size_t k = 0; k < operands.size(); ++k) {
    Shape strides;
    for (size_t dim = 0; dim < merged.sizes.size(); ++dim) {
      const auto kind = merged.stride_class(k, dim);
      layout.word(static_cast<uint64_t>(kind));
      strides.push_back(kind == MergedLayout::StrideClass::any
                            ? layout.stride(merged.strides[k][dim])
                            : Size(kind == MergedLayout::StrideClass::one ? 1 : 0));
    }
    const DType dtype = operands[k] == nullptr ? f32 : operands[k]->dtype();
    layout.dtype(dtype);
    result.graph.add_input({dtype, result.shape, kCpu, false});
    result.options.input_strides.emplace_back(std::move(strides));
  }
  return result;
}

// Which attributes a kernel of the op reads as numbers: reals that its definition refers to by name.
// They come as memory, so that another value needs no other kernel. The same for every call of an
// op, so it is found once.
std::vector<int> number_parameters(const ops::OpRecord& record, const ops::Call& call,
                                   const ops::Resolved& resolved) {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::unordered_map<const ops::OpRecord*, std::vector<int>>;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(&record); found != known.end()) return found->second;
  }
  std::vector<int> parameters;
  const ops::Definition definition = ops::definition_of(record, call, resolved);
  expr::walk(definition.value, [&](const Expr& e) {
    if (e->kind != expr::Kind::param || e->type != expr::Type::real) return;
    if (call.args()[static_cast<size_t>(e->index)].kind != ArgKind::real) return;
    if (std::find(parameters.begin(), parameters.end(), e->index) == parameters.end()) {
      parameters.push_back(e->index);
    }
  });
  const std::lock_guard lock(mutex);
  return known.try_emplace(&record, std::move(parameters)).first->second;
}

// Makes the numbers operands of the meaning, each a further input of the graph.
void read_numbers(graph::Graph& graph, Meaning& meaning, const std::vector<int>& parameters) {
  // In double unless the result is narrower: positions and integers stay exact.
  bool is_double = meaning.dtype == f64 || !is_floating(meaning.dtype);
  for (const DType dtype : meaning.compute) is_double |= dtype == f64;
  for (const int parameter : parameters) {
    const int operand = static_cast<int>(meaning.operands.size());
    meaning.operands.push_back(graph.add_input({f64, {}, kCpu, true}));
    meaning.compute.push_back(is_double ? f64 : f32);
    const auto read = [&](const Expr& e) -> Expr {
      const bool is_it = e->kind == expr::Kind::param && e->index == parameter;
      return is_it ? expr::load(operand, expr::Type::real, {}) : e;
    };
    ops::Definition& definition = meaning.definition;
    definition.value = expr::transform(definition.value, read);
    if (definition.initial.get() != nullptr) {
      definition.initial = expr::transform(definition.initial, read);
    }
  }
}

std::vector<double> numbers_of(const ops::Call& call, const std::vector<int>& parameters) {
  std::vector<double> numbers;
  for (const int parameter : parameters) {
    numbers.push_back(call.args()[static_cast<size_t>(parameter)].real);
  }
  return numbers;
}

bool is_in(const std::vector<int>& list, size_t value) {
  return std::find(list.begin(), list.end(), static_cast<int>(value)) != list.end();
}

std::vector<std::pair<const Shape*, const Shape*>> layouts(
    std::span<const Tensor* const> operands) {
  std::vector<std::pair<const Shape*, const Shape*>> list;
  for (const Tensor* operand : operands) {
    list.emplace_back(operand == nullptr ? nullptr : &operand->shape(),
                      operand == nullptr ? nullptr : &operand->strides());
  }
  return list;
}

EagerCall prepare_pointwise(const ops::OpRecord& record, const ops::Call& call,
                            const ops::Resolved& resolved) {
  CallClass layout;
  layout.word(reinterpret_cast<uint64_t>(record.op));
  const std::vector<int> numbers = number_parameters(record, call, resolved);
  for (size_t i = 0; i < call.args().size(); ++i) {
    layout.argument(call.args()[i], is_in(numbers, i));
  }
  for (const DType dtype : resolved.dtypes.inputs) layout.dtype(dtype);
  layout.dtype(resolved.dtypes.outputs[0]);
  const MergedLayout merged = merge_dimensions(resolved.shapes[0], layouts(call.operands()));
  MergedGraph one = merged_graph(layout, merged, call.operands());
  const auto kernel = find_kernel(layout, [&] {
    // The op's own definition, over the merged axes instead of the dimensions of the call.
    ops::Definition definition = ops::definition_of(record, call, resolved);
    const size_t rank = one.shape.size();
    definition.extents = one.shape;
    definition.output_rank = rank;
    definition.value = expr::transform(definition.value, [&](const Expr& e) -> Expr {
      if (e->kind != expr::Kind::load) return e;
      return expr::load(e->index, e->type, ops::all_axes(rank));
    });
    Meaning meaning{.definition = std::move(definition),
                    .operands = one.graph.inputs,
                    .compute = resolved.dtypes.inputs,
                    .dtype = resolved.dtypes.outputs[0],
                    .shape = one.shape};
    read_numbers(one.graph, meaning, numbers);
    meaning = schedule::with_numbers(std::move(meaning), call.args());
    const int32_t node = one.graph.add_node(*record.op, {}, {{meaning.dtype, one.shape, kCpu}}, {});
    one.graph.outputs = one.graph.nodes[static_cast<size_t>(node)].results;
    return make_kernel(one.graph, {meaning}, one.options, layout, call.operands().size());
  });
  EagerCall ready = bound(kernel, layout);
  ready.numbers = numbers_of(call, numbers);
  return ready;
}

graph::Argument attribute_of(const Arg& arg) {
  switch (arg.kind) {
    case ArgKind::integer: return arg.integer;
    case ArgKind::real: return arg.real;
    case ArgKind::flag: return arg.flag;
    case ArgKind::dtype: return arg.dtype;
    case ArgKind::device: return arg.device;
    case ArgKind::ints: return Ints(arg.ints().begin(), arg.ints().end());
    case ArgKind::none:
    case ArgKind::tensor:
    case ArgKind::tensors:
    case ArgKind::sizes: break;
  }
  return std::monostate();
}

EagerCall prepare_general(const ops::OpRecord& record, const ops::Call& call,
                          const ops::Resolved& resolved) {
  CallClass layout;
  layout.word(reinterpret_cast<uint64_t>(record.op));
  graph::Graph graph;
  schedule::Options options;
  std::vector<graph::Argument> args;
  const auto add_tensor = [&](const Tensor& tensor) {
    graph::Type type{tensor.dtype(), {}, kCpu, tensor.is_weak()};
    layout.dtype(tensor.dtype());
    layout.word(tensor.is_weak() ? 1 : 0);
    layout.word(static_cast<uint64_t>(tensor.rank()));
    for (const Size& size : tensor.shape()) type.shape.push_back(layout.size(size.value()));
    layout.word(tensor.is_contiguous() ? 1 : 0);
    std::optional<Shape> strides;
    if (!tensor.is_contiguous()) {
      strides.emplace();
      for (const Size& stride : tensor.strides()) strides->push_back(layout.stride(stride.value()));
    }
    options.input_strides.push_back(std::move(strides));
    return graph.add_input(std::move(type));
  };
  const std::vector<int> numbers = number_parameters(record, call, resolved);
  // A kernel for other numbers may exist; whether these fit is for the op to say.
  if (!numbers.empty()) ops::definition_of(record, call, resolved);
  for (size_t i = 0; i < call.args().size(); ++i) {
    const Arg& arg = call.args()[i];
    layout.argument(arg, is_in(numbers, i));
    if (arg.kind == ArgKind::tensor) {
      args.emplace_back(add_tensor(*arg.tensor));
    } else if (arg.kind == ArgKind::tensors) {
      graph::ValueIds ids;
      layout.word(arg.count);
      for (const Tensor& tensor : arg.tensors()) ids.push_back(add_tensor(tensor));
      args.emplace_back(std::move(ids));
    } else if (call.schema().parameters[i].kind == ArgKind::tensor) {
      // Left out, but operands keep their numbers.
      graph.add_input(graph::Type());
      options.input_strides.emplace_back();
      args.emplace_back(std::monostate());
    } else if (arg.kind == ArgKind::sizes) {
      Shape sizes;
      for (const Size& size : arg.sizes()) sizes.push_back(layout.size(size.value()));
      args.emplace_back(std::move(sizes));
    } else {
      args.push_back(attribute_of(arg));
    }
  }
  const auto kernel = find_kernel(layout, [&] {
    const int32_t node = graph.add_node(*record.op, std::move(args), {graph::Type()}, {});
    graph::Node& only = graph.nodes[static_cast<size_t>(node)];
    const size_t operand_count = graph.inputs.size();
    Meaning meaning = schedule::meaning_of(graph, only, false);
    read_numbers(graph, meaning, numbers);
    meaning = schedule::with_numbers(std::move(meaning), call.args());
    graph[only.results[0]].type = {meaning.dtype, meaning.shape, kCpu};
    graph.outputs = only.results;
    return make_kernel(graph, {meaning}, options, layout, operand_count);
  });
  EagerCall ready = bound(kernel, layout);
  ready.numbers = numbers_of(call, numbers);
  return ready;
}

}  // namespace

int64_t eager_kernel_count() {
  const std::lock_guard lock(classes().mutex);
  return classes().count;
}

Decision can_generate_for(const ops::Call& call, DType result) {
  bool is_stored_only = is_storage_only(result);
  for (const Tensor* operand : call.operands()) {
    is_stored_only |= operand != nullptr && is_storage_only(operand->dtype());
  }
  return is_stored_only ? Decision::no("elements that are only stored are moved by the reference")
                        : Decision::yes("all dtypes are complete");
}

EagerCall prepare_call(const ops::OpRecord& record, const ops::Call& call,
                       const ops::Resolved& resolved) {
  EagerCall ready;
  if (numel(resolved.shapes[0]).value() != 0) {
    ready = record.body ? prepare_pointwise(record, call, resolved)
                        : prepare_general(record, call, resolved);
  }
  ready.shape = resolved.shapes[0];
  ready.dtype = resolved.dtypes.outputs[0];
  return ready;
}

EagerCall prepare_assign(const dispatch::Operator& op, const Tensor& to, const Tensor& from) {
  if (to.numel().value() == 0) return {};
  CallClass layout;
  layout.word(reinterpret_cast<uint64_t>(&op));
  const Tensor* operands[] = {&to, &from};
  const MergedLayout merged = merge_dimensions(to.shape(), layouts(operands));
  MergedGraph one = merged_graph(layout, merged, operands);
  const auto kernel = find_kernel(layout, [&] {
    const size_t rank = one.shape.size();
    const Meaning meaning{
        .definition = {.extents = one.shape,
                       .output_rank = rank,
                       .value = expr::load(1, scalar_type(to.dtype()), ops::all_axes(rank))},
        .operands = one.graph.inputs,
        .compute = {to.dtype(), to.dtype()},
        .dtype = to.dtype(),
        .shape = one.shape};
    const int32_t node = one.graph.add_node(op, {}, {{to.dtype(), one.shape, kCpu}}, {});
    const graph::ValueId value = one.graph.nodes[static_cast<size_t>(node)].results[0];
    one.graph.updates.push_back({one.graph.inputs[0], value});
    return make_kernel(one.graph, {meaning}, one.options, layout, 2);
  });
  return bound(kernel, layout);
}

}  // namespace ridge::driver
