// How many neighbors of a row a thread takes at once: by the types of arrays, and by where rows start and end.
#include <gtest/gtest.h>

#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_row_work_test {
namespace {

graph::Type rows_of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

// The first kernel of a function, whose results are those of the reference.
std::string text_of(const std::vector<graph::Type>& inputs, const Function& function) {
  const graph::Graph graph = graph_of(inputs, function);
  const schedule::Plan plan = schedule::schedule(graph, {.target = schedule::Target::gpu});
  expect_as_reference(graph, plan, static_cast<double>(*inputs[0].shape.back().known()));
  return loop::to_text(plan.calls.front().kernel);
}

::testing::AssertionResult takes(const std::string& text, int width) {
  const bool is_so = text.find(" in " + std::to_string(width) + " @vector") != std::string::npos;
  return (is_so ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << text;
}

std::vector<Tensor> wider_softmax(const std::vector<Tensor>& x) {
  return {log_softmax(cast(x[0], f32), 1)};
}
std::vector<Tensor> norm(const std::vector<Tensor>& x) { return {rms_norm(x[0], x[1])}; }
std::vector<Tensor> sums_of_a_part(const std::vector<Tensor>& x) {
  return {sum(slice(x[0], 1, 0, 1001), {1})};
}
std::vector<Tensor> soft(const std::vector<Tensor>& x) { return {softmax(x[0], -1)}; }

TEST(GpuRowWidth, IsThatOfTheWidestArrayWithRows) {
  for (const int64_t length : {1024, 1001}) {
    EXPECT_TRUE(takes(text_of({rows_of(bf16, {5, length})}, wider_softmax), 4));
  }
}

TEST(GpuRowWidth, OfWeightsIsTwice) {
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {5, 1024}), rows_of(f32, {1024})}, norm), 8));
}

TEST(GpuRowWidth, OfRowsThatOnlyEndInBetween) {
  // Of weights too, there is one word with the last element.
  const auto weighted = [](const std::vector<Tensor>& x) -> std::vector<Tensor> {
    return {sum(cast(slice(x[0], 1, 0, 1001), f32) * x[1], {1})};
  };
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {5, 1008}), rows_of(f32, {1001})}, weighted), 4));
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {5, 1008})}, sums_of_a_part), 8));
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {1, 1001})}, soft), 8));
  EXPECT_TRUE(takes(text_of({rows_of(f32, {1, 1001})}, soft), 4));
}

// Channels of images: what is summed is not one piece of memory.
TEST(GpuRowWidth, AlongTheLastOfSeveralAxes) {
  const auto sums = [](const std::vector<Tensor>& x) -> std::vector<Tensor> {
    const Tensor wide = cast(x[0], f32);
    return {sum(wide, {0, 2}), sum(wide * wide, {0, 2})};
  };
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {9, 5, 64})}, sums), 8));
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {9, 5, 68})}, sums), 4));
  const auto sums_of_images = [](const std::vector<Tensor>& x) -> std::vector<Tensor> {
    return {sum(cast(x[0], f32), {0, 2, 3})};
  };
  EXPECT_TRUE(takes(text_of({rows_of(bf16, {9, 5, 14, 14})}, sums_of_images), 4));
  text_of({rows_of(bf16, {9, 5, 49})}, sums);
}

}  // namespace
}  // namespace ridge::testing::gpu_row_work_test
