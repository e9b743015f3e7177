// Views: which tensor they look at, and how to look again.
//
//   v = permute(slice(x, 0, 1, 3), {1, 0})      base x, steps: slice, permute
//   mul_(v, w)                                  writes into x through v
//
// A view remembers its base (never itself a view) and the calls that led from the base to it. After
// a write anywhere in the base, the history of every view is another: it is what the same calls
// give on the base as it is now. So a view whose base has been rebased replays its steps when
// somebody next asks where it came from. The same replay finds, in a gradient of the base, the
// region a view stands for.
//
// A view of a tensor that requires grad, made under NoGrad, has no history and never gets one;
// writing into it with grad mode on is an error, because its base would not know.
#pragma once

#include "ridge/autograd/autograd_record.h"
#include "ridge/dispatch/operator.h"

namespace ridge::autograd {

// One call of a view op, and those before it. Chains share their beginnings.
struct ViewStep : RefCounted {
  Ref<ViewStep> before;  // null: applied to the base itself
  const dispatch::Operator* op = nullptr;
  std::vector<dispatch::Value> args;  // the first, the viewed tensor, is left out

  ~ViewStep() override;  // not recursive: chains get long
};

struct ViewOf {
  Tensor base;
  Ref<ViewStep> last_step;
  TensorImpl* view = nullptr;
  uint32_t rebase_count = 0;  // of the base, when the view's edge was made
  bool is_cut_off = false;    // made under NoGrad from a base that required grad
  bool is_listed = false;     // in the base's list of views, there at `position`
  size_t position = 0;

  ViewOf() = default;
  ViewOf(const ViewOf&) = delete;
  ViewOf& operator=(const ViewOf&) = delete;
  ~ViewOf();
};

// Notes that `view` shows elements of operand 0 of the call that made it.
void track_view(const dispatch::Frame& frame, const Tensor& view);

// The calls from base to view, made on another tensor of the base's shape.
Tensor replay(const ViewStep& last_step, const Tensor& base);

// edge_of for a view, replayed on the base if that was rebased since.
Edge edge_of_view(const Tensor& view);

// Lets views that were made before their base required grad know that it does now.
void mark_views(AutogradRecord& base);

}  // namespace ridge::autograd
