#include "ridge/linker/link.h"

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/graph/symbols.h"
#include "ridge/linker/kernel_cache.h"

namespace ridge::linker {
namespace {

using execute::ExecutableBuffer;
using execute::ExecutableCall;
using execute::ExecutablePlan;
using execute::LibraryProduct;

ExecutableBuffer linked_buffer(const schedule::PlannedBuffer& buffer, const graph::Graph& graph) {
  const bool is_output = buffer.kind == BufferKind::output;
  const bool is_constant = buffer.kind == BufferKind::constant;
  return {.kind = buffer.kind,
          .index = buffer.index,
          .dtype = buffer.dtype,
          .shape = buffer.shape,
          .offset = buffer.offset,
          .is_weak = is_output && graph[buffer.value].type.is_weak,
          .constant = is_constant ? graph[buffer.value].constant : Tensor()};
}

LibraryProduct linked_product(const schedule::Product& product) {
  const auto matrix = [](const schedule::Matrix& one) {
    return LibraryProduct::Matrix{.buffer = one.buffer,
                                  .dtype = one.dtype,
                                  .first = one.first,
                                  .row_step = one.row_step,
                                  .column_step = one.column_step,
                                  .batch_step = one.batch_step,
                                  .outer_step = one.outer_step};
  };
  return {.m = product.m,
          .n = product.n,
          .k = product.k,
          .batch = product.batch,
          .outer = product.outer,
          .lhs = matrix(product.lhs),
          .rhs = matrix(product.rhs),
          .out = matrix(product.out)};
}

ExecutableCall linked_call(const schedule::KernelCall& call, const graph::Graph& graph) {
  ExecutableCall linked{.kernel = call.kernel.name,
                        .buffers = call.buffers,
                        .sizes = call.sizes,
                        .bytes = call.bytes};
  for (const schedule::KernelCall::Check& check : call.checks) {
    const graph::Node& node = graph.nodes[static_cast<size_t>(check.node)];
    linked.checks.push_back({check.status, std::string(node.op->name()), node.where});
  }
  for (const schedule::KernelCall::Entry& entry : call.entries) {
    linked.entries.push_back({entry.buffers, entry.count});
  }
  if (!call.entries.empty()) {
    for (const loop::Buffer& buffer : call.kernel.buffers) {
      const bool is_shared = expr::is_constant(buffer.elements);
      linked.step_bytes.push_back(is_shared ? 0 : buffer.dtype.bits / 8);
    }
  }
  if (call.product) linked.product = linked_product(*call.product);
  return linked;
}

}  // namespace

ExecutablePlan executable_plan(const schedule::Plan& plan, const graph::Graph& graph,
                               expr::Symbols symbols) {
  ExecutablePlan linked;
  linked.name = graph.name;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    linked.buffers.push_back(linked_buffer(buffer, graph));
  }
  for (const schedule::KernelCall& call : plan.calls) {
    linked.calls.push_back(linked_call(call, graph));
  }
  linked.outputs = plan.outputs;
  std::vector<int32_t> input_of(graph.values.size(), -1);
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    linked.input_shapes.push_back(graph[graph.inputs[i]].type.shape);
    input_of[static_cast<size_t>(graph.inputs[i].index)] = static_cast<int32_t>(i);
  }
  for (const auto& update : graph.updates) {
    linked.written_inputs.push_back(input_of[static_cast<size_t>(update.input.index)]);
  }
  linked.symbols = symbols.empty() ? graph::symbols_of(graph) : std::move(symbols);
  linked.arena = plan.arena;
  linked.arena_bytes = plan.arena_bytes;
  return linked;
}

namespace {

class CpuDeviceBuild final : public DeviceBuild {
 public:
  CpuDeviceBuild(const schedule::Plan& plan, const ExecutablePlan& linked)
      : plan_(plan), linked_(linked) {}

  void generate_kernels() override {
    std::vector<const loop::Kernel*> kernels;
    for (const schedule::KernelCall& call : plan_.calls) kernels.push_back(&call.kernel);
    generated_.emplace(kernels);
  }
  void build_kernels() override { built_ = std::move(*generated_).load(); }
  std::unique_ptr<execute::Executor> make_executor() override {
    return execute::make_cpu_executor(linked_, std::move(built_));
  }

 private:
  const schedule::Plan& plan_;
  const ExecutablePlan& linked_;
  std::optional<CpuBuild> generated_;
  execute::CpuKernels built_;
};

}  // namespace

std::unique_ptr<DeviceBuild> cpu_build(const schedule::Plan& plan, const ExecutablePlan& linked) {
  return std::make_unique<CpuDeviceBuild>(plan, linked);
}

std::unique_ptr<execute::Executor> make_executor(const schedule::Plan& plan,
                                                 const ExecutablePlan& linked, Device device) {
  const auto build = device_backend(device.kind).make_build(plan, linked, device);
  build->choose_products();
  build->generate_kernels();
  build->build_kernels();
  return build->make_executor();
}

bool is_device_agnostic_scalar(const graph::Type& type) {
  return type.device == kCpu && type.shape.empty();
}

execute::DeviceInputs device_inputs(const graph::Graph& graph, Device device) {
  if (device == kCpu) return {};
  std::vector<bool> is_number(graph.inputs.size()), is_written(graph.inputs.size());
  for (const auto& update : graph.updates) {
    RIDGE_CHECK(!is_device_agnostic_scalar(graph[update.input].type), .code = ErrorCode::device,
                .op = graph.name,
                .expected = concat("what is written on ", to_text(device), ", as the rest"),
                .given = "a 0-d tensor of the CPU", .hint = "to_device(tensor, device) copies one");
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (graph.inputs[i] == update.input) is_written[i] = true;
    }
  }
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    is_number[i] = is_device_agnostic_scalar(graph[graph.inputs[i]].type);
  }
  return {device, std::move(is_number), std::move(is_written)};
}

}  // namespace ridge::linker
