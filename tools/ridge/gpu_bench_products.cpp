// Cases of `ridge bench` that multiply matrices. Their sizes are M, N and K: a result of M rows and N
// columns, each element a sum of K products.
#include "gpu_bench_families.h"

namespace ridge::command {
namespace {

// N by K, as linear layers keep their weights.
GpuCase linear_case(const BenchInput& sizes) {
  const Size m = sizes.shape[0], n = sizes.shape[1], k = sizes.shape[2];
  return {.inputs = {{{m, k}, sizes.dtype}, {{n, k}, sizes.dtype}},
          .function = [](const Tensors& t) { return Tensors{linear(t[0], t[1])}; },
          .small = {{{67, 45}, sizes.dtype}, {{33, 45}, sizes.dtype}}};
}

GpuCase square_case(const BenchInput& sizes) {
  const Size n = sizes.shape[0];
  RIDGE_CHECK(is_same(sizes.shape, {n, n, n}), .code = ErrorCode::shape, .op = "bench",
              .expected = "3 equal sizes", .given = gpu_case_name("matmul.square", sizes),
              .hint = "matmul.linear takes any three");
  return {.inputs = {{{n, n}, sizes.dtype}, {{n, n}, sizes.dtype}},
          .function = [](const Tensors& t) { return Tensors{matmul(t[0], t[1])}; },
          .small = {{{67, 45}, sizes.dtype}, {{45, 33}, sizes.dtype}}};
}

}  // namespace

void add_gpu_product_families(std::vector<GpuFamily>& families) {
  families.push_back({.what = "matmul.square", .axes = {"N", "N", "N"}, .make = square_case});
  families.push_back({.what = "matmul.linear", .axes = {"M", "N", "K"}, .make = linear_case});
}

void add_gpu_product_cases(std::vector<GpuCase>& cases) {
  for (const int64_t n : {512, 1024, 1792, 1793, 2048, 4096, 4097, 8192}) {
    cases.push_back(gpu_case("matmul.square", {{n, n, n}, bf16}));
  }
  // Layers of models at the batches of training, then of few tokens.
  for (const Shape& sizes :
       {Shape{8192, 4096, 4096}, Shape{16384, 3072, 768}, Shape{16384, 768, 3072},
        Shape{16384, 50257, 768}, Shape{16384, 50304, 768}, Shape{50432, 2304, 768},
        Shape{50432, 3072, 768}, Shape{1, 4096, 4096}, Shape{16, 4096, 4096},
        Shape{64, 14336, 4096}, Shape{128, 14336, 4096}, Shape{240, 8192, 8192}}) {
    cases.push_back(gpu_case("matmul.linear", {sizes, bf16}));
  }
}

}  // namespace ridge::command
