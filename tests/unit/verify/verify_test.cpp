// RIDGE_VERIFY=3 and `bisect`: right programs pass, and who is wrong is named.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ridge/base/log.h"
#include "ridge/driver/reproduce.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/linker/link.h"
#include "ridge/ridge.h"
#include "ridge/verify/verify_passes.h"

namespace ridge::verify_test {
namespace {

Tensor numbers(const Shape& shape, uint64_t seed = 1) {
  Generator generator(seed);
  return uniform(shape, generator, -2.0, 2.0);
}

// The folder an error names.
std::string folder_in(const Error& error) {
  const std::string words = "reproduce: ridge repro ", hint = error.hint();
  const size_t at = hint.find(words);
  return at == hint.npos ? "" : hint.substr(at + words.size());
}

template <class F>
std::optional<Error> error_of(const F& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// Forgets a factor wherever two values are multiplied: a pass that keeps every rule of the IR.
graph::Graph forget_factors(graph::Graph graph, const graph::PassContext&) {
  for (graph::Node& node : graph.nodes) {
    const bool is_product = node.op->name() == "mul";  // matches: what it breaks
    if (is_product && graph::operands(node).size() == 2) node.args[1] = node.args[0];
  }
  return graph;
}

class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("ridge_verify_test_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Verify, RightProgramsPass) {
  const ScopedKnob verify(Knob::verify, 3);
  const auto f = compile([](Tensor& state, const Tensor& x, const Tensor& w) {
    const Tensor scores = softmax(matmul(x, w), -1);
    state += mean(scores, {0});
    mul_(slice(state, 0, 1, 3), 0.5);
    return std::vector<Tensor>{layer_norm(gelu(scores) + x), scores > 0.2, transpose(x, 0, 1)};
  });
  Tensor state = numbers({5}, 3), eager = clone(state);
  const Tensor x = numbers({7, 5}), w = numbers({5, 5}, 2);
  for (int call = 0; call < 2; ++call) f(state, x, w);
  EXPECT_EQ(state.shape(), eager.shape());
}

TEST(Verify, SixteenBitsAndGradientsPass) {
  const ScopedKnob verify(Knob::verify, 3);
  for (const DType dtype : {bf16, f16, f64}) {
    const auto loss = [](const Tensor& x, const Tensor& w) {
      return mean(square(softmax(matmul(x, w), -1) * sum(exp(x), {-1}, true)));
    };
    const auto step = compile([&](const Tensor& x, const Tensor& w) { return grad(loss)(x, w); });
    step(cast(numbers({9, 33}), dtype), cast(numbers({33, 17}, 2), dtype));
  }
}

// Each straight part and each body is checked as the program it is.
TEST(Verify, ControlFlowPassesAndAWrongPassInABodyIsNamed) {
  const ScopedKnob verify(Knob::verify, 3);
  const auto function = [](const Tensor& xs, const Tensor& h) {
    const auto [state, ys] = scan(
        [](const Tensor& carry, const Tensor& x) {
          const Tensor next = carry * x + 0.5;
          return std::pair(next, exp(next));
        },
        h, xs);
    return std::pair(state * 2, mean(ys, {0}));
  };
  const Tensor xs = numbers({3, 4}), h = numbers({4}, 2);
  compile(function, {.name = "loop"})(xs, h);
  const graph::ReplacedPass wrong("simplify_algebra", forget_factors);
  const auto error = error_of([&] { compile(function, {.name = "loop"})(xs, h); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->op(), "pass simplify_algebra") << error->what();
  std::filesystem::remove_all(folder_in(*error));
}

TEST(Verify, AWrongPassIsNamedAndBisected) {
  const ScopedKnob verify(Knob::verify, 3);
  const graph::ReplacedPass wrong("simplify_algebra", forget_factors);
  const auto f = compile([](const Tensor& x, const Tensor& y) { return sum(x * y, {1}); },
                         {.name = "product"});
  const auto error = error_of([&] { f(numbers({3, 4}), numbers({3, 4}, 2)); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code(), ErrorCode::internal);
  EXPECT_EQ(error->op(), "pass simplify_algebra") << error->what();
  EXPECT_NE(error->given().find("output 0"), std::string::npos) << error->given();
  const std::string folder = folder_in(*error);
  ASSERT_TRUE(std::filesystem::exists(folder + "/inputs.ir")) << error->what();

  EXPECT_EQ(error_of([&] { driver::reproduce(folder); })->op(), "pass simplify_algebra");
  const verify::Blame verdict = driver::bisect(verify::read_reproduction(folder));
  EXPECT_EQ(verdict.kind, verify::Blame::Kind::pass) << to_text(verdict);
  EXPECT_EQ(verdict.culprit, "simplify_algebra");
  EXPECT_EQ(verdict.workaround, "RIDGE_DISABLE=simplify_algebra") << to_text(verdict);
  std::filesystem::remove_all(folder);
}

// Inputs that a run writes are kept as they were before it, in their strides.
TEST(Verify, AReproductionHasTheInputsOfTheCall) {
  const ScopedKnob verify(Knob::verify, 3);
  const graph::ReplacedPass wrong("simplify_algebra", forget_factors);
  const auto f = compile([](Tensor& x, const Tensor& y) { x *= y; });
  Tensor x = transpose(numbers({3, 4}), 0, 1);
  const std::vector<float> before = x.to_vector<float>();
  const auto error = error_of([&] { f(x, numbers({4, 3}, 2)); });
  ASSERT_TRUE(error.has_value());
  const std::string folder = folder_in(*error);
  const verify::Reproduction kept = verify::read_reproduction(folder);
  ASSERT_EQ(kept.inputs.size(), 2u);
  EXPECT_EQ(kept.inputs[0].to_vector<float>(), before);
  EXPECT_EQ(to_text(kept.inputs[0].strides()), "[1, 4]");
  std::filesystem::remove_all(folder);
}

TEST(Verify, AReproductionHasTheBudgetOfTheProgram) {
  const graph::Graph graph =
      graph::parse("graph g(%0: f32[2]) { %1 = exp(%0) : f32[2] return %1 }");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ridge_budget_" + std::to_string(::getpid()));
  for (const int64_t budget : {int64_t{0}, int64_t{12345678901}}) {
    verify::write_reproduction(folder, graph, {.name = "g", .memory_budget = budget}, {}, "why");
    EXPECT_EQ(verify::read_reproduction(folder).options.memory_budget, budget);
    std::filesystem::remove_all(folder);
  }
}

#if RIDGE_HAS_LLVM

// What is run in the place of a kernel: the same, but for one number.
void plant(const std::filesystem::path& folder, const loop::Kernel& kernel, const std::string& from,
           const std::string& to) {
  std::string text = loop::to_text(kernel);
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, from.size(), to);
  std::ofstream(folder / (kernel.name + ".loop")) << text;
}

// Kernels are built once for each text, so each test has numbers of its own.
schedule::Plan plan_of(const graph::Graph& captured) {
  graph::PassContext context;
  const graph::Graph graph = graph::run_passes(captured, graph::standard_passes(), context);
  schedule::Options options = linker::options_for(kCpu);
  options.fuses = !graph::is_disabled("fuse");
  return schedule::schedule(graph, options);
}

TEST(Verify, AWrongFusedKernelIsNamedAndBisected) {
  const Folder planted;
  const auto function = [](const Tensor& x, const Tensor& w) {
    return exp(matmul(x, w)) * 0.8125 + 3.0;
  };
  const Tensor x = numbers({6, 4}), w = numbers({4, 5}, 2);
  const auto captured = capture::capture(function, {.name = "planted"}, x, w);
  for (const auto& call : plan_of(captured.graph).calls) {
    if (loop::to_text(call.kernel).find("0.8125") == std::string::npos) continue;
    plant(planted.path(), call.kernel, "0.8125", "0.8126");
  }
  const ScopedKnob edited(Knob::override, planted.path().string());
  const ScopedKnob verify(Knob::verify, 3);
  const auto f = compile(function, {.name = "planted"});
  const auto error = error_of([&] { f(x, w); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->op().find("kernel "), 0u) << error->what();
  EXPECT_NE(error->expected().find("mul"), std::string::npos) << error->what();
  EXPECT_NE(error->expected().find("verify_test.cpp"), std::string::npos) << error->what();
  const std::string folder = folder_in(*error);
  const verify::Blame verdict = driver::bisect(verify::read_reproduction(folder));
  EXPECT_EQ(verdict.kind, verify::Blame::Kind::fusion) << to_text(verdict);
  EXPECT_EQ(error->op(), "kernel " + verdict.culprit) << to_text(verdict);
  EXPECT_EQ(verdict.workaround, "RIDGE_DISABLE=fuse");
  EXPECT_NE(verdict.what.find("right with "), std::string::npos) << to_text(verdict);
  std::filesystem::remove_all(folder);
}

TEST(Verify, AWrongKernelOfOneOpIsBisected) {
  const Folder planted;
  const auto function = [](const Tensor& x) { return cumsum(x * 1.0625, 0); };
  const Tensor x = numbers({11});
  const auto captured = capture::capture(function, {.name = "single"}, x);
  {
    // Both with fusion and without.
    std::optional<ScopedKnob> apart;
    for (int round = 0; round < 2; ++round) {
      for (const auto& call : plan_of(captured.graph).calls) {
        if (loop::to_text(call.kernel).find("1.0625") == std::string::npos) continue;
        plant(planted.path(), call.kernel, "1.0625", "1.0635");
      }
      apart.emplace(Knob::disable, "fuse");
    }
  }
  const ScopedKnob edited(Knob::override, planted.path().string());
  verify::Reproduction kept;
  kept.graph = captured.graph;
  kept.inputs = {x};
  const verify::Blame verdict = driver::bisect(std::move(kept));
  EXPECT_EQ(verdict.kind, verify::Blame::Kind::kernel) << to_text(verdict);
  EXPECT_EQ(verdict.ops, std::vector<std::string>{"mul"}) << to_text(verdict);
  EXPECT_TRUE(verdict.workaround.empty()) << to_text(verdict);
}

#endif

// Random inputs lie in memory as the recorded strides say, which a program writes by.
TEST(Bisect, GivesRandomInputsTheRecordedStrides) {
  const auto function = [](Tensor& x) { add_(x, 1); };
  Tensor x = numbers({4});
  verify::Reproduction kept;
  kept.graph = capture::capture(function, {.name = "far_apart"}, x).graph;
  kept.options.input_strides = {Shape{100000}};
  const verify::Blame verdict = driver::bisect(std::move(kept));
  EXPECT_EQ(verdict.kind, verify::Blame::Kind::nothing) << to_text(verdict);
  EXPECT_TRUE(verdict.has_random_inputs);
}

TEST(Bisect, FindsNothingWhereNothingIsWrong) {
  const auto function = [](const Tensor& x) { return softmax(x, -1); };
  verify::Reproduction kept;
  kept.graph = capture::capture(function, {.name = "right"}, numbers({3, 5})).graph;
  const verify::Blame verdict = driver::bisect(std::move(kept));
  EXPECT_EQ(verdict.kind, verify::Blame::Kind::nothing) << to_text(verdict);
  EXPECT_TRUE(verdict.has_random_inputs);
  EXPECT_EQ(verdict.trials.size(), 1u);
}

}  // namespace
}  // namespace ridge::verify_test
