#include "ridge/nn/language_layers.h"

#include "ridge/base/text.h"
#include "ridge/capture/scope.h"
#include "ridge/ops/activation.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/normalization.h"
#include "ridge/ops/view.h"

namespace ridge::nn {

RmsNorm::RmsNorm(int64_t width, double eps_, DType dtype, Device device, Location where)
    : weight(ones({width}, dtype, device, where)), eps(eps_) {}

Tensor RmsNorm::operator()(const At& x) const { return rms_norm(x, weight, eps); }

SwiGlu::SwiGlu(int64_t width, int64_t hidden, Generator& generator, DType dtype, Location where)
    : gate(width, hidden, generator, false, dtype, where),
      up(width, hidden, generator, false, dtype, where),
      down(hidden, width, generator, false, dtype, where) {}

Tensor SwiGlu::operator()(const At& x) const {
  const Location where = x.where();
  const auto named = [&](const char* name, const Linear& layer, const At& in) {
    const LayerScope inside = scope(name);
    return layer(in);
  };
  const Tensor open = silu({named("gate", gate, x), where});
  const Tensor hidden = mul({open, where}, named("up", up, x));
  return named("down", down, {hidden, where});
}

LearnedPositions::LearnedPositions(int64_t positions, int64_t width, Generator& generator,
                                   DType dtype, Location where)
    : weight(normal({positions, width}, generator, 0, 0.02, dtype, where)) {}

Tensor LearnedPositions::operator()(const At& x, const Size& start) const {
  const Location where = x.where();
  const Tensor& tokens = x.tensor();
  const bool fits = tokens.rank(where) >= 2 && start + tokens.size(-2) <= weight.size(0);
  RIDGE_CHECK(
      fits, .code = ErrorCode::shape, .op = "LearnedPositions",
      .expected = concat("x [..., tokens, width] of at most ", weight.size(0), " positions"),
      .given = concat(describe(tokens), " from position ", start), .where = where);
  return add(x, slice({weight, where}, 0, start, start + tokens.size(-2)));
}

}  // namespace ridge::nn
