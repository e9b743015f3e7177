#include "ridge/ops/matmul.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor matmul(const At& x, const At& y) {
  static const auto& op = ops::find_op("matmul");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor batched_matmul(const At& x, const At& y) {
  static const auto& op = ops::find_op("batched_matmul");
  return dispatch::call_one(op, x.where(), x, y);
}
Tensor linear(const At& x, const At& weight, const Tensor& bias) {
  static const auto& op = ops::find_op("linear");
  return dispatch::call_one(op, x.where(), x, weight, bias);
}

namespace ops {
namespace {

using expr::Expr;

Shape batch_of(const Shape& shape) { return Shape(shape.begin(), shape.end() - 2); }

std::vector<Shape> batched_matmul_shape(const Call& call) {
  const Shape &x = call.shape(0), &y = call.shape(1);
  const bool are_matrices = x.size() >= 2 && y.size() >= 2;
  if (!are_matrices || x[x.size() - 1] != y[y.size() - 2]) {
    call.fail(ErrorCode::shape, "[..., m, k] and [..., k, n]", concat(x, " and ", y));
  }
  Shape result = broadcast(batch_of(x), batch_of(y));
  result.push_back(x[x.size() - 2]);
  result.push_back(y[y.size() - 1]);
  return {result};
}

// Where an operand is read: its batch dims follow the axes of the broadcast batch, standing still
// where it has size 1.
std::vector<Expr> matrix_position(const Shape& shape, const Shape& batch, Expr row, Expr column) {
  std::vector<Expr> position;
  const size_t count = shape.size() - 2;
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = batch.size() - count + i;
    const bool moves = shape[i].is_same(batch[axis]) || shape[i] != 1;
    position.push_back(moves ? expr::axis(static_cast<int>(axis)) : Expr(0));
  }
  position.push_back(std::move(row));
  position.push_back(std::move(column));
  return position;
}

Definition define_batched_matmul(const Call& call) {
  const Shape &x = call.shape(0), &y = call.shape(1);
  Definition definition{.extents = batched_matmul_shape(call)[0], .reducer = Reducer::sum};
  definition.output_rank = definition.extents.size();
  const Shape batch = batch_of(definition.extents);
  definition.extents.push_back(x[x.size() - 1]);

  const int first = static_cast<int>(batch.size());
  const Expr m = expr::axis(first), n = expr::axis(first + 1), k = expr::axis(first + 2);
  const expr::Type type = scalar_type(promoted(call.operands()));
  definition.value = expr::load(0, type, matrix_position(x, batch, m, k)) *
                     expr::load(1, type, matrix_position(y, batch, k, n));
  return definition;
}

Tensors batched_matmul_grad(const Grads& g, const Saved& v) {
  Tensors grads(2);
  if (v.needs(0)) grads[0] = batched_matmul(g[0], transpose(v.tensor("y"), -1, -2));
  if (v.needs(1)) grads[1] = batched_matmul(transpose(v.tensor("x"), -1, -2), g[0]);
  return grads;
}

// A batch of rows times one matrix is one product with all rows in one matrix. Besides being a
// better shape to compute, it spares the gradient of y a sum over the batch.
Tensor product_of_rows(const Tensor& x, const Tensor& y) {
  Shape result = x.shape();
  result.back() = y.size(1);
  const Size rows = numel(Shape(x.shape().begin(), x.shape().end() - 1));
  return reshape(batched_matmul(reshape(x, {rows, x.size(-1)}), y), result);
}

Tensors decompose_matmul(const Call& call) {
  const Tensor &x = call.tensor("x"), &y = call.tensor("y");
  const auto fail = [&] {
    call.fail(ErrorCode::shape,
              "shapes [..., m, k] and [..., k, n], where [k] may stand for a row or a column",
              concat(x.shape(), " and ", y.shape()));
  };
  if (x.rank() == 0 || y.rank() == 0) fail();
  if (x.size(-1) != y.size(y.rank() == 1 ? 0 : -2)) fail();
  if (y.rank() == 1) {
    if (x.rank() == 1) return {reshape(batched_matmul(unsqueeze(x, 0), unsqueeze(y, 1)), {})};
    return {squeeze(matmul(x, unsqueeze(y, 1)), {-1})};
  }
  if (x.rank() == 1) return {squeeze(batched_matmul(unsqueeze(x, 0), y), {-2})};
  return {x.rank() > 2 && y.rank() == 2 ? product_of_rows(x, y) : batched_matmul(x, y)};
}

Tensors decompose_linear(const Call& call) {
  const Tensor &x = call.tensor("x"), &weight = call.tensor("weight");
  if (x.rank() == 0 || weight.rank() != 2 || x.size(-1) != weight.size(1)) {
    call.fail(ErrorCode::shape, "x [..., in] and weight [out, in]",
              concat(x.shape(), " and ", weight.shape()));
  }
  const Tensor product = matmul(x, transpose(weight, 0, 1));
  if (!call.has("bias")) return {product};
  const Tensor& bias = call.tensor("bias");
  if (bias.rank() != 1 || bias.size(0) != weight.size(0)) {
    call.fail(ErrorCode::shape, concat("a bias of shape ", Shape{weight.size(0)}),
              to_text(bias.shape()));
  }
  return {product + bias};
}

// Its own, because through its parts the gradient of the weight would be that of a transpose: a product
// that lies by columns, and everything that follows reads it across.
Tensors linear_grad(const Grads& g, const Saved& v) {
  const Tensor &x = v.tensor("x"), &weight = v.tensor("weight");
  const Tensor rows =
      reshape(g[0], {numel(Shape(x.shape().begin(), x.shape().end() - 1)), weight.size(0)});
  Tensors grads(3);
  if (v.needs(0)) grads[0] = reshape(batched_matmul(rows, weight), x.shape());
  if (v.needs(1)) {
    const Tensor all = reshape(x, {rows.size(0), x.size(-1)});
    grads[1] = batched_matmul(transpose(rows, 0, 1), all);
  }
  if (v.needs(2)) grads[2] = sum(rows, {0});
  return grads;
}

void add_product(SampleMaker& m, const Shape& x, const Shape& y) { m.add(m.real(x), m.real(y)); }

void batched_matmul_samples(SampleMaker& m) {
  add_product(m, {3, 5}, {5, 7});
  add_product(m, {2, 3, 5}, {2, 5, 1});
  add_product(m, {2, 1, 3, 5}, {4, 5, 2});
  add_product(m, {3, 0}, {0, 2});
  add_product(m, {0, 3}, {3, 2});
}

void matmul_samples(SampleMaker& m) {
  batched_matmul_samples(m);
  add_product(m, {5}, {5});
  add_product(m, {5}, {5, 3});
  add_product(m, {3, 5}, {5});
  add_product(m, {2, 3, 5}, {5});
  add_product(m, {2, 3, 5}, {5, 7});
  add_product(m, {3, 5}, {2, 5, 7});
}

}  // namespace

void register_matmul(Registry& ops) {
  ops.add({.schema = "batched_matmul(Tensor x, Tensor y) -> Tensor",
           .doc = "[..., m, k] x [..., k, n], batches broadcast",
           .dtype = rule::promote_numbers,
           .shape = batched_matmul_shape,
           .autocast = Autocast::low,
           .define = define_batched_matmul,
           .saves = "x, y",
           .grad = batched_matmul_grad,
           .samples = batched_matmul_samples});
  ops.add({.schema = "matmul(Tensor x, Tensor y) -> Tensor",
           .doc = "the product of matrices, batches of them, rows or columns, as in NumPy",
           .dtype = rule::promote_numbers,
           .autocast = Autocast::low,
           .decompose = decompose_matmul,
           .samples = matmul_samples});
  ops.add({.schema = "linear(Tensor x, Tensor weight, Tensor? bias) -> Tensor",
           .doc = "x times the transpose of weight [out, in], plus bias",
           .traits = Trait::Wide,
           .dtype = rule::promote_numbers,
           .autocast = Autocast::low,
           .decompose = decompose_linear,
           .saves = "x, weight",
           .grad = linear_grad,
           .samples = [](SampleMaker& m) {
             m.add(m.real({3, 5}), m.real({7, 5}), m.real({7}));
             m.add(m.real({2, 3, 5}), m.real({1, 5}), std::monostate());
             m.add(m.real({5}), m.real({2, 5}), m.real({2}));
           }});
}

}  // namespace ops
}  // namespace ridge
