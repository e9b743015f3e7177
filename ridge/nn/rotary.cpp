#include "ridge/nn/rotary.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "ridge/base/text.h"
#include "ridge/core/device_copy.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/join.h"
#include "ridge/ops/unary.h"
#include "ridge/ops/view.h"

namespace ridge::nn {

namespace {

double scaled(double frequency, const RotaryScaling& scaling) {
  const double turns = static_cast<double>(scaling.context) * frequency / (2 * std::numbers::pi);
  if (scaling.factor == 1 || turns > scaling.high_frequency) return frequency;
  if (turns < scaling.low_frequency) return frequency / scaling.factor;
  const double share =
      (turns - scaling.low_frequency) / (scaling.high_frequency - scaling.low_frequency);
  return (1 - share) * frequency / scaling.factor + share * frequency;
}

// The two numbers of each pair: [..., width / 2] both.
std::pair<Tensor, Tensor> taken_apart(const Tensor& x, RotaryLayout layout, Location where) {
  if (layout == RotaryLayout::pairs) {
    return {slice({x, where}, -1, 0, kEnd, 2), slice({x, where}, -1, 1, kEnd, 2)};
  }
  const Size half = x.size(-1) / 2;
  return {slice({x, where}, -1, 0, half), slice({x, where}, -1, half)};
}

}  // namespace

Rotary::Rotary(int64_t width, const RotaryOptions& options, Device device, Location where)
    : layout(options.layout) {
  const RotaryScaling& scaling = options.scaling;
  const bool is_possible = width > 0 && width % 2 == 0 && options.theta > 0 && scaling.factor > 0 &&
                           scaling.context > 0 && scaling.high_frequency > scaling.low_frequency;
  RIDGE_CHECK(
      is_possible, .code = ErrorCode::value, .op = "Rotary",
      .expected =
          "an even width, a positive theta, a positive factor and context of the "
          "scaling, its frequencies in order",
      .given = concat("width ", width, ", theta ", options.theta, ", factor ", scaling.factor),
      .where = where);
  std::vector<float> turns;
  for (int64_t i = 0; i < width; i += 2) {
    const double exponent = static_cast<double>(i) / static_cast<double>(width);
    turns.push_back(static_cast<float>(scaled(std::pow(options.theta, -exponent), scaling)));
  }
  frequencies = to_device(Tensor::of(turns, {width / 2}, where), device, where);
}

RotaryAngles Rotary::operator()(const Size& tokens, const Size& start, Location where) const {
  const Device device = frequencies.device();
  const Tensor first = element_count({start}, device, where);
  const Tensor positions =
      cast({add({arange(tokens, i64, device, where), where}, first), where}, f32);
  const Tensor angles = mul({unsqueeze({positions, where}, 1), where}, frequencies);
  return {cos({angles, where}), sin({angles, where}), layout};
}

Tensor rotate(const At& x, const RotaryAngles& angles) {
  const Location where = x.where();
  const Tensor& in = x.tensor();
  const bool fits = in.rank(where) >= 2 && in.size(-1) == 2 * angles.cosine.size(-1);
  RIDGE_CHECK(fits, .code = ErrorCode::shape, .op = "rotate",
              .expected = concat("x [..., tokens, ", 2 * angles.cosine.size(-1), "]"),
              .given = describe(in), .where = where);
  const Tensor wide = widened(x);
  const auto [a, b] = taken_apart(wide, angles.layout, where);
  const Tensor &c = angles.cosine, &s = angles.sine;
  const Tensor first = sub({mul({a, where}, c), where}, mul({b, where}, s));
  const Tensor second = add({mul({b, where}, c), where}, mul({a, where}, s));
  const Tensor turned = angles.layout == RotaryLayout::halves
                            ? cat({first, second}, -1, where)
                            : reshape({stack({first, second}, -1, where), where}, in.shape());
  return cast({turned, where}, in.dtype());
}

}  // namespace ridge::nn
