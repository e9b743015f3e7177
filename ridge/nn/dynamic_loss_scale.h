// A loss scale that finds itself: as large as gradients allow, less where they overflow.
//
//   auto [loss, gradient] = nn::scaled_value_and_grad(objective, scale)(model, x);
//   const Tensor is_good = nn::all_finite(gradient);
//   optimizer.update_if(is_good, model, gradient);
//   scale.adjust(is_good);
//
// A step whose gradients are not finite is skipped: parameters, state and the optimizer's count stay as
// they are, `skipped` counts it, and the factor becomes smaller. After enough good steps in a row it
// becomes larger again. All of it is part of the program, and no value is read back; the factor is a
// tensor, so a change needs no new capture.
#pragma once

#include "ridge/nn/loss_scale.h"

namespace ridge::nn {

// Powers of two keep scaling exact.
struct DynamicLossScaleOptions {
  double factor = 65536;  // to start with
  double growth = 2;
  double backoff = 0.5;
  int64_t growth_interval = 2000;  // good steps in a row before the factor grows
  double least = 1;
  double most = 16777216;
};

struct DynamicLossScale {
  Tensor factor;      // f32
  Tensor good_steps;  // i64, since the factor changed
  Tensor skipped;     // i64, steps that were not made
  DynamicLossScaleOptions options;

  // Error{value} unless 0 < backoff < 1 < growth and 0 < least <= factor <= most.
  explicit DynamicLossScale(const DynamicLossScaleOptions& options = {}, Device device = kCpu,
                            Location where = Location::current());

  Tensor scaled(const Tensor& loss, Location where = Location::current()) const;
  Tensor unscaled(const Tensor& tensor, Location where = Location::current()) const;
  // Of a whole model.
  template <class Model>
  Model unscaled(const Model& gradient, Location where = Location::current()) const {
    return detail::unscaled(*this, gradient, where);
  }
  // After a step that was good, or skipped.
  void adjust(const Tensor& is_good, Location where = Location::current());

  static void visit_tensors(auto& self, auto&& visit) {
    visit("factor", self.factor);
    visit("good_steps", self.good_steps);
    visit("skipped", self.skipped);
    detail::visit_number(visit, "growth", self.options.growth);
    detail::visit_number(visit, "backoff", self.options.backoff);
    visit("growth_interval", self.options.growth_interval);
    detail::visit_number(visit, "least", self.options.least);
    detail::visit_number(visit, "most", self.options.most);
  }
};

}  // namespace ridge::nn
