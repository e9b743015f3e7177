#include "ridge/autograd/call_node.h"

#include "ridge/autograd/autograd_record.h"
#include "ridge/base/text.h"
#include "ridge/dispatch/thread_state.h"

namespace ridge::autograd {

using dispatch::ArgKind;
using dispatch::Frame;
using dispatch::Value;

namespace {

// Makes the forward call the one that ops called meanwhile are part of, so that errors and
// profiles show the user's line and not that of the rule.
class AsPartOf {
 public:
  explicit AsPartOf(const Frame& frame)
      : state_(dispatch::thread_state()), saved_(state_.outermost) {
    state_.outermost = &frame;
  }
  ~AsPartOf() { state_.outermost = saved_; }
  AsPartOf(const AsPartOf&) = delete;
  AsPartOf& operator=(const AsPartOf&) = delete;

 private:
  dispatch::ThreadState& state_;
  const Frame* saved_;
};

// With grad mode off a rule needs nothing of this layer: not even its views are to be noted.
class SkipUnlessRecording {
 public:
  SkipUnlessRecording()
      : keys_(dispatch::thread_state().grad_enabled ? dispatch::KeySet()
                                                    : dispatch::KeySet(dispatch::Key::autograd)) {}

 private:
  dispatch::ExcludeKeys keys_;
};

Edges edges_of(std::span<const Tensor* const> operands) {
  Edges edges;
  for (const Tensor* operand : operands) {
    edges.push_back(operand != nullptr ? edge_of(*operand) : Edge());
  }
  return edges;
}

}  // namespace

Location user_location(const Frame& frame) {
  const Frame* outermost = dispatch::thread_state().outermost;
  return outermost != nullptr ? outermost->where : frame.where;
}

Ref<CallNode> CallNode::before(const Frame& frame, const ops::OpRecord& record,
                               const Tensor* written) {
  const ops::Call call(record.op->schema(), frame.args);
  Ref<CallNode> node = make_ref<CallNode>(frame, record, edges_of(call.operands()));
  node->rule_ = &rule_for(record, call);
  node->save_arguments(frame, written);
  return node;
}

CallNode::CallNode(const Frame& frame, const ops::OpRecord& record, Edges edges)
    : Node(frame.op.name(), user_location(frame), frame.results.size(), std::move(edges)),
      record_(record) {
  for (const Edge& edge : this->edges()) needed_.push_back(static_cast<bool>(edge));
}

void CallNode::save_arguments(const Frame& frame, const Tensor* written) {
  const auto& parameters = record_.op->schema().parameters;
  args_.resize(frame.args.size());
  const auto save = [&](size_t parameter, const Tensor& operand) {
    if (!rule_->reads_operand(operands_.size(), parameter, needed_)) {
      operands_.push_back(SavedTensor::described(operand));
    } else if (written != nullptr && operand.shares_storage_with(*written)) {
      operands_.push_back(SavedTensor::copy_of(operand));
    } else {
      operands_.push_back(SavedTensor::of(operand));
    }
  };
  for (size_t i = 0; i < frame.args.size(); ++i) {
    const dispatch::Arg& arg = frame.args[i];
    if (arg.kind == ArgKind::tensor) {
      save(i, *arg.tensor);
    } else if (parameters[i].kind == ArgKind::tensor) {
      operands_.emplace_back();  // left out, but it keeps its number
    } else if (arg.kind == ArgKind::tensors) {
      for (const Tensor& tensor : arg.tensors()) save(i, tensor);
      args_[i] = Tensors(arg.count);
    } else {
      args_[i] = to_value(arg);
    }
  }
}

void CallNode::save_results(std::span<const Tensor> results) {
  for (size_t i = 0; i < results.size(); ++i) {
    results_.push_back(rule_->reads_result(i, needed_) ? SavedTensor::of(results[i])
                                                       : SavedTensor::described(results[i]));
  }
}

CallNode::Unpacked CallNode::unpack() const {
  const auto& schema = record_.op->schema();
  Unpacked unpacked;
  const std::lock_guard lock(stripe(this));
  RIDGE_CHECK(!is_released_, .code = ErrorCode::gradient, .op = std::string(name()),
              .expected = "the values this call saved for its gradient",
              .given = "a graph that was differentiated before and let them go",
              .hint = concat("ask for retain_graph the first time; called at ", to_text(where())));
  unpacked.args = args_;
  size_t number = 0;
  const auto next = [&](const std::string& parameter) {
    const SavedTensor& operand = operands_[number];
    operand.check_unchanged(*this, "operand `" + parameter + "`");
    return operand.unpack(edges()[number++]);
  };
  for (size_t i = 0; i < args_.size(); ++i) {
    const auto& parameter = schema.parameters[i];
    if (parameter.kind == ArgKind::tensor) {
      if (Tensor operand = next(parameter.name); operand.defined()) {
        unpacked.args[i] = std::move(operand);
      }
    } else if (parameter.kind == ArgKind::tensors) {
      for (Tensor& item : std::get<Tensors>(unpacked.args[i])) item = next(parameter.name);
    }
  }
  for (uint32_t i = 0; i < results_.size(); ++i) {
    results_[i].check_unchanged(*this, "its result");
    const Edge self(Ref<Node>(const_cast<CallNode*>(this)), i);
    unpacked.results.push_back(results_[i].unpack(self));
  }
  return unpacked;
}

Tensors CallNode::apply_rule(const Tensors& grads, const Needed& needed) const {
  const Unpacked unpacked = unpack();
  const std::vector<dispatch::Arg> args = dispatch::borrow(unpacked.args);
  const ops::Saved saved(record_.op->schema(), args, unpacked.results, needed);
  const Frame forward{*record_.op, {}, {}, where()};
  const AsPartOf scope(forward);
  const SkipUnlessRecording skip;
  try {
    Tensors results = rule_->apply(grads, saved);
    RIDGE_INTERNAL_CHECK(results.size() == edges().size(),
                         concat("the gradient rule of ", name(), " returned ", results.size(),
                                " gradients for ", edges().size(), " operands"));
    for (size_t i = 0; i < results.size(); ++i) {
      if (!needed[i] || !results[i].defined()) {
        results[i] = {};
      } else {
        results[i] = operands_[i].fitted(std::move(results[i]), name(), ErrorCode::internal);
      }
    }
    return results;
  } catch (Error& error) {
    error.name_op(name());
    error.locate(concat("the gradient of ", name()), where());
    throw;
  }
}

Tensors CallNode::run(const Tensors& grads, const Needed& needed) {
  return apply_rule(grads, needed);
}

void CallNode::release() {
  Tensors values;  // fall after the lock
  const std::lock_guard lock(stripe(this));
  for (SavedTensor& operand : operands_) {
    if (operand.is_kept()) values.push_back(operand.take_value());
  }
  for (SavedTensor& result : results_) {
    if (result.is_kept()) values.push_back(result.take_value());
  }
  is_released_ |= !values.empty();
}

}  // namespace ridge::autograd
