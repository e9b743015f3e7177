// The runtime on a real device. Every test is skipped, with one line, where there is none.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "ridge/base/error.h"
#include "ridge/runtime/cuda/context.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/cuda_graph.h"
#include "tests/gpu/runtime_on_gpu.h"

namespace ridge::runtime::cuda::cuda_gpu_test {
namespace {

TEST_F(CudaGpuTest, KnowsItsDevice) {
  const DeviceProperties& properties = device_properties(0);
  std::puts(to_text(properties).c_str());
  EXPECT_FALSE(properties.name.empty());
  EXPECT_GE(properties.compute_major, 8);
  EXPECT_GT(properties.multiprocessors, 0);
  EXPECT_GT(properties.memory_bytes, size_t{1} << 30);
  EXPECT_GE(properties.shared_bytes_per_block, 48 << 10);
  EXPECT_EQ(properties.warp_size, 32);
  EXPECT_EQ(device_count(), runtime().device_count());
  EXPECT_THROW(device_properties(device_count()), Error);
}

TEST_F(CudaGpuTest, EventsOrderStreamsAndMeasure) {
  const OwnStream first_owner;
  const Stream first = first_owner.stream;
  const OwnStream second_owner;
  const Stream second = second_owner.stream;
  constexpr int kCount = 4096;
  const Block block(kCount * sizeof(float), first);
  runtime().fill(block.as(), 0, kCount * sizeof(float), first);
  const Event before = Event::record(first);
  launch_spin(20, first);
  launch_add(block.as(), 1.0f, kCount, first);
  const Event after = Event::record(first);
  EXPECT_FALSE(after.is_complete());
  after.wait_on(second);
  launch_add(block.as(), 1.0f, kCount, second);
  std::vector<float> result(kCount);
  runtime().copy(result.data(), block.as(), kCount * sizeof(float), second);
  EXPECT_EQ(result[kCount - 1], 2.0f);
  after.synchronize();
  EXPECT_TRUE(after.is_complete());
  const double elapsed = after.elapsed_us_since(before);
  EXPECT_GT(elapsed, 10000);
  EXPECT_LT(elapsed, 1000000);
}

TEST_F(CudaGpuTest, AdoptsStreamsOfTheUser) {
  StreamHandle mine = nullptr;
  {
    const ContextScope scope(0);
    ASSERT_EQ(driver().stream_create(&mine, 0), DriverResult::success);
  }
  const Stream stream = runtime().adopt_stream(0, mine);
  {
    const StreamScope scope(stream);
    EXPECT_EQ(current_stream(kDevice), stream);
    const Block block(4096, stream);
    runtime().fill(block.as(), 1, 4096, stream);
  }
  runtime().forget_stream(stream);
  EXPECT_EQ(driver().stream_destroy(mine), DriverResult::success);
  EXPECT_EQ(runtime().adopt_stream(0, reinterpret_cast<void*>(1)).handle, 0u);
  EXPECT_THROW(runtime().adopt_stream(0, reinterpret_cast<void*>(2)), Error);
}

TEST_F(CudaGpuTest, LaunchesWithMuchSharedMemoryAndClusters) {
  if (device_properties(0).shared_bytes_per_block < 160000)
    GTEST_SKIP() << "too little shared memory";
  const Stream stream{kDevice, 0};
  const Kernel sum = kernel("sum_shared");
  EXPECT_GT(sum.attributes().registers, 0);
  EXPECT_EQ(sum.attributes().static_shared_bytes, 0);
  const Block block(64 * sizeof(float));
  float* x = block.as();
  const void* arguments[] = {&x};
  Launch shape{.grid = {16}, .block = {256}, .shared_bytes = 160000, .stream = stream};
  sum.launch(shape, arguments);
  EXPECT_GE(sum.max_active_blocks(256, 160000), 1);
  if (device_properties(0).has_clusters) {
    shape.cluster = {2};
    sum.launch(shape, arguments);
    shape.cluster = {16};  // more than is portable
    shape.shared_bytes = 160000;
    try {
      sum.launch(shape, arguments);
    } catch (const Error& error) {
      std::printf("a cluster of 16 is refused here: %s\n", error.what());
    }
  }
  std::vector<float> result(16);
  runtime().copy(result.data(), x, 16 * sizeof(float), stream);
  EXPECT_EQ(result, std::vector<float>(16, 40000.0f));
  shape.shared_bytes = 300000;
  EXPECT_THROW(sum.launch(shape, arguments), Error);
  EXPECT_THROW(kernel("no_such_kernel"), Error);
}

TEST_F(CudaGpuTest, GraphsReplayAndUpdate) {
  const OwnStream stream_owner;
  const Stream stream = stream_owner.stream;
  constexpr int kCount = 1 << 16;
  const Block block(kCount * sizeof(float), stream);
  const Block other(kCount * sizeof(float), stream);
  runtime().fill(block.as(), 0, kCount * sizeof(float), stream);
  runtime().fill(other.as(), 0, kCount * sizeof(float), stream);
  const auto body = [&](float* x, int launches) {
    return [=] {
      const Block scratch(1 << 20, stream);  // memory may be asked for while capturing
      for (int i = 0; i < launches; ++i) launch_add(x, 1.0f, kCount, stream);
    };
  };
  const auto graph = CudaGraph::capture("adds", stream, body(block.as(), 10));
  EXPECT_EQ(graph->node_count(), 10u);
  std::vector<float> result(kCount);
  const auto read = [&](const Block& from) {
    runtime().copy(result.data(), from.as(), kCount * sizeof(float), stream);
    return result[kCount - 1];
  };
  EXPECT_EQ(read(block), 0.0f);  // capturing runs nothing
  for (int i = 0; i < 3; ++i) graph->launch(stream);
  EXPECT_EQ(read(block), 30.0f);
  EXPECT_TRUE(graph->update(stream, body(other.as(), 10)));
  graph->launch(stream);
  EXPECT_EQ(read(other), 10.0f);
  EXPECT_FALSE(graph->update(stream, body(other.as(), 3)));  // another form
  EXPECT_EQ(graph->node_count(), 3u);
  graph->launch(stream);
  EXPECT_EQ(read(other), 13.0f);
  EXPECT_EQ(read(block), 30.0f);
  runtime().synchronize(stream);
}

TEST_F(CudaGpuTest, AFailedCaptureLeavesTheStreamUsable) {
  const OwnStream stream_owner;
  const Stream stream = stream_owner.stream;
  const Block block(4096, stream);
  std::vector<float> host(1024);
  const auto message = [&](const std::function<void()>& body) {
    try {
      CudaGraph::capture("broken", stream, body);
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([] { throw std::runtime_error("mine"); }), "mine");
  EXPECT_NE(message([&] { runtime().copy(host.data(), block.as(), 4096, stream); }).find("pinned"),
            std::string::npos);
  EXPECT_NE(message([&] { runtime().synchronize(stream); }), "");
  EXPECT_THROW(CudaGraph::capture("default", Stream{kDevice, 0}, [] {}), Error);
  launch_add(block.as(), 1.0f, 1024, stream);
  runtime().synchronize(stream);
}

TEST_F(CudaGpuTest, BadCodeIsAnError) {
  std::string cubin(4096, '\0');
  cubin.replace(0, 4, "\177ELF");
  EXPECT_THROW(Module::load(0, cubin, "zeros"), Error);
  const char* other = device_properties(0).compute_major == 8 ? "sm_90a" : "sm_80";
  const CompiledCuda code = compile_cuda(kSmokeSource, {.name = "smoke", .arch = other});
  try {
    Module::load(0, code.cubin, "for_another_device");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("for_another_device"), std::string::npos);
    std::puts(error.what());
  }
  const std::string cut = code.cubin.substr(0, code.cubin.size() / 2);
  EXPECT_THROW(Module::load(0, cut, "cut"), Error);
}

TEST_F(CudaGpuTest, ThreadsShareTheDevice) {
  std::vector<std::thread> threads;
  std::vector<float> results(4);
  for (size_t index = 0; index < results.size(); ++index) {
    threads.emplace_back([&, index] {
      const OwnStream stream_owner;
      const Stream stream = stream_owner.stream;
      const StreamScope scope(stream);
      for (int round = 0; round < 50; ++round) {
        const Block block(1 << 16, stream);
        runtime().fill(block.as(), 0, 1 << 16, stream);
        launch_add(block.as(), static_cast<float>(index), 1 << 14, stream);
        float last = 0;
        runtime().copy(&last, block.as() + (1 << 14) - 1, sizeof last, stream);
        results[index] += last;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t index = 0; index < results.size(); ++index) {
    EXPECT_EQ(results[index], 50.0f * static_cast<float>(index));
  }
}

TEST_F(CudaGpuTest, LaunchesAreCheap) {
  const OwnStream stream_owner;
  const Stream stream = stream_owner.stream;
  const Block block(4096, stream);
  const Kernel add = kernel("add");
  float* x = block.as();
  float by = 1;
  int count = 1024;
  const void* arguments[] = {&x, &by, &count};
  for (int i = 0; i < 100; ++i)
    add.launch({.grid = {4}, .block = {256}, .stream = stream}, arguments);
  runtime().synchronize(stream);
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kLaunches = 500;  // fewer than the queue of a stream holds
  for (int i = 0; i < kLaunches; ++i) {
    add.launch({.grid = {4}, .block = {256}, .stream = stream}, arguments);
  }
  const std::chrono::duration<double, std::micro> elapsed =
      std::chrono::steady_clock::now() - begin;
  std::printf("host time of a launch: %.2f us\n", elapsed.count() / kLaunches);
  EXPECT_LT(elapsed.count() / kLaunches, 20);
  runtime().synchronize(stream);
}

TEST_F(CudaGpuTest, CublasLtStarts) {
  if (!cublaslt_availability().is_available) GTEST_SKIP() << cublaslt_availability().reason;
  EXPECT_NE(cublaslt_handle(0), nullptr);
  EXPECT_EQ(cublaslt_handle(0), cublaslt_handle(0));
  std::printf("cuBLASLt %zu\n", cublaslt_availability().version);
}

// A lost device stays lost, so this runs in a process of its own.
using CudaGpuDeathTest = CudaGpuTest;

TEST_F(CudaGpuDeathTest, AnIllegalAddressNamesTheKernel) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";  // a fork could not use CUDA
  const auto lose_the_device = [] {
    const Stream stream = runtime().create_stream(kDevice);
    const Block block(4096, stream);
    launch_add(block.as(), 1.0f, 1024, stream);
    runtime().synchronize(stream);
    float* x = block.as();
    long long offset = 1LL << 45;
    const void* arguments[] = {&x, &offset};
    kernel("store_at").launch({.stream = stream}, arguments);
    std::string first;
    std::string second;
    try {
      runtime().synchronize(stream);
    } catch (const Error& error) {
      first = error.what();
    }
    try {
      runtime().synchronize_device(kDevice);
    } catch (const Error& error) {
      second = error.what();
    }
    std::fprintf(stderr, "first: %s\nsecond: %s\n", first.c_str(), second.c_str());
    std::fflush(stderr);
    const bool is_good = first.find("kernel `store_at` (device error)") != std::string::npos &&
                         first.find("cuStreamSynchronize") != std::string::npos &&
                         second.find("already lost") != std::string::npos &&
                         second.find("`store_at`") != std::string::npos;
    std::_Exit(is_good ? 0 : 1);
  };
  EXPECT_EXIT(lose_the_device(), testing::ExitedWithCode(0), "first: .*ILLEGAL_ADDRESS");
}

}  // namespace
}  // namespace ridge::runtime::cuda::cuda_gpu_test
