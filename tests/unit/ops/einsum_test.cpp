#include "ridge/ops/einsum.h"

#include <gtest/gtest.h>

#include "../capture/compiled.h"
#include "ridge/aot/transforms.h"

namespace ridge::testing::einsum_test {
namespace {

void expect_close(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(to_text(actual.shape()), to_text(expected.shape()));
  const auto a = actual.to_vector<double>(), b = expected.to_vector<double>();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5) << i;
}

TEST(Einsum, ProductsOfMatrices) {
  const Tensor x = random({3, 4}, 1), y = random({4, 5}, 2);
  expect_close(einsum("ij,jk->ik", {x, y}), matmul(x, y));
  expect_close(einsum("ij,jk", {x, y}), matmul(x, y));
  expect_close(einsum("ij, jk -> ki", {x, y}), transpose(matmul(x, y), 0, 1));
  expect_close(einsum("ij,jk->", {x, y}), sum(matmul(x, y)));
  expect_close(einsum("ij,kj->i", {x, random({2, 4}, 3)}),
               sum(matmul(x, transpose(random({2, 4}, 3), 0, 1)), {1}));
}

TEST(Einsum, SumsDiagonalsAndOrders) {
  const Tensor x = random({3, 3}, 1), y = random({2, 3, 4}, 2);
  expect_close(einsum("ii->i", {x}), sum(x * eye(3), {1}));
  expect_close(einsum("ii", {x}), sum(x * eye(3)));
  expect_close(einsum("abc->cab", {y}), permute(y, {2, 0, 1}));
  expect_close(einsum("abc->b", {y}), sum(y, {0, 2}));
  expect_close(einsum("cba", {y}), permute(y, {2, 1, 0}));  // labels of the result are sorted
}

TEST(Einsum, EllipsesAndBatches) {
  const Tensor q = random({2, 3, 5, 4}, 1), k = random({3, 7, 4}, 2);
  expect_close(einsum("...qd,...kd->...qk", {q, k}), matmul(q, transpose(k, -2, -1)));
  expect_close(einsum("...d->...", {q}), sum(q, {-1}));
  expect_close(einsum("b...,b...->b...", {random({2, 3}, 3), random({2, 1}, 4)}),
               random({2, 3}, 3) * random({2, 1}, 4));
  expect_close(einsum("i,j->ij", {random({3}, 5), random({4}, 6)}),
               unsqueeze(random({3}, 5), 1) * random({4}, 6));
}

TEST(Einsum, ThreeOperands) {
  const Tensor x = random({3, 4}, 1), y = random({4, 5}, 2), z = random({5, 2}, 3);
  expect_close(einsum("ij,jk,kl->il", {x, y, z}), matmul(matmul(x, y), z));
  expect_close(einsum("ij,kj,j->ik", {x, random({2, 4}, 4), random({4}, 5)}),
               matmul(x * random({4}, 5), transpose(random({2, 4}, 4), 0, 1)));
}

TEST(Einsum, HasAGradient) {
  const auto f = [](const Tensor& x) { return sum(square(einsum("bij,bkj->bik", {x, x}))); };
  const auto g = [](const Tensor& x) { return sum(square(matmul(x, transpose(x, -2, -1)))); };
  const Tensor x = random({2, 3, 4}, 1);
  expect_close(grad(f)(x), grad(g)(x));
}

TEST(Einsum, ErrorsNameTheEquation) {
  const Tensor x = random({3, 4}, 1);
  const auto error_of = [&](const char* equation, const std::vector<Tensor>& operands) {
    try {
      einsum(equation, operands);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_NE(error_of("ij,jk->ik", {x}).find("as many operands"), std::string::npos);
  EXPECT_NE(error_of("ij,ij->1", {x, x}).find("letters"), std::string::npos);
  EXPECT_NE(error_of("ij->ik", {x}).find("'k'"), std::string::npos);
  EXPECT_NE(error_of("ij->ii", {x}).find("'i'"), std::string::npos);
  EXPECT_NE(error_of("ijk->i", {x}).find("operand 0 with 3 dims"), std::string::npos);
  EXPECT_NE(error_of("ij,jk->ik", {x, x}).find("one size for 'j'"), std::string::npos);
  EXPECT_NE(error_of("ii->i", {x}).find("'i'"), std::string::npos);
}

TEST(Indexing, SquareBracketsSelect) {
  const Tensor x = random({3, 4}, 1);
  expect_close(x[1], select(x, 0, 1));
  expect_close(x[-1][2], select(select(x, 0, 2), 0, 2));
  EXPECT_TRUE(x[1].shares_storage_with(x));
  EXPECT_THROW(x[3], Error);
  EXPECT_THROW(x[0][0][0], Error);
}

}  // namespace
}  // namespace ridge::testing::einsum_test
