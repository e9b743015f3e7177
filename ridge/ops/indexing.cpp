#include "ridge/ops/indexing.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor gather(const At& x, int64_t dim, const At& index) {
  static const auto& op = ops::find_op("gather");
  return dispatch::call_one(op, x.where(), x, dim, index);
}

Tensor index_select(const At& x, int64_t dim, const At& index) {
  static const auto& op = ops::find_op("index_select");
  return dispatch::call_one(op, x.where(), x, dim, index);
}

Tensor embedding(const At& weight, const At& index) {
  static const auto& op = ops::find_op("embedding");
  return dispatch::call_one(op, weight.where(), weight, index);
}

Tensor scatter_add(const At& x, int64_t dim, const At& index, const At& from) {
  static const auto& op = ops::find_op("scatter_add");
  return dispatch::call_one(op, x.where(), x, dim, index, from);
}

const Tensor& scatter_add_(const At& x, int64_t dim, const At& index, const At& from) {
  return in_place("scatter_add", x, {dim, index, from});
}

Tensor scatter(const At& x, int64_t dim, const At& index, const At& from) {
  static const auto& op = ops::find_op("scatter");
  return dispatch::call_one(op, x.where(), x, dim, index, from);
}

const Tensor& scatter_(const At& x, int64_t dim, const At& index, const At& from) {
  return in_place("scatter", x, {dim, index, from});
}

Tensor one_hot(const At& index, int64_t classes) {
  static const auto& op = ops::find_op("one_hot");
  return dispatch::call_one(op, index.where(), index, classes);
}

namespace ops {
namespace {

using expr::Expr;
using expr::Type;

int64_t dim_of(const Call& call) { return wrap_dim(call.integer("dim"), call.operand(0).rank()); }

// The current point with coordinate `dim` replaced by what operand 1, the index, says there.
std::vector<Expr> indexed_position(const Call& call, const Size& extent) {
  std::vector<Expr> position = all_axes(call.shape(1).size());
  position[static_cast<size_t>(dim_of(call))] =
      expr::checked_index(expr::load(1, Type::integer, position), extent.expression());
  return position;
}

// What gather and scatter_add ask of the index: the rank of x, and no larger beside `dim`.
void check_index_shape(const Call& call) {
  const Shape& x = call.shape(0);
  const Shape& index = call.shape(1);
  const auto dim = static_cast<size_t>(dim_of(call));
  bool fits = x.size() == index.size();
  for (size_t d = 0; fits && d < x.size(); ++d) fits = d == dim || index[d] <= x[d];
  if (fits) return;
  call.fail(ErrorCode::shape,
            concat("an index of the rank of ", x, " and at most its sizes except in dim ", dim),
            to_text(index));
}

std::vector<Shape> gather_shape(const Call& call) {
  check_index_shape(call);
  return {call.shape(1)};
}

Definition define_gather(const Call& call) {
  const Size& extent = call.operand(0).size(dim_of(call));
  return {
      .extents = call.shape(1),
      .output_rank = call.shape(1).size(),
      .value = expr::load(0, scalar_type(call.operand(0).dtype()), indexed_position(call, extent))};
}

// One element of each row along `dim`: what comes back to it is no sum, so no element waits for another.
bool takes_one(const Call& call) {
  Shape index = call.shape(1);
  const auto dim = static_cast<size_t>(dim_of(call));
  if (index.empty() || index[dim].known() != 1) return false;
  index[dim] = call.shape(0)[dim];
  return index == call.shape(0);
}
Tensor at_one_position(const Tensor& value, const Saved& v) {
  const int64_t dim = dim_of(v);
  const Tensor& index = v.tensor("index");
  const Size& extent = v.shape(0)[static_cast<size_t>(dim)];
  Shape along(v.shape(0).size(), Size(1));
  along[static_cast<size_t>(dim)] = extent;
  const Tensor positions = reshape(arange(extent, index.dtype(), value.device()), along);
  return where(equal(positions, index), value, 0);
}

std::vector<Shape> scatter_shape(const Call& call) {
  check_index_shape(call);
  const Shape& index = call.shape(1);
  const Shape& from = call.shape(2);
  if (!(index == from)) {
    call.fail(ErrorCode::shape, "values in the shape of the index, " + to_text(index),
              to_text(from));
  }
  return {call.shape(0)};
}

Definition scatter_definition(const Call& call, Reducer reducer) {
  const Shape& points = call.shape(1);
  const Type type = scalar_type(call.operand(0).dtype());
  const Size& extent = call.operand(0).size(dim_of(call));
  return {.extents = points,
          .output_rank = points.size(),
          .reducer = reducer,
          .value = expr::load(2, type, all_axes(points.size())),
          .target = indexed_position(call, extent),
          .initial = expr::load(0, type, all_axes(points.size()))};
}

// Values are converted to x's dtype, as the sum is of x's dtype; the index is left alone.
DTypeRule scatter_dtypes() {
  return {"as operand 0", {Accept::number, Accept::integer, Accept::number}, [](const Call& call) {
            const DType x = call.operand(0).dtype();
            return DTypes{.inputs = {x, call.operand(1).dtype(), x}, .outputs = {x}};
          }};
}

Tensors decompose_index_select(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Tensor& index = call.tensor("index");
  if (index.rank() != 1) call.fail(ErrorCode::shape, "a 1-d index", to_text(index.shape()));
  const auto dim = static_cast<size_t>(dim_of(call));

  Shape along_dim(x.shape().size(), 1);  // the index, standing along `dim`
  Shape result = x.shape();
  along_dim[dim] = result[dim] = index.size(0);
  return {gather(x, static_cast<int64_t>(dim), expand(reshape(index, along_dim), result))};
}

Tensors decompose_embedding(const Call& call) {
  const Tensor& weight = call.tensor("weight");
  const Tensor& index = call.tensor("index");
  if (weight.rank() != 2) {
    call.fail(ErrorCode::shape, "a weight of shape [rows, width]", to_text(weight.shape()));
  }
  Shape result = index.shape();
  result.push_back(weight.size(1));
  return {reshape(index_select(weight, 0, reshape(index, {index.numel()})), result)};
}

std::vector<Shape> one_hot_shape(const Call& call) {
  const int64_t classes = call.integer("classes");
  if (classes < 0) call.fail(ErrorCode::value, "a number of classes", std::to_string(classes));
  Shape shape = call.shape(0);
  shape.push_back(classes);
  return {shape};
}

// A definition rather than a comparison with arange: an index outside the classes must be an error.
Definition define_one_hot(const Call& call) {
  const Shape extents = one_hot_shape(call)[0];
  const size_t rank = extents.size();
  const Expr index = expr::checked_index(expr::load(0, Type::integer, all_axes(rank - 1)),
                                         extents.back().expression());
  return {.extents = extents,
          .output_rank = rank,
          .value = expr::cast(equal(index, expr::axis(static_cast<int>(rank - 1))), Type::integer)};
}

DTypeRule one_hot_dtypes() { return {"i64", {Accept::integer}, rule::position().apply}; }

void gather_samples(SampleMaker& m) {
  m.add(m.real({5}), int64_t{0}, m.integers({7}, 0, 4));
  m.add(m.real({3, 5}), int64_t{1}, m.integers({3, 2}, 0, 4));
  m.add(m.real({3, 5, 2}), int64_t{-2}, m.integers({2, 7, 1}, 0, 4));
  m.add(m.real({3, 5}), int64_t{0}, m.strided(m.integers({1, 4}, 0, 2)));
  m.add(m.real({1, 1}), int64_t{0}, m.integers({1, 1}, 0, 0, i32));
  m.add(m.real({3, 5}), int64_t{1}, m.integers({3, 0}, 0, 4));
}

void scatter_samples(SampleMaker& m) {
  const auto add = [&m](const Shape& x, int64_t dim, const Shape& index, int64_t highest) {
    m.add(m.real(x), dim, m.integers(index, 0, highest), m.real(index));
  };
  add({5}, 0, {11}, 4);
  add({3, 5}, 1, {3, 7}, 4);
  add({3, 5, 2}, -2, {2, 7, 1}, 4);
  add({1, 1}, 0, {1, 1}, 0);
  add({3, 5}, 0, {0, 5}, 2);
}

void distinct_scatter_samples(SampleMaker& m) {
  const auto add = [&m](const Shape& x, int64_t dim, const Tensor& index) {
    m.add(m.real(x), dim, index, m.real(index.shape()));
  };
  add({5}, 0, Tensor::of<int64_t>({3, 0, 4, 1, 2}, {5}));
  add({3, 5}, 1, m.strided(Tensor::of<int64_t>({4, 2, 0, 1, 3, 0}, {3, 2})));
  add({3, 5, 2}, -2, Tensor::of<int64_t>({4, 1, 0, 2}, {2, 2, 1}));
  add({1, 1}, 0, Tensor::of<int32_t>({0}, {1, 1}));
  add({3, 5}, 0, m.integers({0, 5}, 0, 2));
}

}  // namespace

void register_indexing(Registry& ops) {
  ops.add({.schema = "gather(Tensor x, Int dim, Tensor index) -> Tensor",
           .doc = "elements of x at the positions `index` gives along `dim`",
           .dtype = rule::indexed,
           .shape = gather_shape,
           .define = define_gather,
           .saves = "index",
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             if (takes_one(v)) return {at_one_position(g[0], v), {}};
             const Tensor nothing = zeros(v.shape(0), g[0].dtype(), g[0].device());
             return {scatter_add(nothing, v.integer("dim"), v.tensor("index"), g[0]), {}};
           },
           .samples = gather_samples});

  ops.add({.schema = "scatter_add(Tensor x, Int dim, Tensor index, Tensor from) -> Tensor",
           .doc = "x with `from` added at the positions `index` gives along `dim`",
           .traits = Trait::InPlace,
           .dtype = scatter_dtypes,
           .shape = scatter_shape,
           .autocast = Autocast::widest,
           .define = [](const Call& call) { return scatter_definition(call, Reducer::sum); },
           .saves = "index",
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             return {g[0], {}, gather(g[0], v.integer("dim"), v.tensor("index"))};
           },
           .samples = scatter_samples});

  ops.add({.schema = "scatter(Tensor x, Int dim, Tensor index, Tensor from) -> Tensor",
           .doc = "x with `from` at the positions `index` gives along `dim`, no two of them equal",
           .traits = Trait::InPlace,
           .dtype = scatter_dtypes,
           .shape = scatter_shape,
           .autocast = Autocast::widest,
           .define = [](const Call& call) { return scatter_definition(call, Reducer::none); },
           .saves = "index",
           .grad = [](const Grads& g, const Saved& v) -> Tensors {
             const int64_t dim = v.integer("dim");
             const Tensor& index = v.tensor("index");
             const Tensor nothing = zeros(index.shape(), g[0].dtype(), g[0].device());
             return {scatter(g[0], dim, index, nothing), {}, gather(g[0], dim, index)};
           },
           .samples = distinct_scatter_samples});

  ops.add({.schema = "index_select(Tensor x, Int dim, Tensor index) -> Tensor",
           .doc = "the slices of x along `dim` that a 1-d index lists",
           .dtype = rule::indexed,
           .decompose = decompose_index_select,
           .samples = [](SampleMaker& m) {
             m.add(m.real({5}), int64_t{0}, m.integers({3}, 0, 4));
             m.add(m.real({3, 5, 2}), int64_t{1}, m.integers({7}, 0, 4));
             m.add(m.real({3, 5}), int64_t{-1}, m.integers({0}, 0, 4));
           }});

  ops.add({.schema = "embedding(Tensor weight, Tensor index) -> Tensor",
           .doc = "rows of a [rows, width] weight, for an index of any shape",
           .dtype = rule::indexed,
           .decompose = decompose_embedding,
           .samples = [](SampleMaker& m) {
             m.add(m.real({7, 3}), m.integers({2, 5}, 0, 6));
             m.add(m.real({7, 3}), m.integers({}, 0, 6));
             m.add(m.real({5, 1}), m.integers({0, 3}, 0, 4));
           }});

  ops.add({.schema = "one_hot(Tensor index, Int classes) -> Tensor",
           .doc = "1 at the index and 0 elsewhere, along a new last dimension",
           .dtype = one_hot_dtypes,
           .shape = one_hot_shape,
           .define = define_one_hot,
           .differentiable = false,
           .samples = [](SampleMaker& m) {
             m.add(m.integers({5}, 0, 6), int64_t{7});
             m.add(m.integers({2, 3}, 0, 0), int64_t{1});
             m.add(m.integers({0}, 0, 2), int64_t{3});
           }});
}

}  // namespace ops
}  // namespace ridge
