#include "ridge/base/error.h"
#include "ridge/codegen/llvm/emission.h"

namespace ridge::codegen {

void emit_contract(Emission& emission, const loop::Contract&) {
  RIDGE_INTERNAL_CHECK(emission.frame.lanes == 0, "contractions are not generated yet");
}

}  // namespace ridge::codegen
