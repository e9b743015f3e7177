#include "ridge/expr/function.h"

#include <array>
#include <cstddef>

namespace ridge::expr {
namespace {

using enum ResultType;

// In the order of the enum; the test of this file checks every row against its enumerator.
constexpr auto kFunctions = std::to_array<FunctionInfo>({
    {"neg", "-", 1, promoted},
    {"add", "+", 2, promoted},
    {"sub", "-", 2, promoted},
    {"mul", "*", 2, promoted},
    {"div", "/", 2, real},
    {"floor_div", "//", 2, promoted},
    {"mod", "%", 2, promoted},
    {"pow", "", 2, promoted},
    {"min", "", 2, promoted},
    {"max", "", 2, promoted},
    {"abs", "", 1, promoted},
    {"sign", "", 1, promoted},
    {"floor", "", 1, promoted},
    {"ceil", "", 1, promoted},
    {"round", "", 1, promoted},
    {"trunc", "", 1, promoted},
    {"equal", "==", 2, boolean},
    {"not_equal", "!=", 2, boolean},
    {"less", "<", 2, boolean},
    {"less_equal", "<=", 2, boolean},
    {"logical_and", "&&", 2, boolean},
    {"logical_or", "||", 2, boolean},
    {"logical_xor", "", 2, boolean},
    {"logical_not", "!", 1, boolean},
    {"is_nan", "", 1, boolean},
    {"select", "", 3, promoted},
    {"exp", "", 1, real},
    {"log", "", 1, real},
    {"sqrt", "", 1, real},
    {"rsqrt", "", 1, real},
    {"sin", "", 1, real},
    {"cos", "", 1, real},
    {"tanh", "", 1, real},
    {"erf", "", 1, real},
    {"checked_index", "", 2, integer},
    {"philox", "", 5, integer},
});
static_assert(kFunctions.size() == kFunctionCount);

}  // namespace

const FunctionInfo& info(Function function) { return kFunctions[static_cast<size_t>(function)]; }

std::optional<Function> find_function(std::string_view name) {
  for (size_t i = 0; i < kFunctions.size(); ++i) {
    if (kFunctions[i].name == name) return static_cast<Function>(i);
  }
  return std::nullopt;
}

std::string_view name(Type type) {
  switch (type) {
    case Type::boolean: return "boolean";
    case Type::integer: return "integer";
    case Type::real: return "real";
  }
  return "?";
}

}  // namespace ridge::expr
