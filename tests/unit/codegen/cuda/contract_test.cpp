// Products as the work of a block: in the interpreter, as text on the host, and through NVRTC.
#include "ridge/codegen/cuda/contract.h"

#include <gtest/gtest.h>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "ridge/loop/interpreter.h"
#include "tests/nvrtc_checks.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::codegen::contract_test {
namespace {

struct Case {
  int64_t m, n, k;
  int64_t rows, columns;  // of a tile
  DType lhs = f32, rhs = f32, sum = f32;
  bool is_lhs_transposed = false, is_rhs_transposed = false;
  int64_t batch = 1;
};

constexpr auto kCases = std::to_array<Case>({
    {.m = 64, .n = 64, .k = 32, .rows = 32, .columns = 32},
    {.m = 70, .n = 50, .k = 33, .rows = 64, .columns = 32},
    {.m = 70, .n = 52, .k = 20, .rows = 32, .columns = 64, .is_lhs_transposed = true},
    {.m = 33, .n = 31, .k = 17, .rows = 32, .columns = 32, .is_rhs_transposed = true, .batch = 2},
    {.m = 1, .n = 40, .k = 24, .rows = 32, .columns = 32, .is_rhs_transposed = true},
    {.m = 40, .n = 1, .k = 7, .rows = 32, .columns = 32, .is_lhs_transposed = true},
    {.m = 130, .n = 129, .k = 18, .rows = 128, .columns = 128},
    {.m = 40, .n = 44, .k = 9, .rows = 64, .columns = 64, .lhs = f64, .rhs = f64, .sum = f64},
    {.m = 36, .n = 20, .k = 11, .rows = 32, .columns = 32, .lhs = i64, .rhs = i32, .sum = i64},
    {.m = 36, .n = 40, .k = 32, .rows = 32, .columns = 32, .lhs = bf16, .rhs = f32},
    {.m = 72, .n = 40, .k = 48, .rows = 64, .columns = 32, .lhs = bf16, .rhs = bf16},
    {.m = 71, .n = 37, .k = 41, .rows = 64, .columns = 64, .lhs = f16, .rhs = f16},
    {.m = 136,
     .n = 136,
     .k = 40,
     .rows = 128,
     .columns = 128,
     .lhs = bf16,
     .rhs = bf16,
     .is_lhs_transposed = true},
    {.m = 136,
     .n = 128,
     .k = 64,
     .rows = 128,
     .columns = 128,
     .lhs = bf16,
     .rhs = bf16,
     .is_rhs_transposed = true},
    {.m = 64,
     .n = 96,
     .k = 32,
     .rows = 32,
     .columns = 128,
     .lhs = f16,
     .rhs = f16,
     .is_lhs_transposed = true,
     .is_rhs_transposed = true,
     .batch = 3},
});

std::string type(DType dtype) { return std::string(ridge::name(dtype)); }

// out = max(lhs * rhs + bias, 0), as scheduling would write it.
loop::Kernel product(const Case& c, size_t number) {
  const std::string row = concat("(", c.rows, " * i1 + i3)"),
                    column = concat("(", c.columns, " * i2 + i4)");
  const std::string lhs =
      c.is_lhs_transposed ? concat(c.m, " * i5 + ", row) : concat(c.k, " * ", row, " + i5");
  const std::string rhs =
      c.is_rhs_transposed ? concat(c.k, " * ", column, " + i5") : concat(c.n, " * i5 + ", column);
  const std::string sum = type(c.sum), out = is_16_bit_float(c.lhs) ? type(c.lhs) : sum;
  const auto operand = [&](const std::string& buffer, DType dtype, const std::string& index) {
    const std::string load = concat(buffer, "[", index, "]");
    return is_floating(dtype) || c.sum == i64 ? load : concat("real(", load, ")");
  };
  const std::string zero = c.sum == i64 ? "0" : "0.0";
  return loop::parse(concat(
      "kernel product_", number, "(lhs: ", type(c.lhs), "[", c.batch * c.m * c.k, "] in, rhs: ",
      type(c.rhs), "[", c.batch * c.k * c.n, "] in, bias: ", sum, "[", c.n, "] in, out: ", out, "[",
      c.batch * c.m * c.n, "] out) {\nfor i0 in ", c.batch, " @gpu_block {\nfor i1 in ",
      (c.m + c.rows - 1) / c.rows, " @gpu_block {\nfor i2 in ", (c.n + c.columns - 1) / c.columns,
      " @gpu_block {\ncontract v0: ", sum, " over i3 in min(", c.rows, ", ", c.m, " - ", c.rows,
      " * i1), i4 in min(", c.columns, ", ", c.n, " - ", c.columns, " * i2), sum i5 in ", c.k,
      " of ", operand("lhs", c.lhs, concat(c.m * c.k, " * i0 + ", lhs)), ", ",
      operand("rhs", c.rhs, concat(c.k * c.n, " * i0 + ", rhs)), " {\nlet v1: ", sum,
      " = max(v0 + bias[", column, "], ", zero, ")\nout[", c.m * c.n, " * i0 + ", c.n, " * ", row,
      " + ", column, "] = v1\n}\n}\n}\n}\n}\n"));
}

struct alignas(64) Line {
  std::byte bytes[64];
};
using Memory = std::vector<Line>;

std::vector<Memory> random_memory(const loop::Kernel& kernel) {
  SplitMix64 random(11);
  std::vector<Memory> all;
  for (size_t b = 0; b < kernel.argument_count(); ++b) {
    const loop::Buffer& buffer = kernel.buffers[b];
    const int64_t elements = buffer.elements->integer;
    Memory memory(bytes_for(buffer.dtype, elements) / 64 + 1);
    for (int64_t i = 0; i < elements; ++i) {
      const double real = random.uniform(-2, 2);
      store_element(buffer.dtype, memory[0].bytes, i,
                    is_floating(buffer.dtype) ? expr::Number::of(real)
                                              : expr::Number::of(static_cast<int64_t>(100 * real)));
    }
    all.push_back(std::move(memory));
  }
  return all;
}

std::vector<void*> pointers(std::vector<Memory>& memory) {
  std::vector<void*> result;
  for (Memory& one : memory) result.push_back(one.data());
  return result;
}

void expect_same(const loop::Kernel& kernel, const std::vector<Memory>& ours,
                 const std::vector<Memory>& theirs) {
  const loop::Buffer& out = kernel.buffers[3];
  for (int64_t i = 0; i < out.elements->integer; ++i) {
    const expr::Number a = load_element(out.dtype, ours[3][0].bytes, i);
    const expr::Number b = load_element(out.dtype, theirs[3][0].bytes, i);
    ASSERT_EQ(a.as_real(), b.as_real()) << kernel.name << " at " << i;
  }
}

// The order of every sum is that of the plain loops, so nothing differs.
TEST(CudaContract, TilesGiveTheSameBits) {
  for (size_t i = 0; i < kCases.size(); ++i) {
    const loop::Kernel kernel = product(kCases[i], i);
    loop::verify(kernel);
    const auto tiled = cuda::in_tiles(kernel, {});
    ASSERT_TRUE(tiled) << i;
    EXPECT_EQ(tiled->tensor_step.has_value(),
              is_16_bit_float(kCases[i].lhs) && kCases[i].lhs == kCases[i].rhs);
    loop::verify(tiled->kernel);
    std::vector<Memory> plain = random_memory(kernel), ours = plain;
    loop::run(kernel, pointers(plain), {});
    const loop::Counts counts = loop::run(tiled->kernel, pointers(ours), {});
    EXPECT_EQ(counts.races, 0);
    expect_same(kernel, ours, plain);
  }
}

TEST(CudaContract, TextRunsOnTheHost) {
  if (!has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  std::vector<CudaKernel> generated;
  for (size_t i = 0; i < kCases.size(); ++i) {
    generated.push_back(generate(product(kCases[i], i), {.uses_tensor_cores = false}));
    EXPECT_EQ(generated.back().threads, 256);
  }
  const HostLibrary library(generated);
  for (size_t i = 0; i < kCases.size(); ++i) {
    const loop::Kernel kernel = product(kCases[i], i);
    std::vector<Memory> plain = random_memory(kernel), ours = plain;
    loop::run(kernel, pointers(plain), {});
    library.run(generated[i], pointers(ours), {});
    expect_same(kernel, ours, plain);
  }
}

TEST(CudaContract, CompilesWithoutSpills) {
  RIDGE_NEEDS_NVRTC();
  for (const int arch : {90, 80}) {
    for (size_t i = 0; i < kCases.size(); ++i) {
      const CudaKernel kernel = generate(product(kCases[i], i), {.arch = arch});
      runtime::cuda::expect_registers_only(kernel.source, arch == 90 ? "sm_90a" : "sm_80");
      const bool is_tensor = is_16_bit_float(kCases[i].lhs) && kCases[i].lhs == kCases[i].rhs;
      EXPECT_EQ(kernel.source.find("mma.sync") != std::string::npos, is_tensor);
    }
  }
}

// lhs [s0, s0] times the transpose of rhs [s0, 64]: one kernel for all sizes.
loop::Kernel symbolic_product() {
  return loop::parse(
      "kernel all_sizes(lhs: f32[s0 * s0] in, rhs: f32[64 * s0] in, bias: f32[64] in, out: "
      "f32[64 * s0] out; s0) {\nfor i0 in (s0 + 127) // 128 @gpu_block {\nfor i1 in 1 @gpu_block "
      "{\ncontract v0: f32 over i2 in min(128, s0 - 128 * i0), i3 in 64, sum i4 in s0 of "
      "lhs[128 * s0 * i0 + s0 * i2 + i4], rhs[64 * i4 + i3] {\nlet v1: f32 = v0 + bias[i3]\n"
      "out[8192 * i0 + 64 * i2 + i3] = v1\n}\n}\n}\n}\n");
}

// Tiles that are full or hold a few rows, rows that start at multiples of 16 bytes, 8 and 4.
TEST(CudaContract, OneKernelForAllSizes) {
  const loop::Kernel kernel = symbolic_product();
  loop::verify(kernel);
  const auto tiled = cuda::in_tiles(kernel, {});
  ASSERT_TRUE(tiled);
  loop::verify(tiled->kernel);
  for (const int64_t size : {1, 3, 15, 16, 20, 64, 66, 127, 128, 130, 132, 197}) {
    SplitMix64 random(size);
    const auto floats = [&](int64_t count) {
      Memory memory(static_cast<size_t>(count) * 4 / 64 + 1);
      for (int64_t i = 0; i < count; ++i) {
        store_element(f32, memory[0].bytes, i, expr::Number::of(random.uniform(-2, 2)));
      }
      return memory;
    };
    std::vector<Memory> plain{floats(size * size), floats(64 * size), floats(64),
                              floats(64 * size)};
    std::vector<Memory> ours = plain;
    loop::run(kernel, pointers(plain), std::vector<int64_t>{size});
    EXPECT_EQ(loop::run(tiled->kernel, pointers(ours), std::vector<int64_t>{size}).races, 0);
    for (int64_t i = 0; i < 64 * size; ++i) {
      ASSERT_EQ(load_element(f32, ours[3][0].bytes, i).as_real(),
                load_element(f32, plain[3][0].bytes, i).as_real())
          << size << " at " << i;
    }
  }
}

TEST(CudaContract, RowsOfASymbolicLengthAreReadWideWhereTheyCan) {
  const std::string source = generate(symbolic_product(), {.fits_32_bits = true}).source;
  EXPECT_NE(source.find("if ((s0 & 3) == 0)"), std::string::npos) << source;
  EXPECT_NE(source.find("load_wide<16>(lhs_lanes"), std::string::npos) << source;
  EXPECT_NE(source.find("load_wide<8>(lhs_lanes"), std::string::npos) << source;
}

// Full tiles of aligned rows: 16 bytes with each access, and no conditions around them.
TEST(CudaContract, WholeTilesAreReadWide) {
  const Case whole{
      .m = 256, .n = 256, .k = 64, .rows = 128, .columns = 128, .lhs = bf16, .rhs = bf16};
  const std::string source = generate(product(whole, 0), {}).source;
  EXPECT_NE(source.find("load_widened<16>"), std::string::npos) << source;
  EXPECT_EQ(source.find("if ("), std::string::npos) << source;
}

TEST(CudaContract, OtherKernelsStayAsTheyAre) {
  const loop::Kernel map = loop::parse(
      "kernel twice(x: f32[64] in, out: f32[64] out) {\nfor i0 in 2 @gpu_block {\nfor i1 in 32 "
      "@gpu_thread "
      "{\nlet v0: f32 = x[32 * i0 + i1] * 2.0\nout[32 * i0 + i1] = v0\n}\n}\n}\n");
  EXPECT_FALSE(cuda::in_tiles(map, {}));
  const Case empty{.m = 5, .n = 6, .k = 0, .rows = 32, .columns = 32};
  EXPECT_FALSE(cuda::in_tiles(product(empty, 0), {}));
  const Case large{.m = 500, .n = 6, .k = 3, .rows = 256, .columns = 32};
  EXPECT_FALSE(cuda::in_tiles(product(large, 0), {}));
}

}  // namespace
}  // namespace ridge::codegen::contract_test
