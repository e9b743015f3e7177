#include "ridge/graph/pass.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/graph/passes/passes.h"
#include "ridge/graph/recorder.h"
#include "ridge/ops/record.h"
#include "ridge/ridge.h"

namespace ridge::graph::pass_test {
namespace {

using Outcome = PassRun::Outcome;

const bool kInstalled = (install_recorder(), true);

constexpr std::string_view kGraph = R"(graph f(%0: f32[4, 4]) {
  %1 = softmax(%0, dim=1) : f32[4, 4]
  %2 = exp(%0) : f32[4, 4]
  %3 = add_(%0, %1) : f32[4, 4] alias %0 token 1
  return %1
}
)";

std::vector<Outcome> outcomes(const PassContext& context) {
  std::vector<Outcome> list;
  for (const PassRun& run : context.runs) list.push_back(run.outcome);
  return list;
}

TEST(RunPasses, ReportsWhatEachDid) {
  PassContext context;
  run_passes(parse(kGraph), standard_passes(), context);
  EXPECT_EQ(outcomes(context),
            (std::vector<Outcome>{Outcome::changed, Outcome::changed, Outcome::unchanged,
                                  Outcome::unchanged, Outcome::unchanged, Outcome::changed,
                                  Outcome::unchanged, Outcome::unchanged}));
  for (const PassRun& run : context.runs) EXPECT_GT(run.microseconds, 0) << run.name;
  EXPECT_NE(context.to_text().find("decompose: changed"), std::string::npos);
}

TEST(RunPasses, SkipsByName) {
  const ScopedKnob disable(Knob::disable, "eliminate-dead-code");
  PassContext context;
  const Graph graph = run_passes(parse(kGraph), standard_passes(), context);
  EXPECT_EQ(outcomes(context)[5], Outcome::skipped);
  EXPECT_NE(to_text(graph).find("exp(%0)"), std::string::npos);
}

TEST(RunPasses, AnUnknownNameToSkipIsAnError) {
  const ScopedKnob disable(Knob::disable, "fuse,eliminate-dead-cod");
  PassContext context;
  try {
    run_passes(parse(kGraph), standard_passes(), context);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_EQ(error.op(), "RIDGE_DISABLE");
    EXPECT_NE(std::string(error.what()).find("did you mean `eliminate_dead_code`"),
              std::string::npos);
  }
  const ScopedKnob fuse(Knob::disable, "fuse");
  EXPECT_TRUE(is_disabled("fuse"));
  EXPECT_FALSE(is_disabled("decompose"));
}

TEST(RunPasses, StopsOptionalPassesAfterSoMany) {
  const ScopedKnob stop(Knob::stop_after, 1);
  PassContext context;
  run_passes(parse(kGraph), standard_passes(), context);
  EXPECT_EQ(outcomes(context),
            (std::vector<Outcome>{Outcome::changed, Outcome::changed, Outcome::unchanged,
                                  Outcome::skipped, Outcome::skipped, Outcome::skipped,
                                  Outcome::skipped, Outcome::unchanged}));
}

TEST(RunPasses, AnErrorNamesThePass) {
  const Pass bad{"forget_a_value", [](Graph graph, const PassContext&) {
                   graph.values.emplace_back();
                   return graph;
                 }};
  PassContext context;
  const ScopedKnob verify_passes(Knob::verify, 1);
  try {
    run_passes(parse(kGraph), std::vector<Pass>{bad}, context);
    FAIL() << "a broken graph was not noticed";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("forget_a_value"), std::string::npos) << error.what();
  }
}

TEST(RunPasses, DumpsGraphsThatChanged) {
  const auto folder = create_own_folder(std::filesystem::temp_directory_path(), "ridge_pass_test");
  std::filesystem::remove_all(folder);
  {
    const ScopedKnob dump(Knob::dump, folder.string());
    PassContext context;
    run_passes(parse(kGraph), standard_passes(), context);
  }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string().substr(4));
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"decompose.ir", "eliminate-dead-code.ir",
                                             "functionalize.ir"}));
  std::filesystem::remove_all(folder);
}

TEST(FoldConstants, LargeConstantsAreLeftToTheProgram) {
  const auto folded = [](int64_t count) {
    Graph graph;
    Recorder recorder(graph);
    const Tensor table = ones({count});
    {
      const Recorder::Scope scope(recorder);
      graph.outputs = {recorder.id(sum(recorder.constant(table)))};
    }
    PassContext context;
    return run_passes(std::move(graph), standard_passes(), context);
  };
  EXPECT_TRUE(folded(8).nodes.empty());
  EXPECT_FALSE(folded(1000).nodes.empty());
}

TEST(GraphHash, TellsLargeConstantsApart) {
  const auto with = [](float last) {
    std::vector<float> values(1000, 1.0F);
    values.back() = last;
    Graph graph;
    graph.outputs = {graph.add_constant(Tensor::of(values, {1000}))};
    return hash(graph);
  };
  EXPECT_EQ(with(1), with(1));
  EXPECT_NE(with(1), with(2));
}

TEST(FindPass, SuggestsTheNearestName) {
  EXPECT_EQ(find_pass("eliminate-dead-code").name, "eliminate_dead_code");
  try {
    find_pass("fold_constant");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint().find("fold_constants"), std::string::npos);
  }
}

TEST(Decompose, PartsKeepLineAndLayer) {
  PassContext context;
  Graph graph;
  Recorder recorder(graph);
  const Tensor x = recorder.input({f32, {3, 5}});
  {
    const Recorder::Scope scope(recorder);
    recorder.set_scope("head");
    graph.outputs = {recorder.id(rms_norm(softmax(x, 1)))};
  }
  const Graph parts = decompose(graph, context);
  verify(parts);
  EXPECT_GT(parts.nodes.size(), 2U);
  for (const Node& node : parts.nodes) {
    EXPECT_FALSE(node.op->record()->decompose) << node.op->name();
    EXPECT_EQ(node.where.line(), graph.nodes[0].where.line());
    EXPECT_EQ(node.scope, "head");
  }
}

// Passes may run while a capture of the same thread is going on, as compile inside compile does.
TEST(RunPasses, DoNotDisturbACaptureInProgress) {
  Graph outer;
  Recorder recorder(outer);
  const Tensor x = recorder.input({f32, {2}});
  const Recorder::Scope scope(recorder);
  PassContext context;
  const Graph graph =
      run_passes(parse("graph f(%0: f32[2]) {\n  %1 = constant [1, 2] : f32[2]\n"
                       "  %2 = exp(%1) : f32[2]\n  %3 = softmax(%0, dim=0) : f32[2]\n"
                       "  %4 = add_(%0, %3) : f32[2] alias %0 token 1\n  return %2, %3\n}"),
                 standard_passes(), context);
  EXPECT_TRUE(graph[graph.outputs[0]].constant.defined());  // computed, not recorded
  EXPECT_EQ(outer.nodes.size(), 0U);
  EXPECT_EQ(Recorder::active(), &recorder);
  relu(x);
  EXPECT_EQ(outer.nodes.size(), 1U);
}

}  // namespace
}  // namespace ridge::graph::pass_test
