// Which products a library computes, and whether what it is told is the product.
#include "ridge/schedule/library_products.h"

#include <gtest/gtest.h>

#include "ridge/expr/evaluate.h"
#include "ridge/ridge.h"
#include "scheduled.h"

namespace ridge::testing::contraction_library_test {
namespace {

using graph::Graph;
using schedule::Matrix;
using schedule::Product;

graph::Type typed(DType dtype, const Shape& shape) { return {dtype, shape, kCpu, false}; }

schedule::Plan gpu_plan(const Graph& graph, bool has_library = true) {
  return schedule::schedule(graph,
                            {.target = schedule::Target::gpu, .has_library_products = has_library});
}

int64_t number(const expr::Expr& e) { return expr::evaluate(e, expr::Leaves()).as_integer(); }

double element(const Tensor& tensor, int64_t index) {
  return load_element(tensor.dtype(), tensor.raw_data(), index).as_real();
}

// What a library would do, from nothing but the description.
void multiply(const Product& p, const std::vector<Tensor>& memory) {
  const auto at = [](const Matrix& x, int64_t outer, int64_t batch, int64_t row, int64_t column) {
    return number(x.first) + outer * number(x.outer_step) + batch * number(x.batch_step) +
           row * number(x.row_step) + column * number(x.column_step);
  };
  const Tensor& lhs = memory[static_cast<size_t>(p.lhs.buffer)];
  const Tensor& rhs = memory[static_cast<size_t>(p.rhs.buffer)];
  const Tensor& out = memory[static_cast<size_t>(p.out.buffer)];
  EXPECT_EQ(lhs.dtype(), p.lhs.dtype);
  EXPECT_EQ(rhs.dtype(), p.rhs.dtype);
  EXPECT_EQ(out.dtype(), p.out.dtype);
  const int64_t points = number(p.outer) * number(p.batch) * number(p.m) * number(p.n);
  for (int64_t i = 0; i < points; ++i) {
    const int64_t n = i % number(p.n), m = i / number(p.n) % number(p.m);
    const int64_t batches = i / number(p.n) / number(p.m);
    const int64_t b = batches % number(p.batch), o = batches / number(p.batch);
    double sum = 0;
    for (int64_t k = 0; k < number(p.k); ++k) {
      sum += element(lhs, at(p.lhs, o, b, m, k)) * element(rhs, at(p.rhs, o, b, k, n));
    }
    store_element(out.dtype(), out.raw_data(), at(p.out, o, b, m, n), expr::Number::of(sum));
  }
}

// Runs the plan, products by their descriptions, and says how many there were.
int run_products(const Graph& graph, double length) {
  const schedule::Plan plan = gpu_plan(graph);
  const std::vector<Tensor> inputs = random_inputs(graph);
  std::vector<Tensor> memory;
  for (const schedule::PlannedBuffer& buffer : plan.buffers) {
    if (buffer.kind == BufferKind::input) {
      memory.push_back(inputs[static_cast<size_t>(buffer.index)]);
    } else if (buffer.kind == BufferKind::constant) {
      memory.push_back(graph[buffer.value].constant);
    } else {
      memory.push_back(Tensor::empty(buffer.shape, buffer.dtype));
    }
  }
  int products = 0;
  for (const schedule::KernelCall& call : plan.calls) {
    std::vector<void*> buffers;
    for (const int id : call.buffers) buffers.push_back(memory[static_cast<size_t>(id)].raw_data());
    if (call.product) {
      multiply(*call.product, memory);
      ++products;
    } else {
      loop::run(call.kernel, buffers, {});
    }
  }
  std::vector<Tensor> outputs;
  for (const int id : plan.outputs) outputs.push_back(memory[static_cast<size_t>(id)]);
  expect_near(outputs, expected_outputs(graph, inputs), length);
  return products;
}

TEST(LibraryProduct, MatricesInEveryArrangement) {
  for (const bool is_lhs_transposed : {false, true}) {
    for (const bool is_rhs_transposed : {false, true}) {
      const Shape lhs = is_lhs_transposed ? Shape{7, 5} : Shape{5, 7};
      const Shape rhs = is_rhs_transposed ? Shape{3, 7} : Shape{7, 3};
      const Graph graph = graph_of({floats(lhs), floats(rhs)}, [&](auto& x) -> std::vector<Tensor> {
        return {matmul(is_lhs_transposed ? transpose(x[0], 0, 1) : x[0],
                       is_rhs_transposed ? transpose(x[1], 0, 1) : x[1])};
      });
      EXPECT_EQ(run_products(graph, 7), 1);
    }
  }
}

TEST(LibraryProduct, Batches) {
  const Graph one = graph_of({floats({4, 5, 7}), floats({4, 7, 3})},
                             [](auto& x) -> std::vector<Tensor> { return {matmul(x[0], x[1])}; });
  EXPECT_EQ(run_products(one, 7), 1);
  EXPECT_EQ(number(gpu_plan(one).calls[0].product->batch), 4);
  // Heads lie between the positions of a sequence: no single step leads through batch and head.
  const Graph heads =
      graph_of({floats({2, 6, 3, 4}), floats({2, 6, 3, 4})}, [](auto& x) -> std::vector<Tensor> {
        const Tensor q = transpose(x[0], 1, 2), k = transpose(x[1], 1, 2);
        return {matmul(q, transpose(k, -1, -2))};
      });
  EXPECT_EQ(run_products(heads, 4), 1);
  EXPECT_EQ(number(gpu_plan(heads).calls[0].product->outer), 2);
  EXPECT_EQ(number(gpu_plan(heads).calls[0].product->batch), 3);
}

TEST(LibraryProduct, ABatchThatOneOperandLacksIsRefused) {
  const Graph graph = graph_of({floats({5, 7}), floats({4, 7, 3})},
                               [](auto& x) -> std::vector<Tensor> { return {matmul(x[0], x[1])}; });
  EXPECT_EQ(run_products(graph, 7), 0);
}

TEST(LibraryProduct, RowsAndColumns) {
  for (const auto& [m, n, k] : {std::array{1, 9, 6}, {9, 1, 6}, {1, 1, 6}, {5, 3, 1}, {1, 1, 1}}) {
    const Graph graph =
        graph_of({floats({m, k}), floats({k, n})},
                 [](auto& x) -> std::vector<Tensor> { return {matmul(x[0], x[1])}; });
    EXPECT_LE(run_products(graph, k), 1) << m << " " << n << " " << k;
  }
}

TEST(LibraryProduct, ASumOfNothingIsAKernel) {
  const Graph graph = graph_of({floats({3, 0}), floats({0, 2})},
                               [](auto& x) -> std::vector<Tensor> { return {matmul(x[0], x[1])}; });
  EXPECT_EQ(run_products(graph, 1), 0);
}

TEST(LibraryProduct, SlicesStartWhereTheyStart) {
  const Graph graph = graph_of(
      {floats({5, 12}), floats({7, 3})},
      [](auto& x) -> std::vector<Tensor> { return {matmul(slice(x[0], 1, 3, 10), x[1])}; });
  EXPECT_EQ(run_products(graph, 7), 1);
  EXPECT_EQ(number(gpu_plan(graph).calls[0].product->lhs.first), 3);
}

TEST(LibraryProduct, TypesOfTheLibrary) {
  const auto product = [](auto& x) -> std::vector<Tensor> { return {matmul(x[0], x[1])}; };
  for (const DType dtype : {bf16, f16, f32, f64}) {
    const Graph graph = graph_of({typed(dtype, {5, 8}), typed(dtype, {8, 3})}, product);
    EXPECT_TRUE(gpu_plan(graph).calls[0].product) << name(dtype);
  }
  const Graph integers = graph_of({typed(i64, {5, 8}), typed(i64, {8, 3})}, product);
  EXPECT_FALSE(gpu_plan(integers).calls[0].product);
  const Graph mixed = graph_of({typed(bf16, {5, 8}), typed(f32, {8, 3})}, product);
  EXPECT_FALSE(gpu_plan(mixed).calls[0].product);
  // Widened while it is read: products of 16-bit elements in f32.
  const Graph widened = graph_of(
      {typed(bf16, {5, 8}), typed(bf16, {8, 3})},
      [](auto& x) -> std::vector<Tensor> { return {matmul(cast(x[0], f32), cast(x[1], f32))}; });
  EXPECT_EQ(run_products(widened, 8), 1);
}

TEST(LibraryProduct, WorkAroundItIsAKernelOfItsOwn) {
  const Graph graph = graph_of(
      {floats({6, 8}), floats({5, 8}), floats({5})},
      [](auto& x) -> std::vector<Tensor> { return {tanh(linear(exp(x[0]), x[1], x[2]))}; });
  EXPECT_EQ(run_products(graph, 8), 1);
  EXPECT_EQ(gpu_plan(graph).calls.size(), 3u);
  EXPECT_EQ(gpu_plan(graph, false).calls.size(), 2u);  // the epilogue is in the product's kernel
  bool is_said = false;
  for (const auto& d : gpu_plan(graph).decisions) {
    is_said |= d.decision.reason.find("library") != std::string::npos;
  }
  EXPECT_TRUE(is_said);
}

}  // namespace
}  // namespace ridge::testing::contraction_library_test
