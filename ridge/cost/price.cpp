#include "ridge/cost/price.h"

#include "ridge/base/error.h"
#include "ridge/base/text.h"
#include "ridge/cost/resource_times.h"
#include "ridge/cost/roofline/matmul_model.h"

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
    case Resource::alu: return "arithmetic";
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
    case Resource::alu:
    case Resource::special:
    case Resource::matrix:
    case Resource::latency: return Regime::compute;
    case Resource::overhead: return Regime::overhead;
  }
  return Regime::overhead;
}

Price price(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  switch (sheet.kind) {
    case SheetKind::cpu: return price_on_cpu(nest, sheet, context);
    case SheetKind::gpu: return price_on_gpu(nest, sheet, context);
    case SheetKind::tpu: break;
  }
  throw Error({.code = ErrorCode::value,
               .op = "price",
               .expected = "a sheet of a CPU or GPU, for which there are kernels",
               .given = sheet.name});
}

std::optional<Price> price_library_product(const ProductShape& product, const Sheet& sheet,
                                           const Context& context) {
  const std::string_view type = name(product.operand);
  const bool has_rate = sheet.find(concat("matrix.", type)) != nullptr ||
                        sheet.find(concat("vector.", type, ".fma")) != nullptr;
  if (sheet.kind != SheetKind::gpu || !has_rate) return std::nullopt;
  const auto element = [](DType dtype) {
    return ElementType{.name = name(dtype), .bytes = dtype.bits / 8.0};
  };
  const MatmulProblem problem{.batch = product.batch,
                              .m = product.m,
                              .n = product.n,
                              .k = product.k,
                              .x = element(product.operand),
                              .w = element(product.operand),
                              .output = element(product.result),
                              .is_aligned = product.is_aligned};
  Rates rates(sheet);
  const MatmulMachine machine = machine_for(rates, problem, "a price");
  const Tile tile = *tile_for(problem, machine, std::nullopt);
  return price_matmul(matmul_work(problem, machine, tile), machine, context);
}

}  // namespace ridge::cost
