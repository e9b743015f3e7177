// From probes to the figures of a sheet: measured until they agree, refused where they do not.
#pragma once

#include "ridge/calibrate/calibrate.h"
#include "ridge/calibrate/cpu_shape.h"
#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

inline constexpr std::string_view kMeasuredSource = "measured";

std::string today();  // YYYY-MM-DD

// In rounds, and again what is in doubt: whatever disturbed it may be over. Of two, the one that
// spreads less stays. `shape` of a device without cores of its own is the default one.
std::vector<Measured> measure_figures(const std::vector<Probe>& probes, const CpuShape& shape,
                                      const Options& options);
// Error{state} names the figures that are in doubt.
void refuse_doubts(const std::vector<Measured>& measured, const CpuShape& shape,
                   const Options& options);

void add_figure(cost::Sheet& sheet, const std::string& key, double value, cost::Unit unit,
                double spread, std::string_view source);

}  // namespace ridge::calibrate
