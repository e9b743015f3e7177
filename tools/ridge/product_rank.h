// A product in several mappings: what each was predicted to take, and what it takes.
#pragma once

#include <string>
#include <vector>

#include "product_measure.h"

namespace ridge::command {

struct RankedMapping {
  std::string mapping;
  double predicted = 0, seconds = 0;
  std::string error{};
};

struct RankedProduct {
  ProductCase product;
  std::string error{};
  int candidates = 0;                 // that could be applied
  std::vector<RankedMapping> ways{};  // the first as it was chosen
};

// As chosen, then `others` of the other candidates: the next best, and some that are predicted to take up to
// twice as long. Error{state} where no mapping takes the product, or a result is wrong as chosen.
RankedProduct rank_product(const ProductCase& product, const MeasureOptions& options, int others);

}  // namespace ridge::command
