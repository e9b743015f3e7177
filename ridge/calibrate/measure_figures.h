// From probes to the figures of a sheet: measured until they agree, refused where they do not.
#pragma once

#include <string>
#include <vector>

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

// What speaks against a measurement.
//
//   doubt({"tlb", seconds, -2e-9, ...}, ...)      "-2e-09 s, which is out of the question"
//   doubt({"l1.read", ...}, ...)                  "8 threads do 130 % of what one does"

// Whether its rounds agree: a spread of at most `most_spread`, by the probe's leniency.
bool is_stable(const Measured& measured, double most_spread);

// Why a figure is not to be trusted; empty if it is. A value that no sheet may have, rounds that
// disagree, or a rate of all threads that is far from that of one (KEY.one among `all`) times the
// cores, where cores share nothing.
std::string doubt(const Measured& measured, const std::vector<Measured>& all, const CpuShape& shape,
                  double most_spread);

}  // namespace ridge::calibrate
