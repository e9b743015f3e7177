#include "ridge/cost/price.h"

#include "ridge/base/error.h"
#include "ridge/cost/price_parts.h"

namespace ridge::cost {

std::string_view name(Resource resource) {
  switch (resource) {
    case Resource::dram_read: return "dram read";
    case Resource::dram_write: return "dram write";
    case Resource::l3: return "l3";
    case Resource::l2: return "l2";
    case Resource::l1: return "l1";
    case Resource::shared: return "shared memory";
    case Resource::lookup: return "lookups";
    case Resource::translation: return "page translation";
    case Resource::fma: return "fma";
    case Resource::plain: return "arithmetic";
    case Resource::special: return "special functions";
    case Resource::matrix: return "matrix products";
    case Resource::latency: return "dependent steps";
    case Resource::overhead: return "overhead";
  }
  return "";
}

Regime regime_of(Resource resource) {
  switch (resource) {
    case Resource::dram_read:
    case Resource::dram_write:
    case Resource::l3:
    case Resource::l2:
    case Resource::l1:
    case Resource::shared:
    case Resource::lookup:
    case Resource::translation: return Regime::memory;
    case Resource::fma:
    case Resource::plain:
    case Resource::special:
    case Resource::matrix:
    case Resource::latency: return Regime::compute;
    case Resource::overhead: return Regime::overhead;
  }
  return Regime::overhead;
}

Price price(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  switch (sheet.kind) {
    case DeviceKind::cpu: return price_on_cpu(nest, sheet, context);
    case DeviceKind::gpu: return price_on_gpu(nest, sheet, context);
    case DeviceKind::tpu: break;
  }
  throw Error({.code = ErrorCode::value,
               .op = "price",
               .expected = "a sheet of a CPU or GPU, for which there are kernels",
               .given = sheet.name});
}

}  // namespace ridge::cost
