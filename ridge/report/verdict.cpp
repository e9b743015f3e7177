#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ridge/report/explain.h"

namespace ridge::report {
namespace {

// Growth of work below this says nothing: the time it should add is lost in the noise of a clock.
constexpr double kGrowthSeen = 1.05;
// Time = fixed + growing part; from half of it fixed on, growing work is not what to look at.
constexpr double kOverheadShare = 0.5;

// Seconds, overhead aside.
double work_of(const Report& report) {
  double work = 0;
  for (const KernelRow& row : report.rows) {
    if (row.price) work += std::max(0.0, row.price->predicted - row.price->overhead);
  }
  return work;
}

// How long kernels of a regime take, of all.
std::array<double, 3> shares_of(const Report& report) {
  std::array<double, 3> shares{};
  double all = 0;
  for (const KernelRow& row : report.rows) {
    if (!row.price) continue;
    all += row.time_us();
    switch (regime_of(row.price->limiter)) {
      case cost::Regime::compute: shares[0] += row.time_us(); break;
      case cost::Regime::memory: shares[1] += row.time_us(); break;
      case cost::Regime::overhead: shares[2] += row.time_us(); break;
      case cost::Regime::network: break;
    }
  }
  for (double& share : shares) share = all > 0 ? share / all : 0;
  return shares;
}

}  // namespace

Verdict judge(const Report& once, const Report& twice) {
  constexpr std::array kRegimes{cost::Regime::compute, cost::Regime::memory,
                                cost::Regime::overhead};
  Verdict verdict;
  const auto growth = [](double one, double two) { return one > 0 ? two / one : 1; };
  verdict.time_growth = growth(once.time_us(), twice.time_us());
  verdict.work_growth = growth(work_of(once), work_of(twice));
  if (verdict.work_growth > kGrowthSeen) {
    const double fixed = 1 - (verdict.time_growth - 1) / (verdict.work_growth - 1);
    if (fixed > kOverheadShare) {
      verdict.share = std::min(fixed, 1.0);
      verdict.text =
          fmt::format("overhead: twice the batch takes {:.1f}x as long, for {:.1f}x the work",
                      verdict.time_growth, verdict.work_growth);
      return verdict;
    }
  }
  const std::array<double, 3> shares = shares_of(once);
  const auto largest = std::ranges::max_element(shares) - shares.begin();
  verdict.regime = kRegimes[static_cast<size_t>(largest)];
  verdict.share = shares[static_cast<size_t>(largest)];
  verdict.text = fmt::format(
      "{}: {:.0f} % of the time goes to kernels it binds; twice the batch takes {:.1f}x as long, "
      "for {:.1f}x the work",
      name(verdict.regime), 100 * verdict.share, verdict.time_growth, verdict.work_growth);
  return verdict;
}

}  // namespace ridge::report
