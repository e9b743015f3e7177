// Products with a softmax between them as one kernel on a CPU: what finds them, and what they compute.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "ridge/base/knobs.h"
#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/driver/entry.h"
#include "ridge/ridge.h"
#include "scheduled.h"
#include "tests/unit/codegen/run_generated.h"

namespace ridge::testing::cpu_chain_test {
namespace {

using schedule::Chains;

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct Sizes {
  int64_t queries, keys, depth, width;
};
enum class Mask { none, causal, boolean, additive };

graph::Type typed(const Shape& shape, DType dtype = f32) { return {dtype, shape, kCpu, false}; }

std::vector<graph::Type> types_of(Sizes s, Mask mask, DType dtype) {
  std::vector<graph::Type> types{typed({2, s.queries, s.depth}, dtype),
                                 typed({2, s.keys, s.depth}, dtype),
                                 typed({2, s.keys, s.width}, dtype)};
  if (mask == Mask::boolean) types.push_back(typed({s.queries, s.keys}, boolean));
  if (mask == Mask::additive) types.push_back(typed({2, s.queries, s.keys}, dtype));
  return types;
}

Function attention(Mask mask) {
  return [mask](const std::vector<Tensor>& t) {
    const Tensor none;
    return std::vector{scaled_dot_product_attention(t[0], t[1], t[2], t.size() > 3 ? t[3] : none,
                                                    mask == Mask::causal)};
  };
}

// By its formula, in f64.
std::vector<double> expected(const std::vector<Tensor>& t, Sizes s, Mask mask) {
  const auto q = t[0].to_vector<double>(), k = t[1].to_vector<double>(),
             v = t[2].to_vector<double>();
  const auto m = t.size() > 3 ? t[3].to_vector<double>() : std::vector<double>();
  std::vector<double> out(static_cast<size_t>(2 * s.queries * s.width));
  std::vector<double> x(static_cast<size_t>(s.keys));
  for (int64_t row = 0; row < 2 * s.queries; ++row) {
    const int64_t batch = row / s.queries, query = row % s.queries;
    const double* const bias = m.data() + (mask == Mask::additive  ? row
                                           : mask == Mask::boolean ? query
                                                                   : 0) *
                                              s.keys;
    double top = kMinusInfinity, total = 0;
    for (int64_t j = 0; j < s.keys; ++j) {
      const double* const of_query = q.data() + row * s.depth;
      const double* const of_key = k.data() + (batch * s.keys + j) * s.depth;
      double dot = std::inner_product(of_query, of_query + s.depth, of_key, 0.0) /
                   std::sqrt(static_cast<double>(s.depth));
      if (mask == Mask::causal && j > query) dot = kMinusInfinity;
      if (mask == Mask::boolean && bias[j] == 0) dot = kMinusInfinity;
      if (mask == Mask::additive) dot += bias[j];
      x[static_cast<size_t>(j)] = dot;
      top = std::max(top, dot);
    }
    if (top == kMinusInfinity) continue;
    for (double& e : x) total += e = std::exp(e - top);
    double* const mean = out.data() + row * s.width;
    for (int64_t j = 0; j < s.keys; ++j) {
      const double weight = x[static_cast<size_t>(j)] / total;
      const double* const value = v.data() + (batch * s.keys + j) * s.width;
      for (int64_t c = 0; c < s.width; ++c) mean[c] += weight * value[c];
    }
  }
  return out;
}

schedule::Plan chained(const graph::Graph& graph, Chains chains = Chains::always) {
  return schedule::schedule(graph, {.chains = chains});
}

std::vector<Tensor> run_generated(const graph::Graph& graph, const schedule::Plan& plan,
                                  const std::vector<Tensor>& inputs,
                                  const codegen::CpuTarget& target = codegen::host_target()) {
  std::vector<codegen::Runnable> kernels;
  for (const schedule::KernelCall& call : plan.calls) kernels.emplace_back(call.kernel, target);
  return run_plan(
      graph, plan, inputs,
      [&](size_t call, std::span<void* const> buffers, std::span<const int64_t> sizes) {
        EXPECT_EQ(kernels[call].run({buffers.begin(), buffers.end()}, {sizes.begin(), sizes.end()}),
                  KernelStatus::ok);
      });
}

// Of sums over depth and keys in f32, where scores are of order 1 and v is at most 1.
double bound(Sizes s, DType dtype) {
  const double unit = dtype == f64 ? epsilon(f64) : epsilon(f32);
  const double rounded = is_16_bit_float(dtype) ? epsilon(dtype) : 0;
  return unit * (8 + 2 * std::sqrt(static_cast<double>(s.depth)) +
                 2 * std::sqrt(static_cast<double>(s.keys))) +
         rounded;
}

void expect_near(const Tensor& ours, const std::vector<double>& expected, double bound) {
  const auto values = ours.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  size_t wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double error = std::abs(values[i] - expected[i]);
    wrong += error <= bound ? 0 : 1;
    worst = std::max(worst, error);
  }
  EXPECT_EQ(wrong, 0u) << "worst " << worst << ", allowed " << bound;
}

void expect_chain(Sizes s, Mask mask, DType dtype = f32) {
  SCOPED_TRACE(concat(name(dtype), " ", s.queries, " x ", s.keys, " of ", s.depth, " and ", s.width,
                      " mask ", static_cast<int>(mask)));
  const graph::Graph graph = graph_of(types_of(s, mask, dtype), attention(mask));
  const schedule::Plan plan = chained(graph);
  const std::vector<Tensor> inputs = random_inputs(graph);
  if (s.queries > 1 && s.keys > 1) {
    EXPECT_EQ(plan.calls.size(), 1u);
  }
  const std::vector<double> right = expected(inputs, s, mask);
  expect_near(run_generated(graph, plan, inputs)[0], right, bound(s, dtype));
}

TEST(CpuChain, IsAttentionAtAllSizes) {
  for (const int64_t length : {1, 17, 113, 197, 1023, 1025}) {
    for (const Mask mask : {Mask::none, Mask::causal, Mask::boolean, Mask::additive}) {
      expect_chain({length, length, 16, 16}, mask);
    }
  }
  for (const Mask mask : {Mask::none, Mask::causal, Mask::boolean, Mask::additive}) {
    expect_chain({113, 197, 33, 33}, mask);
    expect_chain({197, 113, 64, 64}, mask);
    expect_chain({17, 1025, 64, 33}, mask);
    expect_chain({2, 3, 2, 5}, mask);
    expect_chain({140, 150, 256, 250}, mask);
    expect_chain({140, 150, 128, 128}, mask, f64);
  }
}

TEST(CpuChain, IsAttentionAtRandomSizes) {
  SplitMix64 random(26);
  const auto between = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random.next() % static_cast<uint64_t>(high - low + 1));
  };
  for (int i = 0; i < 24; ++i) {
    const Sizes s{between(2, 400), between(2, 400), between(2, 70), between(2, 70)};
    const DType dtype = std::vector{f32, f32, f64, bf16}[static_cast<size_t>(between(0, 3))];
    expect_chain(s, static_cast<Mask>(between(0, 3)), dtype);
  }
}

TEST(CpuChain, IsAttentionInAllTypes) {
  for (const DType dtype : {f64, f16, bf16}) {
    for (const Mask mask : {Mask::none, Mask::causal, Mask::boolean, Mask::additive}) {
      expect_chain({113, 197, 33, 16}, mask, dtype);
    }
  }
}

TEST(CpuChain, MeansTheSameInTheInterpreterAndOnEachTarget) {
  for (const Mask mask : {Mask::none, Mask::causal, Mask::boolean, Mask::additive}) {
    const Sizes s{150, 140, 20, 12};
    const graph::Graph graph = graph_of(types_of(s, mask, f32), attention(mask));
    const schedule::Plan plan = chained(graph);
    const std::vector<Tensor> inputs = random_inputs(graph);
    const std::vector<double> right = expected(inputs, s, mask);
    expect_near(interpret(graph, plan, inputs).outputs[0], right, bound(s, f32));
    for (const codegen::CpuTarget& target : codegen::targets()) {
      SCOPED_TRACE(target.cpu);
      expect_near(run_generated(graph, plan, inputs, target)[0], right, bound(s, f32));
    }
  }
}

TEST(CpuChain, LeavesWideHeadsApart) {
  const graph::Graph graph =
      graph_of(types_of({140, 150, 300, 300}, Mask::none, f32), attention(Mask::none));
  EXPECT_EQ(chained(graph).calls.size(), 3u);
}

// Heads that share keys, and a batch.
TEST(CpuChain, IsFoundWhereHeadsShareKeys) {
  const graph::Graph graph =
      graph_of({floats({2, 3, 130, 16}), floats({2, 1, 140, 16}), floats({2, 1, 140, 16})},
               attention(Mask::causal));
  const schedule::Plan plan = chained(graph);
  EXPECT_EQ(plan.calls.size(), 1u);
  const std::vector<Tensor> inputs = random_inputs(graph);
  const Tensor ours = run_generated(graph, plan, inputs)[0];
  EXPECT_EQ(count_wrong({ours}, expected_outputs(graph, inputs), 140), 0u);
}

Tensor by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& bias) {
  const Tensor scores = matmul(q, transpose(k, -2, -1)) * 0.25 + bias;
  const Tensor exponentials = exp(scores - max(scores, {-1}, true));
  return matmul(exponentials / sum(exponentials, {-1}, true), v);
}

std::string kernels_of(const Function& function, const std::vector<graph::Type>& types) {
  std::string text;
  for (const schedule::KernelCall& call : chained(graph_of(types, function)).calls) {
    loop::Kernel kernel = call.kernel;
    kernel.name = "kernel";
    kernel.notes.clear();
    for (loop::Buffer& buffer : kernel.buffers) buffer.name = buffer.name.substr(0, 1);
    for (loop::ValueInfo& value : kernel.values) value.name.clear();
    text += to_text(kernel);
  }
  return text;
}

TEST(CpuChain, HasOneTextForAllSpellings) {
  const Sizes s{200, 300, 16, 16};
  const std::vector<graph::Type> types = types_of(s, Mask::additive, f32);
  const auto by_op = [](const std::vector<Tensor>& t) {
    return std::vector{
        matmul(softmax(matmul(t[0], transpose(t[1], -2, -1)) * 0.25 + t[3], -1), t[2])};
  };
  const auto plain = [](const std::vector<Tensor>& t) {
    return std::vector{by_hand(t[0], t[1], t[2], t[3])};
  };
  const auto batched = [](const std::vector<Tensor>& t) {
    const Tensor scores = batched_matmul(t[0], permute(t[1], {0, 2, 1})) * 0.25;
    return std::vector{batched_matmul(softmax(scores + t[3], 2), t[2])};
  };
  const std::string text = kernels_of(by_op, types);
  EXPECT_EQ(kernels_of(plain, types), text);
  EXPECT_EQ(kernels_of(batched, types), text);
  EXPECT_NE(text.find("fold top max= s"), std::string::npos);

  const std::vector<graph::Type> causal = types_of(s, Mask::causal, f32);
  const auto masked = [](const std::vector<Tensor>& t) {
    const Tensor scores = matmul(t[0], transpose(t[1], -2, -1)) * 0.25;
    const Tensor sees = unsqueeze(arange(200), 1) >= arange(300);
    return std::vector{matmul(softmax(where(sees, scores, kMinusInfinity), -1), t[2])};
  };
  EXPECT_EQ(kernels_of(masked, causal), kernels_of(attention(Mask::causal), causal));
}

// Without a visible key: zero where attention says so, nothing where plain ops divide 0 by 0.
TEST(CpuChain, LeavesRowsWithoutKeysAsTheyAre) {
  const Sizes s{130, 140, 8, 8};
  const graph::Graph graph = graph_of(types_of(s, Mask::boolean, f32), attention(Mask::boolean));
  std::vector<Tensor> inputs = random_inputs(graph);
  auto mask = inputs[3].to_vector<double>();
  for (int64_t j = 0; j < s.keys; ++j) mask[static_cast<size_t>(5 * s.keys + j)] = 0;
  for (int64_t j = 0; j < 135; ++j) mask[static_cast<size_t>(7 * s.keys + j)] = 0;
  inputs[3] = cast(Tensor::of(std::vector<float>(mask.begin(), mask.end()), {130, 140}), boolean);
  const Tensor out = run_generated(graph, chained(graph), inputs)[0];
  expect_near(out, expected(inputs, s, Mask::boolean), bound(s, f32));
  EXPECT_EQ(out.to_vector<double>()[5 * 8], 0);

  const graph::Graph plain =
      graph_of(types_of(s, Mask::boolean, f32), [](const std::vector<Tensor>& t) {
        const Tensor scores = matmul(t[0], transpose(t[1], -2, -1));
        return std::vector{matmul(softmax(where(t[3], scores, kMinusInfinity), -1), t[2])};
      });
  EXPECT_EQ(chained(plain).calls.size(), 1u);
  const auto values = run_generated(plain, chained(plain), inputs)[0].to_vector<double>();
  EXPECT_TRUE(std::isnan(values[5 * 8]));
  EXPECT_FALSE(std::isnan(values[7 * 8]));
}

TEST(CpuChain, GivesTheSameBitsEveryTimeOnAnyThreads) {
  const graph::Graph graph =
      graph_of(types_of({300, 500, 33, 33}, Mask::causal, f32), attention(Mask::causal));
  const schedule::Plan plan = chained(graph);
  const std::vector<Tensor> inputs = random_inputs(graph);
  const auto first = run_generated(graph, plan, inputs)[0].to_vector<float>();
  for (int i = 0; i < 10; ++i) {
    const ScopedKnob threads(Knob::threads, 1 + i % 4);
    EXPECT_EQ(run_generated(graph, plan, inputs)[0].to_vector<float>(), first);
  }
}

// Tiles beyond the last key that a query sees are not looked at: what is there may be anything.
TEST(CpuChain, SkipsWhatPositionsRuleOut) {
  const Sizes s{200, 600, 16, 16};
  const graph::Graph graph = graph_of(types_of(s, Mask::causal, f32), attention(Mask::causal));
  std::vector<Tensor> inputs = random_inputs(graph);
  auto v = inputs[2].to_vector<float>();
  const std::vector<double> right = expected(inputs, s, Mask::causal);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t at = (i * 600 + 300) * 16; at < (i + 1) * 600 * 16; ++at)
      v[static_cast<size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
  }
  inputs[2] = Tensor::of(v, {2, 600, 16});
  expect_near(run_generated(graph, chained(graph), inputs)[0], right, bound(s, f32));
}

std::string refusal(const Function& function, Chains chains = Chains::always,
                    Sizes s = {200, 300, 16, 16}) {
  const schedule::Plan plan = chained(graph_of(types_of(s, Mask::additive, f32), function), chains);
  for (const schedule::KernelCall& call : plan.calls) {
    if (call.kind == schedule::GroupKind::chain) return "none";
  }
  for (const schedule::FusionDecision& decision : plan.decisions) {
    const std::string text = decision.decision.to_text();
    const bool is_of_chain = text.find("between the products") != std::string::npos ||
                             text.find("kernels of their own") != std::string::npos ||
                             text.find("rows") != std::string::npos;
    if (!decision.decision && is_of_chain) return text;
  }
  return "";
}

TEST(CpuChain, SaysWhyNot) {
  const auto weights = [](const std::vector<Tensor>& t) {
    return softmax(matmul(t[0], transpose(t[1], -2, -1)) * 0.25 + t[3], -1);
  };
  const auto with_weights = [&](const std::vector<Tensor>& t) {
    const Tensor w = weights(t);
    return std::vector{matmul(w, t[2]), w};
  };
  EXPECT_EQ(refusal(with_weights), "no: what is between the products is read elsewhere");
  // What follows may read the sums of rows, too.
  const auto with_sums = [](const std::vector<Tensor>& t) {
    const Tensor scores = matmul(t[0], transpose(t[1], -2, -1)) * 0.25 + t[3];
    const Tensor exponentials = exp(scores - max(scores, {-1}, true));
    const Tensor total = sum(exponentials, {-1}, true);
    return std::vector{matmul(exponentials / total, t[2]) + total};
  };
  EXPECT_EQ(refusal(with_sums), "no: what is between the products is read elsewhere");
  const auto of_bias = [](const std::vector<Tensor>& t) {
    return std::vector{matmul(softmax(t[3], -1), t[2])};
  };
  EXPECT_EQ(refusal(of_bias), "no: its rows are of no product");
  const auto plain = [&](const std::vector<Tensor>& t) {
    return std::vector{matmul(weights(t), t[2])};
  };
  EXPECT_EQ(refusal(plain), "none");
}

// One program for many lengths. Eager calls are the plain way.
TEST(CpuChain, ServesLengthsThatChange) {
  const auto plain = [](const Tensor& q, const Tensor& k, const Tensor& v) {
    return scaled_dot_product_attention(q, k, v, {}, true);
  };
  const auto compiled = compile(plain, {.name = "attention"});
  Generator numbers(3);
  for (const int64_t length : {300, 470, 130, 700, 513}) {
    const Tensor q = normal({2, length, 20}, numbers), k = normal({2, length + 7, 20}, numbers),
                 v = normal({2, length + 7, 12}, numbers);
    EXPECT_EQ(count_wrong({compiled(q, k, v)}, {plain(q, k, v)}, 700), 0u) << length;
  }
  const std::shared_ptr<driver::Entry> last = compiled.programs().back();
  EXPECT_TRUE(last->sizes.has_symbols());
  EXPECT_LE(compiled.programs().size(), 3u);
}

// Half of the tiles, about.
TEST(CpuChain, CostsLessWhereTilesAreSkipped) {
  const auto price = [](Mask mask) {
    const graph::Graph graph = graph_of(types_of({1024, 1024, 64, 64}, mask, f32), attention(mask));
    for (const schedule::FusionDecision& one : chained(graph).decisions) {
      if (one.decision.reason == "scores stay in tiles") return *one.decision.cost_if_yes_us;
    }
    return 0.0;
  };
  EXPECT_GT(price(Mask::causal), 0.45 * price(Mask::none));
  EXPECT_LT(price(Mask::causal), 0.75 * price(Mask::none));
}

// Memory of order keys, not queries x keys.
TEST(CpuChain, NeedsNoMemoryForScores) {
  const graph::Graph graph =
      graph_of(types_of({1024, 1024, 64, 64}, Mask::none, f32), attention(Mask::none));
  EXPECT_EQ(chained(graph, Chains::if_faster).arena_bytes, 0);
  EXPECT_GE(chained(graph, Chains::none).arena_bytes, 2 * 1024 * 1024 * 4);
}

}  // namespace
}  // namespace ridge::testing::cpu_chain_test
