// Printing, parsing, verifying and hashing: every graph reads back as itself.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "ridge/base/random.h"
#include "ridge/graph/graph.h"
#include "ridge/graph/recorder.h"
#include "ridge/ridge.h"

namespace ridge::graph::text_test {
namespace {

const bool kInstalled = (install_recorder(), true);

constexpr std::string_view kStep = R"(graph step(%0: f32[8, 4] "x", %1: f32[] "rate") {
  %2 = mul(%0, %1) : f32[8, 4]
  %3 = sum(%2, dims=[0], keepdim=false) : f32[4]
  return %3
  update %0 = %2
}
)";

void expect_reads_back(const Graph& graph) {
  verify(graph);
  const std::string text = to_text(graph);
  const Graph reread = parse(text);
  verify(reread);
  EXPECT_EQ(hash(reread), hash(graph)) << text << to_text(reread);
}

TEST(GraphText, IsWhatTheHeaderShows) {
  const Graph graph = parse(kStep);
  EXPECT_EQ(to_text(graph), kStep);
  EXPECT_EQ(graph[graph.inputs[1]].name, "rate");
  ASSERT_EQ(graph.updates.size(), 1U);
  expect_reads_back(graph);
}

TEST(GraphText, TypesReadAsTensorsDo) {
  EXPECT_EQ(to_text(Type{f32, {2, 3}}), "f32[2, 3]");
  EXPECT_EQ(to_text(Type{f64, {}, kCpu, true}), "f64[] weak");
  EXPECT_EQ(to_text(Type{f32, {2}, Device{DeviceKind::cuda, 1}}), "f32[2] cuda:1");
}

TEST(GraphText, RecordedGraphsReadBack) {
  Graph graph;
  Recorder recorder(graph);
  const Size n = symbolic_size("n", {1, 4096}, 8);
  const Size odd = symbolic_size("x.size(0)", expr::Interval::at_least(2));
  const Tensor x = recorder.input({f32, {n, 4}}, "the \"x\"\n of\\ it");
  const Tensor wide = recorder.input({f16, {odd}});
  const Tensor index = recorder.input({i64, {3}});
  const Tensor state = recorder.input({i64, {3}});
  const Tensor frozen = recorder.constant(Tensor::of<float>({0.1F, -0.0F, 1e-40F, 3}, {4}));
  Tensor y;
  {
    const Recorder::Scope scope(recorder);
    recorder.set_scope("block.3");
    const Tensor drawn = uniform(state, {n, 4}, -1.0, std::numeric_limits<double>::max(), f32);
    const Tensor joined = cat({x * 0.1, drawn, x + frozen}, 1);
    const Tensor flat = reshape(joined, {n * 3, 4});
    y = sum(flat, {0}) + select(gather(frozen, 0, index), 0, 1) + mean(cast(wide, f32));
    y = y + sort(flat, 1, true).values * layer_norm(flat);
    add_(select(x, 1, 0), 1);
  }
  graph.outputs = {recorder.id(y), recorder.id(x)};
  expect_reads_back(graph);
}

TEST(GraphText, ConstantsAreExact) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Tensor> constants = {
      Tensor::number(true),
      Tensor::number(int64_t{-7}),
      Tensor::number(0.1),
      Tensor::of<double>({0.1, -0.0, infinity, 5e-324}, {2, 2}),
      Tensor::of<double>({nan, 1}, {2}),
      Tensor::of<float>({0.1F, 16777216.0F, -std::numeric_limits<float>::infinity()}, {3}),
      cast(Tensor::of<float>({0.1F, 65504.0F}, {2}), f16),
      cast(Tensor::of<float>({0.1F}, {}), bf16),
      Tensor::of<bool>({true, false}, {2}),
      Tensor::of<int8_t>({-128, 127}, {2}),
      Tensor::of<float>(std::vector<float>(), {0, 3}),
      clone(cast(arange(100), f32))};
  Graph graph;
  for (const Tensor& constant : constants) graph.outputs.push_back(graph.add_constant(constant));
  const Graph reread = parse(to_text(graph));
  for (size_t i = 0; i < constants.size(); ++i) {
    const Tensor& c = reread[reread.outputs[i]].constant;
    ASSERT_TRUE(c.defined());
    EXPECT_EQ(c.is_weak(), constants[i].is_weak());
    ASSERT_EQ(describe(c), describe(constants[i]));
    const size_t bytes = bytes_for(c.dtype(), c.numel().value());
    EXPECT_EQ(std::memcmp(c.raw_data(), constants[i].raw_data(), bytes), 0) << to_text(graph);
  }
  EXPECT_EQ(hash(reread), hash(graph));
}

TEST(GraphText, SymbolsOfOneNameStayTwo) {
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {symbolic_size("n", {1, 10})}});
  const Tensor y = recorder.input({f32, {symbolic_size("n", {1, 20})}});
  {
    const Recorder::Scope scope(recorder);
    graph.outputs = {recorder.id(cat({x, y}))};
  }
  expect_reads_back(graph);
  const Graph reread = parse(to_text(graph));
  EXPECT_FALSE(
      reread[reread.inputs[0]].type.shape[0].is_same(reread[reread.inputs[1]].type.shape[0]));
}

TEST(GraphHash, IgnoresNamesLinesAndNumbersOnly) {
  const auto hash_of = [](std::string text, std::string_view from = "", std::string_view to = "") {
    if (!from.empty()) {
      const size_t at = text.find(from);
      EXPECT_NE(at, text.npos) << from;
      text.replace(at, from.size(), to);
    }
    return hash(parse(text));
  };
  const std::string text(kStep);
  EXPECT_EQ(hash_of(text), hash_of(text, "step", "other"));
  EXPECT_EQ(hash_of(text), hash_of(text, "\"x\"", "\"weights\""));
  EXPECT_EQ(hash_of(text), hash_of(text, "return", "// a comment\n  return"));
  EXPECT_NE(hash_of(text), hash_of(text, "update %0 = %2", ""));
  EXPECT_NE(hash_of(text), hash_of(text, "mul(%0, %1)", "mul(%1, %0)"));
  EXPECT_NE(hash_of(text), hash_of(text, "keepdim=false", "keepdim=true"));
  EXPECT_NE(hash_of(text), hash_of(text, "return %3", "return %3, %3"));
}

TEST(GraphParse, SaysWhereAndWhatIsWrong) {
  const auto message = [](std::string_view text) -> std::string {
    try {
      parse(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::parse);
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(message("graph f(%0: f33[2]) {\n return\n}").find("line 1"), std::string::npos);
  const std::string unknown = message("graph f(%0: f32[2]) {\n %1 = rilu(%0) : f32[2]\n return\n}");
  EXPECT_NE(unknown.find("line 2"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("did you mean"), std::string::npos) << unknown;
  EXPECT_NE(message("graph f() {\n return %4\n}").find("%4"), std::string::npos);
  EXPECT_NE(message("graph f(%0: f32[m]) { return }").find("m"), std::string::npos);
  EXPECT_NE(message("graph f() { %0 = constant [1, 2] : f32[3] return }").find("3 elements"),
            std::string::npos);
  EXPECT_NE(message("graph f() { %0 = constant 300 : i8[] return }").find("i8"), std::string::npos);
}

TEST(GraphParse, SurvivesGarbage) {
  const std::string text =
      "graph f<n in [1, 4096] = 8>(%0: f32[n, 4] \"x\", %1: f64[] weak cuda:0) {\n"
      "  %2 = constant [1, 2.5] : f32[2]\n  %3 = constant \"0000803f\" : f32[]\n"
      "  %4 = reshape(%0, shape=[2 * n, 2]) : f32[2 * n, 2] alias %0\n"
      "  %5, %6 = sort(%4, dim=-1, descending=true) : f32[2 * n, 2], i64[2 * n, 2]\n"
      "  %7 = add_(%0, %3) : f32[n, 4] alias %0 token 1   // f.cpp:3\n"
      "  return %5, %6\n  update %0 = %0\n}\n";
  verify(parse(text));
  SplitMix64 random(7);
  const std::string_view letters = "%()[]{}<>=,:\"/ -0129nfx.\n\\\xff";
  for (int round = 0; round < 3000; ++round) {
    std::string mutated = text;
    for (uint64_t i = 0; i <= random.next() % 4; ++i) {
      const size_t at = random.next() % mutated.size();
      const char letter = letters[random.next() % letters.size()];
      switch (random.next() % 4) {
        case 0: mutated[at] = letter; break;
        case 1: mutated.insert(at, 1, letter); break;
        case 2: mutated.erase(at, 1 + random.next() % 9); break;
        case 3: mutated.insert(at, mutated.substr(random.next() % mutated.size(), 20)); break;
      }
      if (mutated.empty()) mutated = "g";
    }
    try {
      verify(parse(mutated));
    } catch (const Error&) {
      // Any complaint will do; anything but an Error would end the test.
    }
  }
}

TEST(GraphVerify, FindsWhatIsWrong) {
  const auto is_refused = [](const Graph& graph) {
    try {
      verify(graph);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::internal) << error.what();
      return true;
    }
    return false;
  };
  const Graph good = parse(kStep);
  EXPECT_FALSE(is_refused(good));
  Graph bad = good;
  bad.values[2].type.shape = {8, 5};
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.values[2].type.dtype = f64;
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  std::swap(bad.nodes[0], bad.nodes[1]);
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.nodes[0].token = 1;
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.updates[0].input = {2};
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.updates[0].value = {3};
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.outputs[0] = {17};
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.values.emplace_back();
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.values[2].alias = ValueId{0};
  EXPECT_TRUE(is_refused(bad));
  // A view that is written through must say what it is a view of.
  bad = parse(
      "graph f(%0: f32[2, 2]) {\n"
      "  %1 = reshape(%0, shape=[4]) : f32[4] alias %0\n"
      "  %2 = add_(%1, %1) : f32[4] alias %1 token 1\n"
      "  return %0\n}");
  EXPECT_FALSE(is_refused(bad));
  bad.values[1].alias.reset();
  EXPECT_TRUE(is_refused(bad));
}

}  // namespace
}  // namespace ridge::graph::text_test
