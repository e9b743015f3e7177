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

Tensors decompose_attention(const Call& call) {
  check_shapes(call);
  const Tensor& q = call.tensor("q");
  const double scale = call.has("scale") ? call.real("scale")
                                         : 1 / std::sqrt(static_cast<double>(q.size(-1).value()));

  // q is smaller than the scores, so it is the cheaper place to scale.
  Tensor scores = matmul(q * scale, transpose(call.tensor("k"), -2, -1));
  if (call.flag("is_causal")) scores = where(causal_mask(scores), scores, kMinusInfinity);
  if (!call.has("mask")) return {matmul(softmax(scores, -1), call.tensor("v"))};

  const Tensor& mask = call.tensor("mask");
  scores = is_boolean(mask.dtype()) ? where(mask, scores, kMinusInfinity) : scores + mask;
  // A row without a visible key has no softmax. It is computed on zeros and then dropped, because
  // a NaN inside would come back through the gradient.
  const Tensor sees = any(not_equal(scores, kMinusInfinity), {-1}, true);
  const Tensor weights = where(sees, softmax(where(sees, scores, 0.0), -1), 0.0);
  return {matmul(weights, call.tensor("v"))};
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
           .traits = Trait::Wide,
           .dtype = attention_dtypes,
           .autocast = Autocast::low,
           .decompose = decompose_attention,
           .samples = attention_samples});
}

}  // namespace ops
}  // namespace ridge
