// Pointwise calls and their in-place forms: any op of the registry, arguments made by its schema.
#include <algorithm>
#include <limits>
#include <map>

#include "ridge/dispatch/call.h"
#include "ridge/ops/creation.h"
#include "ridge/reference/reference.h"
#include "tests/fuzz/body_runs.h"
#include "tests/fuzz/coverage.h"
#include "tests/fuzz/graph_builder.h"

namespace ridge::fuzz {
namespace {

using dispatch::ArgKind;
using dispatch::Parameter;
using dispatch::Value;
using ops::OpRecord;

const std::vector<const OpRecord*>& pointwise_records() {
  static const std::vector<const OpRecord*> records = [] {
    std::vector<const OpRecord*> found;
    for (const OpRecord* record : fuzz::records()) {
      const bool is_plain =
          !has(record->traits, ops::Trait::Random) && record->decompose == nullptr;
      if (has(record->traits, ops::Trait::Pointwise) && is_plain) found.push_back(record);
    }
    return found;
  }();
  return records;
}

// The least value each operand has in the op's own samples: where it is above -1, less may be
// outside of the domain.
using Lows = std::vector<double>;
const Lows& domain_of(const OpRecord& record) {
  static std::map<const OpRecord*, Lows> known;
  const auto [it, is_new] = known.try_emplace(&record);
  if (!is_new) return it->second;
  ops::SampleMaker maker(record.op->schema(), f32, 1);
  record.samples(maker);
  Lows& lows = it->second;
  lows.assign(record.op->schema().parameters.size(), std::numeric_limits<double>::infinity());
  for (const ops::SampleCall& call : maker.take()) {
    for (size_t i = 0; i < call.args.size(); ++i) {
      const Tensor* tensor = std::get_if<Tensor>(&call.args[i]);
      if (tensor == nullptr || !is_floating(tensor->dtype())) continue;
      for (const double x : tensor->to_vector<double>()) lows[i] = std::min(lows[i], x);
    }
  }
  return lows;
}

bool is_in_domain(const GraphBuilder& b, size_t i, double low) {
  const double least = b.range(i).first;
  return low < -1 || low > 1e30 || least >= (low > 0 ? low / 2 : low);
}

// A shape that broadcasts to `shape`: dimensions left out in front, or 1.
Shape narrower(GraphBuilder& b, const Shape& shape) {
  const auto first = b.chance(0.3) ? b.integer(0, std::ssize(shape)) : 0;
  Shape result;
  for (size_t i = static_cast<size_t>(first); i < shape.size(); ++i) {
    result.push_back(b.chance(0.3) ? Size(1) : shape[i]);
  }
  return result;
}

bool fits(const Shape& a, const Shape& to) {
  if (a.size() > to.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const int64_t size = known(a[a.size() - 1 - i]);
    if (size != 1 && size != known(to[to.size() - 1 - i])) return false;
  }
  return true;
}

DType accepted_dtype(GraphBuilder& b, ops::Accept accept) {
  for (int tries = 0; tries < 20; ++tries) {
    const DType dtype = b.dtype();
    if (ops::accepts(accept, dtype)) return dtype;
  }
  return ops::accepts(accept, boolean) ? boolean : i64;
}

// The arguments of a call: known values by number, anything else as it is.
struct Arguments {
  std::vector<size_t> operands;
  std::vector<std::variant<size_t, Value>> args;  // size_t: position in operands

  CallOf call(const dispatch::Operator& op) const {
    return [&op, args = args](Operands tensors) {
      std::vector<Value> values;
      for (const auto& arg : args) {
        const size_t* operand = std::get_if<size_t>(&arg);
        values.push_back(operand != nullptr ? Value(tensors[*operand]) : std::get<Value>(arg));
      }
      return dispatch::call_values(op, dispatch::borrow(values));
    };
  }
};

class ArgumentMaker {
 public:
  ArgumentMaker(GraphBuilder& b, const OpRecord& record) : b_(b), record_(record) {}

  // The first tensor operand is `first` if it is given.
  std::optional<Arguments> make(std::optional<size_t> first) {
    const auto& parameters = record_.op->schema().parameters;
    for (size_t i = 0; i < parameters.size(); ++i) {
      switch (parameters[i].kind) {
        case ArgKind::tensor: add_tensor(i, first); break;
        case ArgKind::real: add(b_.number()); break;
        case ArgKind::integer: add(b_.integer(0, 2)); break;
        case ArgKind::flag: add(b_.chance(0.5)); break;
        case ArgKind::dtype: add(b_.dtype()); break;
        case ArgKind::none:
        case ArgKind::tensors:
        case ArgKind::device:
        case ArgKind::ints:
        case ArgKind::sizes: return std::nullopt;
      }
      if (is_hopeless_) return std::nullopt;
    }
    return std::move(made_);
  }

 private:
  template <class T>
  void add(T value) {
    made_.args.push_back(Value(value));
  }

  void add_tensor(size_t i, std::optional<size_t>& first) {
    const auto& accepts = record_.dtype.accepts;
    const ops::Accept accept = accepts[std::min(tensors_++, accepts.size() - 1)];
    const double low = b_.chance(0.03) ? -2 : domain_of(record_)[i];
    const bool is_first = made_.operands.empty();
    if (is_first && first) return use(*std::exchange(first, std::nullopt), low);
    if (!is_first && b_.chance(0.2)) return add(number(low));
    const auto suits = [&](const Tensor& t) {
      return ops::accepts(accept, t.dtype()) && (is_first || fits(t.shape(), shape_));
    };
    std::optional<size_t> found = b_.chance(0.8) ? b_.pick(suits) : std::nullopt;
    if (!found || !is_in_domain(b_, *found, low)) {
      const Shape shape = is_first ? b_.shape() : narrower(b_, shape_);
      found = b_.input(accepted_dtype(b_, accept), shape, low > -1 && low < 1e30 ? "positive" : "");
    }
    use(*found, low);
  }

  Tensor number(double low) {
    const bool is_positive = low > -1 && low < 1e30;
    if (b_.chance(0.4)) return Tensor::number(is_positive ? b_.integer(1, 3) : b_.integer(-3, 3));
    return Tensor::number(is_positive ? std::abs(b_.number()) + 0.5 : b_.number());
  }

  void use(size_t known_value, double low) {
    is_hopeless_ |= !is_in_domain(b_, known_value, low);
    if (made_.operands.empty()) shape_ = b_.value(known_value).shape();
    made_.args.emplace_back(made_.operands.size());
    made_.operands.push_back(known_value);
  }

  GraphBuilder& b_;
  const OpRecord& record_;
  Arguments made_;
  Shape shape_;
  size_t tensors_ = 0;
  bool is_hopeless_ = false;
};

const OpRecord& any_record(GraphBuilder& b) {
  const auto& records = pointwise_records();
  return *records[static_cast<size_t>(b.integer(0, std::ssize(records) - 1))];
}

}  // namespace

bool add_pointwise(GraphBuilder& b) {
  const OpRecord& record = any_record(b);
  if (b.is_long() && has_long_body(*record.op)) return false;  // its runs would take a minute
  const std::optional<Arguments> arguments = ArgumentMaker(b, record).make(std::nullopt);
  return arguments && b.attempt(arguments->operands, arguments->call(*record.op));
}

bool add_write(GraphBuilder& b) {
  if (!b.may_write()) return false;
  const auto target = b.pick([](const Tensor& t) { return t.rank() > 0; });
  if (!target) return false;
  // Many ops would change the dtype, and cannot write to their operand.
  for (int tries = 0; tries < 8; ++tries) {
    const OpRecord& record = any_record(b);
    if (record.in_place_op == nullptr) continue;
    const std::optional<Arguments> arguments = ArgumentMaker(b, record).make(target);
    if (arguments && b.attempt_write(arguments->operands, arguments->call(*record.op),
                                     arguments->call(*record.in_place_op))) {
      return true;
    }
  }
  return false;
}

}  // namespace ridge::fuzz
