// Gradients of a batch that is taken in parts, one after the other: the memory of a part, and the
// gradient of the whole.
//
//   auto [loss, gradient] = nn::accumulated_value_and_grad(objective, 4)(model, x, y);
//   optimizer.update(model, gradient);
//
// The rows of all tensors behind the first argument are cut into equal parts; numbers are passed on, and
// so is, for all parts alike, what is wrapped in `whole`:
//
//   const auto scaled = [](const Model& model, const nn::DynamicLossScale& scale, const Tensor& x) {
//     return scale.scaled(objective(model, x));
//   };
//   auto [loss, gradient] = nn::accumulated_value_and_grad(scaled, 4)(model, nn::whole(scale), x);
//   gradient = scale.unscaled(gradient);
//
// Loss and gradients are the mean over the parts, which is that of the whole where the loss is a mean
// over rows. Gradients of 16-bit parameters are summed in f32, and stay that. The parts are a scan: the
// program does not grow with their number, and holds what one of them needs. What a part writes to the
// buffers of the model, such as running statistics, is there for the next one, and at the end in the model.
#pragma once

#include "ridge/aot/transforms.h"
#include "ridge/capture/control.h"
#include "ridge/nn/update.h"

namespace ridge::nn {

// An argument that every part gets as it is; it lives as long as the call.
template <class T>
struct Whole {
  const T& value;
};
template <class T>
Whole<T> whole(const T& value) {
  return {value};
}

namespace detail {

using Sums = std::vector<Tensor>;  // of the gradients that there are, in the order of the model

// What goes from part to part.
struct Carried {
  Sums sums;
  std::vector<Tensor> buffers;  // of the model, as the part before has left them
  static void visit_tensors(auto& self, auto&& visit) {
    visit("sums", self.sums);
    visit("buffers", self.buffers);
  }
};

std::vector<Tensor> values_of(const std::vector<Tensor*>& tensors);
// Puts copies of the values in the place of the tensors, for a part to write to.
void become_copies(const std::vector<Tensor*>& tensors, const std::vector<Tensor>& values,
                   Location where);
// Writes the values into the tensors.
void write_back(const std::vector<Tensor*>& tensors, const std::vector<Tensor>& values,
                Location where);

void check_parts(int64_t parts, Location where);
// [n, ...] as [parts, n / parts, ...]. Error{shape} unless that comes out even.
Tensor cut_into_parts(const Tensor& tensor, int64_t parts, Location where);
// Zeros for each parameter, in f32 at least.
Sums zero_sums(const std::vector<Tensor*>& parameters, Location where);
Sums added(const Sums& sums, const std::vector<Tensor*>& gradients, Location where);
// Puts the means in the place of the gradients of a model.
void become_means(const std::vector<Tensor*>& gradients, const Sums& sums, int64_t parts,
                  Location where);
Tensor mean_loss(const Tensor& losses, Location where);

// In the place of an argument that is not cut.
struct NoRows {
  static void visit_tensors(auto&, auto&&) {}
};

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || std::same_as<T, Size>;

// All parts of an argument, one behind the other, and the argument of one part.
template <class T>
auto parts_of(const T& argument, int64_t parts, Location where) {
  if constexpr (is_number<T>) {
    return NoRows();
  } else {
    return capture::control::changed(
        argument, [&](const Tensor& tensor) { return cut_into_parts(tensor, parts, where); });
  }
}
template <class T>
NoRows parts_of(const Whole<T>&, int64_t, Location) {
  return {};
}
template <class T>
const T& in_part(const T& number, const NoRows&) {
  return number;
}
template <class T>
const T& in_part(const Whole<T>& argument, const NoRows&) {
  return argument.value;
}
template <class T>
const T& in_part(const T&, const T& part) {
  return part;
}

}  // namespace detail

// Of a function of a model and further arguments that returns a loss, which is a 0-d tensor.
template <class F>
auto accumulated_value_and_grad(F f, int64_t parts, Location where = Location::current()) {
  detail::check_parts(parts, where);
  return [f = std::move(f), parts, where]<class Model, class... Args>(const Model& model,
                                                                      const Args&... args) {
    const auto batch = std::make_tuple(detail::parts_of(args, parts, where)...);
    const auto step = [&](const detail::Carried& before, const auto& part) {
      return [&]<size_t... I>(std::index_sequence<I...>) {
        Model own = model;
        const std::vector<Tensor*> buffers = detail::buffers_of(own);
        detail::become_copies(buffers, before.buffers, where);
        auto [loss, gradient] =
            value_and_grad(f, where)(own, detail::in_part(args, std::get<I>(part))...);
        detail::Carried after{detail::added(before.sums, detail::tensors_of(gradient), where),
                              detail::values_of(buffers)};
        return std::pair(std::move(after), loss);
      }(std::index_sequence_for<Args...>());
    };
    Model whole_model = model;
    const std::vector<Tensor*> buffers = detail::buffers_of(whole_model);
    Model gradient = detail::without_buffers(model);
    const std::vector<Tensor*> places = detail::tensors_of(gradient);
    const detail::Carried first{detail::zero_sums(places, where), detail::values_of(buffers)};
    const auto [last, losses] = scan(step, first, batch, {}, where);
    detail::write_back(buffers, last.buffers, where);
    detail::become_means(places, last.sums, parts, where);
    return std::pair(detail::mean_loss(losses, where), std::move(gradient));
  };
}

}  // namespace ridge::nn
