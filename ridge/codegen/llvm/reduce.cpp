#include <limits>

#include "ridge/base/error.h"
#include "ridge/codegen/llvm/emission.h"
#include "ridge/codegen/llvm/scalar_function.h"

namespace ridge::codegen {
namespace {

Value* number(llvm::Type* type, double real, int64_t integer) {
  if (type->isFloatingPointTy()) return llvm::ConstantFP::get(type, real);
  return llvm::ConstantInt::getSigned(type, integer);
}

}  // namespace

Value* identity(Emission& emission, loop::Combine combine, DType dtype) {
  using loop::Combine;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  llvm::Type* type = register_type(emission.code, dtype);
  const bool is_bool = dtype == boolean;
  switch (combine) {
    case Combine::sum: return number(type, 0, 0);
    case Combine::prod: return number(type, 1, is_bool ? -1 : 1);
    case Combine::max:
      return number(type, -kInfinity, is_bool ? 0 : std::numeric_limits<int64_t>::min());
    case Combine::min:
      return number(type, kInfinity, is_bool ? -1 : std::numeric_limits<int64_t>::max());
    case Combine::any: return number(type, 0, 0);
    case Combine::all: return number(type, 1, is_bool ? -1 : 1);
  }
  return nullptr;
}

Value* combine(Emission& emission, loop::Combine combine, Value* a, Value* b) {
  using loop::Combine;
  Builder& builder = emission.builder();
  match(emission.code, a, b);
  const bool real = is_real(a);
  switch (combine) {
    case Combine::sum:
      if (is_boolean(a)) return builder.CreateOr(a, b);
      return real ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
    case Combine::prod:
      if (is_boolean(a)) return builder.CreateAnd(a, b);
      return real ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
    case Combine::max: return emit_max(emission.code, a, b);
    case Combine::min: return emit_min(emission.code, a, b);
    case Combine::any: return builder.CreateOr(a, b);
    case Combine::all: return builder.CreateAnd(a, b);
  }
  return nullptr;
}

Value* combine_lanes(Emission& emission, loop::Combine how, Value* value) {
  Builder& b = emission.builder();
  for (unsigned lanes = lanes_of(value); lanes > 1; lanes /= 2) {
    RIDGE_INTERNAL_CHECK(lanes % 2 == 0, "the number of lanes is a power of two");
    llvm::SmallVector<int, 64> low;
    llvm::SmallVector<int, 64> high;
    for (unsigned lane = 0; lane < lanes / 2; ++lane) {
      low.push_back(static_cast<int>(lane));
      high.push_back(static_cast<int>(lane + lanes / 2));
    }
    value = combine(emission, how, b.CreateShuffleVector(value, low),
                    b.CreateShuffleVector(value, high));
  }
  return lanes_of(value) == 1 && value->getType()->isVectorTy()
             ? b.CreateExtractElement(value, uint64_t{0})
             : value;
}

}  // namespace ridge::codegen
