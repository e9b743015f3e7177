#include "ridge/capture/checkpoint.h"

#include <algorithm>

#include "ridge/graph/recorder.h"

namespace ridge::capture {

CheckpointRegion::CheckpointRegion()
    : recorder_(*graph::Recorder::active()), outer_(recorder_.region()) {
  if (outer_ == 0) recorder_.set_region(recorder_.next_region());
}

CheckpointRegion::~CheckpointRegion() { recorder_.set_region(outer_); }

bool detail::are_same(const std::vector<Tensor>& before, const std::vector<Tensor>& now) {
  return std::ranges::equal(before, now, [](const Tensor& a, const Tensor& b) {
    return a.defined() ? b.defined() && b.is_same(a) : !b.defined();
  });
}

void detail::check_in_place(bool is_same, Location where) {
  RIDGE_CHECK(is_same, .code = ErrorCode::state, .op = "checkpoint",
              .expected = "a function that leaves its arguments as they are",
              .given = "one that put another tensor into an argument",
              .hint = "return the new tensor instead", .where = where);
}

}  // namespace ridge::capture
