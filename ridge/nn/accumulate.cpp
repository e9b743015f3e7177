#include "ridge/nn/accumulate.h"

#include "ridge/base/text.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/creation.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/view.h"

namespace ridge::nn::detail {

namespace {

DType sum_dtype(const Tensor& parameter) {
  return is_16_bit_float(parameter.dtype()) ? f32 : parameter.dtype();
}

}  // namespace

void check_parts(int64_t parts, Location where) {
  RIDGE_CHECK(parts > 0, .code = ErrorCode::value, .op = "accumulated_value_and_grad",
              .expected = "at least one part", .given = concat(parts), .where = where);
}

Tensor cut_into_parts(const Tensor& tensor, int64_t parts, Location where) {
  Shape shape = tensor.shape();
  const bool has_rows = !shape.empty();
  RIDGE_CHECK(has_rows && shape.front() % parts == 0, .code = ErrorCode::shape,
              .op = "accumulated_value_and_grad",
              .expected = concat("rows that ", parts, " parts share evenly"),
              .given = describe(tensor),
              .hint = "nn::whole(argument) is for what all parts get as it is", .where = where);
  shape.front() = shape.front() / parts;
  shape.insert(shape.begin(), parts);
  return reshape({tensor, where}, shape);
}

std::vector<Tensor> values_of(const std::vector<Tensor*>& tensors) {
  std::vector<Tensor> values;
  for (const Tensor* tensor : tensors) values.push_back(*tensor);
  return values;
}

void become_copies(const std::vector<Tensor*>& tensors, const std::vector<Tensor>& values,
                   Location where) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    *tensors[i] = values[i].defined() ? clone({values[i], where}) : Tensor();
  }
}

void write_back(const std::vector<Tensor*>& tensors, const std::vector<Tensor>& values,
                Location where) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i]->defined()) copy_({*tensors[i], where}, values[i]);
  }
}

Sums zero_sums(const std::vector<Tensor*>& parameters, Location where) {
  Sums sums;
  for (const Tensor* parameter : parameters) {
    if (!is_parameter(*parameter)) continue;
    sums.push_back(zeros(parameter->shape(), sum_dtype(*parameter), parameter->device(), where));
  }
  return sums;
}

Sums added(const Sums& sums, const std::vector<Tensor*>& gradients, Location where) {
  Sums result = sums;
  size_t next = 0;
  for (const Tensor* gradient : gradients) {
    if (!is_parameter(*gradient)) continue;
    Tensor& sum = result[next++];
    const bool is_wide = gradient->dtype() == sum.dtype();
    sum = add({sum, where}, is_wide ? *gradient : cast({*gradient, where}, sum.dtype()));
  }
  return result;
}

void become_means(const std::vector<Tensor*>& gradients, const Sums& sums, int64_t parts,
                  Location where) {
  size_t next = 0;
  for (Tensor* gradient : gradients) {
    *gradient = is_parameter(*gradient)
                    ? mul({sums[next++], where}, 1.0 / static_cast<double>(parts))
                    : Tensor();
  }
}

Tensor mean_loss(const Tensor& losses, Location where) { return mean({losses, where}); }

}  // namespace ridge::nn::detail
