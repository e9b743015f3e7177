// What the kernels of a plan are predicted to take, on the sheet that the plan was made for.
//
//   predicted_seconds(plan)     1.2e-5
//
// Kernels are priced as parts of one program: what all of it leaves in a cache is there in the next run.
#pragma once

#include <optional>

#include "ridge/cost/price.h"
#include "ridge/schedule/plan.h"

namespace ridge::schedule {

// Of the call with this number; nothing where its sizes are neither known nor expected.
std::optional<cost::Price> predicted_price(const Plan& plan, size_t call);
// Of a product that the library computes, for sizes as expected; nothing where these are not known, or the
// sheet has no rate of such products.
std::optional<cost::Price> library_price(const Product& product, const cost::Sheet& sheet,
                                         const cost::Context& context);
// Of all kernels, one after the other, but for those without a price.
double predicted_seconds(const Plan& plan);

}  // namespace ridge::schedule
