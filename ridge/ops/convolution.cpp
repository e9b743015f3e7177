#include "ridge/ops/convolution.h"

#include <limits>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/arithmetic.h"
#include "ridge/ops/join.h"
#include "ridge/ops/matmul.h"
#include "ridge/ops/reduction.h"
#include "ridge/ops/registry.h"
#include "ridge/ops/view.h"
#include "ridge/ops/window.h"

namespace ridge {

Tensor conv1d(const At& x, const At& weight, const Tensor& bias, const Ints& stride,
              const Ints& padding, const Ints& dilation, int64_t groups) {
  static const auto& op = ops::find_op("conv1d");
  return dispatch::call_one(op, x.where(), x, weight, bias, stride, padding, dilation, groups);
}

Tensor conv2d(const At& x, const At& weight, const Tensor& bias, const Ints& stride,
              const Ints& padding, const Ints& dilation, int64_t groups) {
  static const auto& op = ops::find_op("conv2d");
  return dispatch::call_one(op, x.where(), x, weight, bias, stride, padding, dilation, groups);
}

Tensor max_pool1d(const At& x, const Ints& kernel, const Ints& stride, const Ints& padding) {
  static const auto& op = ops::find_op("max_pool1d");
  return dispatch::call_one(op, x.where(), x, kernel, stride, padding);
}

Tensor max_pool2d(const At& x, const Ints& kernel, const Ints& stride, const Ints& padding) {
  static const auto& op = ops::find_op("max_pool2d");
  return dispatch::call_one(op, x.where(), x, kernel, stride, padding);
}

Tensor avg_pool1d(const At& x, const Ints& kernel, const Ints& stride, const Ints& padding) {
  static const auto& op = ops::find_op("avg_pool1d");
  return dispatch::call_one(op, x.where(), x, kernel, stride, padding);
}

Tensor avg_pool2d(const At& x, const Ints& kernel, const Ints& stride, const Ints& padding) {
  static const auto& op = ops::find_op("avg_pool2d");
  return dispatch::call_one(op, x.where(), x, kernel, stride, padding);
}

namespace ops {
namespace {

// How windows lie in the spatial dimensions: one entry for each of them in every list.
struct Sliding {
  Ints kernel;
  Ints stride;
  Ints padding;
  Ints dilation;
};

// The list an argument gives, a single entry repeated for all `count` spatial dimensions.
Ints spatial_list(const Call& call, std::string_view parameter, size_t count) {
  const std::span<const int64_t> given = call.ints(parameter);
  if (given.size() == 1) return Ints(count, given[0]);
  if (given.size() == count) return Ints(given);
  call.fail(ErrorCode::value, concat("1 or ", count, " entries in `", parameter, "`"),
            ridge::to_text(given));
}

void check_rank(const Call& call, size_t operand, size_t rank, std::string_view layout) {
  const Shape& shape = call.shape(operand);
  if (shape.size() == rank) return;
  call.fail(ErrorCode::shape, concat(layout, ", ", rank, " dimensions"), to_text(shape));
}

// [batch, channels, s...] padded, then seen as windows: [batch, channels, w..., k...].
Tensor padded_windows(const Tensor& x, const Sliding& sliding, double padding_value) {
  const size_t count = sliding.kernel.size();
  Ints pads;  // last dimension first
  bool has_padding = false;
  for (size_t i = count; i-- > 0;) {
    pads.push_back(sliding.padding[i]);
    pads.push_back(sliding.padding[i]);
    has_padding = has_padding || sliding.padding[i] != 0;
  }
  Tensor result = has_padding ? pad(x, pads, padding_value) : x;
  for (size_t i = 0; i < count; ++i) {
    result = windows(result, static_cast<int64_t>(2 + i), sliding.kernel[i], sliding.stride[i],
                     sliding.dilation[i]);
  }
  return result;
}

void check_channels(const Call& call) {
  const Tensor& x = call.tensor("x");
  const Tensor& weight = call.tensor("weight");
  const int64_t groups = call.integer("groups");
  if (groups < 1) call.fail(ErrorCode::value, "groups of at least 1", std::to_string(groups));
  if (weight.size(1) * groups != x.size(1) || weight.size(0) % groups != 0) {
    call.fail(ErrorCode::shape,
              concat("a weight [channels_out, channels_in / groups, ...] for channels_in of ",
                     x.shape(), " and channels_out divisible by ", groups, " groups"),
              to_text(weight.shape()));
  }
  if (call.has("bias") && !(call.tensor("bias").shape() == Shape{weight.size(0)})) {
    call.fail(ErrorCode::shape, concat("a bias of shape ", Shape{weight.size(0)}),
              to_text(call.tensor("bias").shape()));
  }
}

Sliding conv_sliding(const Call& call, size_t count) {
  check_rank(call, 0, count + 2, "x [batch, channels, ...]");
  check_rank(call, 1, count + 2, "a weight [channels_out, channels_in / groups, kernel...]");
  check_channels(call);
  Sliding sliding{.kernel = {},
                  .stride = spatial_list(call, "stride", count),
                  .padding = spatial_list(call, "padding", count),
                  .dilation = spatial_list(call, "dilation", count)};
  for (size_t i = 0; i < count; ++i) {
    sliding.kernel.push_back(call.shape(1)[2 + i].value());
    if (sliding.padding[i] < 0) {
      call.fail(ErrorCode::value, "padding of at least 0", std::to_string(sliding.padding[i]));
    }
  }
  return sliding;
}

// One product of matrices for each batch entry and group: weight [out, terms] * columns
// [terms, places], where `terms` are the channels and kernel positions that one output sums over.
Tensors decompose_conv(const Call& call, size_t count) {
  const Sliding sliding = conv_sliding(call, count);
  const Tensor& x = call.tensor("x");
  const Tensor& weight = call.tensor("weight");
  const int64_t groups = call.integer("groups");

  const Tensor seen = padded_windows(x, sliding, 0);  // [batch, channels, w..., k...]
  const Shape places(seen.shape().begin() + 2, seen.shape().begin() + 2 + count);
  const Size out = weight.size(0) / groups;
  const Size terms = numel(Shape(weight.shape().begin() + 1, weight.shape().end()));

  Ints windows_last{0, 1};  // [batch, channels, k..., w...]
  for (size_t i = 0; i < count; ++i) windows_last.push_back(static_cast<int64_t>(2 + count + i));
  for (size_t i = 0; i < count; ++i) windows_last.push_back(static_cast<int64_t>(2 + i));
  const Tensor columns =
      reshape(permute(seen, windows_last), {x.size(0), groups, terms, numel(places)});
  const Tensor product = matmul(reshape(weight, {groups, out, terms}), columns);

  Shape result{x.size(0), weight.size(0)};
  result.append(places.begin(), places.end());
  Tensor y = reshape(product, result);
  if (call.has("bias")) {
    Shape per_channel(count + 1, 1);
    per_channel[0] = weight.size(0);
    y = y + reshape(call.tensor("bias"), per_channel);
  }
  return {y};
}

Sliding pool_sliding(const Call& call, size_t count) {
  check_rank(call, 0, count + 2, "x [batch, channels, ...]");
  const Ints kernel = spatial_list(call, "kernel", count);
  Sliding sliding{
      .kernel = kernel,
      .stride = call.ints("stride").empty() ? kernel : spatial_list(call, "stride", count),
      .padding = spatial_list(call, "padding", count),
      .dilation = Ints(count, 1)};
  for (size_t i = 0; i < count; ++i) {
    // More than half a kernel would allow windows that see nothing but padding.
    if (sliding.padding[i] >= 0 && sliding.padding[i] <= kernel[i] / 2) continue;
    call.fail(ErrorCode::value, concat("padding between 0 and half of kernel ", to_text(kernel)),
              to_text(sliding.padding));
  }
  return sliding;
}

// The dims of the windows themselves: the last `count`.
Ints window_dims(size_t count) {
  Ints dims;
  for (size_t i = count; i > 0; --i) dims.push_back(-static_cast<int64_t>(i));
  return dims;
}

double lowest_value(DType dtype) {
  if (is_floating(dtype)) return -std::numeric_limits<double>::infinity();
  if (dtype.kind == DTypeKind::unsigned_integer) return 0;
  return -static_cast<double>(uint64_t{1} << (dtype.bits - 1));
}

Tensors decompose_max_pool(const Call& call, size_t count) {
  const Tensor& x = call.tensor("x");
  const Tensor seen = padded_windows(x, pool_sliding(call, count), lowest_value(x.dtype()));
  return {max(seen, window_dims(count))};
}

Tensors decompose_avg_pool(const Call& call, size_t count) {
  const Tensor seen = padded_windows(call.tensor("x"), pool_sliding(call, count), 0);
  return {mean(seen, window_dims(count))};
}

DTypeRule max_pool_dtypes() {
  return {"as given", {Accept::integer | Accept::floating}, rule::same().apply};
}

void conv1d_samples(SampleMaker& m) {
  const Value none;
  m.add(m.real({2, 3, 7}), m.real({5, 3, 3}), m.real({5}), Ints{1}, Ints{0}, Ints{1}, int64_t{1});
  m.add(m.strided(m.real({1, 4, 11})), m.real({6, 2, 3}), none, Ints{2}, Ints{1}, Ints{2},
        int64_t{2});
  m.add(m.real({1, 1, 1}), m.real({1, 1, 1}), none, Ints{1}, Ints{0}, Ints{1}, int64_t{1});
  m.add(m.real({0, 3, 5}), m.real({2, 3, 2}), m.real({2}), Ints{1}, Ints{0}, Ints{1}, int64_t{1});
}

void conv2d_samples(SampleMaker& m) {
  const Value none;
  m.add(m.real({2, 3, 5, 7}), m.real({4, 3, 3, 2}), m.real({4}), Ints{1}, Ints{0}, Ints{1},
        int64_t{1});
  m.add(m.strided(m.real({1, 3, 5, 7})), m.real({3, 1, 3, 3}), none, Ints{2, 1}, Ints{1, 2},
        Ints{1, 3}, int64_t{3});
  m.add(m.real({1, 1, 1, 1}), m.real({1, 1, 1, 1}), none, Ints{1}, Ints{0}, Ints{1}, int64_t{1});
  m.add(m.real({0, 2, 3, 3}), m.real({2, 2, 3, 3}), none, Ints{1}, Ints{1}, Ints{1}, int64_t{1});
}

// Distinct values: the gradient of a maximum has no one answer where two are equal.
void pool1d_samples(SampleMaker& m) {
  m.add(m.distinct({2, 3, 7}), Ints{3}, Ints{}, Ints{0});
  m.add(m.strided(m.distinct({1, 2, 11})), Ints{3}, Ints{2}, Ints{1});
  m.add(m.distinct({1, 1, 1}), Ints{1}, Ints{1}, Ints{0});
  m.add(m.distinct({0, 2, 5}), Ints{2}, Ints{}, Ints{0});
}

void pool2d_samples(SampleMaker& m) {
  m.add(m.distinct({2, 3, 5, 7}), Ints{2}, Ints{}, Ints{0});
  m.add(m.strided(m.distinct({1, 2, 5, 5})), Ints{3, 2}, Ints{1, 2}, Ints{1, 0});
  m.add(m.distinct({0, 2, 5, 3}), Ints{2}, Ints{1}, Ints{1});
}

template <Tensors (*decompose)(const Call&, size_t), size_t count>
Tensors in_dimensions(const Call& call) {
  return decompose(call, count);
}

}  // namespace

void register_convolution(Registry& ops) {
  ops.add({.schema = "conv1d(Tensor x, Tensor weight, Tensor? bias, Int[] stride=[1], "
                     "Int[] padding=[0], Int[] dilation=[1], Int groups=1) -> Tensor",
           .doc = "convolution of [batch, channels, length] with [out, in / groups, kernel]",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::low,
           .decompose = in_dimensions<decompose_conv, 1>,
           .samples = conv1d_samples});

  ops.add({.schema = "conv2d(Tensor x, Tensor weight, Tensor? bias, Int[] stride=[1], "
                     "Int[] padding=[0], Int[] dilation=[1], Int groups=1) -> Tensor",
           .doc = "convolution of [batch, channels, height, width] with [out, in / groups, h, w]",
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .autocast = Autocast::low,
           .decompose = in_dimensions<decompose_conv, 2>,
           .samples = conv2d_samples});

  const std::string max_doc = "the largest value in each window; an empty stride is the kernel";
  ops.add({.schema = "max_pool1d(Tensor x, Int[] kernel, Int[] stride=[], Int[] padding=[0]) "
                     "-> Tensor",
           .doc = max_doc,
           .dtype = max_pool_dtypes,
           .decompose = in_dimensions<decompose_max_pool, 1>,
           .samples = pool1d_samples});

  ops.add({.schema = "max_pool2d(Tensor x, Int[] kernel, Int[] stride=[], Int[] padding=[0]) "
                     "-> Tensor",
           .doc = max_doc,
           .dtype = max_pool_dtypes,
           .decompose = in_dimensions<decompose_max_pool, 2>,
           .samples = pool2d_samples});

  const std::string avg_doc = "the mean of each window, padding counted as zeros";
  ops.add({.schema = "avg_pool1d(Tensor x, Int[] kernel, Int[] stride=[], Int[] padding=[0]) "
                     "-> Tensor",
           .doc = avg_doc,
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .decompose = in_dimensions<decompose_avg_pool, 1>,
           .samples = pool1d_samples});

  ops.add({.schema = "avg_pool2d(Tensor x, Int[] kernel, Int[] stride=[], Int[] padding=[0]) "
                     "-> Tensor",
           .doc = avg_doc,
           .traits = Trait::Wide,
           .dtype = rule::float_only,
           .decompose = in_dimensions<decompose_avg_pool, 2>,
           .samples = pool2d_samples});
}

}  // namespace ops
}  // namespace ridge
