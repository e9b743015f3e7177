// Cases of `ridge bench` that move data, and matrix products.
#include "gpu_bench_cases.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

using Function = std::function<Tensors(const Tensors&)>;

// Reads and writes as much as its first input has.
GpuCase moved(const std::string& what, std::vector<BenchInput> inputs,
              std::vector<BenchInput> small, Function function) {
  GpuCase result{.name = gpu_case_name("movement." + what, inputs[0]),
                 .inputs = inputs,
                 .function = std::move(function),
                 .small = std::move(small)};
  result.arrays = {{bytes_of(inputs[0])}, {bytes_of(inputs[0])}};
  return result;
}

void add_transposes(std::vector<GpuCase>& cases) {
  const auto transposed = [](const Tensors& t) {
    return Tensors{contiguous(transpose(t[0], 0, 1))};
  };
  for (const Shape& shape : {Shape{16384, 4096}, Shape{8191, 8193}}) {
    for (const DType dtype : {bf16, f32}) {
      cases.push_back(moved("transpose", {{shape, dtype}}, {{Shape{135, 267}, dtype}}, transposed));
    }
  }
  cases.push_back(
      moved("permute", {{Shape{16, 1024, 12, 64}, bf16}}, {{Shape{2, 130, 12, 64}, bf16}},
            [](const Tensors& t) { return Tensors{contiguous(permute(t[0], {0, 2, 1, 3}))}; }));
}

// Tokens of 16 sequences looked up in the table of a vocabulary, and the gradient of the table.
void add_embeddings(std::vector<GpuCase>& cases) {
  const int64_t rows = 50257, width = 768, tokens = 16384;
  const BenchInput table{{rows, width}, bf16}, index{{tokens}, i64, rows};
  const BenchInput found{{tokens, width}, bf16};
  const std::vector<BenchInput> small{{{101, 40}, bf16}, {{97}, i64, 101}};
  GpuCase forward = moved("embedding", {table, index}, small,
                          [](const Tensors& t) { return Tensors{embedding(t[0], t[1])}; });
  forward.arrays = {{bytes_of(found)}, {bytes_of(found)}};
  cases.push_back(std::move(forward));
  GpuCase backward = moved("embedding_gradient", {table, index, found},
                           {small[0], small[1], {{97, 40}, bf16}}, [](const Tensors& t) {
                             const auto pulled = vjp([](const Tensor& weight, const Tensor& at) {
                               return embedding(weight, at);
                             })(t[0], t[1]);
                             return Tensors{pulled.second(t[2])};
                           });
  backward.arrays = {{bytes_of(found)}, {bytes_of(table)}};
  cases.push_back(std::move(backward));
}

GpuCase product(const std::string& what, const std::string& sizes, std::vector<BenchInput> inputs,
                std::vector<BenchInput> small, Function function) {
  return {.name = concat("gpu.matmul.", what, ".", name(inputs[0].dtype), ".", sizes),
          .inputs = std::move(inputs),
          .function = std::move(function),
          .small = std::move(small)};
}

}  // namespace

void add_gpu_movement_cases(std::vector<GpuCase>& cases) {
  add_transposes(cases);
  add_embeddings(cases);
  const BenchInput hidden{{16384, 3072}, bf16}, state{{3}, i64, 1000};
  cases.push_back(moved("dropout", {hidden, state}, {{{37, 129}, bf16}, state},
                        [](const Tensors& t) { return Tensors{dropout(t[0], 0.1, t[1])}; }));
  const BenchInput rows{{16384, 4096}, f32};
  cases.push_back(moved("cumsum", {rows}, {{{3, 1027}, f32}},
                        [](const Tensors& t) { return Tensors{cumsum(t[0], 1)}; }));
  GpuCase narrowed = moved("cast", {rows}, {{{37, 129}, f32}},
                           [](const Tensors& t) { return Tensors{cast(t[0], bf16)}; });
  narrowed.arrays.written = {bytes_of(rows) / 2};
  cases.push_back(std::move(narrowed));
  GpuCase joined = moved("cat", {hidden, hidden}, {{{37, 129}, bf16}, {{37, 66}, bf16}},
                         [](const Tensors& t) { return Tensors{cat({t[0], t[1]}, 1)}; });
  joined.arrays = {{2 * bytes_of(hidden)}, {2 * bytes_of(hidden)}};
  cases.push_back(std::move(joined));
}

void add_gpu_product_cases(std::vector<GpuCase>& cases) {
  const auto multiplied = [](const Tensors& t) { return Tensors{matmul(t[0], t[1])}; };
  const auto projected = [](const Tensors& t) { return Tensors{linear(t[0], t[1])}; };
  for (const int64_t n : {512, 1024, 1792, 1793, 2048, 4096, 4097, 8192}) {
    cases.push_back(product("square", concat(n, "x", n, "x", n), {{{n, n}, bf16}, {{n, n}, bf16}},
                            {{{67, 45}, bf16}, {{45, 33}, bf16}}, multiplied));
  }
  struct Sizes {
    int64_t m, n, k;
  };
  constexpr Sizes kModels[] = {{8192, 4096, 4096},  {16384, 3072, 768},  {16384, 768, 3072},
                               {16384, 50257, 768}, {16384, 50304, 768}, {50432, 2304, 768},
                               {50432, 3072, 768},  {1, 4096, 4096},     {16, 4096, 4096},
                               {64, 14336, 4096},   {128, 14336, 4096},  {240, 8192, 8192}};
  for (const auto& [m, n, k] : kModels) {
    cases.push_back(product("linear", concat(m, "x", n, "x", k), {{{m, k}, bf16}, {{n, k}, bf16}},
                            {{{67, 45}, bf16}, {{33, 45}, bf16}}, projected));
  }
}

}  // namespace ridge::command
