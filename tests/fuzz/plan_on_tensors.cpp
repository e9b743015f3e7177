#include "tests/fuzz/plan_on_tensors.h"

#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"
#include "ridge/loop/interpreter.h"

namespace ridge::fuzz {

std::vector<Tensor> run_plan(const schedule::Plan& plan, const graph::Graph& graph,
                             std::span<const Tensor* const> inputs) {
  std::vector<Tensor> tensors;  // by buffer
  const Tensor arena = Tensor::empty({plan.arena_bytes}, u8);
  std::vector<void*> memory;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    if (buffer.kind == BufferKind::input) {
      tensors.push_back(*inputs[static_cast<size_t>(buffer.index)]);
    } else if (buffer.kind == BufferKind::constant) {
      tensors.push_back(graph[buffer.value].constant);
    } else if (buffer.kind == BufferKind::temporary && buffer.offset >= 0) {
      tensors.emplace_back();
      memory.push_back(static_cast<std::byte*>(arena.raw_data()) + buffer.offset);
      continue;
    } else {
      tensors.push_back(Tensor::empty(buffer.shape, buffer.dtype));
    }
    memory.push_back(tensors.back().raw_data());
  }
  for (const schedule::KernelCall& call : plan.calls) {
    loop::verify(call.kernel);
    for (const schedule::KernelRun& run : schedule::runs_of(call)) {
      std::vector<void*> arguments;
      for (const int buffer : run.buffers) arguments.push_back(memory[static_cast<size_t>(buffer)]);
      std::vector<int64_t> sizes;
      for (const expr::Expr& size : run.sizes) {
        sizes.push_back(expr::evaluate(size, {}).as_integer());
      }
      const loop::Counts counts = loop::run(call.kernel, arguments, sizes);
      RIDGE_INTERNAL_CHECK(counts.status == KernelStatus::ok,
                           concat("a status of ", call.kernel.name));
    }
  }
  std::vector<Tensor> outputs;
  for (const int buffer : plan.outputs) outputs.push_back(tensors[static_cast<size_t>(buffer)]);
  return outputs;
}

}  // namespace ridge::fuzz
