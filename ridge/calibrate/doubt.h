// What speaks against a measurement.
//
//   doubt({"tlb", seconds, -2e-9, ...}, ...)      "-2e-09 s, which is out of the question"
//   doubt({"l1.read", ...}, ...)                  "8 threads do 130 % of what one does"
#pragma once

#include <string>
#include <vector>

#include "ridge/calibrate/cpu_shape.h"
#include "ridge/calibrate/probe.h"

namespace ridge::calibrate {

// Whether its rounds agree: a spread of at most `most_spread`, by the probe's leniency.
bool is_stable(const Measured& measured, double most_spread);

// Why a figure is not to be trusted; empty if it is. A value that no sheet may have, rounds that
// disagree, or a rate of all threads that is far from that of one (KEY.one among `all`) times the
// cores, where cores share nothing.
std::string doubt(const Measured& measured, const std::vector<Measured>& all, const CpuShape& shape,
                  double most_spread);

}  // namespace ridge::calibrate
