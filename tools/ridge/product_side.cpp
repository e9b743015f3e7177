#include "product_side.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/random.h"
#include "ridge/base/text.h"
#include "ridge/capture/capture.h"
#include "ridge/core/device_copy.h"
#include "ridge/graph/pass.h"
#include "ridge/linker/link.h"
#include "ridge/recompute/recompute.h"
#include "ridge/report/kernel_table.h"
#include "ridge/ridge.h"

namespace ridge::command {
namespace {

constexpr int kLeastSets = 2, kMostSets = 32;
// The third run of a program is its graph (execute/cuda_graph_run.h).
constexpr int kRunsUntilGraph = 4;

Shape stored(int64_t rows, int64_t columns, bool is_transposed) {
  return is_transposed ? Shape{columns, rows} : Shape{rows, columns};
}

Shape lhs_shape(const ProductCase& product) {
  return stored(product.m, product.k, product.layout.x_is_transposed);
}
Shape rhs_shape(const ProductCase& product) {
  return stored(product.k, product.n, product.layout.w_is_transposed);
}
Shape blocks_shape(const ProductCase& product) {
  const BlockLayout& layout = layout_of(*product.weights);
  return {product.n, product.k / layout.elements * layout.bytes};
}

// Blocks of q8_0 and q4_0: a scale in f16, and the bits of 32 numbers. All scales are the same, so that all
// numbers are within [-1, 1].
Tensor random_blocks(const ProductCase& product, uint64_t seed) {
  const BlockLayout& layout = layout_of(*product.weights);
  constexpr uint16_t kScaleOf127 = 0x2008, kScaleOf8 = 0x3000;  // 1 / 127 and 1 / 8 in f16
  const uint16_t scale = *product.weights == BlockFormat::q8_0 ? kScaleOf127 : kScaleOf8;
  Tensor blocks = Tensor::empty(blocks_shape(product), u8);
  auto* const bytes = static_cast<uint8_t*>(blocks.raw_data());
  const int64_t count = product.n * product.k / layout.elements * layout.bytes;
  SplitMix64 random(seed);
  uint64_t word = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i % 8 == 0) word = random.next();
    bytes[i] = static_cast<uint8_t>(word >> 8 * (i % 8));
  }
  for (int64_t i = 0; i < count; i += layout.bytes) {
    bytes[i] = static_cast<uint8_t>(scale & 0xff);
    bytes[i + 1] = static_cast<uint8_t>(scale >> 8);
  }
  return blocks;
}

Tensor oriented(const Tensor& matrix, bool is_transposed) {
  return is_transposed ? transpose(matrix, 0, 1) : matrix;
}

Tensors flat(const std::vector<ProductOperands>& operands) {
  Tensors all;
  for (const ProductOperands& set : operands) {
    all.push_back(set.lhs);
    all.push_back(set.rhs);
    if (set.bias.defined()) all.push_back(set.bias);
  }
  return all;
}

const schedule::KernelCall* product_call(const schedule::Plan& plan) {
  const auto is_product = [](const schedule::KernelCall& call) {
    return call.mapped.has_value() || call.product.has_value() ||
           call.kind == schedule::GroupKind::contraction;
  };
  const auto found = std::ranges::find_if(plan.calls, is_product);
  return found == plan.calls.end() ? nullptr : &*found;
}

std::string why_not_mapped(const schedule::KernelCall& call) {
  constexpr std::string_view kRefusal = "in tiles of a mapping: ";
  for (const Decision& decision : call.decisions) {
    if (decision.reason.starts_with(kRefusal)) return decision.reason.substr(kRefusal.size());
  }
  return "";
}

constexpr const char* kProgram = "products";

std::function<Tensors(const Tensors&)> of_all_sets(const ProductCase& product) {
  return [product](const Tensors& tensors) {
    const size_t of_set = product.has_bias_gelu ? 3 : 2;
    Tensors results;
    for (size_t i = 0; i < tensors.size(); i += of_set) {
      results.push_back(multiply(product, {.lhs = tensors[i],
                                           .rhs = tensors[i + 1],
                                           .bias = of_set == 3 ? tensors[i + 2] : Tensor()}));
    }
    return results;
  };
}

ProductOperands unwritten_operands(const ProductCase& product) {
  ProductOperands operands;
  operands.lhs = Tensor::empty(lhs_shape(product), product.dtype);
  operands.rhs = product.weights ? Tensor::empty(blocks_shape(product), u8)
                                 : Tensor::empty(rhs_shape(product), product.dtype);
  if (product.has_bias_gelu) operands.bias = Tensor::empty({product.n}, product.dtype);
  return operands;
}

ProductPlanFigures figures_of_plan(const schedule::Plan& plan, const graph::Graph& graph,
                                   size_t sets) {
  ProductPlanFigures figures;
  const auto count = static_cast<double>(sets);
  for (const report::KernelRow& row : report::rows_of(plan, graph)) {
    figures.kernels += 1 / count;
    if (!row.price) continue;
    figures.predicted += row.price->predicted / count;
    figures.floor += row.price->floor / count;
  }
  const schedule::KernelCall* call = product_call(plan);
  if (call == nullptr) return figures;
  figures.kernel = call->kernel.name;
  figures.is_mapped = call->mapped.has_value();
  figures.is_library = call->product.has_value();
  figures.mapping = call->mapped ? mapping::to_text(call->mapped->mapping) : why_not_mapped(*call);
  return figures;
}

}  // namespace

int sets_of(const ProductCase& product, double bytes) {
  return static_cast<int>(std::clamp(std::ceil(bytes / product.bytes()),
                                     static_cast<double>(kLeastSets),
                                     static_cast<double>(kMostSets)));
}

std::vector<ProductOperands> random_operands(const ProductCase& product, int sets, Device device) {
  std::vector<ProductOperands> operands;
  Generator generator(1, 0, device);
  const auto numbers = [&](const Shape& shape) {
    return uniform(shape, generator, -1, 1, product.dtype);
  };
  for (int i = 0; i < sets; ++i) {
    ProductOperands set;
    set.lhs = numbers(lhs_shape(product));
    set.rhs = product.weights ? to_device(random_blocks(product, static_cast<uint64_t>(i)), device)
                              : numbers(rhs_shape(product));
    if (product.has_bias_gelu) set.bias = numbers({product.n});
    operands.push_back(std::move(set));
  }
  return operands;
}

Tensor multiply(const ProductCase& product, const ProductOperands& operands) {
  const Tensor lhs = oriented(operands.lhs, product.layout.x_is_transposed);
  const Tensor stored = product.weights
                            ? cast(dequantize(operands.rhs, *product.weights), product.dtype)
                            : operands.rhs;
  const Tensor sums = matmul(lhs, oriented(stored, product.layout.w_is_transposed));
  return product.has_bias_gelu ? gelu_tanh(sums + operands.bias) : sums;
}

ProductSide compiled_side(const std::string& name, const ProductCase& product,
                          const std::vector<ProductOperands>& operands) {
  const auto compiled = compile(of_all_sets(product), {.name = kProgram});
  const auto inputs = std::make_shared<Tensors>(flat(operands));
  const auto results = std::make_shared<Tensors>();
  ProductSide side{.name = name};
  // Results of the run before go first, the last one before the others: memory is handed out latest first, so each
  // result has its memory again and no node of the graph changes.
  side.run = [=] {
    while (!results->empty()) results->pop_back();
    *results = compiled(*inputs);
  };
  side.outputs = [=] { return *results; };
  for (int i = 0; i < kRunsUntilGraph; ++i) side.run();
  side.entry = compiled.programs().back();
  return side;
}

ProductPlanFigures figures_of(const ProductSide& side, size_t sets) {
  return figures_of_plan(side.entry->compiled->plan(), side.entry->compiled->graph(), sets);
}

ProductPlanFigures predicted_figures(const ProductCase& product, int sets,
                                     std::shared_ptr<const cost::Sheet> sheet) {
  // Nobody writes them, so they take no memory.
  std::vector<ProductOperands> operands;
  for (int i = 0; i < sets; ++i) operands.push_back(unwritten_operands(product));
  const auto function = of_all_sets(product);
  graph::PassContext context;
  const graph::Graph graph =
      graph::run_passes(capture::capture(function, {.name = kProgram}, flat(operands)).graph,
                        graph::standard_passes(), context);
  const recompute::PlannedGraph planned =
      recompute::planned_for(graph, linker::options_for(std::move(sheet)));
  return figures_of_plan(planned.plan, planned.graph, static_cast<size_t>(sets));
}

}  // namespace ridge::command
