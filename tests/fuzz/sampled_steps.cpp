// Calls of any op of the registry, with the shapes and attributes of its samples: an op that no other
// step knows of is called all the same. Data are the fuzzer's own, or values that are there already.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ridge/base/text.h"
#include "ridge/dispatch/call.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/record.h"
#include "ridge/ops/sorting.h"
#include "ridge/ops/view.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

using dispatch::Value;

constexpr int kTries = 40;  // samples that do not fit, before another op is taken

// An argument: operands of the call by position, or a value as the sample has it.
using Argument = std::variant<size_t, std::vector<size_t>, Value>;

struct Range {
  double low = 0, high = 0;
};

Range range_of(const Tensor& tensor) {
  Range range;
  bool is_first = true;
  for (const double x : tensor.to_vector<double>()) {
    if (!std::isfinite(x)) continue;
    range = is_first ? Range{x, x} : Range{std::min(range.low, x), std::max(range.high, x)};
    is_first = false;
  }
  return range;
}

// Numbers of the sample say what an operand may be: a position, a probability, something positive.
std::string kind_for(const Tensor& sample) {
  const Range range = range_of(sample);
  if (is_integer(sample.dtype()) && range.low >= 0) {
    return concat("index", static_cast<int64_t>(range.high) + 1);
  }
  const bool is_anything = range.low < -1 && range.high > 1;
  if (!is_floating(sample.dtype()) || is_anything) return "";
  const auto low = static_cast<int64_t>(std::ceil(range.low * 8));
  const auto high = static_cast<int64_t>(std::floor(range.high * 8));
  return concat("eighths", std::min(low, high), "to", std::max(low, high));
}

bool is_within(const Range& range, const Tensor& sample) {
  const Range wanted = range_of(sample);
  if (is_boolean(sample.dtype())) return true;
  if (is_floating(sample.dtype()) && wanted.low < -1 && wanted.high > 1) return true;
  return range.low >= wanted.low && range.high <= wanted.high;
}

// So many elements of a value, in another shape: through calls of the graph, so that the op reads
// what something else computes.
std::optional<size_t> rearranged(GraphBuilder& b, size_t from, const Shape& shape) {
  const int64_t elements = elements_of(shape);
  const bool is_done = b.attempt({from}, [&](Operands v) -> Tensors {
    return {reshape(slice(flatten(v[0]), 0, 0, elements), shape)};
  });
  return is_done ? std::optional(b.count() - 1) : std::nullopt;
}

class SampledCall {
 public:
  SampledCall(GraphBuilder& b, const ops::OpRecord& record, const ops::SampleCall& sample) : b_(b) {
    const auto& parameters = record.op->schema().parameters;
    const bool is_distinct = writes_each_once(record, sample);
    for (size_t i = 0; i < sample.args.size(); ++i) {
      const auto* tensor = std::get_if<Tensor>(&sample.args[i]);
      const bool is_index = is_distinct && tensor != nullptr && parameters[i].name == "index";
      if (is_index && tensor->rank() > 0) {
        operands_.push_back(permutation(tensor->shape(), sample));
        args_.emplace_back(operands_.size() - 1);
      } else {
        args_.push_back(argument(sample.args[i]));
      }
    }
  }

  bool attempt(const dispatch::Operator& op) {
    return b_.attempt(operands_, [&op, args = args_](Operands v) {
      std::vector<Value> values;
      for (const Argument& arg : args) values.push_back(bound(arg, v));
      return dispatch::call_values(op, dispatch::borrow(values));
    });
  }

 private:
  // Of two values for one element neither is the right one: positions must be distinct.
  static bool writes_each_once(const ops::OpRecord& record, const ops::SampleCall& sample) {
    if (!record.define) return false;
    const auto args = dispatch::borrow(sample.args);
    const ops::Call call(record.op->schema(), args);
    const ops::Definition definition = ops::definition_of(record, call, ops::resolve(record, call));
    return definition.is_scatter() && definition.reducer == ops::Reducer::none;
  }
  size_t permutation(const Shape& shape, const ops::SampleCall& sample) {
    int64_t dim = 0;
    for (const Value& value : sample.args) {
      if (const auto* number = std::get_if<int64_t>(&value)) dim = *number;
    }
    const size_t keys = b_.input(f32, shape);
    b_.attempt({keys}, [dim](Operands v) -> Tensors { return {argsort(v[0], dim)}; });
    return b_.count() - 1;
  }

  static Value bound(const Argument& arg, Operands v) {
    if (const auto* one = std::get_if<size_t>(&arg)) return v[*one];
    if (const auto* value = std::get_if<Value>(&arg)) return *value;
    Tensors list;
    for (const size_t i : std::get<std::vector<size_t>>(arg)) list.push_back(v[i]);
    return list;
  }

  Argument argument(const Value& value) {
    if (const auto* tensor = std::get_if<Tensor>(&value)) {
      // Plain numbers, and operands that are left out.
      if (!tensor->defined() || tensor->is_weak()) return value;
      return add(*tensor);
    }
    const auto* tensors = std::get_if<Tensors>(&value);
    if (tensors == nullptr) return value;
    std::vector<size_t> list;
    for (const Tensor& tensor : *tensors) list.push_back(add(tensor));
    return list;
  }

  size_t add(const Tensor& sample) {
    operands_.push_back(known_or_input(sample));
    return operands_.size() - 1;
  }

  size_t known_or_input(const Tensor& sample) {
    const int64_t elements = elements_of(sample.shape());
    const auto suits = [&](const Tensor& t) {
      if (t.dtype() != sample.dtype() || elements_of(t.shape()) < elements) return false;
      return is_within(range_of(t), sample);
    };
    const std::optional<size_t> found = b_.chance(0.6) ? b_.pick(suits) : std::nullopt;
    if (found && to_text(b_.value(*found).shape()) == to_text(sample.shape())) return *found;
    std::optional<size_t> made;
    if (found) made = rearranged(b_, *found, sample.shape());
    return made ? *made : b_.input(sample.dtype(), sample.shape(), kind_for(sample));
  }

  GraphBuilder& b_;
  std::vector<size_t> operands_;
  std::vector<Argument> args_;
};

}  // namespace

bool add_sampled(GraphBuilder& b, const ops::OpRecord& record) {
  if (!record.samples) return false;
  static std::unordered_map<const ops::OpRecord*, std::vector<DType>> known;
  if (!known.contains(&record)) known[&record] = ops::accepted_dtypes(record);
  const std::vector<DType>& dtypes = known[&record];
  for (int tries = 0; tries < kTries && !dtypes.empty(); ++tries) {
    const DType dtype = dtypes[static_cast<size_t>(b.integer(0, std::ssize(dtypes) - 1))];
    ops::SampleMaker maker(record.op->schema(), dtype, static_cast<uint64_t>(b.integer(0, 999)));
    record.samples(maker);
    const std::vector<ops::SampleCall> samples = maker.take();
    if (samples.empty()) continue;
    const auto at = static_cast<size_t>(b.integer(0, std::ssize(samples) - 1));
    if (SampledCall(b, record, samples[at]).attempt(*record.op)) return true;
  }
  return false;
}

bool add_any_sampled(GraphBuilder& b) {
  return add_sampled(b, *records()[static_cast<size_t>(b.integer(0, std::ssize(records()) - 1))]);
}

}  // namespace ridge::fuzz
