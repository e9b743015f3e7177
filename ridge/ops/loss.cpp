#include "ridge/ops/loss.h"

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/comparison.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/indexing.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge {

Tensor cross_entropy(const At& logits, const At& target, double label_smoothing,
                     int64_t ignore_index) {
  static const auto& op = ops::find_op("cross_entropy");
  return dispatch::call_one(op, logits.where(), logits, target, label_smoothing, ignore_index);
}

Tensor mse_loss(const At& x, const At& target) {
  static const auto& op = ops::find_op("mse_loss");
  return dispatch::call_one(op, x.where(), x, target);
}

Tensor binary_cross_entropy_with_logits(const At& x, const At& target) {
  static const auto& op = ops::find_op("binary_cross_entropy_with_logits");
  return dispatch::call_one(op, x.where(), x, target);
}

namespace ops {
namespace {

// Classes come second, after the batch; a single row of logits has nothing else.
int64_t class_dim(const Tensor& logits) { return logits.rank() == 1 ? 0 : 1; }

void check_cross_entropy(const Call& call) {
  const Tensor& logits = call.tensor("logits");
  const Tensor& target = call.tensor("target");
  if (logits.rank() == 0) {
    call.fail(ErrorCode::shape, "logits of shape [batch, classes, ...]", to_text(logits.shape()));
  }
  Shape expected = logits.shape();
  expected.erase(expected.begin() + class_dim(logits));
  if (!(target.shape() == expected)) {
    call.fail(ErrorCode::shape,
              concat("a target of shape ", expected, " for logits ", logits.shape()),
              to_text(target.shape()));
  }
  const double smoothing = call.real("label_smoothing");
  if (!(smoothing >= 0 && smoothing <= 1)) {
    call.fail(ErrorCode::value, "label_smoothing between 0 and 1", concat(smoothing));
  }
}

Tensors decompose_cross_entropy(const Call& call) {
  check_cross_entropy(call);
  const Tensor& logits = call.tensor("logits");
  const Tensor& target = call.tensor("target");
  const double smoothing = call.real("label_smoothing");
  const int64_t dim = class_dim(logits);

  // An ignored target may be no class at all, so class 0 is looked up in its place.
  const Tensor counts = not_equal(target, call.integer("ignore_index"));
  const Tensor looked_up = unsqueeze(where(counts, target, 0), dim);
  // Of the logarithms only one is needed in each row, and no array of them.
  const bool is_empty = logits.size(dim) == 0;
  if (smoothing > 0 || is_empty) {
    const Tensor log_p = log_softmax(logits, dim);
    Tensor loss = -squeeze(gather(log_p, dim, looked_up), {dim});
    if (smoothing > 0) loss = loss * (1 - smoothing) - mean(log_p, {dim}) * smoothing;
    return {sum(where(counts, loss, 0)) / sum(counts)};
  }
  const Tensor peak = max(logits, {dim}, true);
  const Tensor scale = log(sum(exp(logits - peak), {dim}, true));
  const Tensor loss = squeeze(scale - (gather(logits, dim, looked_up) - peak), {dim});
  return {sum(where(counts, loss, 0)) / sum(counts)};
}

// Probabilities, less 1 at the target. How many targets count is asked in another way than above, so
// that the answer is there before any loss is.
Tensors cross_entropy_grad(const Grads& g, const Saved& v) {
  const Tensor x = widened(v.tensor("logits"));
  const Tensor& target = v.tensor("target");
  const int64_t dim = class_dim(x);
  const double smoothing = v.real("label_smoothing");
  const Size& classes = x.shape()[static_cast<size_t>(dim)];

  const Tensor is_ignored = equal(target, v.integer("ignore_index"));
  const Tensor share = widened(g[0]) / sum(1 - cast(is_ignored, x.dtype()));
  const Tensor weight = unsqueeze(where(is_ignored, 0, share), dim);
  Shape along(x.shape().size(), Size(1));
  along[static_cast<size_t>(dim)] = classes;
  const Tensor positions = reshape(arange(classes, target.dtype(), x.device()), along);
  const Tensor is_target = equal(positions, unsqueeze(target, dim));
  Tensor off = softmax(x, dim) - where(is_target, 1 - smoothing, 0.0);
  if (smoothing > 0) off = off - smoothing / static_cast<double>(classes.value());
  return {off * weight, {}};
}

void check_equal_shapes(const Call& call) {
  if (call.shape(0) == call.shape(1)) return;
  call.fail(ErrorCode::shape, "a target of shape " + to_text(call.shape(0)),
            to_text(call.shape(1)));
}

Tensors decompose_mse_loss(const Call& call) {
  check_equal_shapes(call);
  const Tensor difference = call.tensor("x") - call.tensor("target");
  return {mean(difference * difference)};
}

// With p = sigmoid(x), -log(p) is softplus(-x) and -log(1 - p) is softplus(x). Two of them cost more
// than softplus(x) - x * target, but that loses all digits where the loss is small.
Tensors decompose_bce(const Call& call) {
  check_equal_shapes(call);
  const Tensor& x = call.tensor("x");
  const Tensor& target = call.tensor("target");
  return {mean(target * softplus(-x) + (1 - target) * softplus(x))};
}

DTypeRule class_targets() {
  return {"as operand 0", {Accept::floating, Accept::integer}, rule::same().apply};
}

void cross_entropy_samples(SampleMaker& m) {
  const int64_t ignored = -100;
  m.add(m.real({5, 7}), m.integers({5}, 0, 6), 0.0, ignored);
  m.add(m.strided(m.real({3, 5})), m.integers({3}, 0, 4), 0.1, int64_t{0});
  m.add(m.real({2, 3, 5}), m.integers({2, 5}, 0, 2), 0.0, int64_t{1});
  m.add(m.real({4, 1}), m.integers({4}, 0, 0), 0.5, ignored);
  m.add(m.real({3}), m.integers({}, 0, 2), 0.0, ignored);
}

void pair_samples(SampleMaker& m, double target_low, double target_high) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{7}, Shape{2, 3, 5}}) {
    m.add(m.real(shape), m.real(shape, target_low, target_high));
  }
  m.add(m.strided(m.real({5, 3})), m.real({5, 3}, target_low, target_high));
}

}  // namespace

void register_loss(Registry& ops) {
  ops.add({.schema = "cross_entropy(Tensor logits, Tensor target, Float label_smoothing=0, "
                     "Int ignore_index=-100) -> Tensor",
           .doc = "mean of -log(softmax(logits)) at the target class, ignored targets aside",
           .traits = Trait::Wide,
           .dtype = class_targets,
           .autocast = Autocast::full,
           .decompose = decompose_cross_entropy,
           .saves = "logits, target",
           .grad = cross_entropy_grad,
           .samples = cross_entropy_samples});

  ops.add({.schema = "mse_loss(Tensor x, Tensor target) -> Tensor",
           .doc = "mean of (x - target)^2",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .decompose = decompose_mse_loss,
           .samples = [](SampleMaker& m) { pair_samples(m, -2, 2); }});

  ops.add({.schema = "binary_cross_entropy_with_logits(Tensor x, Tensor target) -> Tensor",
           .doc = "mean cross entropy of probabilities sigmoid(x) and target, finite for every x",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::full,
           .decompose = decompose_bce,
           .samples = [](SampleMaker& m) { pair_samples(m, 0, 1); }});
}

}  // namespace ops
}  // namespace ridge
