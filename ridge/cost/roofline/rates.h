// Rates: the ceilings of a sheet that an estimate divides by.
//
// Each names the figure it comes from. Where a figure is absent and another one still gives a valid
// bound, that one serves and a notice names both; where none does, the Error names the figure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ridge/cost/roofline/element_type.h"
#include "ridge/cost/sheet.h"
#include "ridge/expr/function.h"

namespace ridge::cost {

struct Rate {
  double per_second = 0;
  std::string figure;  // "matrix.bf16"

  bool is_special() const {
    return figure.starts_with("special.") || figure.starts_with("function.");
  }
};

class Rates {
 public:
  explicit Rates(const Sheet& sheet) : sheet_(sheet) {}

  // Products in `type`; the vector units, with FMA, where the sheet has no matrix unit for it or they
  // have the higher rate.
  Rate matrix(ElementType type, std::string_view what);
  // Flops of single operations. Without its own figure half of the FMA rate, an FMA being one
  // instruction of two flops, and for FMAs the rate without them; narrow types without one are
  // computed in f32.
  Rate vector(ElementType type, bool is_fma, std::string_view what);
  // Calls of a special function: the better of its own figures, as calibration measures them, else
  // one operation of the special function units a call, which is the least it takes. Without either
  // a call is taken as one flop of the vector units.
  Rate special(expr::Function function, ElementType type, std::string_view what);
  // The datasheet's peak, or what was measured: the most, as a bound must hold for all.
  Rate memory(std::string_view what);

  const Sheet& sheet() const { return sheet_; }
  const std::vector<std::string>& notices() const { return notices_; }
  void notice(std::string text);
  // "the sheet has no FIGURE", followed by what that means.
  void absent(std::string_view figure, std::string_view consequence);

 private:
  const Sheet& sheet_;
  std::vector<std::string> notices_;
};

}  // namespace ridge::cost
