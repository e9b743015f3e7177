// What the driver says of a GPU where its sheet says otherwise: a MIG slice, another model of the family.
#include "ridge/linker/driver_figures.h"

#include <gtest/gtest.h>

#include "ridge/base/log.h"
#include "ridge/cost/sheets.h"
#include "ridge/linker/link.h"
#include "ridge/loop/device_limits.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::linker {
namespace {

constexpr Device kWhole{DeviceKind::cuda, 0}, kSlice{DeviceKind::cuda, 1};

// What is logged until it is read.
class Warnings {
 public:
  Warnings()
      : previous_(set_log_callback([this](LogLevel, std::string_view, std::string_view text) {
          all_.emplace_back(text);
        })) {}
  ~Warnings() { set_log_callback(previous_); }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::vector<std::string> all_;
  LogCallback previous_;
};

TEST(DriverFigures, ASliceHasItsOwnSms) {
  const Warnings warnings;
  const auto sheet = device_backend(DeviceKind::cuda).sheet(kSlice);
  EXPECT_EQ(sheet->name, "h200");
  const loop::DeviceLimits limits = cost::device_limits(sheet.get());
  EXPECT_EQ(limits.sms, 60);
  EXPECT_EQ(limits.clustered_sms, 54);
  EXPECT_EQ(limits.shared_bytes, 228 * 1024);
  EXPECT_EQ(limits.block_shared_bytes(), 232448);
  device_backend(DeviceKind::cuda).sheet(kSlice);
  ASSERT_EQ(warnings.all().size(), 1u);
  EXPECT_EQ(
      warnings.all().front(),
      "the driver of NVIDIA H200 MIG 3g.71gb says otherwise than the sheet h200, and is taken "
      "at its word: units 60 in place of 132, units.cluster 54 in place of 120");
  EXPECT_EQ(options_for(kSlice).sheet->value("units"), 60);
}

TEST(DriverFigures, TheSheetStaysWhereBothAgree) {
  const auto sheet = cost::find_sheet("h200");
  EXPECT_EQ(with_driver_figures(sheet, runtime::cuda::device_properties(kWhole.index)), sheet);
}

// An Ampere GPU that nobody has a sheet of is planned with the figures of the H200, but without its clusters.
TEST(DriverFigures, AnotherModelHasNoClustersOfTheSheet) {
  const Warnings warnings;
  runtime::cuda::DeviceProperties properties = runtime::cuda::device_properties(kWhole.index);
  properties.name = "NVIDIA A800-SXM4-80GB";
  properties.multiprocessors = 108;
  properties.registers_per_multiprocessor = 32768;
  properties.shared_bytes_per_multiprocessor = 164 * 1024;
  properties.shared_bytes_per_block = 163 * 1024;
  properties.has_clusters = false;
  const auto sheet = with_driver_figures(cost::gpu_sheet(properties.name), properties);
  const loop::DeviceLimits limits = cost::device_limits(sheet.get());
  EXPECT_EQ(limits.sms, 108);
  EXPECT_EQ(limits.cluster_blocks, 1);
  EXPECT_EQ(limits.registers_per_sm, 32768);
  EXPECT_EQ(limits.block_shared_bytes(), 163 * 1024);
  ASSERT_EQ(warnings.all().size(), 2u);
  EXPECT_NE(warnings.all()[0].find("`device-name NVIDIA A800-SXM4-80GB`"), std::string::npos);
  for (const char* key : {"units 108", "cluster 1", "registers 32768", "shared.bytes 167936"}) {
    EXPECT_NE(warnings.all()[1].find(key), std::string::npos) << warnings.all()[1];
  }
}

TEST(DriverFigures, OtherWarpsAreRefused) {
  runtime::cuda::DeviceProperties properties = runtime::cuda::device_properties(kWhole.index);
  properties.warp_size = 64;
  EXPECT_THROW(with_driver_figures(cost::find_sheet("h200"), properties), Error);
}

}  // namespace
}  // namespace ridge::linker
