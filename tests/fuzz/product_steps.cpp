// Matrix products, reads and writes at given positions, and the usual layers.
#include <string>

#include "ridge/base/text.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/attention.h"
#include "ridge/ops/convolution.h"
#include "ridge/ops/indexing.h"
#include "ridge/ops/loss.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/scan.h"
#include "ridge/ops/sorting.h"
#include "ridge/ops/view.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

size_t floating_value(GraphBuilder& b, int64_t min_rank, int64_t max_rank) {
  const auto suits = [&](const Tensor& t) {
    return is_floating(t.dtype()) && t.rank() >= min_rank && t.rank() <= max_rank;
  };
  const auto found = b.chance(0.85) ? b.pick(suits) : std::nullopt;
  if (found) return *found;
  Shape shape;
  while (std::ssize(shape) < min_rank) shape = b.shape(max_rank);
  return b.input(b.floating_dtype(), shape);
}

Shape with_sizes(const Shape& front, std::initializer_list<int64_t> back) {
  Shape shape = front;
  for (const int64_t size : back) shape.push_back(Size(size));
  return shape;
}

// Integers in [0, bound): known ones that happen to be there, or an input.
size_t index_value(GraphBuilder& b, const Shape& shape, int64_t bound) {
  const auto suits = [&](const Tensor& t) {
    if (!is_integer(t.dtype()) || to_text(t.shape()) != to_text(shape)) return false;
    for (const int64_t x : t.to_vector<int64_t>()) {
      if (x < 0 || x >= bound) return false;
    }
    return true;
  };
  const auto found = b.chance(0.7) ? b.pick(suits) : std::nullopt;
  return found ? *found : b.input(b.chance(0.7) ? i64 : i32, shape, concat("index", bound));
}

bool add_gather(GraphBuilder& b, size_t x, bool is_scatter) {
  const Tensor from = b.value(x);
  const int64_t dim = b.dim(from.rank());
  const auto at = static_cast<size_t>(wrap_dim(dim, from.rank()));
  const int64_t bound = known(from.shape()[at]);
  if (bound == 0) return false;
  Shape shape = from.shape();
  shape[at] = b.extent();
  const size_t index = index_value(b, shape, bound);
  if (!is_scatter) {
    return b.attempt({x, index}, [=](Operands v) -> Tensors { return {gather(v[0], dim, v[1])}; });
  }
  const size_t added = b.input(from.dtype(), shape, "grid");
  return b.attempt({x, index, added},
                   [=](Operands v) -> Tensors { return {scatter_add(v[0], dim, v[1], v[2])}; });
}

bool add_selection(GraphBuilder& b, size_t x) {
  const Tensor from = b.value(x);
  const int64_t dim = b.dim(from.rank());
  const int64_t bound = known(from.shape()[static_cast<size_t>(wrap_dim(dim, from.rank()))]);
  if (bound == 0) return false;
  const size_t index = index_value(b, {Size(b.extent())}, bound);
  return b.attempt({x, index},
                   [=](Operands v) -> Tensors { return {index_select(v[0], dim, v[1])}; });
}

bool add_convolution(GraphBuilder& b) {
  const int64_t in = b.integer(1, 3), out = b.integer(1, 3), kernel = b.integer(1, 3);
  const DType dtype = b.floating_dtype();
  const Ints stride = {b.integer(1, 2)}, padding = {b.integer(0, 1)};
  const Shape batch = {Size(b.integer(1, 2))};
  if (b.chance(0.5)) {
    const size_t x = b.input(dtype, with_sizes(batch, {in, b.integer(3, 9)}));
    const size_t weight = b.input(dtype, with_sizes({}, {out, in, kernel}));
    return b.attempt({x, weight}, [=](Operands v) -> Tensors {
      return {conv1d(v[0], v[1], {}, stride, padding)};
    });
  }
  const size_t x = b.input(dtype, with_sizes(batch, {in, b.integer(3, 5), b.integer(3, 5)}));
  const bool is_max = b.chance(0.5);
  if (b.chance(0.5)) {
    return b.attempt({x}, [=](Operands v) -> Tensors {
      return {is_max ? max_pool2d(v[0], {2, 2}, {}) : avg_pool2d(v[0], {2, 2}, {})};
    });
  }
  const size_t weight = b.input(dtype, with_sizes({}, {out, in, kernel, kernel}));
  return b.attempt({x, weight}, [=](Operands v) -> Tensors {
    return {conv2d(v[0], v[1], {}, {stride[0], 1}, {padding[0], padding[0]}, {1, 1})};
  });
}

bool add_attention(GraphBuilder& b) {
  const int64_t heads = b.integer(1, 2), queries = b.integer(1, 5), keys = b.integer(1, 7);
  const int64_t width = b.integer(1, 8);
  const bool is_causal = b.chance(0.5);
  const DType dtype = b.floating_dtype();
  const Shape batch = {Size(1), Size(heads)};
  const size_t q = b.input(dtype, with_sizes(batch, {queries, width}));
  const size_t k = b.input(dtype, with_sizes(batch, {keys, width}));
  const size_t v = b.input(dtype, with_sizes(batch, {keys, width}));
  return b.attempt({q, k, v}, [=](Operands t) -> Tensors {
    return {scaled_dot_product_attention(t[0], t[1], t[2], {}, is_causal)};
  });
}

bool add_loss(GraphBuilder& b) {
  const size_t x = floating_value(b, 2, 2);
  const Tensor logits = b.value(x);
  if (b.chance(0.5)) {
    const size_t target = b.input(logits.dtype(), logits.shape());
    return b.attempt({x, target}, [](Operands v) -> Tensors { return {mse_loss(v[0], v[1])}; });
  }
  const int64_t classes = known(logits.shape()[1]);
  if (classes == 0) return false;
  const size_t target = index_value(b, {logits.shape()[0]}, classes);
  return b.attempt({x, target}, [](Operands v) -> Tensors { return {cross_entropy(v[0], v[1])}; });
}

bool add_norm(GraphBuilder& b) {
  const size_t x = floating_value(b, 1, 4);
  const Tensor value = b.value(x);
  const Shape row = {value.shape().back()};
  const size_t weight = b.input(value.dtype(), row);
  const size_t bias = b.input(value.dtype(), row);
  switch (b.integer(0, 2)) {
    case 0: return b.attempt({x}, [](Operands v) -> Tensors { return {layer_norm(v[0])}; });
    case 1:
      return b.attempt({x, weight}, [](Operands v) -> Tensors { return {rms_norm(v[0], v[1])}; });
    default:
      return b.attempt({x, weight, bias},
                       [](Operands v) -> Tensors { return {layer_norm(v[0], v[1], v[2])}; });
  }
}

// Of 16-bit elements with rows that bulk copies can take, large enough for several tiles of a mapping.
bool add_tiled_product(GraphBuilder& b) {
  const DType dtype = b.chance(0.5) ? bf16 : f16;
  const auto rows_of_8 = [&] { return 8 * b.integer(1, 20); };
  const int64_t m = b.integer(1, 150), k = rows_of_8();
  const int64_t n = b.chance(0.8) ? rows_of_8() : b.integer(1, 150);
  const bool is_by_columns = b.chance(0.5) || n % 8 != 0;
  const Shape batch = b.chance(0.3) ? with_sizes({}, {b.integer(1, 3)}) : Shape{};
  const size_t x = b.input(dtype, with_sizes(batch, {m, k}));
  const size_t y =
      b.input(dtype, is_by_columns ? with_sizes(batch, {n, k}) : with_sizes(batch, {k, n}));
  return b.attempt({x, y}, [=](Operands v) -> Tensors {
    return {matmul(v[0], is_by_columns ? transpose(v[1], -2, -1) : v[1])};
  });
}

}  // namespace

bool add_matmul(GraphBuilder& b) {
  if (b.chance(0.35)) return add_tiled_product(b);
  const size_t x = floating_value(b, 1, 4);
  const Tensor left = b.value(x);
  const int64_t depth = known(left.shape().back());
  const int64_t columns = b.extent();
  const DType dtype = b.chance(0.85) ? left.dtype() : b.floating_dtype();
  switch (b.integer(0, 4)) {
    case 0: {
      const size_t y = b.input(dtype, with_sizes({}, {columns, depth}));
      return b.attempt({x, y},
                       [](Operands v) -> Tensors { return {matmul(v[0], transpose(v[1], 0, 1))}; });
    }
    case 1: {
      const size_t weight = b.input(dtype, with_sizes({}, {columns, depth}));
      const size_t bias = b.input(dtype, with_sizes({}, {columns}));
      return b.attempt({x, weight, bias},
                       [](Operands v) -> Tensors { return {linear(v[0], v[1], v[2])}; });
    }
    case 2: {
      Shape batch = left.shape();
      batch.resize(batch.size() >= 2 ? batch.size() - 2 : 0);
      if (b.chance(0.3) && !batch.empty()) batch[0] = Size(1);
      const size_t y = b.input(dtype, with_sizes(batch, {depth, columns}));
      return b.attempt({x, y}, [](Operands v) -> Tensors { return {matmul(v[0], v[1])}; });
    }
    case 3: {
      const auto y = b.pick([&](const Tensor& t) {
        return is_floating(t.dtype()) && t.rank() >= 1 &&
               known(t.shape()[static_cast<size_t>(std::max<int64_t>(t.rank() - 2, 0))]) == depth;
      });
      if (!y) return false;
      return b.attempt({x, *y}, [](Operands v) -> Tensors { return {matmul(v[0], v[1])}; });
    }
    default: {
      const size_t y = b.input(dtype, with_sizes({}, {depth, columns}));
      return b.attempt({x, y}, [](Operands v) -> Tensors { return {matmul(v[0], v[1])}; });
    }
  }
}

// Writes in an order that is a permutation, so that no two positions are equal.
bool add_scatter(GraphBuilder& b, size_t x) {
  const int64_t dim = b.dim(b.value(x).rank());
  return b.attempt({x}, [=](Operands v) -> Tensors {
    const Tensor order = argsort(v[0], dim, true);
    return {scatter(v[0], dim, order, v[0])};
  });
}

bool add_indexing(GraphBuilder& b) {
  auto x = b.pick([](const Tensor& t) { return t.rank() > 0; });
  if (!x) x = b.input(b.dtype(), with_sizes(b.shape(2), {b.extent()}));
  switch (b.integer(0, 5)) {
    case 0: return add_gather(b, *x, true);
    case 1: {
      const int64_t classes = b.integer(1, 7);
      const size_t index = index_value(b, b.shape(2), classes);
      return b.attempt({index}, [=](Operands v) -> Tensors { return {one_hot(v[0], classes)}; });
    }
    case 2: {
      const int64_t rows = b.integer(1, 9);
      const size_t weight = b.input(b.floating_dtype(), with_sizes({}, {rows, b.extent()}));
      const size_t index = index_value(b, b.shape(2), rows);
      return b.attempt({weight, index},
                       [](Operands v) -> Tensors { return {embedding(v[0], v[1])}; });
    }
    case 3: return add_selection(b, *x);
    case 4: return add_scatter(b, *x);
    default: return add_gather(b, *x, false);
  }
}

bool add_composite(GraphBuilder& b) {
  switch (b.integer(0, 9)) {
    case 0: return add_norm(b);
    case 1: return add_norm(b);
    case 2: return add_loss(b);
    case 3: return add_attention(b);
    case 4: return add_convolution(b);
    default: break;
  }
  const size_t x = floating_value(b, 1, 4);
  const int64_t dim = b.dim(b.value(x).rank());
  const bool is_reverse = b.chance(0.5);
  switch (b.integer(0, 5)) {
    case 0: return b.attempt({x}, [=](Operands v) -> Tensors { return {log_softmax(v[0], dim)}; });
    case 1:
      return b.attempt({x}, [=](Operands v) -> Tensors { return {cumsum(v[0], dim, is_reverse)}; });
    case 2:
      return b.attempt({x},
                       [=](Operands v) -> Tensors { return {sort(v[0], dim, is_reverse).values}; });
    case 3: return b.attempt({x}, [=](Operands v) -> Tensors { return {argsort(v[0], dim)}; });
    default: return b.attempt({x}, [=](Operands v) -> Tensors { return {softmax(v[0], dim)}; });
  }
}

}  // namespace ridge::fuzz
