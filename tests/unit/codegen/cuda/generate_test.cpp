// What the text of a kernel looks like: names, widths of integers, wide accesses, what is refused.
#include "ridge/codegen/cuda/generate.h"

#include <gtest/gtest.h>

#include "ridge/base/text.h"
#include "ridge/expr/evaluate.h"

namespace ridge::codegen::generate_test {
namespace {

// The body of one thread of 32, over x (f32), h (bf16), out (f32) and p (f32, in_out).
std::string with_thread(std::string_view body, std::string_view own = "") {
  return concat("kernel k(x: f32[n * m] in, h: bf16[n * m] in, out: f32[n * m] out, p: f32[64] ",
                "in_out; n, m) {\n", own, "for i0 in n @gpu_block {\nfor i1 in 32 @gpu_thread {\n",
                body, "}\n}\n}\n");
}

std::string source_of(std::string_view text, const CudaTarget& target = {}) {
  const loop::Kernel kernel = loop::parse(text);
  loop::verify(kernel);
  return generate(kernel, target).source;
}

void expect_part(const std::string& text, std::string_view part) {
  EXPECT_NE(text.find(part), std::string::npos) << "lacks " << part << "\n" << text;
}
void expect_no_part(const std::string& text, std::string_view part) {
  EXPECT_EQ(text.find(part), std::string::npos) << "has " << part << "\n" << text;
}

TEST(CudaGenerate, TextOfAMap) {
  EXPECT_EQ(source_of(R"(# half of x
kernel tree_fold(x: f32[4096] in, out: f32[4096] out) {
  for i0 in 16 @gpu_block {
    for i1 in 256 @gpu_thread {
      let v0: f32 = x[256 * i0 + i1] * 0.5  # half
      out[256 * i0 + i1] = v0
    }
  }
}
)",
                      {.notes = {"predicted 2.1 us, bound by launch"}}),
            R"(// tree_fold
// half of x
// predicted 2.1 us, bound by launch

extern "C" __global__ void __launch_bounds__(256)
tree_fold(
    const float* __restrict__ x,
    float* __restrict__ out) {
  const int i0 = int(blockIdx.x);
  const int i1 = int(threadIdx.x);
  const float half = x[256 * i0 + i1] * 0.5f;
  out[256 * i0 + i1] = half;
}
)");
}

TEST(CudaGenerate, HowItIsLaunched) {
  const CudaKernel kernel = generate(loop::parse(R"(kernel launched(out: f32[n * 96] out; n) {
  shared tile: f32[100]
  for i0 in n @gpu_block {
    for i1 in (n + 1) // 2 @gpu_block {
      for i2 in 3 @gpu_thread {
        for i3 in 32 @gpu_thread {
          let v0: f32 = 1.0
          tile[i3] = v0
        }
      }
    }
  }
}
)"),
                                     {});
  expr::Leaves leaves;
  leaves.param = [](int) { return expr::Number::of(int64_t{5}); };
  EXPECT_EQ(expr::evaluate(kernel.blocks, leaves).integer, 15);
  EXPECT_EQ(kernel.threads, 96);
  EXPECT_EQ(kernel.static_shared_bytes, 400);
  EXPECT_EQ(kernel.dynamic_shared_bytes, 0);
  EXPECT_FALSE(kernel.sets_status);
  EXPECT_EQ(kernel.size_bits, 64);
  EXPECT_EQ(kernel.symbol, "launched");
}

TEST(CudaGenerate, MuchSharedMemoryIsDynamic) {
  const CudaKernel kernel =
      generate(loop::parse(with_thread("let v0: f32 = 1.0\nb[i1] = v0\n",
                                       "shared a: f32[10000]\nshared b: f32[4000]\n")),
               {});
  EXPECT_EQ(kernel.static_shared_bytes, 0);
  EXPECT_EQ(kernel.dynamic_shared_bytes, 56000);
  expect_part(kernel.source, "float* const b = reinterpret_cast<float*>(shared_bytes + 40000);");
}

TEST(CudaGenerate, IntegersAreAsWideAsTheyMustBe) {
  const std::string body = "let v0: f32 = x[m * i0 + i1]\nlet v1: i64 = i1 * 2\nout[v1] = v0\n";
  expect_part(source_of(with_thread(body)), "long long m)");
  expect_part(source_of(with_thread(body), {.fits_32_bits = true}), "int m");
  expect_part(source_of(with_thread(body)), "const int v1 = i1 * 2;");
  // Products that do not fit are widened first.
  expect_part(source_of(with_thread("let v0: f32 = x[i0 * 100000]\nout[0] = v0\n")),
              "x[(long long)i0 * 100000]");
}

TEST(CudaGenerate, ANumberThatAllLanesCompareWithIsMadeNarrowOnce) {
  const auto compare = [](std::string_view position) {
    return source_of(concat(R"(kernel k(ids: i64[96] in, out: bool[96] out) {
  for i0 in 24 @gpu_thread {
    let v0: i64 = ids[i0]  # target
    for i1 in 4 @vector {
      let v1: bool = )",
                            position, R"( == v0
      out[4 * i0 + i1] = v1
    }
  }
}
)"));
  };
  expect_part(compare("4 * i0 + i1"), "4 * i0 + i1 == ridge::narrowed(target);");
  expect_part(compare("ids[4 * i0 + i1]"), " == target;");  // as wide as the other
}

TEST(CudaGenerate, WhatIsWrongIsStoredAtTheEnd) {
  const std::string source =
      source_of(R"(kernel k(x: f32[64] in, ids: i64[32] in, out: f32[32] out) {
  for i0 in 32 @gpu_thread {
    let v0: f32 = x[checked_index(ids[i0], 64)]
    out[i0] = v0
  }
}
)");
  expect_part(source, "ridge::checked_index(ids[i0], 64, wrong)");
  expect_part(source, "  out[i0] = v0;\n  if (wrong != 0) ridge::set_status(status, wrong);\n}\n");
}

TEST(CudaGenerate, WideWhereAligned) {
  const auto load = [](std::string_view index, const CudaTarget& target = {}) {
    return source_of(with_thread(concat("for i2 in 4 @vector {\nlet v0: f32 = x[", index,
                                        "]\nout[m * i0 + 4 * i1 + 7 * i2] = v0\n}\n")),
                     target);
  };
  expect_part(load("128 * i0 + 4 * i1 + i2"),
              "ridge::load_wide<16>(x_lanes, &x[128LL * i0 + 4 * i1]");
  expect_part(load("4 * i1 + i2 + 2"), "ridge::load_wide<8>(x_lanes, &x[4 * i1 + 2]");
  expect_part(load("(4 * i1 + i2) % 8"), "ridge::load_wide<16>(x_lanes, &x[");
  expect_part(load("(4 * i1 + i2) // 8 * 8 + i2"), "ridge::load_wide<16>(x_lanes, &x[");
  for (const std::string_view index :
       {"4 * i1 + i2 + 1", "4 * i1 + 2 * i2", "m * i0 + 4 * i1 + i2", "4 * i1", "3 - i2",
        "(4 * i1 + i2) % 6", "(2 * i1 + i2) // 8 * 8 + i2"}) {
    expect_no_part(load(index), "load_wide");
  }
  expect_part(load("4 * i1 + i2", {.streaming_loads = true}),
              "ridge::load_wide<16, ridge::Streaming>(");
  // Two accesses of 16 bytes for 8 floats; one of 16 for 8 halves.
  const std::string eight = source_of(with_thread(
      "for i2 in 8 @vector {\nlet v0: f32 = h[8 * i1 + i2] + x[8 * i1 + i2]\nout[8 * i1 + i2] = "
      "v0\n}\n"));
  expect_part(eight, "ridge::load_widened<16>(h_lanes, &h[8 * i1]);");
  expect_part(eight, "ridge::store_wide<16>(&out[8 * i1], out_lanes);");
}

// p is in_out, so what is stored to `out` may be what is loaded from it.
TEST(CudaGenerate, BuffersThatMayOverlapKeepTheirOrder) {
  const std::string text = with_thread(
      "for i2 in 2 @vector {\nlet v0: f32 = x[2 * i1 + i2]\nout[2 * i1 + i2] = v0\nlet v1: f32 = "
      "p[2 * i1 + i2] + v0\np[2 * i1 + i2] = v1\n}\n");
  expect_no_part(source_of(text), "__restrict__");
  expect_part(source_of(text), "ridge::load_wide<8>(x_lanes");
  expect_no_part(source_of(text), "ridge::load_wide<8>(p_lanes");
  const std::string distinct = source_of(text, {.are_distinct = true});
  expect_part(distinct, "float* __restrict__ p");
  expect_part(distinct, "ridge::load_wide<8>(p_lanes");
  expect_part(distinct, "ridge::store_wide<8>(&out[2 * i1], out_lanes);");
}

TEST(CudaGenerate, AnglesAreReducedAsFarAsTheyNeed) {
  const auto of = [](std::string_view e) {
    return source_of(
        with_thread(concat("let v0: f32 = x[i1]\nlet v1: f32 = ", e, "\nout[i1] = v1\n")));
  };
  expect_part(of("cos(v0)"), "= ridge::cosine(ridge::angle(v0));");
  expect_part(of("sin(min(max(v0, -100.0), 100.0))"), "= ridge::sine(ridge::angle_small(");
  expect_part(of("cos(tanh(v0)) near"), "= ridge::cosine_near(");
  expect_part(of("cos(tanh(v0))"), "= ridge::cosine(ridge::angle_small(");
  const std::string both = of("sin(v0) * cos(v0)");
  expect_part(both, "const ridge::Angle v0_angle = ridge::angle(v0);");
  expect_part(both, "= ridge::sine(v0_angle) * ridge::cosine(v0_angle);");
  expect_no_part(of("cos(tanh(v0)) near"), "reduce_large");
}

TEST(CudaGenerate, WhatIsOnlySquaredNeedsNoSign) {
  const auto of = [](std::string_view rest) {
    return source_of(with_thread(
        concat("let v0: f32 = x[i1]\nlet v1: f32 = sin(v0)\n", rest, "out[i1] = v2\n")));
  };
  expect_part(of("let v2: f32 = v1 * v1\n"), "= ridge::sine<24, false>(ridge::angle(v0));");
  expect_part(of("let v2: f32 = fma(v1, v1, v0)\n"), "= ridge::sine<24, false>(ridge::angle(v0));");
  expect_part(of("let v2: f32 = fma(v1, v1, v1)\n"), "= ridge::sine(ridge::angle(v0));");
  expect_part(of("let v2: f32 = v1 * v0\n"), "= ridge::sine(ridge::angle(v0));");
  expect_part(of("let v3: f32 = v1 * v1\nlet v2: f32 = v1 + v3\n"),
              "= ridge::sine(ridge::angle(v0));");
}

TEST(CudaGenerate, FormsOfFunctionsAreThoseOfTheirStatement) {
  const auto of = [](std::string_view e) {
    return source_of(
        with_thread(concat("let v0: f32 = x[i1]\nlet v1: f32 = ", e, "\nout[i1] = v1\n")));
  };
  expect_part(of("sin(v0) for half"), "ridge::sine<16>(");
  expect_part(of("2.0 / v0 for half"), "ridge::div_16(");
  expect_part(of("exp(v0) for half"), "ridge::exp_16(");
  expect_part(of("exp(v0) for exponent"), "ridge::exp_16(");
  expect_no_part(of("2.0 / v0 for exponent"), "div_16");
  expect_no_part(of("2.0 / exp(v0)"), "_16");
}

// Sine and cosine share the reduction of their argument only where it is the same for both.
TEST(CudaGenerate, AnglesOfOnePrecisionAreShared) {
  const auto of = [](std::string_view form) {
    return source_of(
        with_thread(concat("let v0: f32 = x[i1]\nlet v1: f32 = sin(v0)", form,
                           "\nlet v2: f32 = cos(v0)\nlet v3: f32 = v1 + v2\n", "out[i1] = v3\n")));
  };
  expect_part(of(""), "const ridge::Angle v0_angle");
  expect_no_part(of(" for half"), "v0_angle");
}

TEST(CudaGenerate, SumsWithOneHaveShortFormsFor16Bits) {
  const auto of = [](std::string_view e) {
    return source_of(
        with_thread(concat("let v0: f32 = x[i1]\nlet v1: f32 = ", e, "\nout[i1] = v1\n")));
  };
  expect_part(of("v0 * (1.0 + tanh(v0)) for half"), "v0 * ridge::one_plus_tanh_16(v0);");
  expect_part(of("v0 * (erf(v0) + 1.0) for half"), "v0 * ridge::one_plus_erf_16(v0);");
  expect_part(of("2.0 + tanh(v0) for half"), "2.0f + ridge::tanh_16(v0);");
  expect_part(of("v0 * (1.0 + tanh(v0))"), "1.0f + tanhf(v0)");
  // Where tanh is needed by itself too, it is there already.
  expect_no_part(of("(1.0 + tanh(v0)) * tanh(v0) for half"), "one_plus");
}

TEST(CudaGenerate, WordsAreComparedIn32Bits) {
  const std::string source =
      source_of(with_thread("let v0: i64 = philox(1, 2, 3, i1, 0)\nlet v1: bool = v0 < 3000000000\n"
                            "let v2: f32 = select(v1, x[i1], 0.0)\nout[i1] = v2\n"));
  expect_part(source, "unsigned(v0) < unsigned(3000000000LL);");
}

// The last thread of a map whose elements do not come out even.
TEST(CudaGenerate, ARestIsDoneOneByOne) {
  const std::string source = source_of(R"(kernel k(x: f32[1027] in, out: f32[1027] out) {
    for i0 in 9 @gpu_block {
      for i1 in 32 @gpu_thread {
        for i2 in 4 @vector {
          if 128 * i0 + 4 * i1 + i2 < 1027 {
            let v0: f32 = x[128 * i0 + 4 * i1 + i2]
            let v1: f32 = sin(v0) * cos(v0)
            out[128 * i0 + 4 * i1 + i2] = v1
          }
        }
      }
    }
  })");
  expect_part(source, "if (128 * i0 + 4 * i1 + 3 < 1027) {");
  expect_part(source, "ridge::store_wide<16>(&out[128 * i0 + 4 * i1], out_lanes);");
  expect_part(source, "#pragma unroll 1\n");
  expect_part(source, "if (!(128 * i0 + 4 * i1 + i2 < 1027)) break;");
  expect_part(source, "ridge::angle(v0_3)");  // its own, not those of the lanes before
}

TEST(CudaGenerate, AnglesOfAllLanesAreLookedAtTogether) {
  const std::string source = source_of(R"(kernel k(x: f32[256] in, out: f32[256] out) {
    for i0 in 2 @gpu_block {
      for i1 in 32 @gpu_thread {
        for i2 in 4 @vector {
          let v0: f32 = x[128 * i0 + 4 * i1 + i2]
          let v1: f32 = sin(v0) * cos(v0)
          out[128 * i0 + 4 * i1 + i2] = v1
        }
      }
    }
  })");
  const size_t small = source.find("if (ridge::are_small(x_lanes)) {");
  const size_t others = source.find("} else {", small);
  ASSERT_NE(others, std::string::npos) << source;
  expect_part(source.substr(small, others - small), "= ridge::angle_small(v0);");
  expect_part(source.substr(others), "= ridge::angle(v0_2);");
  expect_part(source.substr(others), "ridge::sine(v0_2_angle) * ridge::cosine(v0_2_angle)");
}

TEST(CudaGenerate, NamesThatMeanSomethingElse) {
  const std::string source =
      source_of(R"(kernel "for"("x.1": f32[32] in, "float": f32[32] out; status) {
  for i1 in 32 @gpu_thread {
    let v0: f32 = "x.1"[i1] * 2.0  # exp
    let v1: f32 = exp(v0)  # a b
    "float"[i1] = v1
  }
}
)");
  expect_part(source, "for_2(");
  expect_part(source, "const float* __restrict__ x_1");
  expect_part(source, "float* __restrict__ float_2");
  expect_part(source, "long long status_2)");
  expect_part(source, "const float a_b = expf(exp_2);");
}

TEST(CudaGenerate, ValuesThatMeetShareABarrier) {
  const std::string source = source_of(R"(kernel two(x: f32[64] in, out: f32[2] out) {
  for i0 in 64 @gpu_thread {
    var v0: f32 = x[i0]
    var v1: f32 = x[i0]
    block_reduce sum v0
    block_reduce max v1
    warp_reduce max v1 width 4
    if i0 == 0 {
      out[0] = v0
      out[1] = v1
    }
  }
}
)");
  const size_t first = source.find("__syncthreads();");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(source.find("__syncthreads();", first + 1), std::string::npos);
  // What is combined again is so after it was.
  EXPECT_GT(source.find("v1 = ridge::warp_reduce<4>"),
            source.find("v1 = ridge::reduce_partials<2>"));
}

TEST(CudaGenerate, Refused) {
  const auto reason = [](std::string_view text, int arch = 90) {
    return can_generate(loop::parse(text), {.arch = arch}).reason;
  };
  expect_part(reason("kernel k(out: f32[8] out) {\nfor i0 in 8 @cpu_thread {\n}\n}\n"), "on a GPU");
  expect_part(reason("kernel k(out: f32[8] out; n) {\nfor i0 in n @gpu_thread {\n}\n}\n"),
              "is not a constant");
  expect_part(reason("kernel k(out: f32[8] out) {\nfor i0 in 2048 @gpu_thread {\n}\n}\n"),
              "a block of");
  expect_part(reason("kernel k(out: u4[8] out) {\nfor i0 in 32 @gpu_thread {\n}\n}\n"),
              "storage-only");
  expect_part(reason(with_thread(""), 75), "older");
  expect_part(reason("kernel k() {\n  tile t: f32[8, 8]\n}\n"), "not mapped");
  EXPECT_TRUE(can_generate(loop::parse(with_thread("")), {}).verdict);
}

}  // namespace
}  // namespace ridge::codegen::generate_test
