#include "ridge/ops/dispatch_layers.h"

#include <mutex>

#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/control.h"
#include "ridge/ops/derived.h"
#include "ridge/ops/registry.h"

namespace ridge::ops {

void install_derived_layers() {
  static std::once_flag once;
  std::call_once(once, [] {
    registry();
    dispatch::OperatorTable::instance().add(
        dispatch::parse_schema("assign_(Tensor(a!) to, Tensor from) -> Tensor(a!)"), nullptr,
        Location::current());
    register_control();
    install_meta();
    install_autocast();
    install_profile();
  });
}

// The meta backend: shapes and dtypes of results from the rules alone, for every op at once.

using dispatch::Frame;
using dispatch::Key;
using dispatch::KeySet;

void install_meta() {
  auto& table = dispatch::OperatorTable::instance();
  const auto infer = dispatch::make_kernel([](Frame& frame, KeySet) {
    if (run_derived(frame)) return;
    RIDGE_CHECK(frame.op.record() != nullptr, .code = ErrorCode::device, .op = frame.op.name(),
                .expected = "an op with a record, whose shapes are known without values",
                .given = "an op registered without one, on meta");
    const Call call(frame.op.schema(), frame.args);
    const Resolved resolved = resolve(*frame.op.record(), call);
    for (size_t i = 0; i < frame.results.size(); ++i) {
      frame.results[i] = Tensor::empty(resolved.shapes[i], resolved.dtypes.outputs[i], kMeta);
    }
  });
  table.add_fallback(Key::meta, infer, "meta, from the op's rules").keep();
  const auto assign = dispatch::make_kernel([](Frame& frame, KeySet) {
    frame.results[0] = *frame.args[0].tensor;  // there are no values to write
  });
  table.add_kernel("assign_", Key::meta, assign, "meta, nothing to write").keep();
}

}  // namespace ridge::ops
