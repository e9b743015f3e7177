#include <gtest/gtest.h>

#include <string>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/expr/symbol.h"
#include "ridge/loop/loop.h"
#include "tests/unit/loop/sample_kernels.h"

namespace ridge::loop::verify_test {
namespace {

using expr::axis;
using expr::input;
using expr::param;
using expr::Type;

void expect_refusal(const Kernel& kernel, std::string_view part) {
  try {
    verify(kernel);
    ADD_FAILURE() << "accepted, but expected: " << part << "\n" << to_text(kernel);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}
void expect_refusal(std::string_view text, std::string_view part) {
  expect_refusal(parse(text), part);
}

// A kernel over x (f32), ids (i64), out (f32) and total (f64), with this body.
std::string with_body(std::string_view body, std::string_view shared = "") {
  return concat(
      "kernel k(x: f32[n] in, ids: i64[n] in, out: f32[n] out, total: f64[1] in_out; n) {\n",
      shared, body, "}\n");
}
// The same on a GPU, one thread for each element of a block.
std::string with_thread(std::string_view body, std::string_view shared = "") {
  return with_body(
      concat("for i0 in n @gpu_block {\nfor i1 in 4 @gpu_thread {\nfor i2 in 32 @gpu_thread {\n",
             body, "}\n}\n}\n"),
      shared);
}

TEST(LoopVerify, AcceptsTheSamples) {
  for (const std::string_view text : {kSoftmax, kMatmul, kBlockSum, kMixture}) {
    EXPECT_NO_THROW(verify(parse(text))) << text;
  }
}

TEST(LoopVerify, NamesTheKernelAndTheStatement) {
  try {
    verify(parse(with_body("let v0: f32 = x[0]\nx[2] = v0\n")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.op(), "k");
    EXPECT_EQ(error.given(), "`x[2] = v0`");
  }
}

// Text cannot say these: the parser would refuse it, so the kernels are built.
TEST(LoopVerify, NumbersInRange) {
  const std::string text = with_body("for i0 in n {\nlet v0: f32 = x[i0]\nout[i0] = v0\n}\n");
  const auto refused = [&](Statement statement, std::string_view part) {
    Kernel kernel = parse(text);
    std::get<Loop>(kernel.body[0].kind).body.push_back(std::move(statement));
    expect_refusal(kernel, part);
  };
  refused({Store{9, axis(0), 0}}, "the number of a buffer");
  refused({Store{2, axis(0), 5}}, "the number of a value");
  refused({Store{2, axis(7), 0}}, "axes of the loops around");
  refused({Store{2, param(1, Type::integer), 0}}, "the number of a param");
  refused({Store{2, expr::cast(param(0, Type::real), Type::integer), 0}},
          "params that are integers");
  refused({Store{2, Expr(), 0}}, "an expression");
  refused({If{input(8, Type::boolean), {}}}, "the number of a value");
  refused({Loop{.axis = 3, .extent = Expr(2), .body = {}}}, "the number of an axis");
  refused({Let{-1, f32, Expr(1.0), {}}}, "the number of a value");
  const Expr symbol = expr::symbol(
      make_ref<const expr::Symbol>("batch", expr::Interval::at_least(1), std::nullopt, nullptr));
  refused({Store{2, symbol, 0}}, "params in place of symbols");
}

TEST(LoopVerify, ScopesOfValuesAndAxes) {
  expect_refusal(with_body("for i0 in n {\nlet v0: f32 = x[i0]\n}\nout[0] = v0\n"),
                 "v0 defined before");
  expect_refusal(with_body("if n < 3 {\nvar v0: f32 = 0.0\n}\nlet v1: f32 = v0\n"),
                 "v0 defined before");
  expect_refusal(with_body("for i0 in n {\n}\nlet v0: f32 = x[i0]\n"), "axes of the loops around");
  expect_refusal(with_body("for i0 in n {\nfor i0 in 2 {\n}\n}\n"), "no loop around has");
  Kernel twice = parse(with_body("let v0: f32 = x[0]\nlet v1: f32 = x[0]\n"));
  std::get<Let>(twice.body[1].kind).value = 0;
  expect_refusal(twice, "a value defined once");
  // The loop variable may come back in the loop after.
  EXPECT_NO_THROW(verify(parse(with_body("for i0 in n {\n}\nfor i0 in 2 {\n}\n"))));
}

TEST(LoopVerify, Types) {
  expect_refusal(with_body("let v0: i64 = x[0]\n"), "an expression of type integer");
  expect_refusal(with_body("let v0: f32 = ids[0]\n"), "an expression of type real");
  expect_refusal(with_body("var v0: f32 = 0\n"), "an expression of type real");
  expect_refusal(with_body("var v0: f32 = 0.0\nv0 = 1\n"), "an expression of type real");
  expect_refusal(with_body("if ids[0] {\n}\n"), "an expression of type boolean");
  expect_refusal(with_body("let v0: f32 = x[0]\nout[v0] = v0\n"), "an expression of type integer");
  expect_refusal(with_body("for i0 in real(n) {\n}\n"), "an expression of type integer");
  expect_refusal(with_body("let v0: bf16 = x[0]\n"), "values of f32, f64, i64 or bool");
  expect_refusal(with_body("let v0: f32 = x[0] in bf16\n"), "arithmetic in f32 or f64");
  expect_refusal(with_body("let v0: f32 = x[0] as i32\n"), "a dtype of the value's kind");
  expect_refusal(with_body("let v0: f32 = x[0, 1]\n"), "loads at one flat index");
  const auto let_refused = [](Expr e, std::string_view part) {
    Kernel kernel = parse(with_body("let v0: f64 = total[0]\nlet v1: f32 = x[0]\n"));
    std::get<Let>(kernel.body[1].kind).expression = std::move(e);
    expect_refusal(kernel, part);
  };
  let_refused(expr::cast(expr::load(0, Type::integer, {0}), Type::real), "the buffer's type");
  let_refused(expr::cast(input(0, Type::integer), Type::real), "values read by their type");
}

TEST(LoopVerify, ExtentsAreOverParamsAndAxes) {
  expect_refusal(with_body("for i0 in ids[0] {\n}\n"), "over params and axes");
  expect_refusal(with_body("let v0: i64 = ids[0]\nfor i0 in v0 {\n}\n"), "over params and axes");
}

TEST(LoopVerify, VarsAndReduces) {
  const std::string head = "let v0: f32 = x[0]\nvar v1: f64 = 0.0\nvar v2: bool = false\n";
  expect_refusal(with_body(head + "v0 = 1.0\n"), "a var");
  expect_refusal(with_body(head + "v0 sum= v0\n"), "a var");
  expect_refusal(with_body(head + "v1 sum= v0\n"), "an operand of the dtype");
  expect_refusal(with_body(head + "v2 sum= v2\n"), "any and all of bool");
  expect_refusal(with_body(head + "v1 any= v1\n"), "any and all of bool");
}

TEST(LoopVerify, Buffers) {
  expect_refusal(with_body("let v0: f32 = x[0]\nids[0] = v0\n"), "stores to out and in_out");
  expect_refusal(with_body("let v0: f32 = out[0]\n"), "loads of in and in_out");
  expect_refusal("kernel k(x: f32 in) {\n}\n", "a number of elements");
  expect_refusal("kernel k(x: f32[4] in, x: f32[4] in) {\n}\n", "names of their own");
  expect_refusal("kernel k(n: f32[n] in; n) {\n}\n", "names of their own");
  Kernel sizes = parse(kSoftmax);
  sizes.sizes[0] = "v0";
  expect_refusal(sizes, "do not look like values");
}

TEST(LoopVerify, SharedBuffers) {
  expect_refusal(with_body("", "shared s: f32[4]\n"), "in GPU kernels only");
  expect_refusal(with_thread("", "shared s: f32[n]\n"), "of constant size");
  EXPECT_NO_THROW(verify(parse(with_thread("", "shared s: f32[4]\n"))));
  Kernel kernel = parse(with_thread("", "shared s: f32[4]\n"));
  std::swap(kernel.buffers.front(), kernel.buffers.back());
  expect_refusal(kernel, "shared and local buffers after the global ones");
  kernel = parse(with_thread("", "shared s: f32[4]\n"));
  kernel.buffers.back().access = Access::out;
  expect_refusal(kernel, "a shared buffer that is in_out");
}

TEST(LoopVerify, ThreadLoopsAreOutermostAndPerfectlyNested) {
  const std::string thread = "for i0 in n @cpu_thread {\n}\n";
  EXPECT_NO_THROW(
      verify(parse(with_body("for i0 in n @cpu_thread {\nfor i1 in 4 @cpu_thread {\n}\n}\n"))));
  expect_refusal(with_body("let v0: f32 = x[0]\n" + thread), "outermost");
  expect_refusal(with_body("for i1 in n {\n" + thread + "}\n"), "outermost");
  expect_refusal(with_body("for i1 in n @cpu_thread {\nlet v0: f32 = x[0]\n" + thread + "}\n"),
                 "outermost");
  expect_refusal(with_body("for i1 in n @vector {\n" + thread + "}\n"), "outermost");
  expect_refusal(with_body("for i0 in n @cpu_thread {\nfor i1 in i0 @cpu_thread {\n}\n}\n"),
                 "an extent over params");
}

TEST(LoopVerify, OrderOfGpuLoops) {
  const auto nest = [](std::string_view outer, std::string_view inner) {
    return with_body(concat("for i0 in 32 @", outer, " {\nfor i1 in 32 @", inner, " {\n}\n}\n"));
  };
  for (const auto& [outer, inner] :
       {std::pair("gpu_block", "gpu_thread"), std::pair("gpu_thread", "gpu_thread"),
        std::pair("gpu_block", "gpu_block")}) {
    EXPECT_NO_THROW(verify(parse(nest(outer, inner)))) << outer << " " << inner;
  }
  for (const auto& [outer, inner] :
       {std::pair("gpu_thread", "gpu_block"), std::pair("cpu_thread", "gpu_block")}) {
    expect_refusal(nest(outer, inner), "the order grid, cluster, block");
  }
}

TEST(LoopVerify, VectorLoops) {
  const auto vector = [](std::string_view body) {
    return with_body(
        concat("var v0: f32 = 0.0\nfor i0 in n @vector {\nlet v1: f32 = x[i0]\n", body, "}\n"));
  };
  EXPECT_NO_THROW(verify(parse(vector("v0 sum= v1\nv0 sum= v1\n"))));
  expect_refusal(vector("for i1 in 4 @vector {\n}\n"), "no vector loop inside another");
  expect_refusal(vector("for i2 in 2 {\nfor i1 in 4 @vector {\n}\n}\n"), "inside another");
  expect_refusal(vector("contract v2: f32 over i1 in 2, i2 in 2, sum i3 in 2 of 1.0, 2.0 {\n}\n"),
                 "inside another");
  expect_refusal(vector("for i1 in i0 {\n}\n"), "uniform over its lanes");
  expect_refusal(vector("v0 = v1\n"), "no assign in a vector loop");
  expect_refusal(vector("v0 sum= v1\nv0 max= v1\n"), "one way to combine");
  expect_refusal(vector("v0 sum= v1\nlet v2: f32 = v0\n"), "no read of v0");
  expect_refusal(vector("out[i0] = v0\nv0 sum= v1\n"), "no read of v0");
  // A var of the loop's own is one for each lane, and may be assigned.
  EXPECT_NO_THROW(verify(parse(vector("var v2: f32 = v1\nv2 = v2 + v0\nv2 sum= v1\n"))));
}

TEST(LoopVerify, Contractions) {
  const auto contract = [](std::string_view lhs, std::string_view rhs, std::string_view body) {
    return with_body(concat("contract v0: f32 over i0 in n, i1 in n, sum i2 in n of ", lhs, ", ",
                            rhs, " {\n", body, "}\n"));
  };
  EXPECT_NO_THROW(verify(parse(contract("x[i0 + i2]", "x[i2 + i1]", "out[i0 + i1] = v0\n"))));
  expect_refusal(contract("x[i1]", "x[i2]", ""), "an lhs without n");
  expect_refusal(contract("x[i0]", "x[i0]", ""), "an rhs without m");
  expect_refusal(contract("x[i0]", "x[i2]", "out[i2] = v0\n"), "axes of the loops around");
  expect_refusal(contract("ids[i0]", "x[i2]", ""), "an expression of type real");
  expect_refusal(contract("x[i0]", "x[i2]", "for i3 in i1 {\n}\n"), "uniform over its lanes");
  expect_refusal(contract("x[i0]", "x[i2]", "for i3 in 4 @vector {\n}\n"), "inside another");
  Kernel other = parse(contract("x[i0]", "x[i2]", ""));
  std::get<Contract>(other.body[0].kind).accumulator = f64;
  expect_refusal(other, "a value of the accumulator's dtype");
}

TEST(LoopVerify, Barriers) {
  EXPECT_NO_THROW(verify(parse(with_thread("barrier\n"))));
  EXPECT_NO_THROW(verify(parse(with_thread("for i3 in n {\nbarrier\n}\n"))));
  EXPECT_NO_THROW(verify(parse(with_thread("if i0 < 3 && x[i0] < 1.0 {\nbarrier\n}\n"))));
  expect_refusal(with_body("barrier\n"), "barriers in GPU kernels only");
  const std::string_view part = "all threads of the block reach";
  expect_refusal(with_thread("if i2 < 16 {\nbarrier\n}\n"), part);
  expect_refusal(with_thread("for i3 in i1 {\nbarrier\n}\n"), part);
  expect_refusal(with_thread("for i3 in i1 {\n}\nif x[i2] < 1.0 {\nbarrier\n}\n"), part);
  // By way of a value, of a var changed by some threads only, and of one changed later in a loop.
  expect_refusal(with_thread("let v0: bool = i2 < 3\nif v0 {\nbarrier\n}\n"), part);
  expect_refusal(
      with_thread("var v0: bool = true\nif i2 < 3 {\nv0 = false\n}\nif v0 {\nbarrier\n}\n"), part);
  expect_refusal(with_thread("var v0: i64 = 0\nvar v1: i64 = 0\nfor i3 in n {\nif v0 < 3 "
                             "{\nbarrier\n}\nv0 = v1\nv1 = i2\n}\n"),
                 part);
}

TEST(LoopVerify, VectorLoopsOfAThread) {
  const auto loop = [](std::string_view extent, std::string_view body) {
    return with_thread(concat("for i3 in ", extent, " @vector {\n", body, "}\n"));
  };
  EXPECT_NO_THROW(verify(parse(loop("8", "let v0: f32 = x[i3]\n"))));
  for (const std::string_view extent : {"3", "32", "1", "n"}) {
    expect_refusal(loop(extent, ""), "vector loops of extent 2, 4, 8 or 16 in a GPU kernel");
  }
  expect_refusal(loop("4", "barrier\n"), "barriers outside of vector loops");
  expect_refusal(with_thread("var v0: f32 = 0.0\nfor i3 in 4 @vector {\nwarp_reduce sum v0\n}\n"),
                 "collective reductions outside of vector loops");
}

TEST(LoopVerify, LocalBuffers) {
  const std::string_view row = "local row: f32[8]\n";
  const auto at = [&](std::string_view index) {
    return with_thread(
        concat("let v0: f32 = 1.0\nfor i3 in 4 {\nfor i4 in n {\nrow[", index, "] = v0\n}\n}\n"),
        row);
  };
  EXPECT_NO_THROW(verify(parse(at("3"))));
  EXPECT_NO_THROW(verify(parse(at("2 * i3 + 1"))));
  for (const std::string_view index : {"i4", "i2", "n", "integer(v0)", "ids[0]"}) {
    expect_refusal(at(index), "local buffers at constants and axes of loops of constant extent");
  }
  expect_refusal(with_thread("let v0: f32 = row[i2]\n", row), "local buffers at constants");
  expect_refusal(with_thread("", "local row: f32[n]\n"), "a local buffer of constant size");
  expect_refusal(with_body("", row), "local buffers in GPU kernels only");
}

TEST(LoopVerify, CollectiveReductions) {
  const auto reducing = [](std::string_view what) {
    return with_thread(concat("var v0: f32 = 0.0\nvar v1: bool = true\n", what, "\n"));
  };
  for (const std::string_view what :
       {"block_reduce sum v0", "warp_reduce all v1", "warp_reduce max v0 width 8",
        "block_reduce min v0 width 64"}) {
    EXPECT_NO_THROW(verify(parse(reducing(what)))) << what;
    EXPECT_EQ(to_text(parse(to_text(parse(reducing(what))))), to_text(parse(reducing(what))));
  }
  expect_refusal(reducing("warp_reduce any v0"), "any and all of bool");
  expect_refusal(reducing("warp_reduce sum v0 width 3"),
                 "a warp reduction of width 2, 4, 8, 16 or 32");
  expect_refusal(reducing("block_reduce sum v0 width 48"), "whole warps and divides the block");
  expect_refusal(reducing("if i2 < 3 {\nwarp_reduce sum v0\n}"), "all threads of the block reach");
  expect_refusal(with_body("var v0: f32 = 0.0\nwarp_reduce sum v0\n"),
                 "collective reductions in GPU kernels only");
  for (const std::string_view threads : {"48", "n", "2048"}) {
    expect_refusal(with_body(concat("for i0 in ", threads,
                                    " @gpu_thread {\nvar v0: f32 = 0.0\nwarp_reduce sum v0\n}\n")),
                   "a constant number of threads, a multiple of 32 up to 1024");
  }
  expect_refusal(with_thread("let v0: f32 = 0.0\nwarp_reduce sum v0\n"), "a var");
  expect_refusal(reducing("cluster_reduce sum v0"), "a reduction of a whole cluster");
}

TEST(LoopVerify, Clusters) {
  const auto cluster = [](std::string_view extent, std::string_view block, std::string_view body) {
    return with_body(concat("for i0 in n @gpu_block {\nfor i1 in ", extent,
                            " @gpu_cluster_block {\nfor i2 in ", block,
                            " @gpu_thread {\nvar v0: f32 = 0.0\n", body, "}\n}\n}\n"));
  };
  EXPECT_NO_THROW(verify(parse(cluster("4", "64", "cluster_reduce sum v0\n"))));
  expect_refusal(cluster("3", "64", ""), "a cluster loop of extent 2, 4, 8 or 16");
  expect_refusal(cluster("n", "64", ""), "a cluster loop of extent 2, 4, 8 or 16");
  expect_refusal(cluster("4", "48", ""), "blocks of a constant number of threads");
  expect_refusal(cluster("4", "64", "if i1 == 0 {\nbarrier\n}\n"),
                 "all threads of the block reach");
  expect_refusal(cluster("4", "64", "cluster_reduce sum v0 width 64\n"), "a whole cluster");
  expect_refusal(with_body("for i0 in 2 @gpu_cluster_block {\nfor i1 in 2 @gpu_cluster_block "
                           "{\nfor i2 in 32 @gpu_thread "
                           "{\n}\n}\n}\n"),
                 "one cluster loop");
}

}  // namespace
}  // namespace ridge::loop::verify_test
