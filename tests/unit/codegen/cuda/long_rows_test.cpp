// Rows in shared memory as CUDA text: on the host against the loop interpreter, and through NVRTC.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/ridge.h"
#include "tests/nvrtc_checks.h"
#include "tests/unit/codegen/cuda/run_on_host.h"
#include "tests/unit/schedule/scheduled.h"

namespace ridge::codegen::long_rows_test {
namespace {

using ridge::testing::graph_of;
using Tensors = std::vector<Tensor>;

struct LongRowsCase {
  const char* name;
  graph::Graph graph;
  schedule::Plan plan;
  std::vector<CudaKernel> kernels;
};

LongRowsCase planned(const char* name, graph::Graph graph, int shared_kib, int units = 2) {
  LongRowsCase result{name, std::move(graph), {}, {}};
  result.plan = schedule::schedule(
      result.graph,
      {.target = schedule::Target::gpu, .sheet = ridge::testing::small_device(units, shared_kib)});
  for (const schedule::KernelCall& call : result.plan.calls) {
    result.kernels.push_back(generate(call.kernel, {.fits_32_bits = true}));
  }
  return result;
}

std::vector<LongRowsCase> long_rows() {
  const graph::Type rows{bf16, {9, 17001}, kCpu, false}, row{bf16, {17001}, kCpu, false};
  const graph::Type even{bf16, {9, 17008}, kCpu, false}, weights{bf16, {17008}, kCpu, false};
  const auto softmax_of = [](const Tensors& x) { return Tensors{softmax(x[0], -1)}; };
  const auto norm = [](const Tensors& x) { return Tensors{layer_norm(x[0], x[1], x[2])}; };
  std::vector<LongRowsCase> all;
  all.push_back(planned("softmax", graph_of({rows}, softmax_of), 100));
  all.push_back(planned("softmax with room for one row", graph_of({rows}, softmax_of), 60));
  all.push_back(planned("layer norm", graph_of({rows, row, row}, norm), 100));
  all.push_back(planned("layer norm, aligned", graph_of({even, weights, weights}, norm), 100));
  all.push_back(planned("softmax of two blocks", graph_of({rows}, softmax_of), 30, 4));
  all.push_back(planned("layer norm of two blocks", graph_of({rows, row, row}, norm), 30, 4));
  const auto rms = [](const Tensors& x) { return Tensors{rms_norm(x[0], x[1])}; };
  all.push_back(planned("RMS norm of two blocks", graph_of({rows, row}, rms), 30, 4));
  return all;
}

TEST(LongRowsCuda, RunOnTheHostAsInTheInterpreter) {
  if (!has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  for (const LongRowsCase& one : long_rows()) {
    ASSERT_EQ(one.kernels.size(), 1u) << one.name;
    const std::string& text = one.kernels[0].source;
    EXPECT_NE(text.find("ridge::stage<16>("), std::string::npos) << text;
    EXPECT_NE(text.find("ridge::await_stages"), std::string::npos) << text;
    const Tensors inputs = ridge::testing::random_inputs(one.graph, 9);
    const auto expected = ridge::testing::interpret(one.graph, one.plan, inputs).outputs;
    const HostLibrary library(one.kernels);
    // What blocks tell each other comes late, and warps rest.
    const bool is_cluster = one.kernels[0].cluster > 1;
    EXPECT_EQ(text.find("ridge::tell(") != std::string::npos, is_cluster) << text;
    const std::vector<uint64_t> seeds =
        is_cluster ? std::vector<uint64_t>{0, 1, 2, 3} : std::vector<uint64_t>{0, 0};
    for (size_t i = 0; i < seeds.size(); ++i) {
      const HostOrder order{.is_backwards = i % 2 == 1, .seed = seeds[i]};
      const Tensor out = Tensor::empty(expected[0].shape(), expected[0].dtype());
      std::vector<void*> buffers;
      for (const int id : one.plan.calls[0].buffers) {
        const schedule::PlannedBuffer& buffer = one.plan.buffers[static_cast<size_t>(id)];
        const bool is_input = buffer.kind == schedule::BufferKind::input;
        buffers.push_back((is_input ? inputs[static_cast<size_t>(buffer.index)] : out).raw_data());
      }
      EXPECT_EQ(library.run(one.kernels[0], buffers, {}, order), 0) << one.name;
      const auto a = out.to_vector<double>(), b = expected[0].to_vector<double>();
      for (size_t j = 0; j < a.size(); ++j) {
        ASSERT_NEAR(a[j], b[j], 2 * epsilon(bf16) * std::max(1e-4, std::abs(b[j])))
            << one.name << " at " << j;
      }
    }
  }
}

TEST(LongRowsCuda, CompileWithoutStackOrSpills) {
  RIDGE_NEEDS_NVRTC();
  for (const LongRowsCase& one : long_rows()) {
    runtime::cuda::expect_registers_only(one.kernels[0].source, "sm_90a");
    if (one.kernels[0].cluster == 1) {
      runtime::cuda::expect_registers_only(one.kernels[0].source, "sm_80");
    }
  }
}

}  // namespace
}  // namespace ridge::codegen::long_rows_test
