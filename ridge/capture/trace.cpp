#include "ridge/capture/trace.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/capture/symbolic_sizes.h"
#include "ridge/capture/written.h"

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
  if (!given.defined()) return stand_ins_.emplace_back();
  Shape shape = options_.sizes == nullptr ? given.shape() : options_.sizes->shape_of(number, given);
  stand_ins_.push_back(recorder_.input(type_of(given, std::move(shape)), path));
  return stand_ins_.back();
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

Slot Trace::slot_of(const std::string& path, const Tensor& tensor) {
  if (!tensor.defined()) return {};
  graph::Graph& graph = captured_.graph;
  const auto position = [](const auto& list, ValueId id) {
    return static_cast<int32_t>(std::ranges::find(list, id) - list.begin());
  };
  const ValueId id = located(path, options_.where, [&] {
    const Recorder::Scope inside(recorder_);  // or stand-ins of enclosing captures were unknown
    return recorder_.id(tensor, options_.where);
  });
  const int32_t input = position(graph.inputs, id);
  if (input < static_cast<int32_t>(graph.inputs.size())) return {Slot::From::input, input};
  const int32_t output = position(graph.outputs, id);
  if (output == static_cast<int32_t>(graph.outputs.size())) graph.outputs.push_back(id);
  return {Slot::From::output, output};
}

void Trace::result(const std::string& path, const Tensor& tensor) {
  captured_.results.push_back(slot_of(path, tensor));
}

void Trace::return_to_argument(size_t number) { next_ = arguments_[number]; }

void Trace::check_argument(const Tensor& now) {
  const size_t tensor = next_.tensor++;
  if (now.is_same(stand_ins_[tensor])) return;
  captured_.replaced.push_back({tensor, slot_of(tensor_names_[tensor], now)});
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

void Trace::check_written_memory() const {
  const auto share = [](const Tensor& a, const Tensor& b) {
    return a.defined() && b.defined() && a.shares_storage_with(b);
  };
  const graph::Graph& graph = captured_.graph;
  const auto written = written_inputs(graph);
  size_t input = 0;
  for (size_t tensor = 0; tensor < given_.size(); ++tensor) {
    if (!given_[tensor].defined()) continue;
    const auto found = written.find(graph.inputs[input++]);
    if (found == written.end()) continue;
    const graph::Node& writer = *found->second;
    // Several elements at one address: which of them a program leaves there would be chance.
    RIDGE_CHECK(!given_[tensor].may_overlap_itself(), .code = ErrorCode::state,
                .op = writer.op->name(),
                .expected = "to write an argument whose elements are apart in memory",
                .given = concat(tensor_names_[tensor], ", ", describe(given_[tensor]),
                                " with strides ", to_text(given_[tensor].strides())),
                .hint = "pass a copy of it", .where = writer.where);
    for (size_t other = 0; other < given_.size(); ++other) {
      RIDGE_CHECK(other == tensor || !share(given_[tensor], given_[other]),
                  .code = ErrorCode::state, .op = writer.op->name(),
                  .expected = "to write an argument whose memory no other argument views",
                  .given = concat(tensor_names_[tensor], ", which shares memory with ",
                                  tensor_names_[other]),
                  .hint = "pass one of them, or a copy", .where = writer.where);
    }
  }
}

Captured Trace::finish() {
  check_written_memory();
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

}  // namespace ridge::capture
