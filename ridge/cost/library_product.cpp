#include "ridge/cost/library_product.h"

#include "ridge/base/text.h"
#include "ridge/cost/roofline/matmul_model.h"

namespace ridge::cost {

std::optional<Price> price_library_product(const LibraryProduct& product, const Sheet& sheet,
                                           const Context& context) {
  const std::string_view type = name(product.operand);
  const bool has_rate = sheet.find(concat("matrix.", type)) != nullptr ||
                        sheet.find(concat("vector.", type, ".fma")) != nullptr;
  if (sheet.kind != DeviceKind::gpu || !has_rate) return std::nullopt;
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
