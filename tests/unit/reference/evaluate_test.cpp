#include "ridge/reference/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ridge/base/random.h"

namespace ridge::reference::evaluate_test {
namespace {

using expr::axis;
using expr::Expr;
using expr::Type;
using ops::Definition;
using ops::Reducer;

const double kNan = std::numeric_limits<double>::quiet_NaN();

struct Result {
  Shape shape;
  DType dtype;
};

// Operands are computed with in their own dtypes.
Tensor run(const Definition& definition, const std::vector<Tensor>& operands, Result result) {
  std::vector<const Tensor*> pointers;
  std::vector<DType> compute;
  for (const Tensor& operand : operands) {
    pointers.push_back(&operand);
    compute.push_back(operand.dtype());
  }
  Tensor output = Tensor::empty(result.shape, result.dtype);
  evaluate(definition, pointers, compute, {}, output);
  return output;
}

Definition reduce_all(Reducer reducer, const Tensor& x) {
  return {.extents = x.shape(),
          .reducer = reducer,
          .value = expr::load(0, scalar_type(x.dtype()), ops::all_axes(x.shape().size()))};
}

Definition reduce_rows(Reducer reducer, const Tensor& x) {
  Definition definition = reduce_all(reducer, x);
  definition.output_rank = 1;
  return definition;
}

ErrorCode code_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::io;
}

TEST(Evaluate, SumsRows) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Tensor sums = run(reduce_rows(Reducer::sum, x), {x}, {{2}, f32});
  EXPECT_EQ(sums.to_vector<float>(), (std::vector<float>{6, 15}));
}

TEST(Evaluate, ReducesByEveryReducer) {
  const Tensor x = Tensor::of<int64_t>({3, 0, -2, 5}, {4});
  const auto value = [&](Reducer reducer, DType dtype) {
    return run(reduce_all(reducer, x), {x}, {{}, dtype}).item<int64_t>();
  };
  EXPECT_EQ(value(Reducer::sum, i64), 6);
  EXPECT_EQ(value(Reducer::prod, i64), 0);
  EXPECT_EQ(value(Reducer::max, i64), 5);
  EXPECT_EQ(value(Reducer::min, i64), -2);
  EXPECT_EQ(value(Reducer::any, boolean), 1);
  EXPECT_EQ(value(Reducer::all, boolean), 0);
  EXPECT_EQ(value(Reducer::argmax, i64), 3);
  EXPECT_EQ(value(Reducer::argmin, i64), 2);
}

TEST(Evaluate, IntegerSumsWrap) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  const Tensor x = Tensor::of<int64_t>({kLargest, 1}, {2});
  EXPECT_EQ(run(reduce_all(Reducer::sum, x), {x}, {{}, i64}).item<int64_t>(),
            std::numeric_limits<int64_t>::min());
}

TEST(Evaluate, SumsBooleansAsIntegers) {
  const Tensor x = Tensor::of<bool>({true, false, true, true}, {4});
  EXPECT_EQ(run(reduce_all(Reducer::sum, x), {x}, {{}, i64}).item<int64_t>(), 3);
}

TEST(Evaluate, NanIsTheExtremum) {
  const Tensor x = Tensor::of<double>({1, 9, kNan, 3, kNan, 2, 7, 7, -4}, {3, 3});
  const auto largest = run(reduce_rows(Reducer::max, x), {x}, {{3}, f64}).to_vector<double>();
  EXPECT_TRUE(std::isnan(largest[0]));
  EXPECT_TRUE(std::isnan(largest[1]));
  EXPECT_EQ(largest[2], 7);
  const auto rows = [&](Reducer reducer) {
    return run(reduce_rows(reducer, x), {x}, {{3}, i64}).to_vector<int64_t>();
  };
  EXPECT_EQ(rows(Reducer::argmax), (std::vector<int64_t>{2, 1, 0}));
  EXPECT_EQ(rows(Reducer::argmin), (std::vector<int64_t>{2, 1, 2}));
}

TEST(Evaluate, TheFirstOfEqualsIsThePosition) {
  const Tensor x = Tensor::of<float>({2, 5, 5, 2}, {4});
  EXPECT_EQ(run(reduce_all(Reducer::argmax, x), {x}, {{}, i64}).item<int64_t>(), 1);
  EXPECT_EQ(run(reduce_all(Reducer::argmin, x), {x}, {{}, i64}).item<int64_t>(), 0);
}

TEST(Evaluate, EmptyRangesHaveTheirOwnValues) {
  const Tensor x = Tensor::empty({2, 0}, f32);
  const auto values = [&](Reducer reducer) {
    return run(reduce_rows(reducer, x), {x}, {{2}, f32}).to_vector<float>();
  };
  EXPECT_EQ(values(Reducer::sum), (std::vector<float>{0, 0}));
  EXPECT_EQ(values(Reducer::prod), (std::vector<float>{1, 1}));
  EXPECT_EQ(values(Reducer::any), (std::vector<float>{0, 0}));
  EXPECT_EQ(values(Reducer::all), (std::vector<float>{1, 1}));
  for (const Reducer reducer : {Reducer::max, Reducer::min, Reducer::argmax, Reducer::argmin}) {
    EXPECT_EQ(code_of([&] { values(reducer); }), ErrorCode::value);
  }
  const Tensor nothing = Tensor::empty({0, 0}, f32);
  EXPECT_TRUE(
      run(reduce_rows(Reducer::max, nothing), {nothing}, {{0}, f32}).to_vector<float>().empty());
}

Definition matmul(int64_t rows, int64_t columns, int64_t inner) {
  return {.extents = {rows, columns, inner},
          .output_rank = 2,
          .reducer = Reducer::sum,
          .value = expr::load(0, Type::real, {axis(0), axis(2)}) *
                   expr::load(1, Type::real, {axis(2), axis(1)})};
}

TEST(Evaluate, MultipliesMatricesAsTheTripleLoopDoes) {
  constexpr int64_t kRows = 7, kColumns = 5, kInner = 11;
  SplitMix64 random(1);
  std::vector<double> a(kRows * kInner), b(kInner * kColumns);
  for (double& x : a) x = random.uniform(-1, 1);
  for (double& x : b) x = random.uniform(-1, 1);
  const Tensor product = run(matmul(kRows, kColumns, kInner),
                             {Tensor::of(a, {kRows, kInner}), Tensor::of(b, {kInner, kColumns})},
                             {{kRows, kColumns}, f64});
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kColumns; ++j) {
      double sum = 0;
      for (size_t k = 0; k < kInner; ++k) sum += a[i * kInner + k] * b[k * kColumns + j];
      EXPECT_EQ(product.data<double>()[i * kColumns + j], sum);
    }
  }
}

TEST(Evaluate, ReadsStridedAndExpandedOperands) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const Ref<Storage> storage(&x.storage());
  const Tensor transposed = Tensor::view_of(storage, {3, 2}, {1, 3}, 0, f32);
  EXPECT_EQ(run(reduce_rows(Reducer::sum, transposed), {transposed}, {{3}, f32}).to_vector<float>(),
            (std::vector<float>{5, 7, 9}));
  const Tensor expanded = Tensor::view_of(storage, {2, 4}, {3, 0}, 2, f32);  // 3 and 6, 4 times
  EXPECT_EQ(run(reduce_rows(Reducer::sum, expanded), {expanded}, {{2}, f32}).to_vector<float>(),
            (std::vector<float>{12, 24}));
}

TEST(Evaluate, ComputesZeroDimensions) {
  const Definition square{.extents = {},
                          .value = expr::load(0, Type::real, {}) * expr::load(0, Type::real, {})};
  EXPECT_EQ(run(square, {Tensor::of<float>({3}, {})}, {{}, f32}).item<float>(), 9);
}

Definition gather_rows(int64_t count, int64_t rows, int64_t width) {
  const Expr row = expr::checked_index(expr::load(1, Type::integer, {axis(0)}), rows);
  return {.extents = {count, width},
          .output_rank = 2,
          .value = expr::load(0, Type::real, {row, axis(1)})};
}

TEST(Evaluate, GathersAndReportsWrongIndices) {
  const Tensor x = Tensor::of<float>({1, 2, 3, 4, 5, 6}, {3, 2});
  const auto rows = [&](std::initializer_list<int64_t> index) {
    const auto count = static_cast<int64_t>(index.size());
    return run(gather_rows(count, 3, 2), {x, Tensor::of<int64_t>(index, {count})},
               {{count, 2}, f32})
        .to_vector<float>();
  };
  EXPECT_EQ(rows({2, 0}), (std::vector<float>{5, 6, 1, 2}));
  EXPECT_EQ(code_of([&] { rows({0, 3}); }), ErrorCode::index);
  EXPECT_EQ(code_of([&] { rows({-1}); }), ErrorCode::index);
  EXPECT_EQ(rows({1}), (std::vector<float>{3, 4}));  // and goes on working
}

// x0 with x2 added at the positions x1, for 1-d operands.
Definition scatter_add(int64_t size, int64_t count, Expr initial) {
  const Expr target = expr::checked_index(expr::load(1, Type::integer, {axis(0)}), size);
  return {.extents = {count},
          .output_rank = 1,
          .reducer = Reducer::sum,
          .value = expr::load(2, Type::real, {axis(0)}),
          .target = {target},
          .initial = std::move(initial)};
}

TEST(Evaluate, ScattersWithRepeats) {
  const Tensor x = Tensor::of<float>({10, 20, 30}, {3});
  const Tensor index = Tensor::of<int64_t>({2, 0, 2, 2}, {4});
  const Tensor from = Tensor::of<float>({1, 2, 3, 4}, {4});
  const Expr initial = expr::load(0, Type::real, {axis(0)});
  EXPECT_EQ(run(scatter_add(3, 4, initial), {x, index, from}, {{3}, f32}).to_vector<float>(),
            (std::vector<float>{12, 20, 38}));
  EXPECT_EQ(run(scatter_add(3, 4, {}), {x, index, from}, {{3}, f32}).to_vector<float>(),
            (std::vector<float>{2, 0, 8}));
  EXPECT_EQ(run(scatter_add(3, 0, initial), {x, index, from}, {{3}, f32}).to_vector<float>(),
            (std::vector<float>{10, 20, 30}));
}

TEST(Evaluate, ScatterRoundsOnce) {
  const Tensor x = Tensor::empty({1}, bf16);
  x.data<BFloat16>()[0] = BFloat16(256.0);
  const Tensor from = Tensor::empty({4}, bf16);
  for (int i = 0; i < 4; ++i) from.data<BFloat16>()[i] = BFloat16(0.5);
  const Tensor index = Tensor::of<int64_t>({0, 0, 0, 0}, {4});
  // 256 + 0.5 would round back to 256 at every step: bf16 goes in steps of 2 there.
  const Expr initial = expr::load(0, Type::real, {axis(0)});
  EXPECT_EQ(run(scatter_add(1, 4, initial), {x, index, from}, {{1}, bf16}).item<float>(), 258);
}

TEST(Evaluate, SumsInDoubleAndRoundsOnce) {
  const Tensor x = Tensor::empty({1000}, bf16);
  for (int i = 0; i < 1000; ++i) x.data<BFloat16>()[i] = BFloat16(0.01);
  const double exact = 1000 * static_cast<double>(BFloat16(0.01));
  const Tensor sum = run(reduce_all(Reducer::sum, x), {x}, {{}, bf16});
  EXPECT_EQ(sum.item<double>(), static_cast<double>(BFloat16(exact)));
}

TEST(Evaluate, PrefixSum) {
  const Tensor x = Tensor::of<int32_t>({1, 2, 3, 4}, {4});
  const Definition definition{
      .extents = {4, 4},
      .output_rank = 1,
      .reducer = Reducer::sum,
      .value = select(axis(1) <= axis(0), expr::load(0, Type::integer, {axis(1)}), 0)};
  EXPECT_EQ(run(definition, {x}, {{4}, i64}).to_vector<int64_t>(),
            (std::vector<int64_t>{1, 3, 6, 10}));
}

TEST(Evaluate, ConvertsToTheComputeDtypeFirst) {
  const Tensor x = Tensor::of<float>({0.1f, 0.2f}, {2});
  const Tensor number = Tensor::number(0.1);
  const Definition definition{
      .extents = {2},
      .output_rank = 1,
      .value = equal(expr::load(0, Type::real, {axis(0)}), expr::load(1, Type::real, {}))};
  const std::vector<const Tensor*> operands = {&x, &number};
  const Tensor output = Tensor::empty({2}, boolean);
  evaluate(definition, operands, std::vector<DType>{f32, f32}, {}, output);
  EXPECT_EQ(output.to_vector<bool>(), (std::vector<bool>{true, false}));
}

TEST(Evaluate, ConvertsBetweenKinds) {
  const Tensor x = Tensor::of<int64_t>({0, 3}, {2});
  const Definition definition{
      .extents = {2}, .output_rank = 1, .value = expr::load(0, Type::boolean, {axis(0)})};
  const std::vector<const Tensor*> operands = {&x};
  const Tensor output = Tensor::empty({2}, f16);
  evaluate(definition, operands, std::vector<DType>{boolean}, {}, output);
  EXPECT_EQ(output.to_vector<float>(), (std::vector<float>{0, 1}));
}

TEST(Evaluate, ReadsParams) {
  const Definition definition{
      .extents = {2},
      .output_rank = 1,
      .value = expr::cast(axis(0), Type::real) * expr::param(1, Type::real)};
  const Tensor output = Tensor::empty({2}, f32);
  const std::vector<expr::Number> params = {{}, expr::Number::of(2.5)};
  evaluate(definition, {}, {}, params, output);
  EXPECT_EQ(output.to_vector<float>(), (std::vector<float>{0, 2.5}));
}

}  // namespace
}  // namespace ridge::reference::evaluate_test
