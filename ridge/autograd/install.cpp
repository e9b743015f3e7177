#include "ridge/autograd/install.h"

#include <mutex>

#include "ridge/autograd/kernel.h"
#include "ridge/dispatch/operator_table.h"

namespace ridge::autograd {

void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    dispatch::OperatorTable::instance()
        .add_fallback(dispatch::Key::autograd,
                      std::make_shared<const dispatch::Kernel>(run_autograd),
                      "autograd, from the op's record")
        .keep();
  });
}

}  // namespace ridge::autograd
