#include "extreme_cases.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "ridge/reference/reference.h"

namespace ridge::testing {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kMostElements = 64;  // of an operand

using Values = std::vector<dispatch::Value>;

// The ends of the range of a floating dtype.
struct Ends {
  double largest, least_normal, least;
};
Ends ends_of(DType dtype) {
  if (dtype == f64) {
    using Limits = std::numeric_limits<double>;
    return {Limits::max(), Limits::min(), Limits::denorm_min()};
  }
  if (dtype == f16) return {65504, 0x1p-14, 0x1p-24};
  if (dtype == bf16) return {0x1.fep127, 0x1p-126, 0x1p-133};
  using Limits = std::numeric_limits<float>;
  return {Limits::max(), Limits::min(), Limits::denorm_min()};
}

// The fewer of them are combined, the more there are.
std::vector<double> numbers_for(DType dtype, size_t operands) {
  const Ends e = ends_of(dtype);
  if (operands >= 3) return {kNaN, kInfinity, -kInfinity, -0.0, 1.5};
  if (operands == 2) {
    return {kNaN, kInfinity, -kInfinity, 0.0, -0.0, e.least, e.largest, -e.largest, -2.5, 3.0};
  }
  return {kNaN,      kInfinity,  -kInfinity, 0.0,     -0.0, e.least, -e.least, e.least_normal,
          e.largest, -e.largest, 1.0,        -1.0,    0.5,  -2.5,    3.0,      90.0,
          -90.0,     0x1p20,     0x1p-17,    -0x1p-17};
}

bool is_under_test(const Tensor& t, DType dtype) {
  return t.defined() && t.dtype() == dtype && !t.is_weak();
}

std::vector<Tensor*> tensors_in(Values& args) {
  std::vector<Tensor*> tensors;
  for (dispatch::Value& value : args) {
    if (auto* tensor = std::get_if<Tensor>(&value); tensor != nullptr && tensor->defined()) {
      tensors.push_back(tensor);
    } else if (auto* list = std::get_if<dispatch::Tensors>(&value)) {
      for (Tensor& t : *list) tensors.push_back(&t);
    }
  }
  return tensors;
}

Tensor tensor_of(const std::vector<double>& numbers, const Shape& shape, DType dtype) {
  const Tensor tensor = Tensor::empty(shape, dtype);
  for (size_t i = 0; i < numbers.size(); ++i) {
    store_element(dtype, tensor.raw_data(), static_cast<int64_t>(i), expr::Number::of(numbers[i]));
  }
  return tensor;
}

bool runs(const ops::OpRecord& record, const Values& args) {
  const reference::UseReference by_reference;
  try {
    dispatch::call_values(*record.op, dispatch::borrow(args));
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What is not a tensor, as text: calls that differ in it are calls of their own.
std::string settings_of(const Values& args) {
  std::string text;
  for (const dispatch::Value& value : args) {
    const bool is_tensor =
        std::holds_alternative<Tensor>(value) || std::holds_alternative<dispatch::Tensors>(value);
    text += (is_tensor ? "tensor" : dispatch::to_text(dispatch::borrow(value))) + ", ";
  }
  return text;
}

// Every operand along an axis of its own, so that all its numbers meet all of the others.
Values combined(Values args, DType dtype) {
  const std::vector<Tensor*> tensors = tensors_in(args);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const DType own = tensors[i]->dtype();
    const std::vector<double> numbers =
        own == dtype ? numbers_for(dtype, tensors.size()) : std::vector<double>{0, 1};
    Shape shape(tensors.size(), Size(1));
    shape[i] = numbers.size();
    *tensors[i] = tensor_of(numbers, shape, own);
  }
  return args;
}

// For ops that want one shape of all operands: each begins elsewhere.
Values side_by_side(Values args, DType dtype) {
  const std::vector<double> numbers = numbers_for(dtype, 1);
  const std::vector<Tensor*> tensors = tensors_in(args);
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::vector<double> own;
    for (size_t k = 0; k < numbers.size(); ++k) {
      own.push_back(numbers[(k * (i + 1) + i) % numbers.size()]);
    }
    if (tensors[i]->dtype() == dtype) *tensors[i] = tensor_of(own, {numbers.size()}, dtype);
  }
  return args;
}

// One kind of number in the operands, by the number of the element and how many there are. The largest
// ones are in the first operand alone, so that no partial sum leaves the range where the result is within it.
struct Change {
  std::function<std::optional<double>(size_t element, size_t count)> number;
  bool is_of_first = false;
};

std::vector<Change> changes_for(DType dtype) {
  const Ends e = ends_of(dtype);
  const auto one = [](double number) {
    return [number](size_t element, size_t count) {
      return element == count / 3 ? std::optional(number) : std::nullopt;
    };
  };
  const auto both_infinities = [](size_t element, size_t count) -> std::optional<double> {
    if (element == count / 3) return kInfinity;
    return element == count / 2 ? std::optional(-kInfinity) : std::nullopt;
  };
  const auto zeros = [](size_t element, size_t) { return element % 2 == 0 ? 0.0 : -0.0; };
  const auto tiny = [e](size_t element, size_t) -> std::optional<double> {
    if (element % 3 == 0) return element % 2 == 0 ? e.least : -e.least;
    return element % 3 == 1 ? std::optional(e.least_normal) : std::nullopt;
  };
  return {{one(kNaN)}, {one(kInfinity)}, {one(-kInfinity)},      {both_infinities},
          {zeros},     {tiny},           {one(e.largest), true}, {one(-e.largest), true}};
}

Values changed(Values args, DType dtype, const Change& change) {
  for (Tensor* tensor : tensors_in(args)) {
    if (!is_under_test(*tensor, dtype)) continue;
    std::vector<double> numbers = tensor->to_vector<double>();
    for (size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = change.number(i, numbers.size()).value_or(numbers[i]);
    }
    *tensor = tensor_of(numbers, tensor->shape(), dtype);
    if (change.is_of_first) break;
  }
  return args;
}

// A size of 0 in place of one, in the first operand and wherever others have the same there; or in one
// operand alone.
std::vector<Values> emptied(const Values& args) {
  std::vector<Values> all;
  Values copy = args;
  const size_t count = tensors_in(copy).size();
  const auto without = [](const Tensor& t, int64_t dim) {
    Shape shape = t.shape();
    shape[static_cast<size_t>(dim < 0 ? dim + t.rank() : dim)] = 0;
    return Tensor::empty(shape, t.dtype());
  };
  for (const int64_t dim : {0, -1}) {
    Values joint = args;
    const std::vector<Tensor*> tensors = tensors_in(joint);
    if (count == 0 || tensors[0]->rank() == 0) continue;
    const Size size = tensors[0]->size(dim);
    for (Tensor* t : tensors) {
      if (t->rank() > 0 && t->size(dim).is_same(size)) *t = without(*t, dim);
    }
    all.push_back(std::move(joint));
  }
  for (size_t i = 1; i < count; ++i) {
    Values alone = args;
    Tensor& t = *tensors_in(alone)[i];
    if (t.rank() == 0) continue;
    t = without(t, 0);
    all.push_back(std::move(alone));
  }
  return all;
}

bool is_usual(Values args, DType dtype) {
  bool has_several = false;
  for (const Tensor* t : tensors_in(args)) {
    if (*t->numel().known() > kMostElements) return false;
    has_several |= is_under_test(*t, dtype) && *t->numel().known() > 1;
  }
  return has_several;
}

}  // namespace

std::vector<OpCase> extreme_cases_of(const ops::OpRecord& record, DType dtype) {
  std::vector<OpCase> cases;
  if (!is_floating(dtype)) return cases;
  const auto add = [&](Values args) {
    if (!runs(record, args)) return false;
    cases.push_back({&record, dtype, kFirstExtreme + cases.size(), std::move(args)});
    return true;
  };
  std::set<std::string> settings;
  const bool is_pointwise = has(record.traits, ops::Trait::Pointwise);
  for (const OpCase& usual : cases_of(record, dtype)) {
    if (is_pointwise) {
      if (!settings.insert(settings_of(usual.args)).second) continue;
      if (!add(combined(usual.args, dtype))) add(side_by_side(usual.args, dtype));
    } else if (is_usual(usual.args, dtype)) {
      for (const Change& change : changes_for(dtype)) add(changed(usual.args, dtype, change));
      for (Values& empty : emptied(usual.args)) add(std::move(empty));
      break;
    }
  }
  return cases;
}

std::vector<OpCase> all_cases_of(const ops::OpRecord& record, DType dtype) {
  std::vector<OpCase> cases = cases_of(record, dtype);
  std::vector<OpCase> extreme = extreme_cases_of(record, dtype);
  std::ranges::move(extreme, std::back_inserter(cases));
  return cases;
}

}  // namespace ridge::testing
