// A kernel that fails names the op that did, also where it computes several that could have.
#include "ridge/verify/failed_op.h"

#include <gtest/gtest.h>

#include "ridge/ridge.h"

namespace ridge::failed_op_test {
namespace {

Tensor longs(const std::vector<int64_t>& values) {
  return Tensor::of(values, {static_cast<int64_t>(values.size())});
}

// The line and op that calling `f` reports.
template <class F>
std::pair<uint32_t, std::string> failure(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return {error.where() ? error.where()->line() : 0, error.op()};
  }
  return {0, "no error"};
}

struct Lines {
  uint32_t first, second;
};

TEST(KernelStatus, TheSecondOfTwoLookupsIsNamed) {
  Lines lines{};
  const auto embed = compile([&](const Tensor& tokens, const Tensor& positions, const Tensor& token,
                                 const Tensor& position) {
    lines = {__LINE__ + 1, __LINE__ + 2};
    const Tensor a = embedding(tokens, token);
    const Tensor b = embedding(positions, position);
    return a + b;
  });
  const Tensor tokens = ones({5, 4}), positions = ones({3, 4});
  embed(tokens, positions, longs({4, 0}), longs({0, 2}));
  EXPECT_EQ(failure([&] { embed(tokens, positions, longs({5, 0}), longs({0, 2})); }).first,
            lines.first);
  EXPECT_EQ(failure([&] { embed(tokens, positions, longs({4, 0}), longs({0, 3})); }).first,
            lines.second);
}

TEST(KernelStatus, WhatCannotFailThisWayIsNotNamed) {
  Lines lines{};
  const auto f = compile([&](const Tensor& table, const Tensor& index, const Tensor& divisor) {
    lines = {__LINE__ + 1, __LINE__ + 2};
    const Tensor row = gather(table, 0, index);
    return floor_div(row, divisor);
  });
  const Tensor table = longs({7, 8, 9});
  EXPECT_EQ(failure([&] { f(table, longs({0, 3}), longs({1, 1})); }).first, lines.first);
  const auto [line, op] = failure([&] { f(table, longs({0, 1}), longs({1, 0})); });
  EXPECT_EQ(line, lines.second);
  EXPECT_EQ(op, "floor_div");
}

TEST(KernelStatus, AlsoWhereTheProgramWritesItsArguments) {
  Lines lines{};
  const auto step =
      compile([&](Tensor& total, const Tensor& table, const Tensor& i, const Tensor& j) {
        lines = {__LINE__ + 1, __LINE__ + 2};
        const Tensor a = gather(table, 0, i);
        const Tensor b = gather(table, 0, j);
        add_(total, a + b);
      });
  Tensor total = zeros({2}, i64);
  const Tensor table = longs({7, 8, 9});
  EXPECT_EQ(failure([&] { step(total, table, longs({0, 1}), longs({1, 4})); }).first, lines.second);
}

}  // namespace
}  // namespace ridge::failed_op_test
