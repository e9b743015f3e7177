#include "demo_train.h"

#include <cmath>
#include <numbers>

namespace ridge::command {

double learning_rate(double peak_rate, double progress) {
  constexpr double kWarmUp = 0.05;
  const double rise = std::min(progress / kWarmUp + 0.02, 1.0);
  return peak_rate * rise * (0.5 + 0.5 * std::cos(std::numbers::pi * progress));
}

}  // namespace ridge::command
