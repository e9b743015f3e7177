#include <array>

#include "ridge/base/error.h"
#include "ridge/base/knobs.h"
#include "ridge/cost/sheets.h"
#include "ridge/graph/pass.h"
#include "ridge/linker/driver_figures.h"
#include "ridge/linker/kernel_cache.h"
#include "ridge/linker/link.h"
#include "ridge/runtime/cuda/cublaslt_api.h"
#include "ridge/runtime/cuda/device_properties.h"

namespace ridge::linker {
namespace {

using Backends = std::array<DeviceBackend, kDeviceKindCount>;

Backends& backends() {
  // Never destroyed: static destructors of the host may still call ops.
  static Backends& list = *new Backends([] {
    Backends known;
    known[static_cast<size_t>(DeviceKind::cpu)] = {
        [](Device) { return cost::this_cpu(); },
        [](const schedule::Plan& plan, const execute::ExecutablePlan& linked, Device) {
          return cpu_build(plan, linked);
        },
        nullptr};
    known[static_cast<size_t>(DeviceKind::cuda)] = {
        [](Device device) {
          const auto& properties = runtime::cuda::device_properties(device.index);
          return with_driver_figures(cost::gpu_sheet(properties.name), properties);
        },
        [](const schedule::Plan& plan, const execute::ExecutablePlan& linked, Device device) {
          return cuda_build(plan, linked, device.index);
        },
        [] {
          return !graph::is_disabled("cublaslt") &&
                 runtime::cuda::cublaslt_availability().is_available;
        }};
    return known;
  }());
  return list;
}

}  // namespace

const DeviceBackend& device_backend(DeviceKind kind) {
  const DeviceBackend& backend = backends()[static_cast<size_t>(kind)];
  RIDGE_CHECK(backend.make_build != nullptr, .code = ErrorCode::device,
              .expected = "a device that kernels can be generated for",
              .given = to_text(Device{kind, 0}));
  return backend;
}

void set_device_backend(DeviceKind kind, const DeviceBackend& backend) {
  backends()[static_cast<size_t>(kind)] = backend;
}

bool can_build(Device device) {
  return device.kind == DeviceKind::cuda || (device.kind == DeviceKind::cpu && kCanBuild);
}

schedule::Options options_for(Device device) {
  const DeviceBackend& backend = device_backend(device.kind);
  schedule::Options options = options_for(backend.sheet(device));
  options.has_library_products = backend.has_products != nullptr && backend.has_products();
  return options;
}

schedule::Options options_for(std::shared_ptr<const cost::Sheet> sheet) {
  RIDGE_CHECK(sheet->kind != cost::SheetKind::tpu, .code = ErrorCode::value, .op = "explain",
              .expected = "a sheet of a CPU or GPU, for which there are kernels",
              .given = sheet->name);
  const bool is_gpu = sheet->kind == cost::SheetKind::gpu;
  return {.target = is_gpu ? schedule::Target::gpu : schedule::Target::cpu,
          .has_library_products = is_gpu && !graph::is_disabled("cublaslt"),
          .library = schedule::library_use(knob_text(Knob::library)),
          .sheet = std::move(sheet)};
}

}  // namespace ridge::linker
