#include "ridge/eager/eager_graph.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "ridge/graph/passes/passes.h"
#include "ridge/ops/registry.h"

namespace ridge::eager {
namespace {

using dispatch::Arg;
using dispatch::ArgKind;
using expr::Expr;
using schedule::NodeDefinition;

// The operands of a pointwise call as tensors of one merged shape.
struct MergedGraph {
  graph::Graph graph;
  std::vector<std::optional<Shape>> input_strides;
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
    result.input_strides.emplace_back(std::move(strides));
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

// Makes the numbers operands of the definition, each a further input of the graph.
void read_numbers(graph::Graph& graph, NodeDefinition& node_definition,
                  const std::vector<int>& parameters) {
  // In double unless the result is narrower: positions and integers stay exact.
  bool is_double = node_definition.dtype == f64 || !is_floating(node_definition.dtype);
  for (const DType dtype : node_definition.compute) is_double |= dtype == f64;
  for (const int parameter : parameters) {
    const int operand = static_cast<int>(node_definition.operands.size());
    node_definition.operands.push_back(graph.add_input({f64, {}, kCpu, true}));
    node_definition.compute.push_back(is_double ? f64 : f32);
    const auto read = [&](const Expr& e) -> Expr {
      const bool is_it = e->kind == expr::Kind::param && e->index == parameter;
      return is_it ? expr::load(operand, expr::Type::real, {}) : e;
    };
    ops::Definition& definition = node_definition.definition;
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

// The op's own definition, over the merged axes instead of the dimensions of the call.
OneNode pointwise_node(MergedGraph one, const ops::OpRecord& record, const ops::Call& call,
                       const ops::Resolved& resolved, const std::vector<int>& numbers) {
  ops::Definition definition = ops::definition_of(record, call, resolved);
  const size_t rank = one.shape.size();
  definition.extents = one.shape;
  definition.output_rank = rank;
  definition.value = expr::transform(definition.value, [&](const Expr& e) -> Expr {
    if (e->kind != expr::Kind::load) return e;
    return expr::load(e->index, e->type, ops::all_axes(rank));
  });
  NodeDefinition node_definition{.definition = std::move(definition),
                                 .operands = one.graph.inputs,
                                 .compute = resolved.dtypes.inputs,
                                 .dtype = resolved.dtypes.outputs[0],
                                 .shape = one.shape};
  read_numbers(one.graph, node_definition, numbers);
  node_definition = schedule::with_numbers(std::move(node_definition), call.args());
  const int32_t node =
      one.graph.add_node(*record.op, {}, {{node_definition.dtype, one.shape, kCpu}}, {});
  graph::Node& only = one.graph.nodes[static_cast<size_t>(node)];
  only.forms = graph::forms_of_single_op(node_definition.dtype, node_definition.definition.value);
  one.graph.outputs = only.results;
  return {std::move(one.graph), std::move(node_definition), std::move(one.input_strides),
          call.operands().size()};
}

ClassedCall pointwise_class(const ops::OpRecord& record, const ops::Call& call,
                            const ops::Resolved& resolved, ClassSizes sizes) {
  CallClass layout(sizes);
  layout.word(reinterpret_cast<uint64_t>(record.op));
  const std::vector<int> numbers = number_parameters(record, call, resolved);
  for (size_t i = 0; i < call.args().size(); ++i) {
    layout.argument(call.args()[i], is_in(numbers, i));
  }
  for (const DType dtype : resolved.dtypes.inputs) layout.dtype(dtype);
  layout.dtype(resolved.dtypes.outputs[0]);
  const MergedLayout merged = merge_dimensions(resolved.shapes[0], layouts(call.operands()));
  MergedGraph one = merged_graph(layout, merged, call.operands());
  return {std::move(layout), numbers_of(call, numbers),
          [one = std::move(one), numbers, &record, &call, &resolved]() mutable {
            return pointwise_node(std::move(one), record, call, resolved, numbers);
          }};
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

// The arguments of a call as those of a node, while its class is written down.
struct GeneralGraph {
  graph::Graph graph;
  std::vector<std::optional<Shape>> input_strides;
  std::vector<graph::Argument> args;

  graph::ValueId add_tensor(CallClass& layout, const Tensor& tensor) {
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
    input_strides.push_back(std::move(strides));
    return graph.add_input(std::move(type));
  }

  void add_argument(CallClass& layout, const Arg& arg, ArgKind declared) {
    if (arg.kind == ArgKind::tensor) {
      args.emplace_back(add_tensor(layout, *arg.tensor));
    } else if (arg.kind == ArgKind::tensors) {
      graph::ValueIds ids;
      layout.word(arg.count);
      for (const Tensor& tensor : arg.tensors()) ids.push_back(add_tensor(layout, tensor));
      args.emplace_back(std::move(ids));
    } else if (declared == ArgKind::tensor) {
      // Left out, but operands keep their numbers.
      graph.add_input(graph::Type());
      input_strides.emplace_back();
      args.emplace_back(std::monostate());
    } else if (arg.kind == ArgKind::sizes) {
      Shape sizes;
      for (const Size& size : arg.sizes()) sizes.push_back(layout.size(size.value()));
      args.emplace_back(std::move(sizes));
    } else {
      args.push_back(attribute_of(arg));
    }
  }
};

OneNode general_node(GeneralGraph one, const ops::OpRecord& record, const ops::Call& call,
                     const std::vector<int>& numbers) {
  graph::Graph& graph = one.graph;
  const int32_t node = graph.add_node(*record.op, std::move(one.args), {graph::Type()}, {});
  graph::Node& only = graph.nodes[static_cast<size_t>(node)];
  const size_t operand_count = graph.inputs.size();
  NodeDefinition node_definition = schedule::define_node(graph, only, false);
  read_numbers(graph, node_definition, numbers);
  node_definition = schedule::with_numbers(std::move(node_definition), call.args());
  graph[only.results[0]].type = {node_definition.dtype, node_definition.shape, kCpu};
  graph.outputs = only.results;
  return {std::move(graph), std::move(node_definition), std::move(one.input_strides),
          operand_count};
}

ClassedCall general_class(const ops::OpRecord& record, const ops::Call& call,
                          const ops::Resolved& resolved, ClassSizes sizes) {
  CallClass layout(sizes);
  layout.word(reinterpret_cast<uint64_t>(record.op));
  GeneralGraph one;
  const std::vector<int> numbers = number_parameters(record, call, resolved);
  // A kernel for other numbers may exist; whether these fit is for the op to say.
  if (!numbers.empty()) ops::definition_of(record, call, resolved);
  for (size_t i = 0; i < call.args().size(); ++i) {
    layout.argument(call.args()[i], is_in(numbers, i));
    one.add_argument(layout, call.args()[i], call.schema().parameters[i].kind);
  }
  return {std::move(layout), numbers_of(call, numbers),
          [one = std::move(one), numbers, &record, &call]() mutable {
            return general_node(std::move(one), record, call, numbers);
          }};
}

OneNode assign_node(MergedGraph one, const dispatch::Operator& op, DType dtype) {
  const size_t rank = one.shape.size();
  NodeDefinition node_definition{
      .definition = {.extents = one.shape,
                     .output_rank = rank,
                     .value = expr::load(1, scalar_type(dtype), ops::all_axes(rank))},
      .operands = one.graph.inputs,
      .compute = {dtype, dtype},
      .dtype = dtype,
      .shape = one.shape};
  const int32_t node = one.graph.add_node(op, {}, {{dtype, one.shape, kCpu}}, {});
  const graph::ValueId value = one.graph.nodes[static_cast<size_t>(node)].results[0];
  one.graph.updates.push_back({one.graph.inputs[0], value});
  return {std::move(one.graph), std::move(node_definition), std::move(one.input_strides), 2};
}

}  // namespace

Decision can_generate_for(const ops::Call& call, DType result) {
  bool is_stored_only = is_storage_only(result);
  for (const Tensor* operand : call.operands()) {
    is_stored_only |= operand != nullptr && is_storage_only(operand->dtype());
  }
  return is_stored_only ? Decision::no("elements that are only stored are moved by the reference")
                        : Decision::yes("all dtypes are complete");
}

ClassedCall class_of(const ops::OpRecord& record, const ops::Call& call,
                     const ops::Resolved& resolved, ClassSizes sizes) {
  return record.body ? pointwise_class(record, call, resolved, sizes)
                     : general_class(record, call, resolved, sizes);
}

ClassedCall class_of_assign(const dispatch::Operator& op, const Tensor& to, const Tensor& from,
                            ClassSizes sizes) {
  CallClass layout(sizes);
  layout.word(reinterpret_cast<uint64_t>(&op));
  const Tensor* operands[] = {&to, &from};
  const MergedLayout merged = merge_dimensions(to.shape(), layouts(operands));
  MergedGraph one = merged_graph(layout, merged, operands);
  return {std::move(layout), {}, [one = std::move(one), &op, dtype = to.dtype()]() mutable {
            return assign_node(std::move(one), op, dtype);
          }};
}

}  // namespace ridge::eager
