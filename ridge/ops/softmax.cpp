#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/long_rows.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/unary.h"

namespace ridge {

Tensor softmax(const At& x, int64_t dim) {
  static const auto& op = ops::find_op("softmax");
  return dispatch::call_one(op, x.where(), x, dim);
}

Tensor log_softmax(const At& x, int64_t dim) {
  static const auto& op = ops::find_op("log_softmax");
  return dispatch::call_one(op, x.where(), x, dim);
}

namespace ops {
namespace {

// A maximum over nothing does not exist; the result is empty, whatever is computed.
bool is_empty_along(const Tensor& x, int64_t dim) { return x.size(dim) == 0; }

Tensors decompose_softmax(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  if (is_empty_along(x, dim)) return {exp(x)};
  const Exponentials e = exponentials(x, dim);
  // A row by one number: one division for all of it, and products, off by less than 2 units in the
  // last place.
  return {dim == x.rank() - 1 ? e.values * (1 / e.total) : e.values / e.total};
}

Tensors softmax_grad(const Grads& g, const Saved& v) {
  const Tensor y = widened(v.output());
  const Tensor gy = widened(g[0]) * y;
  return {gy - y * sum(gy, {v.integer("dim")}, true)};
}

Tensors decompose_log_softmax(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  if (is_empty_along(x, dim)) return {exp(x)};
  const Exponentials e = exponentials(x, dim);
  return {e.shifted - log(e.total)};
}

Tensors log_softmax_grad(const Grads& g, const Saved& v) {
  const Tensor gradient = widened(g[0]);
  return {gradient - exp(widened(v.output())) * sum(gradient, {v.integer("dim")}, true)};
}

void softmax_samples(SampleMaker& m) {
  m.add(m.real({7}), int64_t{0});
  m.add(m.real({2, 3, 5}, -20, 20), int64_t{1});
  m.add(m.real({13, 3}), int64_t{-1});
  m.add(m.strided(m.real({5, 3})), int64_t{0});
  m.add(m.real({4, 1}), int64_t{1});
  m.add(m.real({0, 3}), int64_t{1});
  m.add(m.real({3, 0}), int64_t{1});
}

}  // namespace

void register_softmax(Registry& ops) {
  ops.add({.schema = "softmax(Tensor x, Int dim) -> Tensor",
           .doc = "exp(x) / sum(exp(x)) along `dim`, without overflow",
           .traits = Trait::Wide,
           .dtype = rule::same_float,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_softmax,
           .saves = "result",
           .grad = softmax_grad,
           .samples = softmax_samples});

  ops.add({.schema = "log_softmax(Tensor x, Int dim) -> Tensor",
           .doc = "log(softmax(x)) along `dim`, without overflow",
           .traits = Trait::Wide,
           .dtype = rule::same_float,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_log_softmax,
           .saves = "result",
           .grad = log_softmax_grad,
           .samples = softmax_samples});
}

}  // namespace ops
}  // namespace ridge
