#include "ridge/capture/scope.h"

#include "ridge/graph/recorder.h"

namespace ridge {

LayerScope::LayerScope(std::string_view name) : recorder_(graph::Recorder::active()) {
  if (recorder_ == nullptr) return;
  outer_ = recorder_->scope();
  recorder_->set_scope(outer_.empty() ? std::string(name) : outer_ + "." + std::string(name));
}

LayerScope::~LayerScope() {
  if (recorder_ != nullptr) recorder_->set_scope(std::move(outer_));
}

}  // namespace ridge
