#include "ridge/ops/layers.h"

#include <mutex>

#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/control.h"
#include "ridge/ops/registry.h"

namespace ridge::ops {
namespace {

// Its rule is not its derivative, and no user calls it: therefore not one of the op records that
// tests are made from.
void add_keep_gradient() {
  registry().add({.schema = "keep_gradient(Tensor x, Tensor value) -> Tensor",
                  .doc = "value, with x's gradient: what a write leaves that gradients do not see",
                  .decompose = [](const Call& call) -> Tensors { return {call.tensor("value")}; },
                  .grad = [](const Grads& g, const Saved&) -> Tensors { return {g[0], Tensor()}; }});
}

}  // namespace

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
    add_keep_gradient();
  });
}

}  // namespace ridge::ops
