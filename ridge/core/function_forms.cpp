#include "ridge/core/function_forms.h"

namespace ridge {

std::string to_text(const FunctionForms& forms) {
  std::string text;
  if (forms.precision == Precision::exponent) text += " for exponent";
  if (forms.precision == Precision::half) text += " for half";
  return forms.is_near ? text + " near" : text;
}

}  // namespace ridge
