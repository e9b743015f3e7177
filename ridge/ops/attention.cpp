#include "ridge/ops/attention.h"

#include <cmath>
#include <limits>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor scaled_dot_product_attention(const At& q, const At& k, const At& v, const Tensor& mask,
                                    bool is_causal, std::optional<double> scale) {
  static const auto& op = ops::find_op("scaled_dot_product_attention");
  const dispatch::Arg scale_arg = scale ? dispatch::Arg(*scale) : dispatch::Arg();
  return dispatch::call_one(op, q.where(), q, k, v, mask, is_causal, scale_arg);
}

namespace ops {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

void check_shapes(const Call& call) {
  const Shape& q = call.shape(0);
  const Shape& k = call.shape(1);
  const Shape& v = call.shape(2);
  const bool fit = q.size() >= 2 && k.size() >= 2 && v.size() >= 2 && q.back() == k.back() &&
                   k[k.size() - 2] == v[v.size() - 2];
  if (fit) return;
  call.fail(ErrorCode::shape,
            "q [..., queries, width], k [..., keys, width] and v [..., keys, width_v]",
            concat(q, ", ", k, " and ", v));
}

// Which keys a query may see: [queries, keys], true on and below the diagonal.
Tensor causal_mask(const Tensor& scores) {
  const Tensor query = arange(scores.size(-2), i64, scores.device());
  const Tensor key = arange(scores.size(-1), i64, scores.device());
  return greater_equal(unsqueeze(query, 1), key);
}

// What products read: 16 bits where the operand beside it has them.
Tensor rounded_like(const Tensor& x, const Tensor& beside) {
  return is_16_bit_float(beside.dtype()) ? cast(x, beside.dtype()) : x;
}

double scale_of(const Call& call) {
  if (call.has("scale")) return call.real("scale");
  const int64_t width = call.shape(0).back().value();
  return width == 0 ? 1 : 1 / std::sqrt(static_cast<double>(width));  // without width, scores are 0
}

// The softmax of the scores, rounded to the type of v. Products read 16-bit operands and sum in f32,
// so that tensor cores serve them; what lies between is f32, so the scale is applied to the scores: a
// scaled q would have to be rounded.
Tensor attention_weights(const Call& call) {
  const Tensor q = widened(call.tensor("q")), k = widened(call.tensor("k"));
  Tensor scores = matmul(q, transpose(k, -2, -1)) * scale_of(call);
  if (call.flag("is_causal")) scores = where(causal_mask(scores), scores, kMinusInfinity);
  if (!call.has("mask")) return rounded_like(softmax(scores, -1), call.tensor("v"));

  const Tensor& mask = call.tensor("mask");
  scores = is_boolean(mask.dtype()) ? where(mask, scores, kMinusInfinity) : scores + mask;
  // A row without a visible key has no softmax. It is computed on zeros and then dropped, because
  // a NaN inside would come back through the gradient.
  const Tensor sees = any(not_equal(scores, kMinusInfinity), {-1}, true);
  const Tensor weights = where(sees, softmax(where(sees, scores, 0.0), -1), 0.0);
  return rounded_like(weights, call.tensor("v"));
}

Tensors decompose_attention(const Call& call) {
  check_shapes(call);
  const Tensor mixed = matmul(widened(attention_weights(call)), widened(call.tensor("v")));
  return {cast(mixed, call.tensor("q").dtype())};
}

// Its own, because through its parts the gradient of the scores would reach the products of q and k
// in f32. The weights are those of the forward pass, which are saved or computed again.
Tensors attention_grad(const Grads& g, const Saved& v) {
  const Tensor &q = v.tensor("q"), &k = v.tensor("k");
  const Tensor gradient = widened(g[0]);
  const Tensor weights = widened(attention_weights(v));
  Tensors grads(4);
  if (v.needs(2)) grads[2] = matmul(transpose(weights, -2, -1), gradient);
  const bool has_mask_gradient = v.has("mask") && v.needs(3);
  if (!v.needs(0) && !v.needs(1) && !has_mask_gradient) return grads;

  const Tensor by_weight = weights * matmul(gradient, transpose(widened(v.tensor("v")), -2, -1));
  const Tensor by_score = by_weight - weights * sum(by_weight, {-1}, true);
  if (has_mask_gradient) grads[3] = by_score;
  const auto beside = [&](const Tensor& other) { return widened(rounded_like(by_score, other)); };
  if (v.needs(0)) grads[0] = matmul(beside(k), widened(k)) * scale_of(v);
  if (v.needs(1)) grads[1] = matmul(transpose(beside(q), -2, -1), widened(q)) * scale_of(v);
  return grads;
}

DTypeRule attention_dtypes() {
  const Accept mask = Accept::boolean | Accept::floating;
  return {"as operand 0",
          {Accept::floating, Accept::floating, Accept::floating, mask},
          rule::same().apply};
}

void attention_samples(SampleMaker& m) {
  const Value none;
  m.add(m.real({5, 3}), m.real({7, 3}), m.real({7, 2}), none, false, none);
  m.add(m.real({2, 3, 5, 4}), m.strided(m.real({2, 3, 5, 4})), m.real({2, 3, 5, 4}), none, true,
        none);
  m.add(m.real({2, 5, 3}), m.real({2, 7, 3}), m.real({2, 7, 3}), m.flags({5, 7}), false, 0.5);
  m.add(m.real({2, 5, 3}), m.real({2, 7, 3}), m.real({2, 7, 3}), m.real({2, 1, 7}), true, none);
  m.add(m.real({1, 1}), m.real({1, 1}), m.real({1, 1}), none, true, none);
  m.add(m.real({0, 3, 2}), m.real({0, 5, 2}), m.real({0, 5, 2}), none, false, none);
}

}  // namespace

void register_attention(Registry& ops) {
  ops.add({.schema = "scaled_dot_product_attention(Tensor q, Tensor k, Tensor v, Tensor? mask, "
                     "Bool is_causal=false, Float? scale) -> Tensor",
           .doc = "softmax(q k^T * scale + mask) v, zero for a query that may see no key",
           .dtype = attention_dtypes,
           .autocast = Autocast::low,
           .decompose = decompose_attention,
           .saves = "q, k, v, mask",
           .grad = attention_grad,
           .samples = attention_samples});
}

}  // namespace ops
}  // namespace ridge
