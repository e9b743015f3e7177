// The CUDA text of pipelined rows, run on the host: copies and sums arrive late, warps go on in any order.
#include <gtest/gtest.h>

#include "pipelined.h"
#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/reference/reference.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::testing::gpu_pipeline_text_test {
namespace {

using codegen::CudaKernel;
using codegen::HostLibrary;

// A graph, and its kernels as text.
class PipelinedText {
 public:
  PipelinedText(graph::Graph graph, double points)
      : graph_(std::move(graph)), plan_(planned_on(graph_, 4)), points_(points) {
    EXPECT_TRUE(is_pipelined(plan_));
    for (const schedule::KernelCall& call : plan_.calls) {
      texts_.push_back(codegen::generate(call.kernel, {.arch = 90, .fits_32_bits = true}));
    }
    EXPECT_NE(texts_.front().source.find("ridge::RowPipeline<"), std::string::npos);
    const reference::UseReference scope;
    inputs_ = random_inputs(graph_);
    expected_ = expected_outputs(graph_, inputs_);
  }

  // The first kernel with something else in it, which must be there.
  void change(const std::string& from, const std::string& to) {
    std::string& text = texts_.front().source;
    size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    for (; at != std::string::npos; at = text.find(from, at)) text.replace(at, from.size(), to);
  }

  // Elements that are not as the reference has them.
  size_t wrong(const HostLibrary& library, codegen::HostOrder order) const {
    const auto run = [&](size_t call, std::span<void* const> buffers,
                         std::span<const int64_t> sizes) {
      EXPECT_EQ(library.run(texts_[call], buffers, sizes, order), 0);
    };
    return count_wrong(run_plan(graph_, plan_, inputs_, run), expected_, points_);
  }
  const std::vector<CudaKernel>& texts() const { return texts_; }

 private:
  graph::Graph graph_;
  schedule::Plan plan_;
  double points_;
  std::vector<CudaKernel> texts_;
  std::vector<Tensor> inputs_, expected_;
};

void expect_right_in_any_order(const PipelinedText& text) {
  const HostLibrary library(text.texts());
  for (const uint64_t seed : {0u, 1u, 2u}) {  // 0: all in order
    EXPECT_EQ(text.wrong(library, {.is_backwards = seed % 2 == 0, .seed = seed}), 0u) << seed;
  }
}

TEST(GpuPipelineText, RmsNormGradientInAnyOrder) {
  if (!codegen::has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  expect_right_in_any_order({pipelined_gradient(bf16, 19, 20001, bf16), 19 * 20001.0});
}

TEST(GpuPipelineText, LayerNormGradientInAnyOrder) {
  if (!codegen::has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  expect_right_in_any_order({pipelined_layer_norm(bf16, 19, 20001), 19 * 20001.0});
}

TEST(GpuPipelineText, FloatsInAnyOrder) {
  if (!codegen::has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  expect_right_in_any_order({pipelined_gradient(f32, 18, 20001, f32), 18 * 20001.0});
}

// Misaligned rows, of a block each.
TEST(GpuPipelineText, SingleBlocksInAnyOrder) {
  if (!codegen::has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  expect_right_in_any_order({pipelined_gradient(bf16, 35, 4097, bf16), 35 * 4097.0});
  expect_right_in_any_order({pipelined_layer_norm(bf16, 35, 4097), 35 * 4097.0});
}

// Four of them on an SM, and two. Rows of 3070 and 3580 may end where the last chunk of them starts.
TEST(GpuPipelineText, BlocksOfAnSmInAnyOrder) {
  if (!codegen::has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  expect_right_in_any_order({pipelined_gradient(bf16, 130, 1534, bf16), 130 * 1534.0});
  expect_right_in_any_order({pipelined_gradient(bf16, 130, 3070, bf16), 130 * 3070.0});
  expect_right_in_any_order({pipelined_layer_norm(bf16, 65, 3580), 65 * 3580.0});
}

// Were one of the waits not there, this is what it would look like.
struct Fault {
  const char *text, *instead;
  int64_t rows = 19, columns = 20001;  // 20001 in clusters, 4097 in blocks of their own
};
class GpuPipelineFaults : public ::testing::TestWithParam<Fault> {};

TEST_P(GpuPipelineFaults, AreFound) {
  if (!codegen::has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  const auto& [from, to, rows, columns] = GetParam();
  PipelinedText text(pipelined_gradient(bf16, rows, columns, bf16),
                     static_cast<double>(rows * columns));
  text.change(from, to);
  const HostLibrary library(text.texts());
  bool is_found = false;
  for (uint64_t seed = 1; seed <= 3 && !is_found; ++seed) {
    try {
      is_found = text.wrong(library, {.seed = seed}) > 0;
    } catch (const Error&) {
      is_found = true;  // threads that wait in vain
    }
  }
  EXPECT_TRUE(is_found);
}

INSTANTIATE_TEST_SUITE_P(
    Waits, GpuPipelineFaults,
    ::testing::Values(
        // For the room of a row, for the row, for its sums.
        Fault{"mbarrier_wait(&shared_->empty[at][next], row / kStages % 2 ^ 1);", ""},
        Fault{"mbarrier_wait(&shared_->full[front_ % kStages][chunk], front_ / kStages % 2);", ""},
        Fault{"mbarrier_wait(&shared_->partials_ready[at], back_ / kPartialRows % 2);", ""},
        // Room that is given away a chunk too early, sums in the place of others, a place that is not looked at.
        Fault{"next = i + 1 < kChunks ? i + 1 : i;", "next = 0;"},
        Fault{"front_++ % kPartialRows;", "front_++ % kPartialRows % 2;"},
        Fault{"partials[at]", "partials[0]"}, Fault{"line_offset(from));", "0);"},
        // Sums that nobody waits for, or in the place of others, where no other block sends any.
        Fault{"mbarrier_wait(&shared_->partials_ready[at], back_ / kPartialRows % 2);", "", 35,
              4097},
        Fault{"partials[at]", "partials[0]", 35, 4097}));

}  // namespace
}  // namespace ridge::testing::gpu_pipeline_text_test
