#include "ridge/autograd/call_node.h"
#include "ridge/autograd/kernel.h"
#include "ridge/autograd/view.h"
#include "ridge/base/text.h"
#include "ridge/core/shape.h"
#include "ridge/ops/arithmetic.h"

namespace ridge::autograd {

using dispatch::Arg;
using dispatch::ArgKind;
using dispatch::ExcludeKeys;
using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;
using ops::OpRecord;

namespace {

void check_writable(const Frame& frame, const Tensor& x, const Tensor& base, bool is_cut_off) {
  const auto fail = [&](const std::string& given, const std::string& hint) {
    throw Error({.code = ErrorCode::gradient,
                 .op = frame.op.name(),
                 .expected = "a tensor whose history can take a write",
                 .given = concat(describe(x), ", ", given),
                 .hint = std::move(hint)});
  };
  if (base.requires_grad() && find_record(base)->edge.node->is_leaf()) {
    fail(x.is_same(base) ? "a leaf that requires grad" : "a view of a leaf that requires grad",
         "write under NoGrad, or to a copy");
  }
  if (is_cut_off) {
    fail("a view that was made under NoGrad of a tensor that requires grad",
         "make the view with grad mode on, or write under NoGrad");
  }
}

// The op runs below, as in-place calls do; the node is that of its functional form.
Ref<Node> run_recorded(const OpRecord& record, Frame& frame, KeySet below) {
  Ref<CallNode> node;
  if (record.differentiable) node = CallNode::before(frame, record, frame.args[0].tensor);
  {
    const ExcludeKeys parts_are_not_recorded(Key::autograd);
    redispatch(frame, below);
  }
  if (!node) return make_ref<ConstantNode>(frame.op.name(), user_location(frame));
  node->save_results(frame.results);
  return node;
}

// A composite op is recorded part by part. The parts may save the old values of what is written
// to, so they are given copies.
void run_composite(const OpRecord& record, Frame& frame) {
  const Tensor& x = *frame.args[0].tensor;
  Tensors copies(frame.args.size());
  std::vector<Arg> args(frame.args.begin(), frame.args.end());
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind != ArgKind::tensor || !args[i].tensor->shares_storage_with(x)) continue;
    copies[i] = copy(*args[i].tensor, *args[i].tensor);
    args[i] = Arg(copies[i]);
  }
  Tensor result;
  Frame functional{*record.op, args, {&result, 1}, frame.where};
  dispatch::call(functional);
  RIDGE_CHECK(result.shape() == x.shape(), .code = ErrorCode::shape, .op = frame.op.name(),
              .expected = "a result of the shape written to, " + to_text(x.shape()),
              .given = to_text(result.shape()));
  frame.results[0] = copy_({x, frame.where}, result);
}

}  // namespace

void write_in_place(Frame& frame, KeySet below) {
  const OpRecord& record = *frame.op.record();
  const Tensor& x = *frame.args[0].tensor;
  if (!dispatch::thread_state().grad_enabled || !is_floating(x.dtype())) {
    return redispatch(frame, below);
  }
  const ViewOf* view = find_record(x) != nullptr ? find_record(x)->view.get() : nullptr;
  const Tensor base = view != nullptr ? view->base : x;
  const bool is_recorded = record.differentiable && any_requires_grad(frame.args);
  if (!is_recorded && !base.requires_grad()) return redispatch(frame, below);
  check_writable(frame, x, base, view != nullptr && view->is_cut_off);
  if (record.decompose && !record.grad) return run_composite(record, frame);

  const Edge old_history = edge_of(base);
  const Edge written(run_recorded(record, frame, below), 0);
  if (view == nullptr) return rebase(x, written);
  rebase(base, Edge(make_ref<WriteNode>(frame.op.name(), user_location(frame), base,
                                        view->last_step, Edges{old_history, written}),
                    0));
}

WriteNode::WriteNode(std::string_view name, Location where, const Tensor& base,
                     Ref<ViewStep> last_step, Edges edges)
    : Node(name, where, 1, std::move(edges)),
      shape_(base.shape()),
      strides_(base.strides()),
      is_contiguous_(base.is_contiguous()),
      last_step_(std::move(last_step)) {}

// Only in the layout of the base are the steps sure to give views and no copies.
Tensor WriteNode::copy_in_base_layout(const Tensor& grad) const {
  if (is_contiguous_) return copy(grad, grad);
  const int64_t count = extent(shape_, strides_, 0).value();
  auto storage = Storage::allocate(bytes_for(grad.dtype(), count), grad.device());
  return copy_(Tensor::view_of(std::move(storage), shape_, strides_, 0, grad.dtype()), grad);
}

Tensors WriteNode::run(const Tensors& grads, const Needed& needed) {
  Tensors results(2);
  if (needed[0]) {
    results[0] = copy_in_base_layout(grads[0]);
    const Tensor region = replay(*last_step_, results[0]);
    RIDGE_INTERNAL_CHECK(region.shares_storage_with(results[0]),
                         concat("the view written to by ", name(), " did not replay as a view"));
    zero_(region);
  }
  if (needed[1]) results[1] = replay(*last_step_, grads[0]);
  return results;
}

}  // namespace ridge::autograd
