#include "bench_cases.h"

#include "ridge/base/text.h"

namespace ridge::command {
namespace {

using Function = std::function<Tensors(const Tensors&)>;

std::string sizes_of(const Shape& shape) { return join(shape, "x"); }

void add(std::vector<BenchCase>& cases, const std::string& what, std::vector<BenchInput> inputs,
         Function function) {
  const std::string sizes = sizes_of(inputs[0].shape);
  cases.push_back({concat("cpu.", what, ".", sizes), std::move(inputs), std::move(function)});
}

BenchInput floats(Shape shape) { return {std::move(shape)}; }
BenchInput indices(Shape shape, int64_t below) { return {std::move(shape), i64, below}; }

}  // namespace

std::string BenchCase::family() const {
  const size_t begin = name.find('.') + 1;
  return name.substr(begin, name.find('.', begin) - begin);
}

// In the second-level cache, and far beyond the last one.
void add_pointwise_cases(std::vector<BenchCase>& cases) {
  for (const Shape& shape : {Shape{64, 1024}, Shape{2048, 8192}}) {
    const BenchInput x = floats(shape), row = floats({shape.back()});
    add(cases, "pointwise.add", {x, x}, [](const Tensors& t) { return Tensors{t[0] + t[1]}; });
    add(cases, "pointwise.relu", {x}, [](const Tensors& t) { return Tensors{relu(t[0])}; });
    add(cases, "pointwise.exp", {x}, [](const Tensors& t) { return Tensors{exp(t[0])}; });
    add(cases, "pointwise.gelu", {x}, [](const Tensors& t) { return Tensors{gelu(t[0])}; });
    add(cases, "pointwise.silu_mul", {x, x},
        [](const Tensors& t) { return Tensors{silu(t[0]) * t[1]}; });
    add(cases, "pointwise.bias_gelu_residual", {x, row, x},
        [](const Tensors& t) { return Tensors{gelu_tanh(t[0] + t[1]) * 0.5 + t[2]}; });
    add(cases, "pointwise.sin2_cos2", {x},
        [](const Tensors& t) { return Tensors{sin(t[0]) * sin(t[0]) + cos(t[0]) * cos(t[0])}; });
    add(cases, "pointwise.polynomial", {x}, [](const Tensors& t) {
      Tensor y = t[0];
      for (int i = 0; i < 6; ++i) y = y * t[0] + 0.5;
      return Tensors{y};
    });
  }
}

void add_reduction_cases(std::vector<BenchCase>& cases) {
  for (const Shape& shape : {Shape{128, 512}, Shape{64, 1024}, Shape{2048, 8192}}) {
    const BenchInput x = floats(shape), row = floats({shape.back()});
    add(cases, "row_reduction.sum", {x}, [](const Tensors& t) { return Tensors{sum(t[0], {1})}; });
    add(cases, "row_reduction.max", {x}, [](const Tensors& t) { return Tensors{max(t[0], {1})}; });
    add(cases, "row_reduction.softmax", {x},
        [](const Tensors& t) { return Tensors{softmax(t[0], 1)}; });
    add(cases, "row_reduction.layer_norm", {x, row, row},
        [](const Tensors& t) { return Tensors{layer_norm(t[0], t[1], t[2])}; });
    add(cases, "row_reduction.rms_norm", {x, row},
        [](const Tensors& t) { return Tensors{rms_norm(t[0], t[1])}; });
    add(cases, "column_reduction.sum", {x},
        [](const Tensors& t) { return Tensors{sum(t[0], {0})}; });
    add(cases, "column_reduction.max", {x},
        [](const Tensors& t) { return Tensors{max(t[0], {0})}; });
    add(cases, "column_reduction.weighted", {x, x},
        [](const Tensors& t) { return Tensors{sum(t[0] * t[1], {0})}; });
  }
}

void add_product_cases(std::vector<BenchCase>& cases) {
  const auto product = [](const Tensors& t) { return Tensors{matmul(t[0], t[1])}; };
  const auto transposed = [](const Tensors& t) {
    return Tensors{matmul(t[0], transpose(t[1], 0, 1))};
  };
  const auto gradient = [](const Tensors& t) {
    return Tensors{matmul(transpose(t[0], 0, 1), t[1])};
  };
  for (const int64_t n : {64, 128, 256, 512, 1024}) {
    add(cases, "matmul.square", {floats({n, n}), floats({n, n})}, product);
  }
  add(cases, "matmul.transposed", {floats({256, 512}), floats({384, 512})}, transposed);
  add(cases, "matmul.gradient", {floats({1024, 192}), floats({1024, 256})}, gradient);
  add(cases, "matmul.tall", {floats({8192, 64}), floats({64, 64})}, product);
  add(cases, "matmul.ragged", {floats({100, 300}), floats({300, 70})}, product);
  add(cases, "matmul.linear_gelu", {floats({512, 256}), floats({1024, 256}), floats({1024})},
      [](const Tensors& t) { return Tensors{gelu(linear(t[0], t[1], t[2]))}; });
  add(cases, "matmul.batched", {floats({32, 64, 48}), floats({32, 48, 64})},
      [](const Tensors& t) { return Tensors{batched_matmul(t[0], t[1])}; });
}

// One row and few, over weights of each kind: decoding, which reads every weight once.
void add_decode_cases(std::vector<BenchCase>& cases) {
  constexpr int64_t kWidth = 4096;
  for (const int64_t rows : {1, 8}) {
    for (const DType dtype : {f32, f16, bf16}) {
      add(cases, concat("decode.", name(dtype)),
          {{{rows, kWidth}, dtype}, {{kWidth, kWidth}, dtype}},
          [](const Tensors& t) { return Tensors{linear(t[0], t[1])}; });
    }
    for (const BlockFormat format :
         {BlockFormat::q8_0, BlockFormat::q4_0, BlockFormat::q4_1, BlockFormat::q4_k}) {
      const BlockLayout& layout = layout_of(format);
      // Bytes below 124 make no infinite scale.
      const BenchInput blocks{{kWidth, kWidth / layout.elements * layout.bytes}, u8, 124};
      add(cases, concat("decode.", name(format)), {floats({rows, kWidth}), blocks},
          [format](const Tensors& t) { return Tensors{quantized_linear(t[0], t[1], format)}; });
    }
  }
}

void add_movement_cases(std::vector<BenchCase>& cases) {
  const auto transposed = [](const Tensors& t) {
    return Tensors{contiguous(transpose(t[0], 0, 1))};
  };
  const auto looked_up = [](const Tensors& t) { return Tensors{embedding(t[0], t[1])}; };
  add(cases, "movement.transpose", {floats({128, 128})}, transposed);
  add(cases, "movement.transpose", {floats({512, 512})}, transposed);
  add(cases, "movement.transpose", {floats({4096, 4096})}, transposed);
  add(cases, "movement.permute", {floats({16, 64, 4, 32})},
      [](const Tensors& t) { return Tensors{contiguous(permute(t[0], {0, 2, 1, 3}))}; });
  add(cases, "movement.embedding", {floats({1000, 64}), indices({512}, 1000)}, looked_up);
  add(cases, "movement.embedding", {floats({100000, 256}), indices({8192}, 100000)}, looked_up);
  add(cases, "movement.gather_rows", {floats({256, 1024}), indices({256, 256}, 1024)},
      [](const Tensors& t) { return Tensors{gather(t[0], 1, t[1])}; });
  add(cases, "movement.cat", {floats({256, 512}), floats({256, 256})},
      [](const Tensors& t) { return Tensors{cat({t[0], t[1]}, 1)}; });
  add(cases, "movement.slice", {floats({1024, 1024})},
      [](const Tensors& t) { return Tensors{contiguous(slice(t[0], 1, 128, 896))}; });
  add(cases, "movement.cumsum", {floats({1 << 20})},
      [](const Tensors& t) { return Tensors{cumsum(t[0], 0)}; });
  add(cases, "movement.sort", {floats({1 << 20})}, [](const Tensors& t) {
    const SortResult sorted = sort(t[0]);
    return Tensors{sorted.values, sorted.indices};
  });
  add(cases, "movement.topk", {floats({1 << 20})}, [](const Tensors& t) {
    const SortResult found = topk(t[0], 64);
    return Tensors{found.values, found.indices};
  });
  add(cases, "movement.one_hot", {indices({4096}, 64)},
      [](const Tensors& t) { return Tensors{one_hot(t[0], 64)}; });
}

// Each as it is chosen, and with products and softmax as kernels of their own.
void add_attention_cases(std::vector<BenchCase>& cases) {
  for (const Shape& shape :
       {Shape{1, 12, 197, 64}, Shape{1, 12, 1024, 64}, Shape{1, 4, 4096, 64}}) {
    for (const bool is_causal : {false, true}) {
      for (const bool has_chains : {true, false}) {
        const std::string what =
            concat("attention.", is_causal ? "causal" : "full", has_chains ? "" : "_apart");
        add(cases, what, {floats(shape), floats(shape), floats(shape)},
            [is_causal](const Tensors& t) {
              return Tensors{scaled_dot_product_attention(t[0], t[1], t[2], Tensor(), is_causal)};
            });
        cases.back().has_chains = has_chains;
      }
    }
  }
}

void add_block_cases(std::vector<BenchCase>& cases) {
  add(cases, "block.mlp",
      {floats({256, 128}), floats({512, 128}), floats({512}), floats({128, 512}), floats({128})},
      [](const Tensors& t) {
        return Tensors{linear(gelu(linear(t[0], t[1], t[2])), t[3], t[4]) + t[0]};
      });
  add(cases, "block.attention", {floats({4, 64, 32}), floats({4, 64, 32}), floats({4, 64, 32})},
      [](const Tensors& t) {
        return Tensors{
            batched_matmul(softmax(batched_matmul(t[0], transpose(t[1], 1, 2)) * 0.176, 2), t[2])};
      });
  add(cases, "block.norm_linear",
      {floats({512, 256}), floats({256}), floats({256}), floats({256, 256})},
      [](const Tensors& t) { return Tensors{linear(layer_norm(t[0], t[1], t[2]), t[3])}; });
  add(cases, "block.cross_entropy", {floats({512, 1000}), indices({512}, 1000)},
      [](const Tensors& t) { return Tensors{cross_entropy(t[0], t[1])}; });
  add(cases, "block.adamw",
      {floats({1 << 20}), floats({1 << 20}), floats({1 << 20}), floats({1 << 20})},
      [](const Tensors& t) {
        const Tensor m = t[1] * 0.9 + t[3] * 0.1, v = t[2] * 0.99 + t[3] * t[3] * 0.01;
        return Tensors{t[0] - m / (sqrt(v) + 1e-8) * 0.001, m, v};
      });
  add(cases, "block.layer_norm_gradient", {floats({512, 512}), floats({512}), floats({512, 512})},
      [](const Tensors& t) {
        const Tensor mean_of = mean(t[0], {1}, true), centered = t[0] - mean_of;
        const Tensor scale = rsqrt(mean(centered * centered, {1}, true) + 1e-5);
        const Tensor normal = centered * scale, g = t[2] * t[1];
        return Tensors{(g - mean(g, {1}, true) - normal * mean(g * normal, {1}, true)) * scale,
                       sum(t[2] * normal, {0})};
      });
  add(cases, "block.gelu_gradient", {floats({1024, 1024}), floats({1024, 1024})},
      [](const Tensors& t) {
        const Tensor x = t[0];
        const Tensor density = exp(x * x * -0.5) * 0.3989422804;
        return Tensors{t[1] * ((erf(x * 0.70710678) + 1.0) * 0.5 + x * density)};
      });
  add(cases, "block.gated", {floats({256, 256}), floats({512, 256}), floats({512, 256})},
      [](const Tensors& t) { return Tensors{silu(linear(t[0], t[1])) * linear(t[0], t[2])}; });
}

const std::vector<BenchCase>& cpu_cases() {
  static const std::vector<BenchCase> cases = [] {
    std::vector<BenchCase> all;
    add_pointwise_cases(all);
    add_reduction_cases(all);
    add_product_cases(all);
    add_decode_cases(all);
    add_movement_cases(all);
    add_attention_cases(all);
    add_block_cases(all);
    return all;
  }();
  return cases;
}

Tensors make_inputs(const BenchCase& bench_case) {
  Generator generator(1);
  Tensors inputs;
  for (const BenchInput& input : bench_case.inputs) {
    const Tensor random = uniform(input.shape, generator, 0, 1);
    inputs.push_back(input.below > 0
                         ? cast(random * static_cast<double>(input.below - 1), input.dtype)
                         : cast(random * 2.0 - 1.0, input.dtype));
  }
  return inputs;
}

}  // namespace ridge::command
