// Plans of several kernels as CUDA text: on the host against the loop interpreter, and through NVRTC.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/ridge.h"
#include "tests/nvrtc_checks.h"
#include "tests/unit/codegen/cuda/run_on_host.h"
#include "tests/unit/schedule/scheduled.h"

namespace ridge::codegen::shared_rows_test {
namespace {

using ridge::testing::floats;
using ridge::testing::graph_of;

struct SharedRowsCase {
  const char* name;
  graph::Graph graph;
  std::vector<Tensor> inputs;
  schedule::Plan plan;
  std::vector<CudaKernel> kernels;
};

SharedRowsCase make(const char* name, const std::vector<graph::Type>& types,
                    const ridge::testing::Function& function) {
  SharedRowsCase result{name, graph_of(types, function), {}, {}, {}};
  result.inputs = ridge::testing::random_inputs(result.graph, 9);
  result.plan = schedule::schedule(result.graph, {.target = schedule::Target::gpu});
  for (const schedule::KernelCall& call : result.plan.calls) {
    result.kernels.push_back(generate(call.kernel, CudaTarget{}));
  }
  return result;
}

std::vector<SharedRowsCase> cases() {
  using Tensors = std::vector<Tensor>;
  const graph::Type narrow{bf16, {800, 136}, kCpu, false};
  std::vector<SharedRowsCase> result;
  result.push_back(make("rows in chunks", {floats({2, 20001})}, [](const Tensors& x) {
    return Tensors{sum(x[0], {1}), ridge::max(x[0], {1})};
  }));
  result.push_back(make("columns in chunks", {narrow}, [](const Tensors& x) {
    return Tensors{sum(x[0], {0}), sum(x[0] * x[0], {0})};
  }));
  result.push_back(make("passes down columns", {floats({70, 40})},
                        [](const Tensors& x) { return Tensors{softmax(x[0], 0)}; }));
  result.push_back(
      make("scatter", {floats({40, 256}), floats({300}), floats({300, 256})}, [](const Tensors& x) {
        const Tensor index = cast((x[1] + 1.0) * 19.5, i64);
        const Tensor along = expand(reshape(index, {300, 1}), {300, 256});
        return Tensors{scatter_add(x[0], 0, along, x[2])};
      }));
  result.push_back(
      make("scan", {floats({3, 1300})}, [](const Tensors& x) { return Tensors{cumsum(x[0], 1)}; }));
  return result;
}

std::vector<Tensor> run_on_host(const SharedRowsCase& one, const HostLibrary& library) {
  std::vector<Tensor> memory, outputs;
  for (const schedule::PlannedBuffer& buffer : one.plan.buffers) {
    const bool is_input = buffer.kind == BufferKind::input;
    memory.push_back(is_input ? one.inputs[static_cast<size_t>(buffer.index)]
                     : buffer.kind == BufferKind::constant
                         ? one.graph[buffer.value].constant
                         : Tensor::empty(buffer.shape, buffer.dtype));
  }
  for (size_t i = 0; i < one.kernels.size(); ++i) {
    std::vector<void*> buffers;
    for (const int id : one.plan.calls[i].buffers) {
      buffers.push_back(memory[static_cast<size_t>(id)].raw_data());
    }
    EXPECT_EQ(library.run(one.kernels[i], buffers, {}), 0) << one.name;
  }
  for (const int id : one.plan.outputs) outputs.push_back(memory[static_cast<size_t>(id)]);
  return outputs;
}

TEST(CudaSharedRows, RunsOnTheHostAsInTheInterpreter) {
  if (!has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  const std::vector<SharedRowsCase> all = cases();
  std::vector<CudaKernel> kernels;
  for (const SharedRowsCase& one : all) {
    kernels.insert(kernels.end(), one.kernels.begin(), one.kernels.end());
  }
  const HostLibrary library(kernels);
  for (const SharedRowsCase& one : all) {
    const std::vector<Tensor> ours = run_on_host(one, library);
    const auto expected = ridge::testing::interpret(one.graph, one.plan, one.inputs).outputs;
    for (size_t i = 0; i < ours.size(); ++i) {
      const auto a = ours[i].to_vector<double>(), b = expected[i].to_vector<double>();
      for (size_t j = 0; j < a.size(); ++j) {
        // The same operations in the same order; products and sums may be contracted.
        ASSERT_NEAR(a[j], b[j], 64 * epsilon(f32) * std::max(1.0, std::abs(b[j]))) << one.name;
      }
    }
  }
}

TEST(CudaSharedRows, CompilesWithoutStackOrSpills) {
  RIDGE_NEEDS_NVRTC();
  for (const SharedRowsCase& one : cases()) {
    for (const CudaKernel& kernel : one.kernels) {
      for (const char* arch : {"sm_90a", "sm_80"}) {
        runtime::cuda::expect_registers_only(kernel.source, arch);
      }
    }
  }
}

}  // namespace
}  // namespace ridge::codegen::shared_rows_test
