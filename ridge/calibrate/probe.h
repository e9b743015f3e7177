// A probe measures one figure of a device sheet.
//
// Probes run in rounds, one after the other and then all again, so that a disturbance hits one
// round of several and not all of one. The median over the rounds is the figure, half the distance
// of the quartiles its spread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ridge/cost/sheet.h"

namespace ridge::calibrate {

struct Probe {
  std::string key;
  cost::Unit unit;
  std::function<double()> measure;  // the figure, once
  // How much more it may spread than others: differences of two times do.
  double leniency = 1;
};

struct Measured {
  std::string key;
  cost::Unit unit;
  double median;
  double spread;  // relative
  double leniency = 1;
};

// `on_progress(done, all)` after each single measurement.
std::vector<Measured> run(const std::vector<Probe>& probes, int rounds,
                          const std::function<void(size_t, size_t)>& on_progress);

// Of a list that is not empty: {median, half the distance of the quartiles over the median}. The
// spread of a median that is not positive, as differences may have, is infinite.
Measured summarize(const std::string& key, cost::Unit unit, std::vector<double> values);

}  // namespace ridge::calibrate
