#include "ridge/ops/normalization.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/long_rows.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge {

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

// Weight and bias, where given, have the shape of the normalized dimensions.
void check_affine_shape(const Call& call, std::string_view parameter, const Shape& normalized) {
  if (!call.has(parameter) || call.tensor(parameter).shape() == normalized) return;
  call.fail(ErrorCode::shape,
            concat("`", parameter, "` in the shape of the normalized dimensions, ", normalized),
            to_text(call.tensor(parameter).shape()));
}

Ints last_dims(int64_t count) {
  Ints dims;
  for (int64_t dim = -count; dim < 0; ++dim) dims.push_back(dim);
  return dims;
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

  const auto [centered, variance] = centered_rows(x, last_dims(count));
  Tensor y = centered * rsqrt(variance + call.real("eps"));
  if (call.has("weight")) y = y * call.tensor("weight");
  if (call.has("bias")) y = y + call.tensor("bias");
  return {y};
}

// What the gradient of a layer_norm needs of the rows of x and of the gradient g behind the weight.
struct NormalizedRows {
  Tensor normalized;
  Tensor scale;  // 1 / deviation
  Tensor mean_gradient;
  Tensor mean_product;  // of g and the centered row
};

// A second pass over a row, behind its mean. Mean and deviation are the values of the forward graph,
// which may be kept from there.
NormalizedRows normalized_rows(const Tensor& x, const Tensor& g, const Ints& dims, double eps) {
  const auto [centered, variance] = centered_rows(x, dims);
  const Tensor scale = rsqrt(variance + eps);
  return {centered * scale, scale, mean(g, dims, true), mean(g * centered, dims, true)};
}

// Which rows of 16 bits have one pass. Registers of an SM of an H200 hold 8192 elements between one pass and the next,
// with the sums of their columns; rows of 4096 to 6144 would leave much of an SM idle (16384 x 5000 took 170 us with
// two passes and 142 with one, 6144 163 and 165; 2026-11-17). Rows that do not start at multiples of 16 bytes fit in none
// in wide steps, and stream once they are a few steps of a small block (schedule/gpu_pipeline_shape.h).
bool has_one_pass(int64_t length) {
  constexpr int64_t kAligned = 8;  // elements
  if (length % kAligned != 0) return length > 768;
  return length > 8192 || (length > 4096 && length < 6144);
}

Size row_length(const Shape& shape, const Ints& dims) {
  return numel(Shape(shape.end() - static_cast<ptrdiff_t>(dims.size()), shape.end()));
}

// The middle one of three elements of each row, so that no single one far from the others is taken.
Tensor typical_element(const Tensor& x, const Ints& dims) {
  const auto size_of = [&](int64_t dim) { return x.size(dim).known().value_or(1); };
  const int64_t longest = *std::ranges::max_element(dims, {}, size_of);
  const auto at = [&](int64_t third) {
    Tensor element = x;
    for (const int64_t dim : dims) {
      const int64_t from = dim == longest ? third * size_of(dim) / 3 : 0;
      element = slice(element, dim, from, from + 1);
    }
    return element;
  };
  const Tensor a = at(0), b = at(1), c = at(2);
  return maximum(minimum(a, b), minimum(maximum(a, b), c));
}

// One pass: no mean is of a value that another mean goes into. What is subtracted from a mean square
// costs digits, fewer the nearer 0 the row lies, so it is moved there by one of its elements. That
// leaves the variance an error of about 2^-24 of itself, less than elements of 8 or 11 bits have; where two of
// the three elements are as far from all others as can be, it is n * 2^-24. Normalized elements are off by half of
// the last digit of x * scale, as by what the digits of a mean leave in another order. The result does not depend on how
// far a row was moved, so derivatives of it need not look there.
NormalizedRows shifted_rows(const Tensor& x, const Tensor& g, const Ints& dims, double eps) {
  const Tensor near = typical_element(detach(x), dims);
  const Tensor moved = x - near;
  const double share = 1 / static_cast<double>(*row_length(x.shape(), dims).known());
  // Of each row, by all of its threads: a product is a tenth of a division.
  const auto average_of = [&](const Tensor& values) { return sum(values, dims, true) * share; };
  const Tensor average = average_of(moved), mean_gradient = average_of(g);
  const Tensor variance = average_of(moved * moved) - average * average;
  const Tensor scale = rsqrt(maximum(variance, 0) + eps);
  const Tensor mean_product = average_of(g * moved) - average * mean_gradient;
  return {x * scale - (near + average) * scale, scale, mean_gradient, mean_product};
}

Tensors layer_norm_grad(const Grads& grads, const Saved& v) {
  const Tensor x = widened(v.tensor("x"));
  const Tensor gradient = widened(grads[0]);
  const Tensor g = v.has("weight") ? gradient * widened(v.tensor("weight")) : gradient;
  const Ints dims = last_dims(v.integer("dims"));
  const int64_t length = row_length(x.shape(), dims).known().value_or(0);
  const bool is_shifted = is_16_bit_float(v.tensor("x").dtype()) && has_one_pass(length);
  const NormalizedRows rows =
      (is_shifted ? shifted_rows : normalized_rows)(x, g, dims, v.real("eps"));

  const Tensor& scale = rows.scale;
  const Tensor slope = scale * rows.mean_product * scale;
  const Tensor shift = scale * rows.mean_gradient;
  const Tensor from_x = scale * g - shift - rows.normalized * slope;
  const Tensor from_weight = v.has("weight") ? gradient * rows.normalized : Tensor();
  return {from_x, from_weight, v.has("bias") ? gradient : Tensor()};
}

Tensors decompose_rms_norm(const Call& call) {
  const Tensor& x = call.tensor("x");
  if (x.rank() == 0) call.fail(ErrorCode::shape, "at least one dimension", to_text(x.shape()));
  check_affine_shape(call, "weight", {x.size(-1)});

  Tensor y = x * rsqrt(mean(x * x, {-1}, true) + call.real("eps"));
  if (call.has("weight")) y = y * call.tensor("weight");
  return {y};
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
  ops.add({.schema = "layer_norm(Tensor x, Tensor? weight, Tensor? bias, Float eps=1e-5, "
                     "Int dims=1) -> Tensor",
           .doc = "zero mean and unit variance over the last `dims` dimensions, * weight + bias",
           .traits = Trait::Wide,
           .dtype = rule::same_float,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_layer_norm,
           .saves = "x, weight",
           .grad = layer_norm_grad,
           .samples = layer_norm_samples});

  ops.add({.schema = "rms_norm(Tensor x, Tensor? weight, Float eps=1e-6) -> Tensor",
           .doc = "unit mean square over the last dimension, * weight",
           .traits = Trait::Wide,
           .dtype = rule::same_float,
           .shape = rule::same_as_input,
           .autocast = Autocast::full,
           .decompose = decompose_rms_norm,
           .samples = rms_norm_samples});
}

}  // namespace ops
}  // namespace ridge
