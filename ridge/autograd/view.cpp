#include "ridge/autograd/view.h"

#include "ridge/autograd/autograd_record.h"
#include "ridge/dispatch/call.h"

namespace ridge::autograd {

using dispatch::Arg;
using dispatch::Value;

ViewStep::~ViewStep() {
  // A step that only this chain holds is taken out of it before it is destroyed.
  Ref<ViewStep> step = std::move(before);
  while (step && step->use_count() == 1) {
    Ref<ViewStep> earlier = std::move(step->before);
    step = std::move(earlier);
  }
}

ViewOf::~ViewOf() {
  if (!base.defined()) return;
  AutogradRecord& record = *find_record(base);
  const std::lock_guard lock(stripe(&record));
  if (!is_listed) return;
  record.views.back()->position = position;
  record.views[position] = record.views.back();
  record.views.pop_back();
}

void track_view(const dispatch::Frame& frame, const Tensor& view) {
  const Tensor& viewed = *frame.args[0].tensor;
  const ViewOf* through = record_of(viewed).view.get();

  auto tracked = std::make_unique<ViewOf>();
  tracked->base = through != nullptr ? through->base : viewed;
  tracked->view = &view.impl();
  tracked->last_step = make_ref<ViewStep>();
  if (through != nullptr) tracked->last_step->before = through->last_step;
  tracked->last_step->op = &frame.op;
  tracked->last_step->args.resize(frame.args.size());
  for (size_t i = 1; i < frame.args.size(); ++i) {
    tracked->last_step->args[i] = to_value(frame.args[i]);
  }

  const bool base_requires_grad = tracked->base.requires_grad();
  tracked->is_cut_off =
      (through != nullptr && through->is_cut_off) || (base_requires_grad && !view.requires_grad());
  AutogradRecord& base = record_of(tracked->base);
  tracked->rebase_count = base.rebase_count;
  if (!base_requires_grad) {
    const std::lock_guard lock(stripe(&base));
    tracked->is_listed = true;
    tracked->position = base.views.size();
    base.views.push_back(tracked.get());
  }
  record_of(view).view = std::move(tracked);
}

Tensor replay(const ViewStep& last_step, const Tensor& base) {
  std::vector<const ViewStep*> steps;
  for (const ViewStep* step = &last_step; step != nullptr; step = step->before.get()) {
    steps.push_back(step);
  }
  Tensor at = base;
  while (!steps.empty()) {
    const ViewStep& step = *steps.back();
    steps.pop_back();
    std::vector<Arg> args = dispatch::borrow(step.args);
    const Tensor viewed = std::move(at);
    args[0] = Arg(viewed);
    at = dispatch::call_values(*step.op, args)[0];
  }
  return at;
}

Edge edge_of_view(const Tensor& view) {
  AutogradRecord& record = *find_record(view);
  ViewOf& tracked = *record.view;
  const uint32_t rebase_count = find_record(tracked.base)->rebase_count;
  {
    const std::lock_guard lock(stripe(&record));
    if (tracked.rebase_count == rebase_count) return record.edge;
  }
  // Two threads may both get here; the second one's edge is as good as the first one's.
  const dispatch::GradMode recording(true);
  const Edge edge = edge_of(replay(*tracked.last_step, tracked.base));
  Edge replaced = edge;  // a history is never dropped behind a stripe
  const std::lock_guard lock(stripe(&record));
  std::swap(record.edge, replaced);
  tracked.rebase_count = rebase_count;
  return edge;
}

void mark_views(AutogradRecord& base) {
  const std::lock_guard lock(stripe(&base));
  for (ViewOf* tracked : base.views) {
    tracked->view->requires_grad = true;
    tracked->is_listed = false;
  }
  base.views.clear();
}

}  // namespace ridge::autograd
