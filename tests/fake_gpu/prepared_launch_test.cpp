// Launches that are prepared once, and captured graphs whose kernels get other arguments.
#include <gtest/gtest.h>

#include "ridge/base/error.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cuda_graph.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "ridge/runtime/cuda/nvrtc.h"
#include "tests/fake_gpu/library/fake_gpu.h"
#include "tests/fake_gpu/sums.h"

namespace ridge::runtime::cuda {
namespace {

Kernel kernel_of(const std::string& name, int arguments) {
  std::string source = "extern \"C\" __global__ void\n" + name + "(";
  for (int i = 0; i < arguments; ++i) source += i == 0 ? "float* a" : ", float* b";
  const CompiledCuda compiled = compile_cuda(source + ") {}", {.name = name, .arch = "sm_90a"});
  return Module::load(0, compiled.cubin, name)->kernel(name);
}

TEST(PreparedLaunch, ClustersOfTheTextAreAllowedAndNotRepeated) {
  const Kernel kernel = kernel_of("in_text", 1);
  fake_gpu::reset_counts();
  const PreparedLaunch by_text(
      kernel, {.grid = {32}, .block = {64}, .cluster = {16}, .is_cluster_in_code = true});
  const void* argument = nullptr;
  const void* arguments[] = {&argument};
  by_text.launch(cuda_runtime().current_stream(kGpu), arguments);
  EXPECT_EQ(fake_gpu::counts().large_clusters, 1);
  EXPECT_EQ(fake_gpu::counts().launch_attributes, 0);
  const PreparedLaunch by_launch(kernel, {.grid = {32}, .block = {64}, .cluster = {4}});
  by_launch.launch(cuda_runtime().current_stream(kGpu), arguments);
  EXPECT_EQ(fake_gpu::counts().launch_attributes, 1);
}

TEST(PreparedLaunch, IsCheckedWhenItIsPrepared) {
  const Kernel kernel = kernel_of("too_wide", 1);
  EXPECT_THROW(PreparedLaunch(kernel, {.grid = {1}, .block = {2048}}), Error);
  EXPECT_THROW(PreparedLaunch(kernel, {.grid = {3}, .block = {32}, .cluster = {2}}), Error);
  EXPECT_THROW(PreparedLaunch(Kernel(), {.grid = {1}, .block = {32}}), Error);
}

TEST(ContextScope, OnlyTheOutermostAsksForTheContext) {
  fake_gpu::reset_counts();
  for (int i = 0; i < 2; ++i) {
    const ContextScope outer(0);
    const ContextScope inner(0);
    EXPECT_EQ(device_in_use(), 0);
  }
  EXPECT_EQ(fake_gpu::counts().context_questions, 2);
}

TEST(CudaGraph, KernelsGetOtherArgumentsBeforeAndAfterAnUpdate) {
  fake_gpu::set_kernel(add_all);
  const PreparedLaunch add(kernel_of("sum", 3), {.grid = {1}, .block = {32}});
  const Tensor x = on_gpu(1), y = on_gpu(2), z = on_gpu(30), out = on_gpu(0), other = on_gpu(0);
  const Stream stream = cuda_runtime().create_stream(kGpu);
  const auto launch = [&](const Tensor& a, const Tensor& b, const Tensor& into) {
    void* const memory[] = {device_address(a), device_address(b), device_address(into)};
    const void* const arguments[] = {&memory[0], &memory[1], &memory[2]};
    add.launch(stream, arguments);
  };
  const auto graph = CudaGraph::capture("sums", stream, [&] {
    launch(x, y, out);
    launch(out, y, other);
  });
  const auto set_first = [&](const Tensor& a) {
    void* const memory[] = {device_address(a), device_address(y), device_address(out)};
    const void* const arguments[] = {&memory[0], &memory[1], &memory[2]};
    return graph->set_arguments(0, add, arguments);
  };
  graph->launch(stream);
  EXPECT_EQ(values(other), expected(1, 2, 2));
  EXPECT_TRUE(set_first(z));
  graph->launch(stream);
  EXPECT_EQ(values(other), expected(30, 2, 2));
  EXPECT_TRUE(graph->update(stream, [&] {
    launch(x, y, out);
    launch(out, y, other);
  }));
  graph->launch(stream);
  EXPECT_EQ(values(other), expected(1, 2, 2));
  EXPECT_TRUE(set_first(z));  // nodes are still found by their first names
  graph->launch(stream);
  EXPECT_EQ(values(other), expected(30, 2, 2));
  cuda_runtime().destroy_stream(stream);
  fake_gpu::set_kernel({});
}

}  // namespace
}  // namespace ridge::runtime::cuda
