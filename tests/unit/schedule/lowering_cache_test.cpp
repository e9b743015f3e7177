// Groups that are alike are lowered once; what comes out is as if each had been by itself.
#include "ridge/schedule/lowering_cache.h"

#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/ridge.h"

namespace ridge::schedule::shared_calls_test {
namespace {

using Blocks = std::vector<nn::TransformerBlock>;

Tensor loss_of(const Blocks& blocks, const Tensor& x) {
  Tensor y = x;
  for (const nn::TransformerBlock& block : blocks) y = block(y);
  return mean(y * y);
}

Tensor step(Blocks& blocks, nn::AdamW<Blocks>& optimizer, const Tensor& x) {
  auto [loss, gradient] = value_and_grad(loss_of)(blocks, x);
  optimizer.update(blocks, gradient);
  return loss;
}

graph::Graph training_step(int64_t layers) {
  Generator generator(7);
  Blocks blocks;
  for (int64_t i = 0; i < layers; ++i) blocks.emplace_back(32, 2, generator, 64, true);
  nn::AdamW<Blocks> optimizer(blocks);
  const Tensor x = uniform({2, 8, 32}, generator, -1, 1);
  auto function = &step;
  graph::PassContext context;
  return graph::run_passes(capture::capture(function, {.name = "step"}, blocks, optimizer, x).graph,
                           graph::standard_passes(), context);
}

std::string product_text(const Product& product) {
  std::string text;
  for (const Matrix* matrix : {&product.lhs, &product.rhs, &product.out}) {
    text += concat(matrix->buffer, " ");
  }
  return text;
}

std::string text_of(const KernelCall& call) {
  std::string text =
      concat(to_text(call.kernel), "\nbuffers ", join(call.buffers, " "), "\nnodes ",
             join(call.nodes, " "), "\n", call.bytes, " bytes ", call.flops, " flops\n");
  for (const KernelCall::Check& check : call.checks) {
    text += concat("check ", check.node, " ", static_cast<int>(check.status), "\n");
  }
  for (const Decision& decision : call.decisions) text += concat(decision.reason, "\n");
  if (call.product) text += product_text(*call.product);
  return text;
}

void expect_same(const graph::Graph& graph, Options options) {
  const Plan shared = schedule(graph, options);
  options.shares = false;
  const Plan unfused = schedule(graph, options);
  ASSERT_EQ(shared.calls.size(), unfused.calls.size());
  EXPECT_EQ(shared.arena_bytes, unfused.arena_bytes);
  ASSERT_EQ(shared.buffers.size(), unfused.buffers.size());
  for (size_t i = 0; i < unfused.calls.size(); ++i) {
    EXPECT_EQ(text_of(shared.calls[i]), text_of(unfused.calls[i])) << "call " << i;
  }
}

TEST(LoweringCache, AreThoseOfEachGroupByItself) {
  const graph::Graph graph = training_step(3);
  expect_same(graph, {.target = Target::cpu});
  expect_same(graph, {.target = Target::gpu, .sheet = cost::find_sheet("h200")});
  expect_same(
      graph,
      {.target = Target::gpu, .has_library_products = true, .sheet = cost::find_sheet("h200")});
}

// The names of inputs are part of a kernel's text.
TEST(LoweringCache, SpeakOfTheirOwnBuffers) {
  const graph::Graph graph = graph::parse(
      "graph f(%0: f32[8, 4] \"x\", %1: f32[8, 4] \"y\", %2: f32[4] \"exp\", %3: f32[4] \"w\") {\n"
      "  %4 = mul(%0, %2) : f32[8, 4]\n"
      "  %5 = sum(%4, dims=[1], keepdim=false) : f32[8]\n"
      "  %6 = mul(%1, %3) : f32[8, 4]\n"
      "  %7 = sum(%6, dims=[1], keepdim=false) : f32[8]\n"
      "  return %5, %7\n"
      "}\n");
  expect_same(graph, {.target = Target::cpu, .fuses = false});
  expect_same(graph, {.target = Target::gpu, .fuses = false});
}

// Forms and rounding are decided with readers outside of a group in view.
TEST(LoweringCache, KeepFormsAndRoundingOfTheirOwn) {
  const graph::Graph forms = graph::parse(
      "graph f(%0: f32[8, 4] \"x\", %1: f32[8, 4] \"y\") {\n"
      "  %2 = exp(%0) : f32[8, 4]\n"
      "  %3 = exp(%1) : f32[8, 4] for half\n"
      "  return %2, %3\n"
      "}\n");
  const graph::Graph rounding = graph::parse(
      "graph f(%0: bf16[8, 4] \"x\", %1: bf16[8, 4] \"y\") {\n"
      "  %2 = add(%0, %0) : bf16[8, 4]\n"
      "  %3 = floor(%2) : bf16[8, 4]\n"
      "  %4 = add(%1, %1) : bf16[8, 4]\n"
      "  %5 = floor(%4) : bf16[8, 4]\n"
      "  %6 = max(%4, dims=[0], keepdim=false) : bf16[4]\n"
      "  return %3, %5, %6\n"
      "}\n");
  for (const graph::Graph* graph : {&forms, &rounding}) {
    expect_same(*graph, {.target = Target::cpu, .fuses = false});
    expect_same(*graph, {.target = Target::gpu, .fuses = false});
  }
}

TEST(GroupSignatures, TellGroupsApart) {
  const graph::Graph graph = graph::parse(
      "graph f(%0: f32[8, 4] \"x\", %1: f32[8, 4] \"y\") {\n"
      "  %2 = constant 2 : f32[]\n"
      "  %3 = constant 3 : f32[]\n"
      "  %4 = mul(%0, %2) : f32[8, 4]\n"
      "  %5 = mul(%1, %2) : f32[8, 4]\n"
      "  %6 = mul(%1, %3) : f32[8, 4]\n"
      "  %7 = mul(%1, %1) : f32[8, 4]\n"
      "  %8 = mul(%0, %1) : f32[8, 4]\n"
      "  return %4, %5, %6, %7, %8\n"
      "}\n");
  const InlinedGraph program(graph);
  const Fusion fusion = fuse_nothing(program);
  ASSERT_EQ(fusion.groups.size(), 5u);
  const Readers readers = readers_of(program);
  GroupSignatures forms(program);
  std::vector<std::vector<uint64_t>> words;
  for (const Group& group : fusion.groups) {
    words.push_back(forms.with_readers(group, readers).words);
  }
  EXPECT_EQ(words[0], words[1]);
  for (size_t i = 1; i < words.size(); ++i) {
    for (size_t j = i + 1; j < words.size(); ++j) EXPECT_NE(words[i], words[j]) << i << " " << j;
  }
}

}  // namespace
}  // namespace ridge::schedule::shared_calls_test
