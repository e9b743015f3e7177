// Rows in shared memory as CUDA text: on the host against the loop interpreter, and through NVRTC.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/error.h"
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
  int blocks = 1;  // of a cluster
};

// On a device with so much shared memory: clusters of two need two units each.
LongRowsCase planned(const char* name, graph::Graph graph, int shared_kib, int blocks = 1) {
  LongRowsCase result{name, std::move(graph), {}, {}, blocks};
  const auto device = ridge::testing::small_device(2 * blocks, shared_kib);
  result.plan =
      schedule::schedule(result.graph, {.target = schedule::Target::gpu, .sheet = device});
  for (const schedule::KernelCall& call : result.plan.calls) {
    result.kernels.push_back(generate(call.kernel, {.fits_32_bits = true}));
  }
  return result;
}

Tensors softened(const Tensors& x) { return {softmax(x[0], -1)}; }
Tensors normalized(const Tensors& x) { return {layer_norm(x[0], x[1], x[2])}; }
Tensors rms_normalized(const Tensors& x) { return {rms_norm(x[0], x[1])}; }

graph::Type rows_of(DType dtype, int64_t length) { return {dtype, {9, length}, kCpu, false}; }
graph::Type row_of(DType dtype, int64_t length) { return {dtype, {length}, kCpu, false}; }

LongRowsCase rms_norm_of_two_blocks() {
  const auto rows = rows_of(bf16, 17001), row = row_of(bf16, 17001);
  return planned("RMS norm of two blocks", graph_of({rows, row}, rms_normalized), 30, 2);
}

std::vector<LongRowsCase> long_rows() {
  const auto rows = rows_of(bf16, 17001), row = row_of(bf16, 17001);
  const auto even = rows_of(bf16, 17008), weights = row_of(bf16, 17008);
  const auto wide = rows_of(f64, 5001), wide_row = row_of(f64, 5001);
  std::vector<LongRowsCase> all;
  all.push_back(planned("softmax", graph_of({rows}, softened), 100));
  all.push_back(planned("softmax with room for one row", graph_of({rows}, softened), 60));
  all.push_back(planned("layer norm", graph_of({rows, row, row}, normalized), 100));
  all.push_back(
      planned("layer norm, aligned", graph_of({even, weights, weights}, normalized), 100));
  all.push_back(planned("softmax of two blocks", graph_of({rows}, softened), 30, 2));
  all.push_back(planned("layer norm of two blocks", graph_of({rows, row, row}, normalized), 30, 2));
  all.push_back(
      planned("layer norm of four blocks", graph_of({even, weights, weights}, normalized), 16, 4));
  all.push_back(rms_norm_of_two_blocks());
  // What is no f32 is exchanged between barriers of the cluster.
  all.push_back(planned("layer norm of two blocks, f64",
                        graph_of({wide, wide_row, wide_row}, normalized), 36, 2));
  return all;
}

// How many elements the host's run and the interpreter do not agree on.
class HostRun {
 public:
  explicit HostRun(const LongRowsCase& one)
      : one_(one),
        inputs_(ridge::testing::random_inputs(one.graph, 9)),
        expected_(ridge::testing::interpret(one.graph, one.plan, inputs_).outputs[0]),
        library_(one.kernels) {}

  size_t wrong(const HostOrder& order) const {
    const Tensor out = Tensor::empty(expected_.shape(), expected_.dtype());
    std::vector<void*> buffers;
    for (const int id : one_.plan.calls[0].buffers) {
      const schedule::PlannedBuffer& buffer = one_.plan.buffers[static_cast<size_t>(id)];
      const bool is_input = buffer.kind == BufferKind::input;
      buffers.push_back((is_input ? inputs_[static_cast<size_t>(buffer.index)] : out).raw_data());
    }
    EXPECT_EQ(library_.run(one_.kernels[0], buffers, {}, order), 0) << one_.name;
    const auto a = out.to_vector<double>(), b = expected_.to_vector<double>();
    const double bound = 2 * std::max(epsilon(expected_.dtype()), epsilon(f32));
    size_t count = 0;
    for (size_t j = 0; j < a.size(); ++j) {
      count += std::abs(a[j] - b[j]) <= bound * std::max(1e-4, std::abs(b[j])) ? 0 : 1;
    }
    return count;
  }

 private:
  const LongRowsCase& one_;
  Tensors inputs_;
  Tensor expected_;
  HostLibrary library_;
};

TEST(LongRowsCuda, RunOnTheHostAsInTheInterpreter) {
  if (!has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  for (const LongRowsCase& one : long_rows()) {
    ASSERT_EQ(one.kernels.size(), 1u) << one.name;
    const std::string& text = one.kernels[0].source;
    EXPECT_NE(text.find("ridge::async_copy<"), std::string::npos) << text;
    EXPECT_NE(text.find("ridge::wait_async_copies"), std::string::npos) << text;
    EXPECT_EQ(one.kernels[0].cluster, one.blocks) << one.name;
    const HostRun run(one);
    for (const bool is_backwards : {false, true}) {
      EXPECT_EQ(run.wrong({.is_backwards = is_backwards}), 0u) << one.name;
    }
    if (one.blocks == 1) continue;
    // Partial results of other blocks arrive late, and warps pause.
    for (const uint64_t seed : {1u, 2u}) EXPECT_EQ(run.wrong({.seed = seed}), 0u) << one.name;
  }
}

// Were a wait of the exchange between blocks not there, this is what it would look like.
TEST(LongRowsCuda, FaultsOfExchangesAreFound) {
  if (!has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  const auto is_found = [](const std::string& from, const std::string& to) {
    LongRowsCase one = rms_norm_of_two_blocks();
    std::string& text = one.kernels[0].source;
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    for (; at != std::string::npos; at = text.find(from, at)) text.replace(at, from.size(), to);
    const HostRun run(one);
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      try {
        if (run.wrong({.seed = seed}) > 0) return true;
      } catch (const Error&) {
        return true;  // threads that wait in vain
      }
    }
    return false;
  };
  EXPECT_TRUE(is_found("mbarrier_wait(&exchange.ready[round % 2], round / 2 % 2);", ""));
  // One slot for the partial results of all rounds, and one barrier.
  EXPECT_TRUE(is_found("[round % 2]", "[0]"));
  // What is collected before all warps have posted theirs.
  EXPECT_TRUE(is_found("__syncthreads();", ""));
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
