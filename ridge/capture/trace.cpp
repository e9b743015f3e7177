#include "ridge/capture/trace.h"

#include <algorithm>

#include "ridge/autograd/custom_vjp.h"
#include "ridge/base/text.h"
#include "ridge/capture/result_slots.h"
#include "ridge/capture/shared_memory.h"
#include "ridge/capture/size_names.h"
#include "ridge/capture/symbolic_sizes.h"
#include "ridge/graph/recorder.h"

namespace ridge::capture {

using graph::Recorder;
using graph::ValueId;

namespace {

void check_not_recursive(const void* function, std::string_view name, Location where) {
  if (function == nullptr) return;
  for (Recorder* recorder = Recorder::active(); recorder != nullptr;
       recorder = recorder->enclosing()) {
    RIDGE_CHECK(std::ranges::find(recorder->functions(), function) == recorder->functions().end(),
                .code = ErrorCode::state, .op = std::string(name),
                .expected = "a function that does not call itself while it is captured",
                .given = "a call of it from inside",
                .hint =
                    "the recursion would never end: call the plain C++ function with a count, "
                    "or use a loop",
                .where = where);
  }
}

graph::Type type_of(const Tensor& tensor, Shape shape) {
  return {.dtype = tensor.dtype(),
          .shape = std::move(shape),
          .device = tensor.device(),
          .is_weak = tensor.is_weak()};
}

// The memory that was given, with the sizes it was captured with.
Tensor with_sizes(const Tensor& given, const Tensor& fake) {
  Tensor tensor = given.alias();
  tensor.impl().shape = fake.shape();
  tensor.impl().strides = fake.strides();
  tensor.impl().is_contiguous = fake.is_contiguous();
  return tensor;
}

}  // namespace

std::string argument_name(size_t number) { return concat("arg", number); }

Trace::Trace(const CaptureOptions& options) : options_(options), recorder_(captured_.graph) {
  graph::install_recorder();
  check_not_recursive(options.function, options.name, options.where);
  captured_.graph.name = options.name;
  if (options.function != nullptr) recorder_.functions().push_back(options.function);
  if (Recorder* outer = Recorder::active()) recorder_.set_scope(outer->scope());
}

Trace::~Trace() = default;

std::string Trace::begin_argument() {
  const size_t number = arguments_.size();
  arguments_.push_back({given_.size(), numbers_.size(), sizes_.size()});
  const auto& names = options_.argument_names;
  return number < names.size() ? names[number] : argument_name(number);
}

Tensor Trace::input(const std::string& path, const Tensor& given) {
  captured_.names.push_back(path);
  tensor_names_.push_back(path);
  const size_t number = given_.size();
  given_.push_back(given);
  if (!given.defined()) return fakes_.emplace_back();
  Shape shape = given.shape();
  std::optional<Shape> strides;
  if (options_.sizes != nullptr) {
    shape = options_.sizes->shape_of(number, given);
    strides = options_.sizes->strides_of(number, given);
  } else if (!given.is_contiguous()) {
    strides = given.strides();
  }
  fakes_.push_back(recorder_.input(type_of(given, std::move(shape)), path, std::move(strides)));
  return fakes_.back();
}

Size Trace::size(const std::string& path, const Size& given) {
  captured_.names.push_back(path);
  const size_t number = sizes_.size();
  sizes_.push_back(
      {path, options_.sizes == nullptr ? given : options_.sizes->argument(number, given)});
  return sizes_.back().size;
}

void Trace::number(const std::string& path, int64_t value) {
  captured_.names.push_back(path);
  numbers_.push_back({path, value});
}

void Trace::leave(const std::string& path, const Tensor& tensor) {
  ValueId id;
  if (tensor.defined()) {
    id = located(path, options_.where, [&] {
      const Recorder::Scope inside(
          recorder_);  // or fake tensors of enclosing captures were unknown
      return recorder_.id(tensor, options_.where);
    });
  }
  left_.push_back({id, tensor});
}

void Trace::result(const std::string& path, const Tensor& tensor) {
  leave(path, tensor);
  captured_.results.emplace_back();
}

void Trace::return_to_argument(size_t number) { next_ = arguments_[number]; }

void Trace::check_argument(const Tensor& now) {
  const size_t tensor = next_.tensor++;
  if (now.is_same(fakes_[tensor])) return;
  leave(tensor_names_[tensor], now);
  captured_.replaced.push_back({tensor, {}});
}

void Trace::check_number(int64_t now) {
  const Number& before = numbers_[next_.number++];
  RIDGE_CHECK(before.value == now, .code = ErrorCode::state, .op = options_.name,
              .expected = concat(before.path, " = ", before.value, ", as before the call"),
              .given = concat(now),
              .hint =
                  "numbers and list lengths of an argument are part of what a program was "
                  "captured for: keep what changes in a Tensor",
              .where = options_.where);
}

void Trace::check_size(const Size& now) {
  const SizeArgument& before = sizes_[next_.size++];
  RIDGE_CHECK(before.size.is_same(now), .code = ErrorCode::state, .op = options_.name,
              .expected = concat(before.path, " = ", before.size, ", as before the call"),
              .given = concat(now), .hint = "return the new size instead of writing the argument",
              .where = options_.where);
}

// Arguments are looked at after the result.
void Trace::settle_results() {
  const std::vector<Slot> slots = place_results(
      captured_.graph, left_, [this](ValueId id) { return recorder_.fake(id); },
      options_.restores_aliases);
  const size_t results = captured_.results.size();
  std::copy_n(slots.begin(), results, captured_.results.begin());
  for (size_t i = results; i < slots.size(); ++i) captured_.replaced[i - results].now = slots[i];
}

Captured Trace::finish() {
  settle_results();
  std::vector<NamedTensor> given;
  for (size_t i = 0; i < given_.size(); ++i) {
    if (given_[i].defined()) given.push_back({tensor_names_[i], with_sizes(given_[i], fakes_[i])});
  }
  share_memory(captured_, given, options_.restores_aliases);
  for (const Recorder::Capture& capture : recorder_.captured()) {
    captured_.enclosing.push_back(capture.outer);
  }
  return std::move(captured_);
}

InlinedCall::InlinedCall(const void* function, std::string_view name, Location where)
    : recorder_(*Recorder::active()) {
  check_not_recursive(function, name, where);
  recorder_.functions().push_back(function);
}

InlinedCall::~InlinedCall() { recorder_.functions().pop_back(); }

namespace {

// Tensors from outside are fake tensors of the enclosing capture: inputs of the graph of this one.
std::optional<std::string> run_dry(const std::function<void()>& body) {
  graph::Graph graph;
  graph::Recorder recorder(graph);
  {
    const graph::Recorder::Scope recording(recorder);
    body();
  }
  const auto written = written_inputs(graph);
  if (written.empty()) return std::nullopt;
  return written.begin()->second->op->name();
}

}  // namespace

void install_dry_run() { autograd::install_dry_run(run_dry); }

}  // namespace ridge::capture
