// Reductions, views, joins and fresh tensors.
#include <algorithm>

#include "ridge/dispatch/call.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/join.h"
#include "ridge/ops/view.h"
#include "ridge/ops/window.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

using dispatch::ArgKind;
using dispatch::Value;

// Ops that can keep the dimensions they reduce.
const std::vector<const ops::OpRecord*>& reduction_records() {
  static const std::vector<const ops::OpRecord*> records = [] {
    std::vector<const ops::OpRecord*> found;
    for (const ops::OpRecord* record : fuzz::records()) {
      const auto& parameters = record->op->schema().parameters;
      const bool keeps = std::any_of(parameters.begin(), parameters.end(),
                                     [](const auto& p) { return p.name == "keepdim"; });
      if (keeps) found.push_back(record);
    }
    return found;
  }();
  return records;
}

Ints some_dims(GraphBuilder& b, int64_t rank) {
  Ints dims;
  if (b.chance(0.2)) return dims;  // all of them
  for (int64_t i = 0; i < rank; ++i) {
    if (b.chance(0.5)) dims.push_back(b.chance(0.3) ? i - rank : i);
  }
  if (dims.empty() && rank > 0) dims.push_back(b.dim(rank));
  return dims;
}

Ints shuffled_dims(GraphBuilder& b, int64_t rank) {
  Ints dims;
  for (int64_t i = 0; i < rank; ++i) dims.push_back(i);
  for (int64_t i = rank - 1; i > 0; --i) {
    std::swap(dims[static_cast<size_t>(i)], dims[static_cast<size_t>(b.integer(0, i))]);
  }
  return dims;
}

// Its prime factors dealt out to a few dimensions.
Shape factored(GraphBuilder& b, int64_t elements) {
  Shape shape(static_cast<size_t>(b.integer(1, 4)), Size(1));
  const auto deal = [&](int64_t factor) {
    Size& size = shape[static_cast<size_t>(b.integer(0, std::ssize(shape) - 1))];
    size = known(size) * factor;
  };
  if (elements == 0) deal(0);
  for (int64_t factor = 2; elements > 1; ++factor) {
    for (; elements % factor == 0; elements /= factor) deal(factor);
  }
  return shape;
}

CallOf random_slice(GraphBuilder& b, const Shape& shape) {
  const int64_t dim = b.dim(std::ssize(shape));
  const int64_t size = known(shape[static_cast<size_t>(wrap_dim(dim, std::ssize(shape)))]);
  const int64_t start = b.integer(0, std::max<int64_t>(size - 1, 0));
  const int64_t end = b.integer(start, size);
  const int64_t step = b.chance(0.3) ? b.integer(2, 3) : 1;
  return [=](Operands v) -> Tensors { return {slice(v[0], dim, start, end, step)}; };
}

CallOf random_expand(GraphBuilder& b, const Shape& shape) {
  Shape wider = b.chance(0.4) ? Shape{Size(b.integer(1, 4))} : Shape{};
  for (const Size& size : shape) {
    const bool is_one = known(size) == 1;
    wider.push_back(is_one ? Size(b.integer(1, 7)) : size);
  }
  return [=](Operands v) -> Tensors { return {expand(v[0], wider)}; };
}

// Views that need a dimension.
CallOf random_view_along(GraphBuilder& b, const Shape& shape) {
  const auto rank = std::ssize(shape);
  const int64_t dim = b.dim(rank), other = b.dim(rank);
  const int64_t size = known(shape[static_cast<size_t>(wrap_dim(dim, rank))]);
  switch (b.integer(0, 8)) {
    case 0: return [=](Operands v) -> Tensors { return {transpose(v[0], dim, other)}; };
    case 1: {
      const int64_t index = b.integer(0, std::max<int64_t>(size - 1, 0));
      return [=](Operands v) -> Tensors { return {select(v[0], dim, index)}; };
    }
    case 2: {
      const Ints dims = some_dims(b, rank);
      return [=](Operands v) -> Tensors { return {flip(v[0], dims)}; };
    }
    case 3: {
      const int64_t kernel = b.integer(1, 3), stride = b.integer(1, 2), dilation = b.integer(1, 2);
      return [=](Operands v) -> Tensors { return {windows(v[0], dim, kernel, stride, dilation)}; };
    }
    case 4:
    case 5: {
      const Ints dims = shuffled_dims(b, rank);
      return [=](Operands v) -> Tensors { return {permute(v[0], dims)}; };
    }
    default: return random_slice(b, shape);
  }
}

CallOf random_view(GraphBuilder& b, const Shape& shape) {
  const auto rank = std::ssize(shape);
  if (rank > 0 && b.chance(0.6)) return random_view_along(b, shape);
  switch (b.integer(0, 6)) {
    case 0: return [](Operands v) -> Tensors { return {squeeze(v[0])}; };
    case 1: {
      const int64_t dim = b.dim(rank + 1);
      return [=](Operands v) -> Tensors { return {unsqueeze(v[0], dim)}; };
    }
    case 2: return [](Operands v) -> Tensors { return {flatten(v[0])}; };
    case 3:
    case 4: return random_expand(b, shape);
    default: {
      const Shape other = factored(b, elements_of(shape));
      return [=](Operands v) -> Tensors { return {reshape(v[0], other)}; };
    }
  }
}

// Like x but along `dim`: a known value, or an input.
size_t neighbor(GraphBuilder& b, size_t x, size_t dim) {
  const Tensor like = b.value(x);
  const auto suits = [&](const Tensor& t) {
    if (t.rank() != like.rank()) return false;
    for (size_t i = 0; i < like.shape().size(); ++i) {
      if (i != dim && known(t.shape()[i]) != known(like.shape()[i])) return false;
    }
    return true;
  };
  const auto found = b.chance(0.6) ? b.pick(suits) : std::nullopt;
  if (found) return *found;
  Shape shape = like.shape();
  if (dim < shape.size()) shape[dim] = b.extent();
  return b.input(b.chance(0.8) ? like.dtype() : b.dtype(), shape);
}

}  // namespace

bool add_reduction(GraphBuilder& b) {
  const auto& records = reduction_records();
  const auto& record = *records[static_cast<size_t>(b.integer(0, std::ssize(records) - 1))];
  auto x = b.pick([](const Tensor& t) { return t.rank() > 0; });
  if (!x) x = b.input(b.dtype(), b.shape());
  const int64_t rank = b.value(*x).rank();
  std::vector<Value> rest;
  for (const auto& parameter : record.op->schema().parameters) {
    if (parameter.kind == ArgKind::ints) rest.emplace_back(some_dims(b, rank));
    if (parameter.kind == ArgKind::flag) rest.emplace_back(b.chance(0.5));
    if (parameter.kind != ArgKind::integer) continue;
    const bool is_dim = parameter.name == "dim";
    if (is_dim && rank == 0) return false;
    rest.emplace_back(is_dim ? b.dim(rank) : b.integer(0, 1));
  }
  return b.attempt({*x}, [&record, rest](Operands v) {
    std::vector<Value> args = {v[0]};
    args.insert(args.end(), rest.begin(), rest.end());
    return dispatch::call_values(*record.op, dispatch::borrow(args));
  });
}

bool add_view(GraphBuilder& b) {
  auto x = b.pick([](const Tensor&) { return true; });
  if (!x) x = b.input(b.dtype(), b.shape());
  return b.attempt({*x}, random_view(b, b.value(*x).shape()));
}

bool add_join(GraphBuilder& b) {
  const auto x = b.pick([](const Tensor& t) { return t.rank() > 0; });
  if (!x) return false;
  const Tensor like = b.value(*x);
  const int64_t dim = b.dim(like.rank());
  const auto at = static_cast<size_t>(wrap_dim(dim, like.rank()));
  switch (b.integer(0, 4)) {
    case 0: {
      const size_t other = neighbor(b, *x, like.shape().size());
      return b.attempt({*x, other},
                       [=](Operands v) -> Tensors { return {stack({v[0], v[1], v[0]}, dim)}; });
    }
    case 1: {
      Ints pads;
      for (int64_t i = 2 * b.integer(1, like.rank()); i > 0; --i) pads.push_back(b.integer(0, 2));
      const double filling = b.number();
      return b.attempt({*x}, [=](Operands v) -> Tensors { return {pad(v[0], pads, filling)}; });
    }
    case 2: {
      const int64_t size = known(like.shape()[at]);
      const int64_t start = b.integer(0, size), end = b.integer(start, size);
      Shape shape = like.shape();
      shape[at] = end - start;
      const size_t from = b.input(like.dtype(), shape);
      return b.attempt({*x, from}, [=](Operands v) -> Tensors {
        return {slice_scatter(v[0], v[1], dim, start, end)};
      });
    }
    default: {
      const size_t other = neighbor(b, *x, at), third = neighbor(b, *x, at);
      return b.attempt({*x, other, third},
                       [=](Operands v) -> Tensors { return {cat({v[0], v[1], v[2]}, dim)}; });
    }
  }
}

bool add_creation(GraphBuilder& b) {
  const Shape shape = b.shape();
  const DType dtype = b.dtype();
  const double value = b.number();
  const int64_t rows = b.extent(), columns = b.extent();
  switch (b.integer(0, 3)) {
    case 0: return b.attempt({}, [=](Operands) -> Tensors { return {full(shape, value, dtype)}; });
    case 1: return b.attempt({}, [=](Operands) -> Tensors { return {eye(rows, columns, dtype)}; });
    case 2: return b.attempt({}, [=](Operands) -> Tensors { return {arange(rows, dtype)}; });
    default: return b.attempt({}, [=](Operands) -> Tensors { return {zeros(shape, dtype)}; });
  }
}

}  // namespace ridge::fuzz
