#include "ridge/aot/vmap.h"

#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/dispatch/thread_state.h"
#include "ridge/graph/replay.h"

namespace ridge::aot {

using capture::Captured;
using capture::Slot;
using graph::Graph;
using graph::Recorder;

namespace {

// The tensor with one dimension moved to another place.
Tensor with_moved_dim(const Tensor& x, int64_t from, int64_t to) {
  if (from == to) return x;
  Ints dims;
  for (int64_t dim = 0; dim < x.rank(); ++dim) {
    if (dim != from) dims.push_back(dim);
  }
  dims.insert(dims.begin() + to, from);
  return permute(x, dims);
}

// How one example of it looks: a view that nobody reads.
Tensor form_of_example(const Tensor& x, int64_t axis) {
  auto impl = make_ref<TensorImpl>();
  impl->storage = Ref<Storage>(&x.storage());
  impl->shape = x.shape();
  impl->shape.erase(impl->shape.begin() + axis);
  impl->strides = contiguous_strides(impl->shape);
  impl->dtype = x.dtype();
  impl->device = x.device();
  impl->is_contiguous = true;
  return Tensor(std::move(impl));
}

}  // namespace

MappedCall::MappedCall(const VmapOptions& options, size_t argument_count, Location where)
    : options_(options), argument_count_(argument_count), where_(where) {
  const size_t given = options.in_axes.size();
  RIDGE_CHECK(given == 0 || given == argument_count, .code = ErrorCode::value, .op = "vmap",
              .expected = concat("in_axes for ", argument_count, " arguments"),
              .given = concat(given), .where = where);
  bound_.where = where;
}

void MappedCall::end_argument() {
  const std::optional<int64_t> axis =
      options_.in_axes.empty() ? std::optional<int64_t>(0) : options_.in_axes[argument_];
  for (size_t i = axes_.size(); i < bound_.tensors.size(); ++i) {
    const Tensor* tensor = bound_.tensors[i];
    axes_.emplace_back();
    if (tensor == nullptr || !tensor->defined() || !axis) continue;
    const int64_t rank = tensor->rank();
    RIDGE_CHECK(*axis < rank && *axis >= -rank, .code = ErrorCode::shape, .op = "vmap",
                .expected = concat("a dimension ", *axis, " in every tensor of argument ",
                                   argument_, ", to map over"),
                .given = describe(*tensor),
                .hint = "in_axes = {..., std::nullopt, ...} hands an argument on as it is",
                .where = where_);
    axes_.back() = *axis < 0 ? *axis + rank : *axis;
  }
  if (++argument_ == argument_count_) find_count();
}

void MappedCall::find_count() {
  const Tensor* first = nullptr;
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (!axes_[i]) continue;
    const Tensor& tensor = *bound_.tensors[i];
    const Size& size = tensor.shape()[static_cast<size_t>(*axes_[i])];
    if (first == nullptr) count_ = size;
    RIDGE_CHECK(size == count_, .code = ErrorCode::shape, .op = "vmap",
                .expected = concat("batches of one length, ", count_, " as of ",
                                   describe(first == nullptr ? tensor : *first)),
                .given = concat(size, " of ", describe(tensor)), .where = where_);
    if (first == nullptr) first = &tensor;
  }
  RIDGE_CHECK(first != nullptr, .code = ErrorCode::value, .op = "vmap",
              .expected = "an argument with a tensor to map over", .given = "none",
              .where = where_);
}

const std::vector<Tensor>& MappedCall::examples() {
  if (!examples_.empty()) return examples_;
  for (size_t i = 0; i < axes_.size(); ++i) {
    const Tensor whole = bound_.tensors[i] != nullptr ? *bound_.tensors[i] : Tensor();
    examples_.push_back(axes_[i] ? form_of_example(whole, *axes_[i]) : whole);
  }
  return examples_;
}

// The batch in front; tensors of the enclosing capture are what they are.
std::vector<Tensor> MappedCall::batched_inputs(const Captured& captured) const {
  std::vector<Tensor> inputs = bound_.inputs;
  size_t next = 0;
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (bound_.tensors[i] != nullptr && !bound_.tensors[i]->defined()) continue;
    if (axes_[i]) inputs[next] = with_moved_dim(inputs[next], *axes_[i], 0);
    ++next;
  }
  inputs.insert(inputs.end(), captured.enclosing.begin(), captured.enclosing.end());
  return inputs;
}

void MappedCall::check_updates(const BatchedGraph& batched) const {
  const Graph& graph = batched.graph;
  for (size_t i = 0; i < graph.updates.size(); ++i) {
    size_t input = 0;
    while (graph.inputs[input] != graph.updates[i].input) ++input;
    const graph::Type& type = graph[graph.updates[i].value].type;
    RIDGE_CHECK(!batched.mapped_updates[i] ||
                    graph[graph.inputs[input]].type.shape.size() == type.shape.size(),
                .code = ErrorCode::state, .op = "vmap",
                .expected = "a function that writes the same to a shared argument for all examples",
                .given = concat("a value of each example, written to ",
                                to_text(graph[graph.inputs[input]].type)),
                .hint = "map over that argument too, or return the value", .where = where_);
  }
}

Tensor MappedCall::placed(const Tensor& output, bool is_mapped, int64_t axis) const {
  const int64_t rank = output.rank() + (is_mapped ? 0 : 1);
  const int64_t to = wrap_dim(axis, rank, where_);
  if (is_mapped) return with_moved_dim(output, 0, to);
  return clone(with_moved_dim(repeated(output, count_), 0, to));
}

int64_t MappedCall::out_axis(size_t result, size_t count) const {
  const size_t given = options_.out_axes.size();
  if (given == 0) return 0;
  RIDGE_CHECK(given == 1 || given == count, .code = ErrorCode::value, .op = "vmap",
              .expected = concat("out_axes for ", count, " tensors of the result, or one for all"),
              .given = concat(given), .where = where_);
  return options_.out_axes[given == 1 ? 0 : result];
}

void MappedCall::replace(size_t tensor, const Tensor& now, bool has_batch) {
  RIDGE_CHECK(axes_[tensor] || !has_batch, .code = ErrorCode::state, .op = "vmap",
              .expected = "a function that puts the same into a shared argument for all examples",
              .given = "a value of each example",
              .hint = "map over that argument too, or return the value", .where = where_);
  const bool is_placed = now.defined() && axes_[tensor];
  *bound_.tensors[tensor] = is_placed ? placed(now, has_batch, *axes_[tensor]) : now;
}

std::vector<Tensor> MappedCall::run(const Captured& captured) {
  const dispatch::ExcludeKeys no_casts(dispatch::Key::autocast);
  const dispatch::ValuesOnly values_only;
  Graph graph = captured.graph;
  const auto output_at = [&](const Slot& slot) -> std::optional<size_t> {
    if (slot.from == Slot::From::undefined) return std::nullopt;
    return output_of(graph, slot);
  };
  std::vector<std::optional<size_t>> results, replaced;
  for (const Slot& slot : captured.results) results.push_back(output_at(slot));
  for (const auto& entry : captured.replaced) replaced.push_back(output_at(entry.now));

  std::vector<bool> is_mapped;
  for (size_t i = 0; i < axes_.size(); ++i) {
    const bool is_input = bound_.tensors[i] == nullptr || bound_.tensors[i]->defined();
    if (is_input) is_mapped.push_back(axes_[i].has_value());
  }
  is_mapped.resize(graph.inputs.size());
  const BatchedGraph batched =
      batch(std::move(graph), is_mapped, {.count = count_, .randomness = options_.randomness});
  check_updates(batched);
  const std::vector<Tensor> inputs = batched_inputs(captured);
  std::vector<Tensor> outputs = run_as_is(batched.graph, inputs);
  if (Recorder::active() == nullptr) graph::separate(outputs, inputs);

  std::vector<Tensor> tensors(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i]) continue;
    tensors[i] = placed(outputs[*results[i]], batched.mapped_outputs[*results[i]],
                        out_axis(i, results.size()));
  }
  for (size_t i = 0; i < replaced.size(); ++i) {
    const bool has_batch = replaced[i] && batched.mapped_outputs[*replaced[i]];
    replace(captured.replaced[i].tensor, replaced[i] ? outputs[*replaced[i]] : Tensor(), has_batch);
  }
  return tensors;
}

Tensor basis_of(const Tensor& x) {
  const Size count = x.numel();
  Shape shape{count};
  shape.insert(shape.end(), x.shape().begin(), x.shape().end());
  return reshape(eye(count, count, x.dtype(), x.device()), shape);
}

}  // namespace ridge::aot
