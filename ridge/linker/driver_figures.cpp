#include "ridge/linker/driver_figures.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/sheets.h"
#include "ridge/loop/device_limits.h"

namespace ridge::linker {
namespace {

using runtime::cuda::DeviceProperties;

constexpr std::string_view kDriver = "driver";

// Code is generated for warps and blocks of these sizes, whatever a sheet says.
void check_sizes(const DeviceProperties& properties) {
  const bool is_known = properties.warp_size == loop::kCudaLimits.warp_size &&
                        properties.threads_per_block >= loop::kCudaLimits.max_threads_per_block;
  RIDGE_CHECK(
      is_known, .code = ErrorCode::device,
      .expected = concat("a GPU with warps of ", loop::kCudaLimits.warp_size,
                         " threads and blocks of up to ", loop::kCudaLimits.max_threads_per_block),
      .given = concat(properties.name, ", with ", properties.warp_size, " and ",
                      properties.threads_per_block));
}

// Of an SM: blocks may get less of it than the SM has.
int64_t shared_bytes_of(const DeviceProperties& properties) {
  return std::min(properties.shared_bytes_per_multiprocessor,
                  properties.shared_bytes_per_block + loop::kCudaLimits.reserved_shared_bytes);
}

class Overlay {
 public:
  explicit Overlay(const cost::Sheet& sheet) : sheet_(sheet) {}

  // A driver that says nothing says 0.
  void set(const char* key, double value) {
    const double known = sheet_.value(key).value_or(0);
    if (value <= 0 || value == known) return;
    changed_.push_back(known > 0 ? concat(key, " ", value, " in place of ", known)
                                 : concat(key, " ", value));
    cost::Figure& figure = sheet_.figures[key];
    figure.value = value;
    figure.unit = *cost::unit_of(key);
    figure.source = kDriver;
  }
  // Clusters fill the same share of fewer SMs.
  void scale(const char* key, double factor) {
    const auto known = sheet_.value(key);
    if (known) set(key, std::floor(*known * factor));
  }

  const std::vector<std::string>& changed() const { return changed_; }
  // Checks of the sheet hold for the device it describes.
  cost::Sheet finish() && {
    sheet_.checks.clear();
    sheet_.sources.push_back({std::string(kDriver), "what the CUDA driver says", sheet_.version});
    return std::move(sheet_);
  }

 private:
  cost::Sheet sheet_;
  std::vector<std::string> changed_;
};

}  // namespace

std::shared_ptr<const cost::Sheet> with_driver_figures(std::shared_ptr<const cost::Sheet> sheet,
                                                       const DeviceProperties& properties) {
  check_sizes(properties);
  Overlay overlay(*sheet);
  const double sms = properties.multiprocessors, described = sheet->value("units").value_or(0);
  overlay.set("units", sms);
  if (!properties.has_clusters && sheet->value("cluster").value_or(1) > 1) {
    overlay.set("cluster", 1);
  } else if (sms > 0 && described > 0 && sms != described) {
    overlay.scale("units.cluster", sms / described);
  }
  overlay.set("lanes", properties.warp_size);
  overlay.set("registers", properties.registers_per_multiprocessor);
  overlay.set("threads", properties.threads_per_multiprocessor);
  overlay.set("shared.bytes", static_cast<double>(shared_bytes_of(properties)));
  if (overlay.changed().empty()) return sheet;
  cost::warn_once(concat("the driver of ", properties.name, " says otherwise than the sheet ",
                         sheet->name,
                         ", and is taken at its word: ", join(overlay.changed(), ", ")));
  return std::make_shared<const cost::Sheet>(std::move(overlay).finish());
}

}  // namespace ridge::linker
