// Programs on the fake GPU, as CUDA graphs: what is captured, what moves, what is let go.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <thread>

#include "ridge/base/knobs.h"
#include "ridge/execute/cuda_graph_run.h"
#include "ridge/runtime/cuda/cuda_runtime.h"
#include "tests/fake_gpu/library/fake_gpu.h"
#include "tests/fake_gpu/sums.h"

namespace ridge {
namespace {

class ProgramGraphTest : public testing::Test {
 protected:
  void SetUp() override {
    fake_gpu::set_kernel(add_all);
    fake_gpu::reset_counts();
  }
  void TearDown() override {
    fake_gpu::set_kernel({});
    fake_gpu::fail_call("cuGraphInstantiateWithFlags", 0);
    fake_gpu::set_memory_bytes(size_t{140} << 30);
  }
  ScopedKnob unfused_{Knob::disable, "fuse"};
};

TEST_F(ProgramGraphTest, TheThirdRunIsOneLaunchOfAllKernels) {
  const auto chain = chain_of(1000);
  const Tensor x = on_gpu(1), y = on_gpu(0.5);
  for (int run = 0; run < 2; ++run) EXPECT_EQ(values(chain(x, y)), expected(1, 0.5, 1000));
  EXPECT_EQ(fake_gpu::counts().launches, 2000);
  EXPECT_EQ(fake_gpu::counts().graphs, 0);
  fake_gpu::reset_counts();
  for (int run = 0; run < 5; ++run) EXPECT_EQ(values(chain(x, y)), expected(1, 0.5, 1000));
  const fake_gpu::Counts counts = fake_gpu::counts();
  EXPECT_EQ(counts.launches, 0);
  EXPECT_EQ(counts.graphs, 1);
  EXPECT_EQ(counts.graph_launches, 5);
  EXPECT_EQ(counts.kernels, 5000);
}

// As add_all, of as many elements as the last argument says.
void add_counted(const std::string&, const std::vector<void*>& arguments) {
  const auto count = reinterpret_cast<int64_t>(arguments.back());
  auto* out = static_cast<float*>(arguments[arguments.size() - 2]);
  for (int64_t i = 0; i < count; ++i) {
    float sum = 0;
    for (size_t k = 0; k + 2 < arguments.size(); ++k) {
      sum += static_cast<const float*>(arguments[k])[i];
    }
    out[i] = sum;
  }
}

TEST_F(ProgramGraphTest, AProgramForAllSizesHasAGraphForEach) {
  fake_gpu::set_kernel(add_counted);
  const auto chain = compile([](const Tensor& x, const Tensor& y) { return ((x + y) + y) + y; },
                             {.name = "chain",
                              .argument_names = {"x", "y"},
                              .dims = {{"x", 0, Dim("n", 2, 64)}, {"y", 0, Dim("n", 2, 64)}}});
  for (int run = 0; run < 5; ++run) {
    for (const int64_t size : {5, 9}) {
      const std::vector<float> x(static_cast<size_t>(size), 1), y(static_cast<size_t>(size), 2);
      const Tensor sum = chain(to_device(Tensor::of<float>(x, {size}), kGpu),
                               to_device(Tensor::of<float>(y, {size}), kGpu));
      EXPECT_EQ(values(sum), std::vector<float>(static_cast<size_t>(size), 7));
    }
  }
  EXPECT_EQ(chain.programs().size(), 1u);
  EXPECT_EQ(fake_gpu::counts().graphs, 2);
  EXPECT_EQ(fake_gpu::counts().launches, 2 * 2 * 3);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 2 * 3);
}

TEST_F(ProgramGraphTest, InputsAndOutputsMayMove) {
  const auto chain = chain_of(8);
  std::vector<Tensor> kept;  // each output has memory of its own
  for (int run = 0; run < 8; ++run) {
    const auto first = static_cast<float>(run);
    const Tensor x = on_gpu(first), y = on_gpu(2 * first);
    kept.push_back(chain(x, y));
  }
  for (int run = 0; run < 8; ++run) {
    const auto first = static_cast<float>(run);
    EXPECT_EQ(values(kept[static_cast<size_t>(run)]), expected(first, 2 * first, 8)) << run;
  }
  EXPECT_EQ(fake_gpu::counts().graphs, 1);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 6);
}

TEST_F(ProgramGraphTest, OnlyKernelsThatUseWhatMovedAreChanged) {
  const auto chain = chain_of(8);
  const Tensor x = on_gpu(1), y = on_gpu(2);
  std::vector<Tensor> kept;
  for (int run = 0; run < 3; ++run) kept.push_back(chain(x, y));
  fake_gpu::reset_counts();
  kept.push_back(chain(x, y));  // a new output: the last kernel
  EXPECT_EQ(fake_gpu::counts().changed_nodes, 1);
  const Tensor other = on_gpu(5);
  fake_gpu::reset_counts();
  const Tensor result = chain(other, y);  // the first and the last
  EXPECT_EQ(fake_gpu::counts().changed_nodes, 2);
  EXPECT_EQ(values(result), expected(5, 2, 8));
}

// The fake GPU sees the address that a tensor map was encoded for.
TEST_F(ProgramGraphTest, TensorMapsFollowWhatMoved) {
  const ScopedKnob library(Knob::library, "never");
  std::vector<void*> seen;
  fake_gpu::set_kernel([&](const std::string&, const std::vector<void*>& arguments) {
    seen = {arguments.begin(), arguments.end()};
  });
  const auto product = compile([](const Tensor& x, const Tensor& w) { return matmul(x, w); });
  const auto matrix = [] { return to_device(zeros({64, 64}, bf16), kGpu); };
  const Tensor w = matrix();
  std::vector<Tensor> kept;
  for (int run = 0; run < 6; ++run) {
    const Tensor x = matrix();
    kept.push_back(x);
    seen.clear();
    kept.push_back(product(x, w));
    for (const Tensor* tensor : std::initializer_list<const Tensor*>{&x, &w, &kept.back()}) {
      EXPECT_NE(std::ranges::find(seen, tensor->storage().data()), seen.end()) << run;
    }
  }
  EXPECT_EQ(fake_gpu::counts().graphs, 1);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 4);
}

TEST_F(ProgramGraphTest, WhereNodesCannotBeChangedAllIsCapturedAgain) {
  fake_gpu::fail_call("cuStreamGetCaptureInfo_v2", 1);
  const auto chain = chain_of(5);
  std::vector<Tensor> kept;
  for (int run = 0; run < 6; ++run) {
    const Tensor x = on_gpu(static_cast<float>(run));
    kept.push_back(chain(x, on_gpu(2)));
    EXPECT_EQ(values(kept.back()), expected(static_cast<float>(run), 2, 5)) << run;
  }
  EXPECT_EQ(fake_gpu::counts().changed_nodes, 0);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 4);
  fake_gpu::fail_call("cuStreamGetCaptureInfo_v2", 0);
}

// The arena of a graph that still runs on a stream must not go to another one, though the stream has the
// handle of one that is gone.
TEST_F(ProgramGraphTest, AStreamWithTheHandleOfAnotherIsWaitedForToo) {
  std::set<const void*> touched;
  fake_gpu::set_kernel([&](const std::string&, const std::vector<void*>& arguments) {
    touched.insert(arguments.begin(), arguments.end());
  });
  auto& runtime = runtime::cuda::cuda_runtime();
  const Tensor x = on_gpu(1), y = on_gpu(2);
  auto chain = std::make_optional(chain_of(6));
  const auto run_on = [&](Stream stream, int runs) {
    const runtime::cuda::StreamScope scope(stream);
    for (int run = 0; run < runs; ++run) static_cast<void>((*chain)(x, y));
  };
  const Stream first = runtime.create_stream(kGpu);
  run_on(first, 3);
  runtime.destroy_stream(first);
  const Stream second = runtime.create_stream(kGpu);
  ASSERT_EQ(first, second);
  touched.clear();
  run_on(second, 1);
  chain.reset();
  for (const Tensor* input : {&x, &y}) touched.erase(device_address(*input));
  EXPECT_GE(touched.size(), 3u);  // two temporaries and the result
  for (const int64_t bytes : {64, 128, 192, 256, 512}) {
    const Tensor other = Tensor::empty({bytes}, u8, kGpu);
    EXPECT_FALSE(touched.contains(device_address(other))) << bytes;
  }
  runtime.destroy_stream(second);
}

TEST_F(ProgramGraphTest, KernelsOverlapOnlyWhenAsked) {
  const Tensor x = on_gpu(1), y = on_gpu(2);
  {
    const ScopedKnob apart(Knob::graphs, 1);
    chain_of(4)(x, y);
    EXPECT_EQ(fake_gpu::counts().launch_attributes, 0);
  }
  const auto chain = chain_of(4);
  for (int run = 0; run < 3; ++run) EXPECT_EQ(values(chain(x, y)), expected(1, 2, 4));
  EXPECT_EQ(fake_gpu::counts().launch_attributes, 12);
}

TEST_F(ProgramGraphTest, InputsUpdatedInPlaceStayWhereTheyAre) {
  const auto step = compile([](Tensor& x, const Tensor& y) {
    for (int i = 0; i < 4; ++i) add_(x, y);
  });
  Tensor x = on_gpu(1);
  const Tensor y = on_gpu(3);
  for (int run = 1; run <= 6; ++run) {
    step(x, y);
    EXPECT_EQ(values(x), expected(1, 3, 4 * run)) << run;
  }
  EXPECT_EQ(fake_gpu::counts().graph_launches, 4);
}

TEST_F(ProgramGraphTest, OneKernelIsAGraphToo) {
  const auto chain = chain_of(1);
  const Tensor x = on_gpu(1), y = on_gpu(2);
  for (int run = 0; run < 6; ++run) EXPECT_EQ(values(chain(x, y)), expected(1, 2, 1));
  EXPECT_EQ(fake_gpu::counts().launches, 2);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 4);
}

TEST_F(ProgramGraphTest, WithTheKnobOffKernelsAreLaunchedOneByOne) {
  const auto chain = chain_of(8);
  const Tensor x = on_gpu(1), y = on_gpu(2);
  const ScopedKnob off(Knob::graphs, 0);
  for (int run = 0; run < 4; ++run) EXPECT_EQ(values(chain(x, y)), expected(1, 2, 8));
  EXPECT_EQ(fake_gpu::counts().graphs, 0);
}

TEST_F(ProgramGraphTest, InsideACaptureOfTheUsersKernelsAreLaunchedOneByOne) {
  const auto chain = chain_of(4);
  const Tensor x = on_gpu(1), y = on_gpu(2);
  for (int run = 0; run < 3; ++run) chain(x, y);
  EXPECT_EQ(fake_gpu::counts().graph_launches, 1);
  runtime::cuda::CudaRuntime& runtime = runtime::cuda::cuda_runtime();
  const Stream stream = runtime.create_stream(kGpu);
  Tensor result;
  const auto graph =
      runtime::cuda::CudaGraph::capture("mine", stream, [&] { result = chain(x, y); });
  EXPECT_EQ(fake_gpu::counts().graph_launches, 1);
  EXPECT_EQ(graph->node_count(), 4u);
  graph->launch(stream);
  EXPECT_EQ(values(result), expected(1, 2, 4));
  runtime.destroy_stream(stream);
}

TEST_F(ProgramGraphTest, ThreadsShareAProgram) {
  const auto chain = chain_of(16);
  const Tensor y = on_gpu(2);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto first = static_cast<float>(10 * t);
      const Tensor x = on_gpu(first);
      for (int run = 0; run < 50; ++run) {
        if (values(chain(x, y)) != expected(first, 2, 16)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(fake_gpu::counts().graph_launches, 1);
}

TEST_F(ProgramGraphTest, AGraphThatCannotBeMadeIsDoneWithout) {
  fake_gpu::fail_call("cuGraphInstantiateWithFlags", 1);
  const auto chain = chain_of(8);
  const Tensor x = on_gpu(1), y = on_gpu(2);
  for (int run = 0; run < 5; ++run) EXPECT_EQ(values(chain(x, y)), expected(1, 2, 8));
  EXPECT_EQ(fake_gpu::counts().graph_launches, 0);
  EXPECT_EQ(fake_gpu::counts().launches, 40);
}

TEST_F(ProgramGraphTest, GraphsGoWithTheirProgramsAndBeyondTheLimit) {
  const int64_t before = fake_gpu::counts().live_graphs;
  const Tensor x = on_gpu(1), y = on_gpu(2);
  {
    std::vector<decltype(chain_of(0))> chains;
    for (size_t i = 0; i < execute::ProgramGraph::kMostGraphs + 10; ++i) {
      chains.push_back(chain_of(3));
      for (int run = 0; run < 3; ++run) chains.back()(x, y);
    }
    EXPECT_LE(fake_gpu::counts().live_graphs,
              static_cast<int64_t>(execute::ProgramGraph::kMostGraphs));
    // The first has lost its graph, and gets another.
    for (int run = 0; run < 3; ++run) EXPECT_EQ(values(chains[0](x, y)), expected(1, 2, 3));
  }
  EXPECT_EQ(fake_gpu::counts().live_graphs, before);
}

}  // namespace
}  // namespace ridge
