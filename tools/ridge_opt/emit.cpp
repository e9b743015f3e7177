#include "emit.h"

#include "ridge/aot/differentiate.h"
#include "ridge/aot/joint.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"
#include "ridge/codegen/cuda/generate.h"
#include "ridge/linker/cuda_kernels.h"
#include "ridge/loop/loop.h"
#include "ridge/schedule/plan.h"
#if RIDGE_HAS_LLVM
#include "ridge/codegen/llvm/generate.h"
#endif

namespace ridge::opt {

namespace {

using schedule::PlannedBuffer;

std::string buffer_text(const PlannedBuffer& buffer) {
  switch (buffer.kind) {
    case BufferKind::input: return concat("input ", buffer.index);
    case BufferKind::constant: return concat("constant %", buffer.value.index);
    case BufferKind::output: return concat("output ", buffer.index);
    case BufferKind::temporary:
      return buffer.offset < 0 ? "memory of its own" : concat("arena at ", buffer.offset);
  }
  return {};
}

std::string llvm_text(const loop::Kernel& kernel) {
#if RIDGE_HAS_LLVM
  // The text of a test may not depend on the machine that it runs on.
  static const codegen::CpuTarget target{
      .cpu = "haswell", .features = "+avx2,+fma,+f16c", .vector_bytes = 32};
  return codegen::generate(kernel, target, true).ir;
#else
  throw Error({.code = ErrorCode::value,
               .op = kernel.name,
               .expected = "a build with LLVM",
               .given = "one without it"});
#endif
}

std::string kernels_text(const graph::Graph& graph, Emit emit) {
  const schedule::Target target =
      emit == Emit::gpu_loop || emit == Emit::cuda ? schedule::Target::gpu : schedule::Target::cpu;
  const schedule::Plan plan = schedule::schedule(
      graph, {.target = target, .library = schedule::library_use(knob_text(Knob::library))});
  const std::string mark = emit == Emit::llvm ? "; " : emit == Emit::cuda ? "// " : "# ";
  std::string text;
  for (const schedule::KernelCall& call : plan.calls) {
    if (!text.empty()) text += "\n";
    const auto buffer = [&](int id) { return buffer_text(plan.buffers[static_cast<size_t>(id)]); };
    for (const schedule::KernelRun& run : schedule::runs_of(call)) {
      text += concat(mark, "launched with ", join(run.buffers, ", ", buffer), "\n");
    }
    const codegen::CudaTarget cuda{
        .fits_32_bits = !call.entries.empty() || (call.mapped && plan.fits_32_bits),
        .batch = linker::batch_shape(call)};
    text += emit == Emit::llvm   ? llvm_text(call.kernel)
            : emit == Emit::cuda ? codegen::generate(call.kernel, cuda).source
                                 : loop::to_text(call.kernel);
  }
  return text;
}

}  // namespace

Emit emit_named(std::string_view name) {
  if (name == "loop") return Emit::loop;
  if (name == "gpu-loop") return Emit::gpu_loop;
  if (name == "llvm") return Emit::llvm;
  if (name == "cuda") return Emit::cuda;
  RIDGE_CHECK(name == "graph", .code = ErrorCode::unknown_name,
              .expected = "graph, loop, gpu-loop, llvm or cuda", .given = std::string(name));
  return Emit::graph;
}

std::string emitted(const graph::Graph& graph, Emit emit) {
  return emit == Emit::graph ? graph::to_text(graph) : kernels_text(graph, emit);
}

graph::Graph with_gradients(graph::Graph graph) {
  const auto floating = [&](const graph::ValueIds& values) {
    std::vector<size_t> positions;
    for (size_t i = 0; i < values.size(); ++i) {
      if (is_floating(graph[values[i]].type.dtype)) positions.push_back(i);
    }
    return positions;
  };
  const std::vector<size_t> wrt = floating(graph.inputs), outputs = floating(graph.outputs);
  return aot::join_gradients(aot::prepare(std::move(graph), wrt), outputs, wrt).graph;
}

}  // namespace ridge::opt
