#include "ridge/ops/op_profile.h"

#include <chrono>

#include "ridge/dispatch/call.h"
#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/dispatch_layers.h"

namespace ridge {

Profile::Profile() : include_(dispatch::Key::profile), outer_(dispatch::thread_state().profile) {
  dispatch::thread_state().profile = this;
}

Profile::~Profile() { dispatch::thread_state().profile = outer_; }

}  // namespace ridge

namespace ridge::ops {

using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

void install_profile() {
  const auto measure = dispatch::make_kernel([](Frame& frame, KeySet keys) {
    const dispatch::ExcludeKeys below(Key::profile);  // the parts of an op belong to its time
    const auto start = std::chrono::steady_clock::now();
    dispatch::redispatch(frame, keys & KeySet::below(Key::profile));
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    auto* profile = static_cast<Profile*>(dispatch::thread_state().profile);
    if (profile != nullptr) profile->record({frame.op.name(), frame.where, taken.count()});
  });
  auto& table = dispatch::OperatorTable::instance();
  table.add_fallback(Key::profile, measure, "profile").keep();
}

}  // namespace ridge::ops
