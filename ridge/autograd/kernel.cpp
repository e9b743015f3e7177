#include "ridge/autograd/kernel.h"

#include <mutex>

#include "ridge/autograd/call_node.h"
#include "ridge/autograd/view.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/derived.h"

namespace ridge::autograd {

using dispatch::ExcludeKeys;
using dispatch::Frame;
using dispatch::Kernel;
using dispatch::Key;
using dispatch::KeySet;
using ops::OpRecord;
using ops::Trait;

namespace {

// Stands for an op that has no record, and so no gradient.
class UnknownNode : public Node {
 public:
  UnknownNode(const Frame& frame, Edges edges)
      : Node(frame.op.name(), user_location(frame), frame.results.size(), std::move(edges)) {}

  Tensors run(const Tensors&, const Needed&) override {
    throw Error({.code = ErrorCode::gradient,
                 .op = std::string(name()),
                 .expected = "an op that has a gradient",
                 .given = "one without a record"});
  }
};

// Does the call only compute, so that without gradients there is nothing to note?
bool is_plain(const dispatch::Operator& op) {
  const OpRecord* record = op.record();
  return record == nullptr || (record->op == &op && !has(record->traits, Trait::View));
}

void attach_results(const Frame& frame, const Ref<Node>& node) {
  for (size_t i = 0; i < frame.results.size(); ++i) {
    Tensor& result = frame.results[i];
    if (!is_floating(result.dtype())) continue;
    // An op may return an operand as it is; that one keeps its own history.
    if (result.impl().use_count() > 1) result = result.alias();
    attach(result, Edge(node, static_cast<uint32_t>(i)));
  }
}

void record_unknown(Frame& frame, KeySet below) {
  Edges edges;
  for (const dispatch::Arg& arg : frame.args) {
    if (arg.kind == dispatch::ArgKind::tensor) edges.push_back(edge_of(*arg.tensor));
    if (arg.kind == dispatch::ArgKind::tensors) {
      for (const Tensor& t : arg.tensors()) edges.push_back(edge_of(t));
    }
  }
  redispatch(frame, below);
  attach_results(frame, make_ref<UnknownNode>(frame, std::move(edges)));
}

void record(const OpRecord& record, Frame& frame, KeySet below) {
  if (record.decompose && !record.grad) {
    ops::run_derived(frame);
    return;
  }
  const Ref<CallNode> node = CallNode::before(frame, record);
  {
    const ExcludeKeys parts_are_not_recorded(Key::autograd);
    redispatch(frame, below);
  }
  node->save_results(frame.results);
  attach_results(frame, node);
}

void note_view(const OpRecord& record, const Frame& frame) {
  const Tensor& viewed = *frame.args[0].tensor;
  const Tensor& view = frame.results[0];
  if (!record.differentiable || !is_floating(view.dtype())) return;
  if (!view.is_same(viewed) && view.shares_storage_with(viewed)) track_view(frame, view);
}

// Kept out of run_autograd, which would otherwise set up the stack for it on every call.
[[gnu::noinline]] void run_with_care(Frame& frame, KeySet below) {
  if (frame.op.record() == nullptr) return record_unknown(frame, below);
  const OpRecord& op = *frame.op.record();
  if (op.op != &frame.op) return write_in_place(frame, below);

  if (!dispatch::thread_state().grad_enabled || !any_requires_grad(frame.args)) {
    redispatch(frame, below);
  } else if (!op.differentiable) {
    const ExcludeKeys parts_are_not_recorded(Key::autograd);
    redispatch(frame, below);
  } else {
    record(op, frame, below);
  }
  if (has(op.traits, Trait::View)) note_view(op, frame);
}

}  // namespace

// Counted in instructions (tests/perf): whatever is not needed on every call is elsewhere.
void run_autograd(const Kernel&, Frame& frame, KeySet keys) {
  const KeySet below = keys & KeySet::below(Key::autograd);
  const bool needs_care = !is_plain(frame.op) ||
                          (dispatch::thread_state().grad_enabled && any_requires_grad(frame.args));
  if (needs_care) [[unlikely]]
    return run_with_care(frame, below);
  redispatch(frame, below);
}

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    dispatch::OperatorTable::instance()
        .add_fallback(dispatch::Key::autograd,
                      std::make_shared<const dispatch::Kernel>(run_autograd),
                      "autograd, from the op's record")
        .keep();
  });
}

}  // namespace ridge::autograd
