// Scatters on a GPU: parallel, without races, and the bits of one thread that goes in order.
#include <gtest/gtest.h>

#include <cstring>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::gpu_scatter_test {
namespace {

using schedule::Plan;
using schedule::Target;

graph::Type of(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

Tensor random_index(const Shape& shape, int64_t below, DType dtype) {
  SplitMix64 random(11);
  std::vector<int64_t> values(static_cast<size_t>(numel(shape).value()));
  for (int64_t& value : values) {
    value = static_cast<int64_t>(random.next() % static_cast<uint64_t>(below));
  }
  return cast(Tensor::of(values, shape), dtype);
}

void expect_same_bits(const Tensor& a, const Tensor& b) {
  const auto bytes = bytes_for(a.dtype(), numel(a.shape()).value());
  EXPECT_EQ(std::memcmp(a.raw_data(), b.raw_data(), bytes), 0);
}

// The GPU mapping, with blocks in both orders, against the serial loops of the CPU mapping.
void check(const std::vector<graph::Type>& types, const Function& function, int64_t below) {
  const graph::Graph graph = graph_of(types, function);
  std::vector<Tensor> inputs = random_inputs(graph, 5);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (is_integer(types[i].dtype)) inputs[i] = random_index(types[i].shape, below, types[i].dtype);
  }
  const Plan gpu = schedule::schedule(graph, {.target = Target::gpu});
  loop::Options backwards;
  backwards.reverse_tasks = true;
  const Interpreted expected = interpret(graph, schedule::schedule(graph, {}), inputs);
  for (const loop::Options& options : {loop::Options(), backwards}) {
    const Interpreted ours = interpret(graph, gpu, inputs, options);
    for (size_t i = 0; i < ours.outputs.size(); ++i) {
      expect_same_bits(ours.outputs[i], expected.outputs[i]);
    }
  }
}

Function scatter_along(int64_t dim) {
  return [dim](const std::vector<Tensor>& x) {
    return std::vector{scatter_add(x[0], dim, x[1], x[2])};
  };
}

TEST(GpuScatter, GradientOfAnEmbedding) {
  for (const DType dtype : {f32, bf16, f64}) {
    for (const int64_t width : {1, 3, 64, 768}) {
      SCOPED_TRACE(concat(name(dtype), " ", width));
      const auto gradient = [width](const std::vector<Tensor>& x) {
        const Tensor nothing = zeros({100, width}, x[1].dtype());
        const Tensor index = expand(reshape(x[0], {300, 1}), {300, width});
        return std::vector{scatter_add(nothing, 0, index, x[1])};
      };
      check({of(i64, {300}), of(dtype, {300, width})}, gradient, 100);
    }
  }
}

TEST(GpuScatter, AnIndexForEachElement) {
  check({floats({50, 20}), of(i64, {70, 20}), floats({70, 20})}, scatter_along(0), 50);
  check({floats({6, 50}), of(i32, {6, 90}), floats({6, 90})}, scatter_along(1), 50);
  check({floats({3, 50, 4}), of(i64, {2, 90, 3}), floats({2, 90, 3})}, scatter_along(1), 50);
}

TEST(GpuScatter, PointsThatEndBeforeTheResult) {
  for (const int64_t width : {200, 254, 255}) {
    const auto narrow = [width](const std::vector<Tensor>& x) {
      const Tensor index = expand(reshape(x[1], {90, 1}), {90, width});
      return std::vector{scatter_add(x[0], 0, index, x[2])};
    };
    check({floats({30, 256}), of(i64, {90}), floats({90, width})}, narrow, 30);
  }
}

TEST(GpuScatter, OneAxis) {
  for (const int64_t points : {1, 31, 1000, 5000}) {
    check({floats({37}), of(i64, {points}), floats({points})}, scatter_along(0), 37);
  }
}

TEST(GpuScatter, ManyPointsForOneSlot) {
  check({floats({1000}), of(i64, {3000}), floats({3000})}, scatter_along(0), 1);
}

TEST(GpuScatter, Integers) {
  check({of(i32, {40, 8}), of(i64, {60, 8}), of(i32, {60, 8})}, scatter_along(0), 40);
}

// Sums of elements that no point leads to are not kept, and those of others begin as the tensor given.
TEST(GpuScatter, SumsThatAreRoundedOnce) {
  for (const int64_t points : {1, 301, 2048}) {
    for (const int64_t slots : {3, 1500}) {
      SCOPED_TRACE(concat(points, " into ", slots));
      const std::vector<graph::Type> types = {of(bf16, {slots, 96}), of(i64, {points, 96}),
                                              of(bf16, {points, 96})};
      check(types, scatter_along(0), slots);
      const auto rows = [=](const std::vector<Tensor>& x) {
        const Tensor index = expand(reshape(x[1], {points, 1}), {points, 96});
        return std::vector{scatter_add(x[0], 0, index, x[2])};
      };
      check({types[0], of(i64, {points}), types[2]}, rows, slots);
    }
  }
}

// More elements for a block than it can note.
TEST(GpuScatter, SumsOfMoreElementsThanCanBeNoted) {
  const auto rows = [](const std::vector<Tensor>& x) {
    const Tensor index = expand(reshape(x[1], {40, 1}), {40, 2});
    return std::vector{scatter_add(x[0], 0, index, x[2])};
  };
  check({of(bf16, {270000, 2}), of(i64, {40}), of(bf16, {40, 2})}, rows, 270000);
}

TEST(GpuScatter, BlocksShareTheWork) {
  const auto gradient = [](const std::vector<Tensor>& x) {
    const Tensor index = expand(reshape(x[0], {512, 1}), {512, 768});
    return std::vector{scatter_add(zeros({5000, 768}, f32), 0, index, x[1])};
  };
  const graph::Graph graph = graph_of({of(i64, {512}), floats({512, 768})}, gradient);
  const Plan plan = schedule::schedule(graph, {.target = Target::gpu});
  ASSERT_EQ(plan.calls.size(), 1U);
  const std::string text = loop::to_text(plan.calls[0].kernel);
  EXPECT_NE(text.find("in 1024 @gpu_block"), std::string::npos) << text;
  EXPECT_NE(text.find("in 4 @vector"), std::string::npos) << text;
}

TEST(GpuScatter, AnIndexOutOfRangeIsReported) {
  const graph::Graph graph = graph_of({floats({5}), of(i64, {40}), floats({40})}, scatter_along(0));
  const Plan plan = schedule::schedule(graph, {.target = Target::gpu});
  std::vector<Tensor> inputs = random_inputs(graph);
  inputs[1] = random_index({40}, 9, i64);
  Tensor out = Tensor::empty({5}, f32);
  std::vector<void*> buffers;
  for (const int id : plan.calls[0].buffers) {
    const schedule::PlannedBuffer& buffer = plan.buffers[static_cast<size_t>(id)];
    const bool is_input = buffer.kind == BufferKind::input;
    buffers.push_back(is_input ? inputs[static_cast<size_t>(buffer.index)].raw_data()
                               : out.raw_data());
  }
  EXPECT_EQ(loop::run(plan.calls[0].kernel, buffers, {}).status, KernelStatus::index_out_of_range);
}

}  // namespace
}  // namespace ridge::testing::gpu_scatter_test
