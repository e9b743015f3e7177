#include "ridge/nn/initialize.h"

#include <cmath>

#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::nn {

namespace {

double checked_fan(int64_t fan, const char* initializer, Location where) {
  RIDGE_CHECK(fan > 0, .code = ErrorCode::value, .op = initializer,
              .expected = "a fan of at least 1", .given = concat(fan), .where = where);
  return static_cast<double>(fan);
}

}  // namespace

Tensor uniform_by_fan_in(const Shape& shape, int64_t fan_in, Generator& generator, DType dtype,
                         Location where) {
  const double bound = 1 / std::sqrt(checked_fan(fan_in, "uniform_by_fan_in", where));
  return uniform(shape, generator, -bound, bound, dtype, where);
}

Tensor xavier_uniform(const Shape& shape, int64_t fan_in, int64_t fan_out, Generator& generator,
                      DType dtype, Location where) {
  const double in = checked_fan(fan_in, "xavier_uniform", where);
  const double out = checked_fan(fan_out, "xavier_uniform", where);
  const double bound = std::sqrt(6 / (in + out));
  return uniform(shape, generator, -bound, bound, dtype, where);
}

Tensor kaiming_normal(const Shape& shape, int64_t fan_in, Generator& generator, DType dtype,
                      Location where) {
  const double deviation = std::sqrt(2 / checked_fan(fan_in, "kaiming_normal", where));
  return normal(shape, generator, 0, deviation, dtype, where);
}

Tensor clipped_normal(const Shape& shape, double deviation, Generator& generator, double bound,
                      DType dtype, Location where) {
  const Tensor drawn = normal(shape, generator, 0, deviation, dtype, where);
  return clamp(drawn, -bound * deviation, bound * deviation);
}

}  // namespace ridge::nn
