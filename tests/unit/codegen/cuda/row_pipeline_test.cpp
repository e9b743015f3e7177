// Rows that stream, as CUDA text: what is written for those that can, and the loops that others become.
#include <gtest/gtest.h>

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/core/tensor.h"
#include "tests/nvrtc_checks.h"
#include "tests/unit/codegen/cuda/run_on_host.h"

namespace ridge::codegen::pipeline_test {
namespace {

// Eight rows of 1024 elements, or the first of them: each minus its mean or maximum, and sums of columns.
std::string row_kernel(loop::Combine how, const std::string& scope, int inside = 512) {
  const std::string combine(loop::name(how));
  const bool is_cluster = scope == "cluster";
  const int columns = is_cluster ? 1024 : 512;
  const std::string part = is_cluster ? "512 * i1 + " : "";
  const auto pass = [&](const std::string& first, const std::string& lines) {
    return concat("        for i", first, " in 1 {\n          for i7 in 8 @vector {\n", lines,
                  "          }\n        }\n");
  };
  const auto last_pass = [&](const std::string& lines) {
    const std::string condition = concat("            if 256 + 8 * i2 + i7 < ", inside, " {\n");
    return pass("6", inside == 512 ? lines : concat(condition, lines, "            }\n"));
  };
  const auto sums = [&](int at, int value) {
    return concat("            let v", value, ": f32 = x_row[", at,
                  " + 8 * i2 + i7]\n            v0 ", combine, "= v", value, "\n");
  };
  const auto stores = [&](int at, int value) {
    return concat("            let v", value, ": f32 = x_row[", at, " + 8 * i2 + i7]\n",
                  "            let v", value + 1, ": f32 = v", value, " - v5\n            out[",
                  columns, " * i4 + ", part, at, " + 8 * i2 + i7] = v", value + 1,
                  "\n            let v", value + 2, ": f32 = column[", at / 32, " + i7] + v",
                  value + 1, "\n            column[", at / 32, " + i7] = v", value + 2, "\n");
  };
  const auto leave = [&](int at, int value) {
    return concat("            let v", value, ": f32 = column[", at / 32,
                  " + i7]\n            left[", part, at, " + 8 * i2 + i7] = v", value, "\n");
  };
  return concat(
      "kernel rows(x: bf16[", 8 * columns, "] in, out: bf16[", 8 * columns, "] out, left: f32[",
      columns, "] out) {\n",
      "  shared x_row: bf16[512]\n  local column: f32[16]\n  for i0 in 1 @gpu_block {\n",
      is_cluster ? "    for i1 in 2 @gpu_cluster_block {\n" : "    for i1 in 1 @gpu_block {\n",
      "      for i2 in 32 @gpu_thread {\n",
      "      for i3 in 16 {\n        let v1: f32 = 0.0\n        column[i3] = v1\n      }\n",
      "      for i4 in 8 {\n        bulk_copy x_row = x[", columns, " * i4 + ",
      is_cluster ? "512 * i1" : "0",
      "] for 512\n        var v0: f32 = ", how == loop::Combine::sum ? "0.0" : "-inf", "\n",
      pass("5", sums(0, 2)), last_pass(sums(256, 3)), "        ", scope, "_reduce ", combine, " v0",
      "\n        let v5: f32 = v0 / 1024.0\n", pass("5", stores(0, 6)), last_pass(stores(256, 9)),
      "      }\n", pass("5", leave(0, 12)), pass("6", leave(256, 13)), "      }\n    }\n  }\n}\n");
}

CudaKernel generated(const std::string& text, int arch = 90) {
  const loop::Kernel kernel = loop::parse(text);
  loop::verify(kernel);
  return generate(kernel, {.arch = arch, .fits_32_bits = true});
}

bool holds(const CudaKernel& kernel, std::string_view part) {
  return kernel.source.find(part) != std::string::npos;
}

TEST(CudaPipeline, OneWarpProducesAndTheOthersConsume) {
  const CudaKernel kernel = generated(row_kernel(loop::Combine::sum, "cluster"));
  // Two blocks, one consumer warp, one sum, eight stages of 1280 bytes, copied in two chunks.
  EXPECT_TRUE(holds(kernel, "ridge::RowPipeline<2, 1, 1, 8, 8, 1280, 512, 1040> pipeline("))
      << kernel.source;
  EXPECT_TRUE(holds(kernel, "pipeline.produce_row(ridge::row_copy(0, &x[")) << kernel.source;
  // Consumers read where the copy went.
  EXPECT_TRUE(holds(kernel, "pipeline.reduce_row(0, &x[")) << kernel.source;
  EXPECT_TRUE(holds(kernel, "pipeline.apply_row(0, &x[")) << kernel.source;
  for (const char* call :
       {"wait_chunk(0)", "wait_chunk(1)", "send_partials(partials)", "receive_sums(sums)",
        "release_chunk(0)", "release_chunk(1)", "release_row()"}) {
    EXPECT_TRUE(holds(kernel, concat("pipeline.", call, ";"))) << call << "\n" << kernel.source;
  }
  EXPECT_FALSE(holds(kernel, "__syncthreads"));
  EXPECT_EQ(kernel.threads, 64);
  EXPECT_EQ(kernel.cluster, 2);
  EXPECT_EQ(kernel.dynamic_shared_bytes, 8 * 1280);
}

// All warps of the cluster would wait for a divergent one.
TEST(CudaPipeline, EndsOfRowsAreBranchFree) {
  const CudaKernel kernel = generated(row_kernel(loop::Combine::sum, "cluster", 509));
  EXPECT_TRUE(holds(kernel, " = ridge::opaque(mask")) << kernel.source;
  EXPECT_TRUE(holds(kernel, "ridge::store_rounded_masked<16>(&out[")) << kernel.source;
  const std::string& text = kernel.source;
  const size_t rows = text.find("pipeline.wait_chunk(0);"),
               end = text.find("pipeline.release_row();");
  EXPECT_EQ(text.substr(rows, end - rows).find("else"), std::string::npos) << text;
}

TEST(CudaPipeline, ApplyPhaseIsTwoRowsBehind) {
  const CudaKernel kernel = generated(row_kernel(loop::Combine::sum, "cluster"));
  EXPECT_TRUE(holds(kernel, " < i4_end + 2; ++round")) << kernel.source;
  EXPECT_TRUE(holds(kernel, " >= 2) {\n        const int i4 = round")) << kernel.source;
}

TEST(CudaPipeline, OtherCombinationsAreLoops) {
  const CudaKernel kernel = generated(row_kernel(loop::Combine::max, "block"));
  EXPECT_FALSE(holds(kernel, "ridge::RowPipeline<"));
  EXPECT_TRUE(holds(kernel, "__syncthreads();"));
  EXPECT_EQ(kernel.threads, 32);
}

TEST(CudaPipeline, OlderDevicesHaveLoops) {
  EXPECT_FALSE(
      holds(generated(row_kernel(loop::Combine::sum, "block"), 80), "ridge::RowPipeline<"));
  EXPECT_TRUE(holds(generated(row_kernel(loop::Combine::sum, "block"), 90),
                    "ridge::RowPipeline<1, 1, 1, 8, 8, "));
}

// A value of the first half that the second one needs, and that cannot be had again.
TEST(CudaPipeline, HalvesThatDependOnEachOtherAreLoops) {
  std::string text = row_kernel(loop::Combine::sum, "block");
  const std::string of_first = "        var v0: f32 = 0.0\n";
  text.replace(text.find(of_first), of_first.size(), of_first + "        var v14: f32 = 1.0\n");
  const std::string of_second = "        let v5: f32 = v0 / 1024.0\n";
  text.replace(text.find(of_second), of_second.size(), "        let v5: f32 = v0 / 1024.0 * v14\n");
  EXPECT_FALSE(holds(generated(text), "ridge::RowPipeline<"));
}

// A value of sums so far is another one when they are complete.
TEST(CudaPipeline, ValuesOfUnfinishedSumsAreLoops) {
  std::string text = row_kernel(loop::Combine::sum, "block");
  const std::string reduction = "        block_reduce sum v0\n";
  text.replace(text.find(reduction), reduction.size(),
               "        let v14: f32 = v0 * 2.0\n" + reduction);
  const std::string of_second = "        let v5: f32 = v0 / 1024.0\n";
  text.replace(text.find(of_second), of_second.size(), "        let v5: f32 = v0 / 1024.0 * v14\n");
  EXPECT_FALSE(holds(generated(text), "ridge::RowPipeline<"));
}

TEST(CudaPipeline, LoopsRunOnTheHost) {
  if (!has_host_compiler()) GTEST_SKIP() << "no compiler on this machine";
  const loop::Kernel kernel = loop::parse(row_kernel(loop::Combine::max, "block"));
  const CudaKernel text = generate(kernel, {.fits_32_bits = true});
  std::vector<float> values;
  for (int i = 0; i < 4096; ++i) values.push_back(static_cast<float>((i * 37) % 101) - 50.0f);
  const Tensor x = Tensor::empty({4096}, bf16);
  for (size_t i = 0; i < values.size(); ++i)
    store_element(bf16, x.raw_data(), static_cast<int64_t>(i),
                  expr::Number::of(static_cast<double>(values[i])));
  const HostLibrary library({text});
  const Tensor out = Tensor::empty({4096}, bf16), left = Tensor::empty({512}, f32);
  const std::vector<void*> buffers{x.raw_data(), out.raw_data(), left.raw_data()};
  EXPECT_EQ(library.run(text, buffers, {}), 0);
  const auto found = out.to_vector<double>(), columns = left.to_vector<double>();
  for (size_t row = 0; row < 8; ++row) {
    float most = -INFINITY;
    for (size_t j = 0; j < 512; ++j) most = std::max(most, values[512 * row + j]);
    for (size_t j = 0; j < 512; ++j) {
      const double expected = values[512 * row + j] - most / 1024;
      EXPECT_NEAR(found[512 * row + j], expected, 0.5);
    }
  }
  double sum = 0;
  for (size_t row = 0; row < 8; ++row) sum += values[512 * row] - 50.0 / 1024;
  EXPECT_NEAR(columns[0], sum, 1e-2);
}

TEST(CudaPipeline, NvrtcHasNothingAgainstIt) {
  RIDGE_NEEDS_NVRTC();
  for (const char* arch : {"sm_90a", "sm_100a"}) {
    const int number = std::string_view(arch) == "sm_90a" ? 90 : 100;
    runtime::cuda::expect_registers_only(
        generated(row_kernel(loop::Combine::sum, "cluster"), number).source, arch);
  }
}

}  // namespace
}  // namespace ridge::codegen::pipeline_test
