#include "ridge/ops/normalization.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
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

Tensor layer_norm(const At& x, const Tensor& weight, const Tensor& bias, double eps, int64_t dims) {
  static const auto& op = ops::find_op("layer_norm");
  return dispatch::call_one(op, x.where(), x, weight, bias, eps, dims);
}

Tensor rms_norm(const At& x, const Tensor& weight, double eps) {
  static const auto& op = ops::find_op("rms_norm");
  return dispatch::call_one(op, x.where(), x, weight, eps);
}

namespace ops {
namespace {

// x minus its maximum along `dim`: exp of it is at most 1, and is 1 somewhere.
Tensor shifted(const Tensor& x, int64_t dim) { return x - max(x, {dim}, true); }

// A maximum over nothing does not exist; the result is empty, whatever is computed.
bool is_empty_along(const Tensor& x, int64_t dim) { return x.size(dim) == 0; }

Tensors decompose_softmax(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t dim = wrap_dim(call.integer("dim"), x.rank());
  if (is_empty_along(x, dim)) return {exp(x)};
  const Tensor e = exp(shifted(x, dim));
  return {e / sum(e, {dim}, true)};
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
  const Tensor s = shifted(x, dim);
  return {s - log(sum(exp(s), {dim}, true))};
}

Tensors log_softmax_grad(const Grads& g, const Saved& v) {
  const Tensor gradient = widened(g[0]);
  return {gradient - exp(widened(v.output())) * sum(gradient, {v.integer("dim")}, true)};
}

// Weight and bias, where given, have the shape of the normalized dimensions.
void check_affine_shape(const Call& call, std::string_view parameter, const Shape& normalized) {
  if (!call.has(parameter) || call.tensor(parameter).shape() == normalized) return;
  call.fail(ErrorCode::shape,
            concat("`", parameter, "` in the shape of the normalized dimensions, ", normalized),
            to_text(call.tensor(parameter).shape()));
}

Tensors decompose_layer_norm(const Call& call) {
  const Tensor& x = call.tensor("x");
  const int64_t count = call.integer("dims");
  if (count < 1 || count > x.rank()) {
    call.fail(ErrorCode::shape,
              concat("between 1 and ", x.rank(), " dimensions to normalize in ", x.shape()),
              std::to_string(count));
  }
  check_affine_shape(call, "weight", Shape(x.shape().end() - count, x.shape().end()));
  check_affine_shape(call, "bias", Shape(x.shape().end() - count, x.shape().end()));

  Ints dims;
  for (int64_t dim = -count; dim < 0; ++dim) dims.push_back(dim);
  const Tensor centered = x - mean(x, dims, true);
  const Tensor variance = mean(centered * centered, dims, true);
  Tensor y = centered * rsqrt(variance + call.real("eps"));
  if (call.has("weight")) y = y * call.tensor("weight");
  if (call.has("bias")) y = y + call.tensor("bias");
  return {y};
}

Tensors decompose_rms_norm(const Call& call) {
  const Tensor& x = call.tensor("x");
  if (x.rank() == 0) call.fail(ErrorCode::shape, "at least one dimension", to_text(x.shape()));
  check_affine_shape(call, "weight", {x.size(-1)});

  Tensor y = x * rsqrt(mean(x * x, {-1}, true) + call.real("eps"));
  if (call.has("weight")) y = y * call.tensor("weight");
  return {y};
}

DTypeRule float_like_x() { return {"as operand 0", {Accept::floating}, rule::same().apply}; }

void softmax_samples(SampleMaker& m) {
  m.add(m.real({7}), int64_t{0});
  m.add(m.real({2, 3, 5}, -20, 20), int64_t{1});
  m.add(m.real({13, 3}), int64_t{-1});
  m.add(m.strided(m.real({5, 3})), int64_t{0});
  m.add(m.real({4, 1}), int64_t{1});
  m.add(m.real({0, 3}), int64_t{1});
  m.add(m.real({3, 0}), int64_t{1});
}

void layer_norm_samples(SampleMaker& m) {
  const Value none;
  m.add(m.real({3, 7}), m.real({7}), m.real({7}), 1e-5, int64_t{1});
  m.add(m.strided(m.real({2, 3, 5})), m.real({3, 5}), none, 1e-5, int64_t{2});
  m.add(m.real({5}), none, m.real({5}), 1e-3, int64_t{1});
  m.add(m.real({2, 1}), none, none, 1e-2, int64_t{1});
  m.add(m.real({0, 3}), m.real({3}), m.real({3}), 1e-5, int64_t{1});
}

void rms_norm_samples(SampleMaker& m) {
  const Value none;
  m.add(m.real({3, 7}), m.real({7}), 1e-6);
  m.add(m.strided(m.real({2, 3, 5})), none, 1e-6);
  m.add(m.real({4, 1}), m.real({1}), 1e-2);
  m.add(m.real({0, 3}), m.real({3}), 1e-6);
}

}  // namespace

void register_normalization(Registry& ops) {
  ops.add({.schema = "softmax(Tensor x, Int dim) -> Tensor",
           .doc = "exp(x) / sum(exp(x)) along `dim`, without overflow",
           .traits = Trait::Wide,
           .dtype = float_like_x,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_softmax,
           .saves = "result",
           .grad = softmax_grad,
           .samples = softmax_samples});

  ops.add({.schema = "log_softmax(Tensor x, Int dim) -> Tensor",
           .doc = "log(softmax(x)) along `dim`, without overflow",
           .traits = Trait::Wide,
           .dtype = float_like_x,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_log_softmax,
           .saves = "result",
           .grad = log_softmax_grad,
           .samples = softmax_samples});

  ops.add({.schema = "layer_norm(Tensor x, Tensor? weight, Tensor? bias, Float eps=1e-5, "
                     "Int dims=1) -> Tensor",
           .doc = "zero mean and unit variance over the last `dims` dimensions, * weight + bias",
           .traits = Trait::Wide,
           .dtype = float_like_x,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_layer_norm,
           .samples = layer_norm_samples});

  ops.add({.schema = "rms_norm(Tensor x, Tensor? weight, Float eps=1e-6) -> Tensor",
           .doc = "unit mean square over the last dimension, * weight",
           .traits = Trait::Wide,
           .dtype = float_like_x,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_rms_norm,
           .samples = rms_norm_samples});
}

}  // namespace ops
}  // namespace ridge
