#include "ridge/ops/control.h"

#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/dispatch_layers.h"

namespace ridge::ops {
namespace {

constexpr const char* kControlSchemas[] = {
    "cond(Tensor pred, Tensor[] inputs) -> Tensor",
    "scan(Tensor[] carry, Tensor[] xs, Tensor[] inputs, Size[] length, Bool reverse) -> Tensor",
    "while_loop(Tensor[] state, Tensor[] inputs, Int max_steps) -> Tensor",
};

// In the order of Control, which begins with `none`.
const dispatch::Operator* control_ops[std::size(kControlSchemas)] = {};

}  // namespace

void register_control() {
  for (size_t i = 0; i < std::size(kControlSchemas); ++i) {
    dispatch::OperatorTable::instance().add(dispatch::parse_schema(kControlSchemas[i]), nullptr,
                                            Location::current(), &control_ops[i]);
  }
}

Control control_of(const dispatch::Operator& op) {
  for (size_t i = 0; i < std::size(control_ops); ++i) {
    if (control_ops[i] == &op) return static_cast<Control>(i + 1);
  }
  return Control::none;
}

const dispatch::Operator& control_op(Control control) {
  install_derived_layers();
  return *control_ops[static_cast<size_t>(control) - 1];
}

}  // namespace ridge::ops
