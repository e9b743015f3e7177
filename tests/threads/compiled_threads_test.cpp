// Compiled functions called from many threads: hits, misses and evictions at the same time.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ridge/base/random.h"
#include "ridge/ridge.h"

namespace ridge::compiled_threads_test {
namespace {

struct Scale {
  Tensor factor;
  std::vector<Tensor> rest;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("factor", self.factor);
    visit("rest", self.rest);
  }
};

std::vector<float> host_values(int64_t count, uint64_t seed) {
  SplitMix64 numbers(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(numbers.uniform(-2, 2));
  return values;
}

template <class F>
void on_threads(int count, const F& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// Sizes that a thread asks for: mostly one, at times another, so that few programs are kept and
// some are dropped.
int64_t size_of_call(int thread, int call) { return call % 5 == 0 ? 1 + (call + thread) % 4 : 3; }

TEST(CompiledThreads, MixedHitsMissesAndEvictions) {
  const CompileOptions few{.programs = 2};
  const auto add_one = compile([](const Tensor& x) { return x + 1; }, few);
  const auto times = compile([](const Tensor& x, int64_t n) { return x * n; }, few);
  const auto scaled = compile([](const Scale& s, const Tensor& x) { return x * s.factor; }, few);
  const auto nested = compile([&](const Tensor& x) { return add_one(x) * 2; }, few);
  const Scale shared{Tensor::of<float>({3}, {1}), {Tensor::of<float>({1, 2}, {2})}};
  constexpr int kCalls = 30;
  std::atomic<int> wrong = 0;
  on_threads(8, [&](int thread) {
    for (int call = 0; call < kCalls; ++call) {
      const int64_t size = size_of_call(thread, call);
      const std::vector<float> values =
          host_values(size, static_cast<uint64_t>(thread * kCalls + call));
      const Tensor x = Tensor::of<float>(values, {size});
      const auto expect = [&](const Tensor& y, auto expected) {
        const std::vector<float> got = y.to_vector<float>();
        for (size_t i = 0; i < values.size(); ++i) wrong += got[i] != expected(values[i]);
      };
      const auto n = static_cast<int64_t>(call % 2);
      switch ((thread + call) % 4) {
        case 0: expect(add_one(x), [](float v) { return v + 1; }); break;
        case 1: expect(times(x, n), [&](float v) { return v * static_cast<float>(n); }); break;
        case 2: expect(scaled(shared, x), [](float v) { return v * 3; }); break;
        default: expect(nested(x), [](float v) { return (v + 1) * 2; }); break;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
  int64_t calls = 0, evictions = 0;
  for (const auto& counters :
       {add_one.counters(), times.counters(), scaled.counters(), nested.counters()}) {
    calls += counters.hits + counters.matches + counters.misses;
    evictions += counters.evictions;
    EXPECT_LE(counters.programs, 2u);
    EXPECT_GT(counters.hits, 0);
    EXPECT_EQ(counters.misses - counters.evictions, static_cast<int64_t>(counters.programs));
  }
  EXPECT_EQ(calls, 8 * kCalls);
  EXPECT_GT(evictions, 0);
}

TEST(CompiledThreads, OneMissOfManyThreadsIsMadeOnce) {
  for (int round = 0; round < 5; ++round) {
    const auto f = compile([](const Tensor& x) { return x * 2; });
    on_threads(8, [&](int) { f(Tensor::of<float>({1, 2}, {2})); });
    EXPECT_EQ(f.counters().misses, 1);
    EXPECT_EQ(f.counters().hits, 7);
  }
}

// The signature word of one tensor is made by whoever asks first, and reports are read meanwhile.
TEST(CompiledThreads, OneArgumentOfManyThreads) {
  const auto f = compile([](const std::vector<Tensor>& list) { return list[0] + list[1]; });
  f(std::vector<Tensor>{Tensor::of<float>({1}, {1}), Tensor::of<float>({2}, {1})});
  for (int round = 0; round < 20; ++round) {
    const std::vector<Tensor> list{Tensor::of<float>({1, 2}, {2}), Tensor::of<float>({3, 4}, {2})};
    on_threads(4, [&](int thread) {
      if (thread == 0) {
        EXPECT_LE(explain_recompiles(f).records.size(), 1u);
        EXPECT_LE(f.programs().size(), 2u);
      }
      EXPECT_EQ(f(list).to_vector<float>(), (std::vector<float>{4, 6}));
    });
  }
  EXPECT_EQ(f.counters().misses, 2);
}

TEST(CompiledThreads, BoundCallsOfManyThreads) {
  const auto f = compile([](const Tensor& x) { return x + 1; }, {.programs = 1});
  const Tensor x = Tensor::of<float>({1, 2}, {2});
  const auto bound = f.bind(x);
  on_threads(4, [&](int thread) {
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(bound().to_vector<float>(), (std::vector<float>{2, 3}));
      if (thread == 0) f(Tensor::of<float>({1}, {1}));  // and its program is dropped
    }
  });
}

}  // namespace
}  // namespace ridge::compiled_threads_test
