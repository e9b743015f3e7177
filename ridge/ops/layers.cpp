#include "ridge/ops/layers.h"

#include <mutex>

#include "ridge/dispatch/operator_table.h"
#include "ridge/ops/control.h"
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

}  // namespace ridge::ops
