#include "ridge/calibrate/probe.h"

#include <algorithm>
#include <limits>

namespace ridge::calibrate {

Measured summarize(const std::string& key, cost::Unit unit, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t count = values.size();
  const double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  const double quartiles =
      values[(3 * count) / 4 < count ? (3 * count) / 4 : count - 1] - values[count / 4];
  // Of no use as a figure, however well its rounds agree.
  const double spread =
      median > 0 ? quartiles / 2 / median : std::numeric_limits<double>::infinity();
  return {key, unit, median, spread};
}

std::vector<Measured> run(const std::vector<Probe>& probes, int rounds,
                          const std::function<void(size_t, size_t)>& on_progress) {
  std::vector<std::vector<double>> values(probes.size());
  size_t done = 0;
  const size_t all = probes.size() * static_cast<size_t>(rounds + 1);
  for (int round = -1; round < rounds; ++round) {
    for (size_t i = 0; i < probes.size(); ++i) {
      const double value = probes[i].measure();
      if (round >= 0) values[i].push_back(value);  // the first one warms up
      if (on_progress) on_progress(++done, all);
    }
  }
  std::vector<Measured> result;
  for (size_t i = 0; i < probes.size(); ++i) {
    result.push_back(summarize(probes[i].key, probes[i].unit, std::move(values[i])));
    result.back().leniency = probes[i].leniency;
  }
  return result;
}

}  // namespace ridge::calibrate
