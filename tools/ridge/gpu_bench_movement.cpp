// Cases of `ridge bench` that move data.
#include "gpu_bench_families.h"

namespace ridge::command {
namespace {

using Function = std::function<Tensors(const Tensors&)>;

// Reads and writes as much as its first input has.
GpuCase moved(std::vector<BenchInput> inputs, std::vector<BenchInput> small, Function function) {
  const int64_t bytes = bytes_of(inputs[0]);
  GpuCase result{
      .inputs = std::move(inputs), .function = std::move(function), .small = std::move(small)};
  result.arrays = {{bytes}, {bytes}};
  return result;
}

// Of a shape that means something to its program alone, and so of no family.
void add_moved(std::vector<GpuCase>& cases, const std::string& what, GpuCase gpu_case) {
  gpu_case.name = gpu_case_name("movement." + what, gpu_case.inputs[0]);
  cases.push_back(std::move(gpu_case));
}

void add_permute(std::vector<GpuCase>& cases) {
  add_moved(
      cases, "permute",
      moved({{Shape{16, 1024, 12, 64}, bf16}}, {{Shape{2, 130, 12, 64}, bf16}},
            [](const Tensors& t) { return Tensors{contiguous(permute(t[0], {0, 2, 1, 3}))}; }));
}

// Tokens of 16 sequences looked up in the table of a vocabulary, and the gradient of the table.
void add_embeddings(std::vector<GpuCase>& cases) {
  const int64_t rows = 50257, width = 768, tokens = 16384;
  const BenchInput table{{rows, width}, bf16}, index{{tokens}, i64, rows};
  const BenchInput found{{tokens, width}, bf16};
  const std::vector<BenchInput> small{{{101, 40}, bf16}, {{97}, i64, 101}};
  GpuCase forward =
      moved({table, index}, small, [](const Tensors& t) { return Tensors{embedding(t[0], t[1])}; });
  forward.arrays = {{bytes_of(found)}, {bytes_of(found)}};
  add_moved(cases, "embedding", std::move(forward));
  GpuCase backward =
      moved({table, index, found}, {small[0], small[1], {{97, 40}, bf16}}, [](const Tensors& t) {
        const auto pulled = vjp([](const Tensor& weight, const Tensor& at) {
          return embedding(weight, at);
        })(t[0], t[1]);
        return Tensors{pulled.second(t[2])};
      });
  backward.arrays = {{bytes_of(found)}, {bytes_of(table)}};
  add_moved(cases, "embedding_gradient", std::move(backward));
}

void add_dropout(std::vector<GpuCase>& cases) {
  const BenchInput hidden{{16384, 3072}, bf16}, state{{3}, i64, 1000};
  add_moved(cases, "dropout",
            moved({hidden, state}, {{{37, 129}, bf16}, state},
                  [](const Tensors& t) { return Tensors{dropout(t[0], 0.1, t[1])}; }));
}

GpuCase transpose_case(const BenchInput& x) {
  return moved({x}, {{{135, 267}, x.dtype}},
               [](const Tensors& t) { return Tensors{contiguous(transpose(t[0], 0, 1))}; });
}

GpuCase cumsum_case(const BenchInput& x) {
  return moved({x}, {{{3, 1027}, x.dtype}},
               [](const Tensors& t) { return Tensors{cumsum(t[0], 1)}; });
}

constexpr int64_t kTop = 64;  // of `topk`

// Rows in order, and where they came from.
GpuCase sort_case(const BenchInput& x) {
  GpuCase result = moved({x}, {{{2, 1500}, x.dtype}}, [](const Tensors& t) {
    const SortResult sorted = sort(t[0], 1);
    return Tensors{sorted.values, sorted.indices};
  });
  result.arrays.written = {bytes_of(x) + bytes_of({x.shape, i64})};
  return result;
}

GpuCase topk_case(const BenchInput& x) {
  GpuCase result = moved({x}, {{{2, 5000}, x.dtype}}, [](const Tensors& t) {
    const SortResult found = topk(t[0], kTop, 1);
    return Tensors{found.values, found.indices};
  });
  const Shape top{x.shape[0], kTop};
  result.arrays.written = {bytes_of({top, x.dtype}) + bytes_of({top, i64})};
  return result;
}

GpuCase cast_case(const BenchInput& x) {
  GpuCase result = moved({x}, {{{37, 129}, x.dtype}},
                         [](const Tensors& t) { return Tensors{cast(t[0], bf16)}; });
  result.arrays.written = {bytes_of({x.shape, bf16})};
  return result;
}

GpuCase cat_case(const BenchInput& x) {
  GpuCase result = moved({x, x}, {{{37, 129}, x.dtype}, {{37, 66}, x.dtype}},
                         [](const Tensors& t) { return Tensors{cat({t[0], t[1]}, 1)}; });
  result.arrays = {{2 * bytes_of(x)}, {2 * bytes_of(x)}};
  return result;
}

}  // namespace

void add_gpu_movement_families(std::vector<GpuFamily>& families) {
  families.push_back(matrix_family("movement.transpose", transpose_case));
  families.push_back(matrix_family("movement.cumsum", cumsum_case));
  families.push_back(matrix_family("movement.sort", sort_case));
  families.push_back(matrix_family("movement.topk", topk_case));
  families.push_back(matrix_family("movement.cast", cast_case));
  families.back().dtypes = {f16, f32};  // to bf16
  families.push_back(matrix_family("movement.cat", cat_case));
}

void add_gpu_movement_cases(std::vector<GpuCase>& cases) {
  for (const Shape& shape : {Shape{16384, 4096}, Shape{8191, 8193}}) {
    for (const DType dtype : {bf16, f32}) {
      cases.push_back(gpu_case("movement.transpose", {shape, dtype}));
    }
  }
  add_permute(cases);
  add_embeddings(cases);
  add_dropout(cases);
  cases.push_back(gpu_case("movement.cumsum", {{16384, 4096}, f32}));
  for (const char* ordered : {"movement.cumsum", "movement.sort", "movement.topk"}) {
    cases.push_back(gpu_case(ordered, {{1, 1 << 20}, f32}));
  }
  cases.push_back(gpu_case("movement.cast", {{16384, 4096}, f32}));
  cases.push_back(gpu_case("movement.cat", {{16384, 3072}, bf16}));
}

}  // namespace ridge::command
