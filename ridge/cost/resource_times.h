// The parts of `price`: one for each kind of device, and what they share.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "ridge/cost/price.h"
#include "ridge/cost/traffic.h"

namespace ridge::cost {

Price price_on_cpu(const KernelNest& nest, const Sheet& sheet, const Context& context);
Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context);

// Resources that follow one another while a phase runs, and what they take together.
struct Side {
  std::span<const Resource> resources;
  double seconds;
};

// Seconds of each resource while a phase runs, and of a whole kernel.
class ResourceTimes {
 public:
  double& operator[](Resource resource) { return now_[static_cast<size_t>(resource)]; }

  // Ends a phase. Sides run at the same time: the longest one, times `factor`, is the time of the phase, which is
  // attributed to the largest of its resources. Where sides slow each other down, `p_norm` is finite, and the phase
  // takes the norm of that order of all of them.
  void end_phase(std::initializer_list<Side> sides, double factor = 1,
                 double p_norm = std::numeric_limits<double>::infinity()) {
    const Side& longest = *std::ranges::max_element(sides, {}, &Side::seconds);
    const double seconds = longest.seconds * factor * interference(sides, longest.seconds, p_norm);
    attributed_[static_cast<size_t>(largest(longest.resources))] += seconds;
    time_ += seconds;
    for (size_t i = 0; i < kResourceCount; ++i) total_[i] += now_[i];
    now_ = {};
  }
  double time() const { return time_; }
  const std::array<double, kResourceCount>& totals() const { return total_; }
  Resource limiter() const {
    return static_cast<Resource>(std::ranges::max_element(attributed_) - attributed_.begin());
  }

 private:
  static double interference(std::initializer_list<Side> sides, double longest, double p_norm) {
    if (std::isinf(p_norm) || longest <= 0) return 1;
    double sum = 0;
    for (const Side& side : sides) sum += std::pow(side.seconds / longest, p_norm);
    return std::pow(sum, 1 / p_norm);
  }
  // Reads and writes share the bandwidth of memory, so both count for either.
  double weight(Resource resource) {
    ResourceTimes& now = *this;
    const bool is_dram = resource == Resource::dram_read || resource == Resource::dram_write;
    return is_dram ? now[Resource::dram_read] + now[Resource::dram_write] : now[resource];
  }
  Resource largest(std::span<const Resource> resources) {
    return *std::ranges::max_element(resources, {}, [this](Resource resource) {
      return std::pair(weight(resource), (*this)[resource]);
    });
  }

  std::array<double, kResourceCount> now_{}, total_{}, attributed_{};
  double time_ = 0;
};

// A sheet that records which figures were wanted and absent.
class Figures {
 public:
  explicit Figures(const Sheet& sheet) : sheet_(sheet) {}

  const Sheet& sheet() const { return sheet_; }
  double need(std::string_view key) const { return sheet_.need(key, "a price"); }
  double need_first(std::initializer_list<std::string_view> keys) const {
    return sheet_.need_first(keys, "a price");
  }
  // For what counts as free without it.
  std::optional<double> want(std::string_view key) {
    const auto found = sheet_.value(key);
    if (!found) absent_.insert(std::string(key));
    return found;
  }
  // `amount` at the rate `key`; nothing where there is none.
  double seconds(double amount, std::string_view key) {
    if (amount <= 0) return 0;
    const auto rate = want(key);
    return rate ? amount / *rate : 0;
  }
  std::vector<std::string> absent() const { return {absent_.begin(), absent_.end()}; }

 private:
  const Sheet& sheet_;
  std::set<std::string> absent_;
};

}  // namespace ridge::cost
