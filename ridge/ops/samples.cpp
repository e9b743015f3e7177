#include "ridge/ops/samples.h"

#include <algorithm>
#include <cmath>

namespace ridge::ops {

namespace {

// Shapes of one operand: 0-d, one element, empty, primes, several dims.
const std::vector<Shape>& lone_shapes() {
  static const std::vector<Shape> shapes = {{}, {1}, {0}, {7}, {3, 0, 2}, {2, 3, 5}, {13, 3}};
  return shapes;
}

// Shapes of operands that broadcast against each other; the first is repeated where an op has more.
const std::vector<std::vector<Shape>>& joint_shapes() {
  static const std::vector<std::vector<Shape>> shapes = {
      {{}, {}},         {{5}, {}},           {{}, {3}},        {{7}, {7}},
      {{3, 1}, {1, 5}}, {{2, 3, 5}, {5}},    {{3}, {2, 3}},    {{0}, {1}},
      {{2, 0}, {1, 1}}, {{1, 5}, {2, 1, 5}}, {{2, 3}, {2, 3}},
  };
  return shapes;
}

int64_t known(const Size& size) { return size.known().value(); }

int64_t known_numel(const Shape& shape) { return known(numel(shape)); }

double draw(SplitMix64& random, DType dtype, double low, double high) {
  if (is_boolean(dtype)) return static_cast<double>(random.integer(0, 1));
  if (is_integer(dtype)) {
    const double floor = dtype == u8 ? 0.0 : low;
    const auto first = static_cast<int64_t>(std::ceil(std::max(low, floor)));
    const auto last = static_cast<int64_t>(std::floor(std::max(high, floor)));
    return static_cast<double>(random.integer(first, std::max(first, last)));
  }
  return random.uniform(low, high);
}

void store(const Tensor& tensor, int64_t index, double value) {
  store_element(tensor.dtype(), tensor.raw_data(), index, expr::Number::of(value));
}

}  // namespace

SampleMaker::SampleMaker(const Schema& schema, DType dtype, uint64_t seed)
    : schema_(schema), dtype_(dtype), random_(seed) {}

Tensor SampleMaker::real(const Shape& shape, double low, double high) {
  const Tensor tensor = Tensor::empty(shape, dtype_);
  for (int64_t i = 0; i < known_numel(shape); ++i) {
    store(tensor, i, draw(random_, dtype_, low, high));
  }
  switch (random_.integer(0, 3)) {
    case 0: return strided(tensor);
    case 1: return expanded(tensor);
    default: return tensor;
  }
}

Tensor SampleMaker::distinct(const Shape& shape) {
  const int64_t count = known_numel(shape);
  std::vector<int64_t> order(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) order[static_cast<size_t>(i)] = i;
  for (int64_t i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(random_.integer(0, i))]);
  }
  const Tensor tensor = Tensor::empty(shape, dtype_);
  for (int64_t i = 0; i < count; ++i) {
    const double step = is_floating(dtype_) ? 0.25 : 1.0;
    const int64_t half = count / 2;
    const double middle = dtype_ == u8 ? 0.0 : static_cast<double>(half);
    store(tensor, i, step * (static_cast<double>(order[static_cast<size_t>(i)]) - middle));
  }
  return tensor;
}

Tensor SampleMaker::integers(const Shape& shape, int64_t low, int64_t high, DType dtype) {
  const Tensor tensor = Tensor::empty(shape, dtype);
  for (int64_t i = 0; i < known_numel(shape); ++i) {
    store(tensor, i, static_cast<double>(random_.integer(low, high)));
  }
  return tensor;
}

Tensor SampleMaker::flags(const Shape& shape) { return integers(shape, 0, 1, boolean); }

// Every element sits two places apart, last dimension outermost.
Tensor SampleMaker::strided(const Tensor& like) {
  const Shape& shape = like.shape();
  Shape strides(shape.size(), Size(0));
  int64_t step = 2;
  for (size_t i = 0; i < shape.size(); ++i) {
    strides[i] = step;
    step *= std::max<int64_t>(1, known(shape[i]));
  }
  const Tensor room = Tensor::empty({step}, like.dtype());
  for (int64_t i = 0; i < step; ++i) store(room, i, 1.0);
  const Tensor view =
      Tensor::view_of(Ref<Storage>(&room.storage()), shape, strides, 1, like.dtype());
  for (int64_t i = 0; i < known_numel(shape); ++i) {
    int64_t rest = i;
    int64_t position = 1;
    for (size_t dim = shape.size(); dim-- > 0;) {
      const int64_t extent = known(shape[dim]);
      position += rest % extent * known(strides[dim]);
      rest /= extent;
    }
    const expr::Number value = load_element(like.dtype(), like.raw_data(), i);
    store_element(like.dtype(), room.raw_data(), position, value);
  }
  return view;
}

// The first slice of dim 0 in the place of all of them, by a stride of zero.
Tensor SampleMaker::expanded(const Tensor& like) {
  if (like.rank() == 0) return like;
  Shape strides = like.strides();
  strides[0] = 0;
  return Tensor::view_of(Ref<Storage>(&like.storage()), like.shape(), strides, like.offset(),
                         like.dtype());
}

// Parameters a sample leaves out take their defaults.
std::vector<SampleCall> SampleMaker::take() {
  for (SampleCall& call : calls_) {
    while (call.args.size() < schema_.parameters.size()) {
      call.args.push_back(schema_.parameters[call.args.size()].default_value);
    }
  }
  return std::move(calls_);
}

Samples domains(std::vector<std::pair<double, double>> by_operand) {
  return [by_operand](SampleMaker& maker) {
    const size_t arity = maker.schema().parameters.size();
    const auto make_call = [&](const auto& shape_of) {
      std::vector<Value> args;
      for (size_t i = 0; i < arity; ++i) {
        const auto& [low, high] = by_operand[std::min(i, by_operand.size() - 1)];
        args.emplace_back(maker.real(shape_of(i), low, high));
      }
      maker.add_call(std::move(args));
    };
    if (arity == 1) {
      for (const Shape& shape : lone_shapes()) make_call([&](size_t) { return shape; });
      return;
    }
    for (const auto& shapes : joint_shapes()) {
      make_call([&](size_t i) { return shapes[i < shapes.size() ? i : 0]; });
    }
  };
}

Samples domain(double low, double high) { return domains({{low, high}}); }

}  // namespace ridge::ops
