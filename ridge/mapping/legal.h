// Can a kernel run in this mapping on this device? Asked of each candidate, and of what a user writes.
//
//   Fit fit = can_run(mapping, work, limits);
//   if (!fit.decision) ...   fit.field: stages; reason: "5 stages of 48.0 KiB and 32.0 KiB ... exceed 227.0 KiB"
#pragma once

#include <string_view>

#include "ridge/base/decision.h"
#include "ridge/loop/device_limits.h"
#include "ridge/mapping/mapping.h"
#include "ridge/mapping/work.h"

namespace ridge::mapping {

struct Fit {
  Decision decision;
  Field field = Field::family;  // at fault, where the decision is no
};

Fit can_run(const Mapping& mapping, const Work& work, const loop::DeviceLimits& limits);

// Error{parse} for a text that is broken, Error{value} for one that does not fit; both name the column.
Mapping parse_fitting(std::string_view text, const Work& work, const loop::DeviceLimits& limits);

// Bytes at whose multiples all rows of an operand or result start, after what the mapping does about it.
int64_t alignment_of(const Operand& operand, Alignment policy);
int64_t alignment_of(const Result& result, Alignment policy);

// What bulk copies need of an address and of a pitch, and the pitch from which on they run at full rate.
inline constexpr int64_t kBulkAlignment = 16;
inline constexpr int64_t kPaddedAlignment = 32;

}  // namespace ridge::mapping
