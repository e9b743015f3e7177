#include "ridge/expr/function.h"

#include <array>
#include <cstddef>

namespace ridge::expr {
namespace {

using enum ResultType;

// In the order of the enum; the test of this file checks every row against its enumerator.
constexpr auto kFunctions = std::to_array<FunctionInfo>({
    {"neg", "-", 1, promoted, 1},
    {"add", "+", 2, promoted, 1},
    {"sub", "-", 2, promoted, 1},
    {"mul", "*", 2, promoted, 1},
    {"fma", "", 3, real, 1},
    {"div", "/", 2, real, 10},
    {"floor_div", "//", 2, promoted, 16},
    {"mod", "%", 2, promoted, 16},
    {"pow", "", 2, promoted, 50, true},
    {"min", "", 2, promoted, 3},
    {"max", "", 2, promoted, 3},
    {"abs", "", 1, promoted, 1},
    {"sign", "", 1, promoted, 3},
    {"floor", "", 1, promoted, 1},
    {"ceil", "", 1, promoted, 1},
    {"round", "", 1, promoted, 1},
    {"trunc", "", 1, promoted, 1},
    {"equal", "==", 2, boolean, 1},
    {"not_equal", "!=", 2, boolean, 1},
    {"less", "<", 2, boolean, 1},
    {"less_equal", "<=", 2, boolean, 1},
    {"logical_and", "&&", 2, boolean, 1},
    {"logical_or", "||", 2, boolean, 1},
    {"logical_xor", "", 2, boolean, 1},
    {"logical_not", "!", 1, boolean, 1},
    {"is_nan", "", 1, boolean, 1},
    {"select", "", 3, promoted, 1},
    {"exp", "", 1, real, 16, true},
    {"log", "", 1, real, 22, true},
    {"sqrt", "", 1, real, 10},
    {"rsqrt", "", 1, real, 20},
    {"sin", "", 1, real, 32, true},
    {"cos", "", 1, real, 32, true},
    {"tanh", "", 1, real, 30, true},
    {"erf", "", 1, real, 30, true},
    {"checked_index", "", 2, integer, 2},
    {"philox", "", 5, integer, 120, true},
    {"shift_right", "", 2, integer, 1},
    {"f16_value", "", 1, real, 2},
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
