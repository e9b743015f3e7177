#include "ridge/calibrate/doubt.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/cost/units.h"

namespace ridge::calibrate {
namespace {

// What all threads must reach of the rate of one, times the cores where nothing is shared. Threads
// beyond the cores may add nothing. Guesses: a core that is taken away halves what two do, while
// clocks of a processor with many cores fall by up to 40 % when all of them work.
constexpr double kLeastGain = 0.7;
constexpr double kLeastGainOfMany = 0.5;
constexpr int kManyCores = 8;  // more than these

// What each core has for itself: all of them together do several times what one does.
bool is_private(std::string_view key) {
  for (const std::string_view shared : {"l3.", "dram.", "gather.l3", "gather.dram"}) {
    if (key.starts_with(shared)) return false;
  }
  return true;
}

double least_gain(std::string_view key, const CpuShape& shape) {
  if (!is_private(key)) return kLeastGain;
  return shape.cores * (shape.cores > kManyCores ? kLeastGainOfMany : kLeastGain);
}

}  // namespace

bool is_stable(const Measured& measured, double most_spread) {
  return measured.spread <= most_spread * measured.leniency;
}

std::string doubt(const Measured& measured, const std::vector<Measured>& all, const CpuShape& shape,
                  double most_spread) {
  const cost::Limits possible = cost::limits(measured.unit);
  if (!(measured.median >= possible.least && measured.median <= possible.most)) {
    return concat(measured.median, " ", cost::base_name(measured.unit),
                  ", which is out of the question");
  }
  if (!is_stable(measured, most_spread)) {
    return concat("a spread of ", static_cast<int>(100 * std::min(measured.spread, 9.99)), " %");
  }
  for (const Measured& one : all) {
    if (one.key != measured.key + ".one" || !(one.median > 0)) continue;
    const double times = measured.median / one.median;
    if (times < least_gain(measured.key, shape)) {
      return concat(shape.threads, " threads do ", static_cast<int>(100 * times),
                    " % of what one does");
    }
  }
  return {};
}

}  // namespace ridge::calibrate
