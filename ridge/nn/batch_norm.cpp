#include "ridge/nn/batch_norm.h"

#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge::nn {

namespace {

DType statistics_dtype(DType dtype) { return is_16_bit_float(dtype) ? f32 : dtype; }

// All dimensions but that of the channels.
Ints reduced_dims(const Shape& shape) {
  Ints dims;
  for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim) {
    if (dim != 1) dims.push_back(dim);
  }
  return dims;
}

// [channels] as [channels, 1, ...], which broadcasts over x.
Tensor beside(const Tensor& of_channels, const Tensor& x, Location where) {
  Shape shape(x.shape().size() - 1, 1);
  shape.front() = of_channels.shape().front();
  return reshape({of_channels, where}, shape);
}

// Of the user's batch, which gradients do not go through.
void move_towards(const Tensor& running, const Tensor& now, double momentum, Location where) {
  const Tensor kept = mul({running, where}, 1 - momentum);
  const Tensor added = mul({detach({now, where}), where}, momentum);
  copy_({running, where}, add({kept, where}, added));
}

}  // namespace

BatchNorm::BatchNorm(int64_t channels, DType dtype, Device device, Location where)
    : weight(ones({channels}, dtype, device, where)),
      bias(zeros({channels}, dtype, device, where)),
      running_mean(zeros({channels}, statistics_dtype(dtype), device, where)),
      running_variance(ones({channels}, statistics_dtype(dtype), device, where)) {}

Tensor BatchNorm::operator()(const At& x) const {
  const Location where = x.where();
  const Shape& shape = x.tensor().shape();
  const Size& channels = weight.shape()[0];
  RIDGE_CHECK(shape.size() >= 2 && SizeAt(shape[1], where) == SizeAt(channels, where),
              .code = ErrorCode::shape, .op = "BatchNorm",
              .expected = concat("x [batch, ", channels, ", ...]"), .given = describe(x.tensor()),
              .where = where);
  const DType dtype = x.tensor().dtype();
  const Tensor wide = is_16_bit_float(dtype) ? cast(x, f32) : x.tensor();  // statistics of it
  Tensor mean_of = running_mean, variance = running_variance;
  if (is_training) {
    RIDGE_CHECK(SizeAt(numel(shape), where) > SizeAt(channels, where), .code = ErrorCode::shape,
                .op = "BatchNorm",
                .expected = "two values or more of each channel, whose variance is taken",
                .given = describe(x.tensor()),
                .hint = "set is_training to false to use the running statistics", .where = where);
    const Ints dims = reduced_dims(shape);
    mean_of = mean({wide, where}, dims);
    variance = var({wide, where}, dims, 0);
    move_towards(running_mean, mean_of, momentum, where);
    move_towards(running_variance, var({wide, where}, dims, 1), momentum, where);
  }
  const Tensor scale = mul({rsqrt({add({variance, where}, eps), where}), where}, weight);
  const Tensor centered = sub({wide, where}, beside(mean_of, wide, where));
  const Tensor scaled = mul({centered, where}, beside(scale, wide, where));
  const Tensor result = add({scaled, where}, beside(bias, wide, where));
  return result.dtype() == dtype ? result : cast({result, where}, dtype);
}

}  // namespace ridge::nn
