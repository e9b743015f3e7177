// What is settled about a kernel once it is emitted holds for its bulk copies too.
#include <gtest/gtest.h>

#include "ridge/expr/symbol.h"
#include "ridge/schedule/gpu_emitter.h"
#include "ridge/schedule/gpu_split_reduction.h"
#include "ridge/schedule/kernel_text.h"

namespace ridge::schedule::gpu_bulk_copy_test {
namespace {

constexpr std::string_view kRows = R"(kernel rows(x: f32[n * 64] in, at: i64[n] in; n) {
  for i0 in n @gpu_block {
    for i1 in 32 @gpu_thread {
    }
  }
}
)";

// The kernel above, with this as what its threads do.
loop::Kernel rows(loop::Body program) {
  loop::Kernel kernel = loop::parse(kRows);
  auto& grid = std::get<loop::Loop>(kernel.body[0].kind);
  std::get<loop::Loop>(grid.body[0].kind).body = std::move(program);
  return kernel;
}
const loop::BulkCopy& copy_of(const loop::Kernel& kernel, size_t statement) {
  const auto& grid = std::get<loop::Loop>(kernel.body[0].kind);
  return std::get<loop::BulkCopy>(std::get<loop::Loop>(grid.body[0].kind).body.at(statement).kind);
}

TEST(GpuBulkCopy, SharedBuffersAreSettled) {
  OnChipBuffers own;
  const int starts = own.add("starts", i64, 1), row = own.add("row", f32, 64);
  const Expr start = expr::load(starts, expr::Type::integer, {expr::constant(int64_t{0})});
  loop::Kernel kernel =
      rows({{loop::BulkCopy{starts, 1, expr::axis(0), expr::constant(int64_t{1})}},
            {loop::BulkCopy{row, 0, start, expr::constant(int64_t{64}) - start}}});
  own.settle(kernel);
  EXPECT_EQ(copy_of(kernel, 0).buffer, 2);
  EXPECT_EQ(copy_of(kernel, 0).from, 1);
  EXPECT_EQ(copy_of(kernel, 1).buffer, 3);
  EXPECT_NE(loop::to_text(kernel).find("bulk_copy row = x[starts[0]] for 64 - starts[0]\n"),
            std::string::npos)
      << loop::to_text(kernel);
  EXPECT_NO_THROW(loop::verify(kernel));
}

TEST(GpuBulkCopy, SymbolsBecomeParams) {
  const Expr length = expr::symbol(make_ref<expr::Symbol>("m", expr::Interval{1, 64}, std::nullopt,
                                                          std::make_shared<expr::GuardLog>()));
  loop::Kernel kernel = rows({{loop::BulkCopy{0, 1, length * expr::axis(0), length}}});
  kernel.sizes.clear();
  ASSERT_EQ(bind_symbols(kernel).size(), 1u);
  EXPECT_EQ(copy_of(kernel, 0).count->kind, expr::Kind::param);
  EXPECT_TRUE(expr::same(copy_of(kernel, 0).first, copy_of(kernel, 0).count * expr::axis(0)));
}

TEST(GpuBulkCopy, WhatItReadsIsKept) {
  const auto value = [](int number) { return expr::input(number, expr::Type::integer); };
  loop::Kernel kernel = rows({{loop::Let{0, f32, expr::axis(0)}},
                              {loop::Let{1, f32, expr::constant(int64_t{8})}},
                              {loop::Let{2, f32, expr::constant(int64_t{9})}},
                              {loop::BulkCopy{0, 1, value(0), value(1)}}});
  kernel.values.resize(3, {"", i64});
  drop_unread(kernel, {0, 1, 2});
  EXPECT_TRUE(expr::same(copy_of(kernel, 2).first, value(0)));
}

}  // namespace
}  // namespace ridge::schedule::gpu_bulk_copy_test
