#include <gtest/gtest.h>

#include <cstring>

#include "ridge/reference/evaluate.h"

namespace ridge::reference::storage_move_test {
namespace {

using expr::axis;
using expr::Expr;
using expr::Type;
using ops::Definition;

Tensor of_bits(std::vector<uint16_t> bits, DType dtype, const Shape& shape) {
  const Tensor result = Tensor::empty(shape, dtype);
  std::memcpy(result.raw_data(), bits.data(), bits.size() * sizeof(uint16_t));
  return result;
}

std::vector<uint16_t> bits_of(const Tensor& tensor) {
  const auto* data = static_cast<const uint16_t*>(tensor.raw_data());
  return {data, data + tensor.numel().value()};
}

void run(const Definition& definition, const Tensor& x, const Tensor& output) {
  const std::vector<const Tensor*> operands = {&x};
  evaluate(definition, operands, std::vector<DType>{x.dtype()}, {}, output);
}

bool is_refused(const Definition& definition, const Tensor& x, const Tensor& output) {
  try {
    run(definition, x, output);
  } catch (const Error& error) {
    return error.code() == ErrorCode::dtype;
  }
  return false;
}

Definition of_three(Expr value) {
  return {.extents = {3}, .output_rank = 1, .value = std::move(value)};
}

TEST(StorageMove, KeepsAllBits) {
  const Tensor x = of_bits({1, 0xffff, 0x8000}, u16, {3});
  const Tensor output = Tensor::empty({3}, u16);
  const auto reversed = [] { return expr::load(0, Type::integer, {2 - axis(0)}); };
  run(of_three(reversed()), x, output);
  EXPECT_EQ(bits_of(output), (std::vector<uint16_t>{0x8000, 0xffff, 1}));
  run(of_three(select(axis(0) < 1, reversed(), expr::load(0, Type::integer, {axis(0)}))), x,
      output);
  EXPECT_EQ(bits_of(output), (std::vector<uint16_t>{0x8000, 0xffff, 0x8000}));
}

TEST(StorageMove, RefusesToCompute) {
  const Tensor x = of_bits({0, 1, 2}, i16, {3});
  const Expr element = expr::load(0, Type::integer, {axis(0)});
  const Tensor output = Tensor::empty({3}, i16);
  EXPECT_TRUE(is_refused(of_three(element + 1), x, output));
  EXPECT_TRUE(is_refused(of_three(expr::load(0, Type::integer, {element})), x, output));
  EXPECT_TRUE(is_refused(of_three(element), x, Tensor::empty({3}, i32)));
  EXPECT_TRUE(is_refused(of_three(element), x, Tensor::empty({3}, u16)));
  EXPECT_TRUE(is_refused(of_three(axis(0)), Tensor::empty({3}, i32), output));
  Definition sum = of_three(element);
  sum.reducer = ops::Reducer::sum;
  sum.output_rank = 0;
  EXPECT_TRUE(is_refused(sum, x, Tensor::empty({}, i16)));
}

TEST(StorageMove, CopiesPackedTensorsWhole) {
  const Tensor x = Tensor::empty({3}, i4);
  std::memcpy(x.raw_data(), "\x21\x03", 2);
  const Tensor output = Tensor::empty({3}, i4);
  run(of_three(expr::load(0, Type::integer, {axis(0)})), x, output);
  EXPECT_EQ(std::memcmp(output.raw_data(), "\x21\x03", 2), 0);
  EXPECT_TRUE(is_refused(of_three(expr::load(0, Type::integer, {2 - axis(0)})), x, output));
}

}  // namespace
}  // namespace ridge::reference::storage_move_test
