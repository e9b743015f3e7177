// compile(): results, reuse, updates, same bits, and what an internal failure leaves.
#include "ridge/driver/compile.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "ridge/aot/transforms.h"
#include "ridge/driver/entry.h"
#include "ridge/driver/reproduce.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/ridge.h"

namespace ridge::compile_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

void expect_near(const Tensor& ours, const Tensor& expected, double bound) {
  const auto a = ours.to_vector<double>(), b = expected.to_vector<double>();
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], bound) << i;
}

TEST(Compile, ComputesWhatTheFunctionComputes) {
  const auto f = [](const Tensor& x, const Tensor& w) { return softmax(matmul(x, w), -1) * 2; };
  const auto compiled = compile(f, {.name = "f"});
  const Tensor x = numbers({7, 5}), w = numbers({5, 9}, 2);
  expect_near(compiled(x, w), f(x, w), 1e-5);
}

TEST(Compile, OneProgramServesEqualShapes) {
  const auto compiled = compile([](const Tensor& x) { return exp(x) + 1; });
  compiled(numbers({3, 4}));
  compiled(numbers({3, 4}, 2));
  EXPECT_EQ(compiled.programs().size(), 1u);
  compiled(numbers({4, 3}));
  EXPECT_EQ(compiled.programs().size(), 2u);
}

TEST(Compile, AFloatingArgumentIsNoPartOfTheSignature) {
  const auto compiled = compile([](const Tensor& x, const Tensor& rate) { return x * rate; });
  const Tensor x = numbers({5});
  expect_near(compiled(x, 0.5), x * 0.5, 1e-6);
  expect_near(compiled(x, 0.25), x * 0.25, 1e-6);
  EXPECT_EQ(compiled.programs().size(), 1u);
}

TEST(Compile, AnIntegerArgumentIs) {
  const auto compiled = compile([](const Tensor& x, int64_t dim) { return sum(x, {dim}); });
  const Tensor x = numbers({3, 4});
  expect_near(compiled(x, int64_t{0}), sum(x, {0}), 1e-5);
  expect_near(compiled(x, int64_t{1}), sum(x, {1}), 1e-5);
  EXPECT_EQ(compiled.programs().size(), 2u);
}

TEST(Compile, StridedArgumentsAreReadAsTheyLie) {
  const auto f = [](const Tensor& x) { return x * 2 + sum(x, {1}, true); };
  const auto compiled = compile(f);
  const Tensor x = transpose(numbers({6, 5}), 0, 1);
  expect_near(compiled(x), f(x), 1e-5);
}

TEST(Compile, EveryArrayOfAJoinIsReadByItsOwnStride) {
  const auto f = [](const Tensor& x, const Tensor& y) {
    return cat({windows(x, 0, 2, 2, 2), y, y}, 0);
  };
  const auto compiled = compile(f);
  const Tensor x = numbers({3, 3}), y = slice(numbers({1, 3, 4}, 2), 2, 0, kEnd, 2);
  expect_near(compiled(x, y), f(x, y), 0);
}

TEST(Compile, WhatIsEmptyIsPadded) {
  const auto f = [](const Tensor& x) { return pad(reshape(x, {0, 1}), {1, 2, 1, 0}, 0.375); };
  const auto compiled = compile(f);
  const Tensor x = numbers({1, 2, 0});
  expect_near(compiled(x), f(x), 0);
}

TEST(Compile, WritesToArgumentsAreTheCallers) {
  const auto step = [](Tensor& x, const Tensor& g) {
    sub_(x, g * 0.1);
    return sum(x);
  };
  const auto compiled = compile(step);
  Tensor a = numbers({8}), b = Tensor::of(a.to_vector<float>(), {8});
  const Tensor g = numbers({8}, 3);
  for (int i = 0; i < 3; ++i) expect_near(compiled(a, g), step(b, g), 1e-5);
  expect_near(a, b, 1e-6);
}

TEST(Compile, AWholeTrainingStepIsOneProgram) {
  const auto step = compile([](Tensor& w, const Tensor& x, const Tensor& y, const Tensor& rate) {
    auto [loss, gradient] =
        value_and_grad([&](const Tensor& weight) { return mse_loss(matmul(x, weight), y); })(w);
    sub_(w, gradient * rate);
    return loss;
  });
  Tensor w = numbers({4, 2});
  const Tensor x = numbers({32, 4}, 5), y = matmul(x, numbers({4, 2}, 6));
  const double first = step(w, x, y, 0.1).item<double>();
  double last = first;
  for (int i = 0; i < 60; ++i) last = step(w, x, y, 0.1).item<double>();
  EXPECT_LT(last, 0.01 * first);
  EXPECT_EQ(step.programs().size(), 1u);
}

TEST(Compile, SameBitsRunAfterRunAndAtAnyNumberOfThreads) {
  const auto compiled = compile(
      [](const Tensor& x, const Tensor& w) { return sum(gelu(matmul(x, w)), {0}) + sum(x); });
  const Tensor x = numbers({257, 130}), w = numbers({130, 67}, 2);
  std::vector<std::vector<float>> results;
  for (const int64_t threads : {1, 2, 1, 2}) {
    const ScopedKnob knob(Knob::threads, threads);
    results.push_back(compiled(x, w).to_vector<float>());
  }
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

TEST(Compile, RunsFromManyThreads) {
  const auto compiled = compile([](const Tensor& x) { return softmax(x * 3, -1); });
  const Tensor x = numbers({40, 30});
  const std::vector<float> expected = compiled(x).to_vector<float>();
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) wrong += compiled(x).to_vector<float>() != expected ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Compile, HiddenStateIsFoundByTracingAgain) {
  double factor = 2;
  const auto compiled = compile([&](const Tensor& x) { return x * factor; });
  const Tensor x = numbers({3});
  compiled(x);
  factor = 3;
  compiled(x);  // documented: a plain number of the closure is fixed
  const ScopedKnob verify(Knob::verify, 2);
  EXPECT_THROW(compiled(x), Error);
  factor = 2;
  compiled(x);
}

TEST(Repro, AnInternalFailureLeavesAFolderAndAUsableProcess) {
  graph::Graph graph;
  const graph::ValueId x = graph.add_input({f32, {4}, kCpu, false}, "x");
  graph.outputs = {x};
  std::string folder;
  try {
    verify::reproducing(graph, {.name = "broken"},
                        [] { RIDGE_INTERNAL_CHECK(1 + 1 == 3, "as the test wants it"); });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    const std::string what = error.what();
    const size_t at = what.find("reproduce: ridge repro ");
    ASSERT_NE(at, std::string::npos) << what;
    folder = what.substr(at + 23, what.find_first_of(" ;)", at + 23) - at - 23);
  }
  ASSERT_TRUE(std::filesystem::exists(std::filesystem::path(folder) / "graph.ir")) << folder;
  driver::reproduce(folder);
  std::filesystem::remove_all(folder);
  const auto compiled = compile([](const Tensor& t) { return t + 1; });
  expect_near(compiled(numbers({2})), numbers({2}) + 1, 1e-6);
}

// The folder an error names.
std::string folder_of(const Error& error) {
  const std::string words = "reproduce: ridge repro ", hint = error.hint();
  const size_t at = hint.find(words);
  return at == hint.npos ? "" : hint.substr(at + words.size());
}

TEST(Repro, KeepsTheHintTheStridesAndTheVersion) {
  graph::Graph graph;
  graph.add_input({f32, {4, 6}, kCpu, false}, "x");
  graph.add_input({f32, {4, 6}, kCpu, false}, "y");
  graph.outputs = graph.inputs;
  const driver::GraphOptions options{.name = "strided", .input_strides = {{}, {Shape{1, 4}}}};
  const auto content = [](const std::string& path) {
    std::ifstream file(path);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  try {
    verify::reproducing(graph, options, [] {
      throw Error({.code = ErrorCode::internal, .given = "a defect", .hint = "the pass said why"});
    });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.hint().find("the pass said why; reproduce"), 0u) << error.hint();
    const std::string folder = folder_of(error);
    EXPECT_EQ(content(folder + "/strides.txt"), "\n1, 4\n");
    EXPECT_EQ(content(folder + "/version.txt").find("ridge "), 0u);
    // The second copy reads by columns, so its kernel has another text than the first.
    const ScopedKnob debug(Knob::debug, 5);
    std::string shown;
    set_log_callback([&](LogLevel, std::string_view, std::string_view text) { shown += text; });
    driver::reproduce(folder);
    set_log_callback(nullptr);
    EXPECT_EQ(shown.find("i0 + 4 * i1") != shown.npos, linker::kCanBuild) << shown;
    std::filesystem::remove_all(folder);
  }
}

TEST(Repro, AUserErrorLeavesNothing) {
  graph::Graph graph;
  try {
    verify::reproducing(graph, {.name = "user"}, [] {
      throw Error({.code = ErrorCode::shape, .expected = "one shape", .given = "another"});
    });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("reproduce"), std::string::npos);
  }
}

}  // namespace
}  // namespace ridge::compile_test
