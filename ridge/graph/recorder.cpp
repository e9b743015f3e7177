#include "ridge/graph/recorder.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/graph/infer.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/dispatch_layers.h"
#include "ridge/ops/view.h"

namespace ridge::graph {

using dispatch::Arg;
using dispatch::ArgKind;
using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

namespace {

bool is_same_view(const Tensor& a, const Tensor& b) {
  return a.shares_storage_with(b) && a.dtype() == b.dtype() && a.offset().is_same(b.offset()) &&
         is_same(a.shape(), b.shape()) && is_same(a.strides(), b.strides());
}

// The bits of a plain number.
uint64_t number_bits(const Tensor& number) {
  uint64_t bits = 0;
  std::memcpy(&bits, number.raw_data(), bytes_for(number.dtype(), 1));
  return bits;
}

// The operand whose memory a result uses, if any.
std::optional<ValueId> aliased(const Tensor& result, const Node& node,
                               const std::function<const Tensor&(ValueId)>& meta_tensor) {
  for (const ValueId id : operands(node)) {
    if (result.shares_storage_with(meta_tensor(id))) return id;
  }
  return std::nullopt;
}

}  // namespace

Recorder::Recorder(Graph& graph) : graph_(graph), owner_(make_ref<FakeOwner>()) {
  for (const Node& node : graph.nodes) next_token_ = std::max(next_token_, node.token + 1);
}

Recorder::~Recorder() { owner_->has_ended = true; }

Recorder* Recorder::active() { return static_cast<Recorder*>(dispatch::thread_state().trace); }

Recorder::Scope::Scope(Recorder& recorder)
    : recorder_(recorder), outer_(dispatch::thread_state().trace), enclosing_(recorder.enclosing_) {
  auto& state = dispatch::thread_state();
  had_key_ = state.included.has(Key::trace);
  was_excluded_ = state.excluded.has(Key::trace);
  state.included = state.included | Key::trace;
  state.excluded = state.excluded - Key::trace;
  state.trace = &recorder;
  // A recorder that is entered again keeps its place in the chain, or the chain would be a ring.
  auto* outer = static_cast<Recorder*>(outer_);
  bool is_entered = false;
  for (const Recorder* r = outer; r != nullptr; r = r->enclosing_) is_entered |= r == &recorder;
  if (!is_entered) recorder.enclosing_ = outer;
}

Recorder::Scope::~Scope() {
  auto& state = dispatch::thread_state();
  if (!had_key_) state.included = state.included - Key::trace;
  if (was_excluded_) state.excluded = state.excluded | Key::trace;
  state.trace = outer_;
  recorder_.enclosing_ = enclosing_;
}

void Recorder::set_origin(std::optional<Location> where, std::string scope) {
  where_ = where;
  scope_ = std::move(scope);
}

uint8_t Recorder::next_region() {
  Recorder* outermost = this;
  while (outermost->enclosing_ != nullptr) outermost = outermost->enclosing_;
  // It is enough that neighbors differ.
  if (++outermost->region_count_ == 0) ++outermost->region_count_;
  return outermost->region_count_;
}

void Recorder::set_expands(std::function<bool(const dispatch::Operator&)> expands) {
  expands_ = std::move(expands);
}

Tensor Recorder::make_fake(const Tensor& meta_tensor, ValueId id, Device device,
                           Ref<Storage> storage) {
  Ref<TensorImpl> impl = make_ref<TensorImpl>();
  impl->storage = std::move(storage);
  impl->shape = meta_tensor.shape();
  impl->strides = meta_tensor.strides();
  impl->offset = meta_tensor.offset();
  impl->dtype = meta_tensor.dtype();
  impl->device = device;
  impl->is_contiguous = meta_tensor.is_contiguous();
  impl->is_weak = meta_tensor.is_weak();
  impl->key_bits = KeySet(dispatch::backend_key(device.kind)).word();
  Tensor tensor(std::move(impl));
  known_[tensor.unsafe_impl()] = {tensor, id};
  of_value(fakes_, id) = tensor;
  return tensor;
}

Tensor& Recorder::of_value(std::vector<Tensor>& list, ValueId id) const {
  const auto at = static_cast<size_t>(id.index);
  if (at >= list.size()) list.resize(std::max(graph_.values.size(), 2 * list.size()));
  return list[at];
}

const Tensor& Recorder::meta_tensor(ValueId id) {
  Tensor& meta_tensor = of_value(meta_tensors_, id);
  if (!meta_tensor.defined()) meta_tensor = make_meta_tensor(graph_[id]);
  return meta_tensor;
}

Tensor Recorder::fake(ValueId id) {
  if (const Tensor& known = of_value(fakes_, id); known.defined()) return known;
  const Device device = graph_[id].type.device;
  return make_fake(meta_tensor(id), id, device, Storage::fake(device, owner_));
}

Tensor Recorder::input(const Type& type, std::string name, std::optional<Shape> strides) {
  const ValueId id = graph_.add_input(type, std::move(name));
  graph_[id].strides = std::move(strides);
  return fake(id);
}

Tensor Recorder::constant(const Tensor& value) {
  if (owns(value)) return value;
  if (value.is_weak() && value.storage().fake_owner() == nullptr) {
    return fake(number(value));
  }
  // A copy, because the owner may write to it before the program runs.
  const dispatch::ExcludeKeys runs_now({Key::trace, Key::autograd, Key::autocast, Key::profile});
  return fake(graph_.add_constant(clone(value)));
}

bool Recorder::owns(const Tensor& tensor) const {
  return tensor.defined() && tensor.storage().fake_owner() == owner_.get();
}

ValueId Recorder::number(const Tensor& value) {
  const auto key = std::tuple(value.dtype().kind, value.dtype().bits, number_bits(value));
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  return numbers_[key] = graph_.add_constant(value.alias());
}

ValueId Recorder::capture(const Tensor& outer) {
  for (const Capture& known : captured_) {
    if (is_same_view(known.outer, outer)) return known.input;
  }
  const ValueId id =
      graph_.add_input({outer.dtype(), outer.shape(), outer.device(), outer.is_weak()});
  if (!outer.is_contiguous()) graph_[id].strides = outer.strides();
  captured_.push_back({outer, id});
  known_[outer.unsafe_impl()] = {outer, id};
  return id;
}

ValueId Recorder::find_fake(const Tensor& tensor) {
  const FakeOwner* owner = tensor.storage().fake_owner();
  if (owner == owner_.get()) {  // another handle to the view of a value
    for (size_t i = 0; i < fakes_.size(); ++i) {
      const Tensor& known = fakes_[i];
      if (known.defined() && is_same_view(known, tensor)) return {static_cast<int32_t>(i)};
    }
  }
  RIDGE_CHECK(!owner->has_ended, .code = ErrorCode::state,
              .expected = "tensors of this capture or arguments of it",
              .given = describe(tensor) + ", a tensor of a capture that has ended",
              .hint = "return it from the function that was captured, and pass it on");
  for (const Recorder* r = enclosing_; r != nullptr; r = r->enclosing_) {
    if (r->owner_.get() == owner) return capture(tensor);
  }
  throw_error({.code = ErrorCode::state,
               .expected = "tensors of this capture or arguments of it",
               .given = describe(tensor) + ", a tensor of another capture"});
}

ValueId Recorder::find(const Tensor& tensor) {
  const auto known = known_.find(&tensor.impl());
  if (known != known_.end()) return known->second.id;
  if (tensor.storage().fake_owner() != nullptr) return find_fake(tensor);
  if (tensor.is_weak()) return number(tensor);
  throw_error({.code = ErrorCode::state,
               .expected = "tensors of this capture or arguments of it",
               .given = describe(tensor) + ", a tensor from outside that is not an argument",
               .hint = "pass it as an argument, or wrap it in constant(t) to freeze its values"});
}

ValueId Recorder::id(const Tensor& tensor, Location where) {
  try {
    return find(tensor);
  } catch (Error& error) {
    error.locate({}, where);
    throw;
  }
}

std::vector<Argument> Recorder::arguments(const Frame& frame) {
  std::vector<Argument> args;
  args.reserve(frame.args.size());
  for (const Arg& arg : frame.args) {
    switch (arg.kind) {
      case ArgKind::none: args.emplace_back(); break;
      case ArgKind::tensor: args.emplace_back(find(*arg.tensor)); break;
      case ArgKind::tensors: {
        ValueIds ids;
        for (const Tensor& tensor : arg.tensors()) ids.push_back(find(tensor));
        args.emplace_back(std::move(ids));
        break;
      }
      case ArgKind::integer: args.emplace_back(arg.integer); break;
      case ArgKind::real: args.emplace_back(arg.real); break;
      case ArgKind::flag: args.emplace_back(arg.flag); break;
      case ArgKind::dtype: args.emplace_back(arg.dtype); break;
      case ArgKind::device: args.emplace_back(arg.device); break;
      case ArgKind::ints: args.emplace_back(Ints(arg.ints().begin(), arg.ints().end())); break;
      case ArgKind::sizes: args.emplace_back(Shape(arg.sizes().begin(), arg.sizes().end())); break;
    }
  }
  return args;
}

ValueId Recorder::cut(ValueId id) {
  const Value& value = graph_[id];
  if (value.constant.defined() || !is_floating(value.type.dtype) || uncut_.contains(id.index)) {
    return id;
  }
  if (const auto known = cuts_.find(id.index); known != cuts_.end()) return known->second;
  const dispatch::GradMode whole(true);
  const ValueId view = find(detach(fake(id)));
  cuts_[id.index] = view;
  uncut_[view.index] = id;
  return view;
}

void Recorder::check_writes(const Frame& frame, const Node& node) const {
  const auto& parameters = frame.op.schema().parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto* id = std::get_if<ValueId>(&node.args[i]);
    if (!parameters[i].alias.is_write || id == nullptr) continue;
    RIDGE_CHECK(!graph_[*id].constant.defined(), .code = ErrorCode::state, .op = frame.op.name(),
                .expected = "a tensor to write to", .given = "a constant of the capture",
                .hint = "pass it as an argument, or write to a clone of it");
  }
}

void Recorder::record(Frame& frame) {
  if (expands_ && expands_(frame.op)) {
    RIDGE_INTERNAL_CHECK(ops::run_derived(frame, ops::Composition::fastest),
                         "no decomposition of " + frame.op.name());
    return;
  }
  dispatch::check_arguments(frame.op.schema(), frame.args);
  Node node;
  node.op = &frame.op;
  node.args = arguments(frame);
  if (!dispatch::thread_state().grad_enabled) {
    replace_operands(node, [this](ValueId id) { return cut(id); });
  }
  check_writes(frame, node);
  const BoundArguments bound(node, [this](ValueId id) { return meta_tensor(id); });
  const dispatch::Tensors meta_tensors = call_on_meta(frame.op, bound.args(), frame.where);
  add_results(frame, std::move(node), meta_tensors);
}

void Recorder::add_results(Frame& frame, Node node, std::span<const Tensor> meta_tensors) {
  const Device device = result_device(graph_, node);
  const Frame* outermost = dispatch::thread_state().outermost;
  const Location called = outermost != nullptr ? outermost->where : frame.where;
  const int32_t position =
      graph_.add_node(frame.op, std::move(node.args), result_types(meta_tensors, device),
                      where_.value_or(called), scope_);
  Node& added = graph_.nodes[static_cast<size_t>(position)];
  added.phase = phase_;
  added.region = region_;
  const bool is_write = writes(frame.op);
  if (is_write) added.token = next_token_++;
  for (size_t i = 0; i < meta_tensors.size(); ++i) {
    const ValueId id = added.results[i];
    const auto alias = aliased(meta_tensors[i], added,
                               [this](ValueId v) -> const Tensor& { return meta_tensor(v); });
    graph_[id].alias = alias;
    of_value(meta_tensors_, id) = meta_tensors[i];
    const bool is_operand = is_write && alias && meta_tensors[i].is_same(meta_tensor(*alias));
    if (is_operand) {
      // As eagerly, what was written to is returned.
      const auto cut = uncut_.find(alias->index);
      frame.results[i] = fake(cut == uncut_.end() ? *alias : cut->second);
      frame.results[i].storage().bump_version();
      continue;
    }
    Ref<Storage> storage =
        alias ? Ref<Storage>(&fake(*alias).storage()) : Storage::fake(device, owner_);
    frame.results[i] = make_fake(meta_tensors[i], id, device, std::move(storage));
  }
}

std::vector<Tensor> Recorder::add_node(const dispatch::Operator& op, std::vector<Argument> args,
                                       std::vector<Type> results, Location where) {
  Node node;
  node.args = std::move(args);
  if (!dispatch::thread_state().grad_enabled) {
    replace_operands(node, [this](ValueId id) { return cut(id); });
  }
  const int32_t position =
      graph_.add_node(op, std::move(node.args), std::move(results), where_.value_or(where), scope_);
  Node& added = graph_.nodes[static_cast<size_t>(position)];
  added.phase = phase_;
  added.region = region_;
  std::vector<Tensor> tensors;
  const ValueIds ids = added.results;
  for (const ValueId id : ids) tensors.push_back(fake(id));
  return tensors;
}

void install_recorder() {
  static std::once_flag once;
  std::call_once(once, [] {
    ops::install_derived_layers();
    const auto kernel = dispatch::make_kernel([](Frame& frame, KeySet keys) {
      Recorder* recorder = Recorder::active();
      if (recorder == nullptr) return dispatch::redispatch(frame, keys & KeySet::below(Key::trace));
      recorder->record(frame);
    });
    dispatch::OperatorTable::instance()
        .add_fallback(Key::trace, kernel, "recorder of the active capture")
        .keep();
  });
}

}  // namespace ridge::graph
