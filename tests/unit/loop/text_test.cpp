#include <gtest/gtest.h>

#include "ridge/loop/loop.h"
#include "ridge/loop/statement_text.h"

namespace ridge::loop::text_test {
namespace {

using expr::axis;
using expr::input;
using expr::param;
using expr::Type;

// out[i0] = x[i0] * 0.5, rounded through bf16.
Kernel halved() {
  const Expr n = param(0, Type::integer);
  Kernel kernel;
  kernel.name = "halved";
  kernel.notes = {"half of x", ""};
  kernel.buffers = {{.name = "x", .dtype = f32, .elements = n},
                    {.name = "out", .dtype = bf16, .access = Access::out, .elements = n}};
  kernel.sizes = {"n"};
  kernel.values = {{"half", f32}};
  kernel.axis_count = 1;
  kernel.grain = Expr(1024);
  kernel.min_blocks_per_sm = 2;
  Loop loop{.axis = 0, .extent = n, .place = Place::cpu_thread, .body = {}};
  loop.body.push_back({Let{0, f32, expr::load(0, Type::real, {axis(0)}) * 0.5, bf16}});
  loop.body.push_back({Store{1, axis(0), 0}});
  kernel.body.push_back({std::move(loop)});
  return kernel;
}

TEST(LoopText, Kernel) {
  EXPECT_EQ(to_text(halved()), R"(# half of x
#
kernel halved(x: f32[n] in, out: bf16[n] out; n) grain 1024 min_blocks_per_sm 2 {
  for i0 in n @cpu_thread {
    let v0: f32 = x[i0] * 0.5 as bf16  # half
    out[i0] = v0
  }
}
)");
}

TEST(LoopText, Precision) {
  const std::string text = R"(kernel wave(x: bf16[8] in, out: bf16[8] out) {
  for i0 in 8 @cpu_thread {
    let v0: f32 = x[i0]
    let v1: f32 = sin(v0) for half
    out[i0] = v1
  }
}
)";
  const Kernel kernel = parse(text);
  verify(kernel);
  EXPECT_EQ(to_text(kernel), text);
}

TEST(LoopText, HeadsOfStatements) {
  const Kernel kernel = halved();
  const Expr value = input(0, Type::real);
  const auto head = [&](auto kind) { return head_text(kernel, Statement{std::move(kind)}); };
  EXPECT_EQ(head(Barrier{}), "barrier");
  EXPECT_EQ(head(CollectiveReduce{0, Combine::sum, Scope::block}), "block_reduce sum v0");
  EXPECT_EQ(head(CollectiveReduce{0, Combine::max, Scope::warp, 8}), "warp_reduce max v0 width 8");
  EXPECT_EQ(head(Reduce{0, Combine::prod, 0}), "v0 prod= v0");
  EXPECT_EQ(head(Assign{0, f64, value + 1.0}), "v0 = v0 + 1.0 in f64");
  EXPECT_EQ(head(If{value < 2.0, {}}), "if v0 < 2.0 {");
  EXPECT_EQ(head(Contract{0, 1, 2, Expr(4), Expr(5), Expr(6), axis(0), axis(1), i64, 0, {}}),
            "contract v0: i64 over i0 in 4, i1 in 5, sum i2 in 6 of i0, i1 {");
}

// The verifier quotes statements that it refuses, whatever is wrong with them.
TEST(LoopText, NumbersOutOfRangeAreStillWritten) {
  const Kernel kernel = halved();
  EXPECT_EQ(head_text(kernel, {Store{7, param(3, Type::integer), 99}}), "buffer7[p3] = v99");
  EXPECT_EQ(head_text(kernel, {Let{-1, f32, Expr(), {}}}), "let v-1: ? = ? in f32");
}

TEST(LoopText, Names) {
  EXPECT_EQ(name(Place::vector), "vector");
  EXPECT_EQ(name(Combine::all), "all");
  EXPECT_EQ(quoted_if_needed("x.1"), "x.1");
  EXPECT_EQ(quoted_if_needed("i12"), "\"i12\"");
  EXPECT_EQ(quoted_if_needed("for"), "\"for\"");
  EXPECT_EQ(quoted_if_needed("format"), "format");
  EXPECT_EQ(quoted_if_needed("a\"b\\"), "\"a\\\"b\\\\\"");
}

}  // namespace
}  // namespace ridge::loop::text_test
