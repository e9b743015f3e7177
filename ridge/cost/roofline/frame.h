// What estimates of all operations share: the frame around their parts.
#pragma once

#include "ridge/cost/roofline/matmul_model.h"

namespace ridge::cost {

// Bounds, launch time, crossovers along `dimensions` (the first is the batch), rates and notices.
// Advice is the caller's; it sorts it in the end.
Estimate frame_estimate(std::string operation, const Query& query, Rates& rates,
                        const PartsOf& parts, const std::vector<std::string_view>& dimensions);

// "matrix.bf16 989.4 TFLOP/s"
std::string to_text(const Rate& rate);
// The ceilings of a matmul, and what of the first is reached where the sheet says.
std::vector<std::string> rates_of(const MatmulMachine& machine);

}  // namespace ridge::cost
