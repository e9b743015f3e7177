// What the elementary functions share.
#include "ridge/codegen/llvm/math.h"

namespace ridge::codegen {

Value* polynomial(Code& code, Value* x, llvm::ArrayRef<double> coefficients) {
  Value* sum = real_like(x, coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) {
    sum = multiply_add(code, sum, x, real_like(x, coefficients[i]));
  }
  return sum;
}

Value* power_of_two(Code& code, Value* n) {
  Builder& b = code.builder;
  Value* exponent = b.CreateShl(b.CreateAdd(n, bits_like(n, 127)), bits_like(n, 23));
  return b.CreateBitCast(exponent, shaped_like(n, b.getFloatTy()));
}

}  // namespace ridge::codegen
