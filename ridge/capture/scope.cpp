#include "ridge/capture/scope.h"

#include "ridge/base/text.h"
#include "ridge/graph/recorder.h"

namespace ridge {

LayerScope::LayerScope(std::string_view name) : recorder_(graph::Recorder::active()) {
  if (recorder_ != nullptr) enter(name);
}

LayerScope::LayerScope(std::string_view name, size_t number)
    : recorder_(graph::Recorder::active()) {
  if (recorder_ != nullptr) enter(concat(name, ".", number));
}

void LayerScope::enter(std::string_view name) {
  outer_ = recorder_->scope();
  recorder_->set_scope(outer_.empty() ? std::string(name) : concat(outer_, ".", name));
}

LayerScope::~LayerScope() {
  if (recorder_ != nullptr) recorder_->set_scope(std::move(outer_));
}

}  // namespace ridge
