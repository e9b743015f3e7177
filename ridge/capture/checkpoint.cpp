#include "ridge/capture/checkpoint.h"

#include "ridge/graph/recorder.h"

namespace ridge::capture {

CheckpointRegion::CheckpointRegion()
    : recorder_(*graph::Recorder::active()), outer_(recorder_.region()) {
  if (outer_ == 0) recorder_.set_region(recorder_.next_region());
}

CheckpointRegion::~CheckpointRegion() { recorder_.set_region(outer_); }

void detail::check_in_place(bool is_same, Location where) {
  RIDGE_CHECK(is_same, .code = ErrorCode::state, .op = "checkpoint",
              .expected = "a function that leaves its arguments as they are",
              .given = "one that put another tensor into an argument",
              .hint = "return the new tensor instead", .where = where);
}

}  // namespace ridge::capture
