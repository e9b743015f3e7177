// The part of an update that is the same in every optimizer: which parameters there are, in which type
// they are computed, and how new values are written.
//
//   UpdateLoop loop("lion", update);
//   const PerGroup rate = loop.per_group([&](const Numbers&, const Tensor& rate) { return rate; });
//   loop.for_each([&](size_t i) { loop.set(i, loop.value(i) - rate.of(i) * loop.gradient(i)); });
#pragma once

#include <functional>

#include "ridge/capture/scope.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/recorder.h"
#include "ridge/nn/update.h"

namespace ridge::nn {

class UpdateLoop {
 public:
  using Numbers = ParameterGroups::Numbers;

  // A 0-d tensor for each group, in f64, and as the f32 that most parameters want: made once for all
  // of them, and what differs between groups is then no part of a kernel.
  class PerGroup {
   public:
    const Tensor& of(size_t tensor) const;

   private:
    friend class UpdateLoop;
    explicit PerGroup(const UpdateLoop& loop) : loop_(loop) {}
    const UpdateLoop& loop_;
    std::vector<Tensor> wide_, narrow_;
  };

  // `name`: of the optimizer, for errors and scopes. Counts the step.
  UpdateLoop(const char* name, const Update& update);
  UpdateLoop(const UpdateLoop&) = delete;
  UpdateLoop& operator=(const UpdateLoop&) = delete;

  // Of the group's numbers and its learning rate, both f64.
  PerGroup per_group(const std::function<Tensor(const Numbers&, const Tensor& rate)>& make) const;
  // f(number of the tensor), for each parameter that has a gradient and is not frozen.
  void for_each(const std::function<void(size_t)>& f) const;

  const Numbers& numbers(size_t tensor) const;
  Tensor steps() const;                  // that were made with this one, in f64
  Tensor value(size_t tensor) const;     // of the parameter, or of its master
  Tensor gradient(size_t tensor) const;  // in the type of the value
  // The new value of the parameter.
  void set(size_t tensor, const Tensor& value) const;
  // Writes it into a state, unless the update is not to be made.
  void set(const Tensor& state, const Tensor& value) const;

 private:
  const Tensor* master(size_t tensor) const;
  DType dtype(size_t tensor) const;  // that the parameter is computed in
  void check() const;

  const char* name_;
  const Update& update_;
  LayerScope named_;
  graph::PhaseScope of_optimizer_{graph::Phase::optimizer};
  dispatch::ValuesOnly values_only_;
  dispatch::ExcludeKeys as_it_is_{dispatch::Key::autocast};
};

}  // namespace ridge::nn
