// Mistakes in a step of training.
#include <limits>

#include "expect_error.h"
#include "ridge/driver/entry.h"

namespace ridge::testing::training_test {
namespace {

struct Pair {
  Tensor used;
  Tensor unused;
  static void visit_tensors(auto& self, auto&& visit) {
    visit("used", self.used);
    visit("unused", self.unused);
  }
};

Pair make_pair() { return {Tensor::of<float>({1, -2, 3}, {3}), Tensor::of<float>({4, 5}, {2})}; }

Tensor both(const Pair& model, const Tensor& x) { return sum(model.used * x) + sum(model.unused); }

TEST(TrainingError, ALossThatIsNoScalar) {
  Pair model = make_pair();
  const Tensor x = ones({3});
  const auto loss = [](const Pair& m, const Tensor& in) { return m.used * in * sum(m.unused); };
  EXPECT_RIDGE_ERROR(value_and_grad(loss)(model, x), ErrorCode::gradient, "value_and_grad",
                     {"0-d", "f32[3]", "mean"});
  const auto step = compile([&](Pair& m, const Tensor& in) {
    auto [value, gradient] = value_and_grad(loss)(m, in);
    copy_(m.used, m.used - gradient.used);
    return value;
  });
  EXPECT_RIDGE_ERROR(step(model, x), ErrorCode::gradient, "value_and_grad", {"0-d", "f32[3]"});
  EXPECT_EQ(model.used.to_vector<float>(), make_pair().used.to_vector<float>());
}

TEST(TrainingError, ALossThatLeavesOutAParameter) {
  Pair model = make_pair();
  const Tensor x = ones({3});
  const auto loss = [](const Pair& m, const Tensor& in) { return sum(m.used * in); };
  EXPECT_RIDGE_ERROR(value_and_grad(loss)(model, x), ErrorCode::gradient, "value_and_grad",
                     {"does not depend on", "unused", "f32[2]", "allow_unused"});
  nn::Sgd<Pair> optimizer(model);
  const auto step = compile([&](Pair& m, nn::Sgd<Pair>& o, const Tensor& in) {
    auto [value, gradient] = value_and_grad(loss)(m, in);
    o.update(m, gradient);
    return value;
  });
  EXPECT_RIDGE_ERROR(step(model, optimizer, x), ErrorCode::gradient, "value_and_grad",
                     {"does not depend on", "unused"});
  // As the program calls its arguments, inside of control flow too.
  const auto names = CompileOptions{.argument_names = {"x", "classifier"}};
  const auto named =
      compile([&](const Tensor& in, Pair& m) { return value_and_grad(loss)(m, in).first; }, names);
  EXPECT_RIDGE_ERROR(named(x, model), ErrorCode::gradient, "value_and_grad",
                     {"does not depend on classifier.unused"});
  const auto row_loss = [](const Pair& m, const Tensor& in) { return sum(m.used) * sum(in); };
  const auto in_rows =
      compile([&](const Tensor& in,
                  Pair& m) { return nn::accumulated_value_and_grad(row_loss, 3)(m, in).first; },
              names);
  EXPECT_RIDGE_ERROR(in_rows(x, model), ErrorCode::gradient, "value_and_grad",
                     {"does not depend on classifier.unused"});
  const auto none = [](const Pair&, const Tensor& in) { return sum(in); };
  EXPECT_RIDGE_ERROR(value_and_grad(none)(model, x), ErrorCode::gradient, "value_and_grad",
                     {"2 of them"});
  // Who wants zeros gets them.
  const auto [value, gradient] = value_and_grad(loss, {.allow_unused = true})(model, x);
  EXPECT_EQ(gradient.unused.to_vector<float>(), (std::vector<float>{0, 0}));
  EXPECT_EQ(grad(loss)(model, x).unused.to_vector<float>(), (std::vector<float>{0, 0}));
}

TEST(TrainingError, AConditionThatIsNone) {
  Pair model = make_pair();
  nn::Lion<Pair> optimizer(model);
  EXPECT_RIDGE_ERROR(optimizer.update_if(ones({3}), model, make_pair()), ErrorCode::value, "lion",
                     {"0-d bool", "f32[3]"});
  EXPECT_EQ(optimizer.step.item<int64_t>(), 0);
}

TEST(TrainingError, AGradientOfAnotherShape) {
  Pair model = make_pair();
  nn::AdamW<Pair> optimizer(model);
  EXPECT_RIDGE_ERROR(optimizer.update(model, {ones({2}), ones({2})}), ErrorCode::shape, "adamw",
                     {"f32[3]", "f32[2]"});
  EXPECT_EQ(optimizer.step.item<int64_t>(), 0);
  EXPECT_EQ(model.used.to_vector<float>(), make_pair().used.to_vector<float>());
}

// Not an error: the step is skipped and counted, and everything is as it was.
TEST(TrainingError, GradientsThatAreNotFinite) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float bad : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    Pair model = make_pair();
    nn::AdamW<Pair> optimizer(model);
    nn::DynamicLossScale scale({.factor = 1024});
    const auto step =
        compile([](Pair& m, nn::AdamW<Pair>& o, nn::DynamicLossScale& s, const Tensor& x) {
          auto [loss, gradient] = nn::scaled_value_and_grad(both, s)(m, x);
          const Tensor is_good = nn::all_finite(gradient);
          o.update_if(is_good, m, gradient);
          s.adjust(is_good);
          return loss;
        });
    step(model, optimizer, scale, Tensor::of<float>({1, bad, 2}, {3}));
    EXPECT_EQ(model.used.to_vector<float>(), make_pair().used.to_vector<float>());
    EXPECT_EQ(model.unused.to_vector<float>(), make_pair().unused.to_vector<float>());
    EXPECT_EQ(optimizer.first_moment.unused.to_vector<float>(), (std::vector<float>{0, 0}));
    EXPECT_EQ(optimizer.step.item<int64_t>(), 0);
    EXPECT_EQ(scale.skipped.item<int64_t>(), 1);
    EXPECT_EQ(scale.factor.item<float>(), 512);
    step(model, optimizer, scale, ones({3}));
    EXPECT_NE(model.used.to_vector<float>(), make_pair().used.to_vector<float>());
    EXPECT_EQ(optimizer.step.item<int64_t>(), 1);
    EXPECT_EQ(scale.skipped.item<int64_t>(), 1);
  }
}

TEST(TrainingError, NumbersThatMakeNoStep) {
  Pair gradient = make_pair();
  EXPECT_RIDGE_ERROR(nn::clip_by_norm(gradient, 0), ErrorCode::value, "clip_by_norm", {"positive"});
  EXPECT_RIDGE_ERROR(nn::DynamicLossScale({.backoff = 1.5}), ErrorCode::value, "DynamicLossScale",
                     {"backoff", "1.5"});
  EXPECT_RIDGE_ERROR(nn::Schedule::one_cycle({.total = 1}), ErrorCode::value, "Schedule::one_cycle",
                     {"steps"});
  EXPECT_RIDGE_ERROR(nn::accumulated_value_and_grad(both, 0), ErrorCode::value,
                     "accumulated_value_and_grad", {"at least one"});
}

struct AdamNumbers {
  nn::AdamOptions options;
  const char* name;
};

TEST(TrainingError, NumbersOfOptimizers) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Pair model = make_pair();
  for (const AdamNumbers& one : {AdamNumbers{{.learning_rate = -1}, "learning_rate"},
                                 {{.learning_rate = kNan}, "learning_rate"},
                                 {{.learning_rate = kInfinity}, "learning_rate"},
                                 {{.beta1 = 1}, "beta1"},
                                 {{.beta2 = -0.1}, "beta2"},
                                 {{.eps = -1e-8}, "eps"},
                                 {{.weight_decay = -1}, "weight_decay"}}) {
    const auto& o = one.options;
    EXPECT_RIDGE_ERROR(nn::Adam(model, o), ErrorCode::value, "Adam", {one.name});
    EXPECT_RIDGE_ERROR(nn::AdamW(model, {.learning_rate = o.learning_rate,
                                         .beta1 = o.beta1,
                                         .beta2 = o.beta2,
                                         .eps = o.eps,
                                         .weight_decay = o.weight_decay}),
                       ErrorCode::value, "AdamW", {one.name});
  }
  EXPECT_RIDGE_ERROR(nn::Lion(model, {.learning_rate = -1}), ErrorCode::value, "Lion",
                     {"learning_rate", "-1"});
  EXPECT_RIDGE_ERROR(nn::Lion(model, {.beta1 = 1.5}), ErrorCode::value, "Lion", {"beta1", "1.5"});
  EXPECT_RIDGE_ERROR(nn::Lion(model, {.beta2 = 1}), ErrorCode::value, "Lion", {"beta2"});
  EXPECT_RIDGE_ERROR(nn::Lion(model, {.weight_decay = kNan}), ErrorCode::value, "Lion", {"nan"});
  EXPECT_RIDGE_ERROR(nn::Sgd(model, {.learning_rate = kNan}), ErrorCode::value, "Sgd",
                     {"learning_rate"});
  EXPECT_RIDGE_ERROR(nn::Sgd(model, {.momentum = 1}), ErrorCode::value, "Sgd", {"momentum"});
  EXPECT_RIDGE_ERROR(nn::Sgd(model, {.weight_decay = -1}), ErrorCode::value, "Sgd",
                     {"weight_decay"});
  EXPECT_RIDGE_ERROR(nn::Sgd(model, {.is_nesterov = true}), ErrorCode::value, "Sgd", {"momentum"});
  EXPECT_NO_THROW(nn::Sgd(model, {.learning_rate = 0}));
}

TEST(TrainingError, ParameterGroupsThatCannotBeMeant) {
  const Pair model = make_pair();
  const auto is_used = [](const std::string& path, const Tensor&) { return path == "used"; };
  const auto is_missing = [](const std::string& path, const Tensor&) { return path == "head"; };
  EXPECT_RIDGE_ERROR(nn::AdamW(model, {}, {{.weight_decay = 0}}), ErrorCode::value, "AdamW",
                     {"`has`", "group 0"});
  EXPECT_RIDGE_ERROR(nn::Sgd(model, {}, {{.has = is_used}, {.has = is_missing}}), ErrorCode::value,
                     "Sgd", {"group 1", "false for all", "used, unused"});
  EXPECT_RIDGE_ERROR(nn::Lion(model, {}, {{.has = nn::is_vector}, {.has = is_used}}),
                     ErrorCode::value, "Lion", {"group 1", "in groups before it"});
  EXPECT_RIDGE_ERROR(nn::Adam(model, {}, {{.has = is_used, .rate_factor = -1}}), ErrorCode::value,
                     "Adam", {"rate_factor of parameter group 0", "-1"});
  EXPECT_RIDGE_ERROR(nn::Adam(model, {}, {{.has = is_used, .weight_decay = -0.5}}),
                     ErrorCode::value, "Adam", {"weight_decay of parameter group 0"});
}

TEST(TrainingError, AWholeArgumentThatIsNotWrapped) {
  const Pair model = make_pair();
  const nn::DynamicLossScale scale;
  const auto scaled = [](const Pair& m, const nn::DynamicLossScale& s, const Tensor& in) {
    return s.scaled(sum(m.used) * sum(in) + sum(m.unused));
  };
  EXPECT_RIDGE_ERROR(nn::accumulated_value_and_grad(scaled, 3)(model, scale, ones({3})),
                     ErrorCode::shape, "accumulated_value_and_grad", {"nn::whole"});
}

// The smallest that can be met is said, and a program that asks for it runs.
TEST(TrainingError, ABudgetThatCannotBeMet) {
  const Tensor weight = reshape(sin(arange(16 * 64, f32, kCpu)), {16, 64});
  const Tensor x = reshape(cos(arange(32 * 16, f32, kCpu)), {32, 16});
  const auto gradient = [&](int64_t budget) {
    const auto loss = [](const Tensor& w, const Tensor& in) {
      return mean(square(tanh(matmul(sigmoid(in), w))));
    };
    const auto step = compile(
        [loss](const Tensor& w, const Tensor& in) { return value_and_grad(loss)(w, in).second; },
        {.name = "step", .memory_budget = budget});
    const Tensor made = step(weight, x);
    return std::pair(made, step.programs().back()->compiled->program() == nullptr
                               ? int64_t{0}
                               : smallest_memory_budget(step));
  };
  const auto [expected, least] = gradient(0);
  if (least == 0) GTEST_SKIP() << "no kernels";
  EXPECT_RIDGE_ERROR(gradient(least - 1), ErrorCode::memory, "memory_budget",
                     {"at least " + std::to_string(least), "smallest", "keeping everything"});
  EXPECT_EQ(gradient(least).first.to_vector<float>(), expected.to_vector<float>());
}

TEST(TrainingError, ABudgetWhereThereIsNone) {
  const Tensor x = Tensor::of<float>({1, 2, 3}, {3});
  const auto never_called = compile([](const Tensor& in) { return sum(in); });
  EXPECT_RIDGE_ERROR(smallest_memory_budget(never_called), ErrorCode::state, "function",
                     {"was called"});
  EXPECT_RIDGE_ERROR(compile([](const Tensor& in) { return sum(in); }, {.memory_budget = -1}),
                     ErrorCode::value, "function", {"memory_budget", "-1", "0 for no limit"});
  set_requires_grad(x);
  const auto halves = compile([](const Tensor& in) { return sum(exp(in)); }, {.memory_budget = 1});
  EXPECT_RIDGE_ERROR(halves(x), ErrorCode::memory, "memory_budget", {"at least", "smallest"});
}

// Nothing can be computed again, so the budget is a limit that is checked.
TEST(TrainingError, ABudgetOfAForwardPass) {
  const Tensor x = full({64, 64}, 0.5);
  const auto forward = [](const Tensor& in) { return matmul(exp(matmul(in, in)), in); };
  const auto looped = [](const Tensor& in) {
    return scan([](const Tensor& sum,
                   const Tensor& row) { return std::pair(sum + exp(row), tanh(row)); },
                zeros({64}), in)
        .second;
  };
  const auto expect_limit = [&](const auto& f) {
    const auto usual = compile(f);
    const Tensor expected = usual(x);
    if (usual.programs().back()->compiled->kernel_count() == 0) return;  // nothing is planned
    std::string least;
    try {
      compile(f, {.memory_budget = 1})(x);
      FAIL() << "a budget of one byte was met";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::memory);
      least = error.expected().substr(std::string("a budget of at least ").size());
    }
    const int64_t bytes = std::stoll(least);
    EXPECT_RIDGE_ERROR(compile(f, {.memory_budget = bytes - 1})(x), ErrorCode::memory,
                       "memory_budget", {"smallest", "no gradients"});
    EXPECT_EQ(compile(f, {.memory_budget = bytes})(x).template to_vector<float>(),
              expected.template to_vector<float>());
  };
  expect_limit(forward);
  expect_limit(looped);
}

// A parameter that is written between the loss and its gradient.
TEST(TrainingError, AParameterWrittenBeforeItsGradient) {
  const Tensor w = Tensor::of<float>({1, 2, 3}, {3});
  set_requires_grad(w);
  const Tensor loss = sum(exp(w) * w);
  copy_(detach(w), ones({3}));
  EXPECT_RIDGE_ERROR(backward(loss), ErrorCode::gradient, "", {"mul"});
}

}  // namespace
}  // namespace ridge::testing::training_test
