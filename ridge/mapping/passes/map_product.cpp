#include "ridge/mapping/passes/map_product.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/mapping/passes/consumer.h"
#include "ridge/mapping/passes/product_parts.h"

namespace ridge::mapping {
namespace {

loop::Statement producer(const ProductParts& parts) {
  loop::Body copies, depth, tiles;
  copies.push_back({loop::CopyTile{parts.lhs, parts.lhs_view, parts.lhs_at()}});
  copies.push_back({loop::CopyTile{parts.rhs, parts.rhs_view, parts.rhs_at()}});
  depth.push_back({loop::Produce{parts.ring, std::move(copies)}});
  tiles.push_back(
      {loop::Loop{parts.depth_axis, parts.steps(), loop::Place::serial, std::move(depth)}});
  loop::Role role{
      .name = parts.producer, .warps = 1, .registers = parts.shape.producer_registers, .body = {}};
  role.body.push_back({parts.tile_loop(std::move(tiles))});
  return {std::move(role)};
}

loop::Kernel mapped(const loop::Kernel& kernel, const Mapping& mapping,
                    const loop::DeviceLimits& limits) {
  const ProductSkeleton skeleton = match_product(kernel);
  const Decision can = can_apply(mapping);
  if (!can) refuse(can.reason);
  ProductParts parts = make_parts(kernel, skeleton, mapping, limits);
  loop::Statement consumers = consumer(parts);
  loop::Kernel result = std::move(parts.kernel);
  result.body.push_back(std::move(consumers));
  result.body.push_back(producer(parts));
  return result;
}

}  // namespace

Decision can_apply(const Mapping& mapping) {
  const auto& p = std::get<Product>(mapping.family);
  const Launch& launch = mapping.launch;
  const bool has_hints = launch.lhs != CacheHint::normal || launch.rhs != CacheHint::normal;
  if (p.unit != MatrixUnit::wgmma) return Decision::no(concat("no roles for ", name(p.unit)));
  if (p.split > 1) return Decision::no("parts of k have no statement that adds them in order");
  if (launch.cluster > 1) {
    return Decision::no("copies to all blocks of a cluster have no statement");
  }
  if (launch.pdl) return Decision::no("a launch ahead of time has no statement");
  if (has_hints) return Decision::no("cache hints have no statement");
  if (mapping.alignment == Alignment::realigned) {
    return Decision::no("realigned operands have strides of their own");
  }
  return Decision::yes("roles, a ring and tiles");
}

Rewritten map_product(loop::Kernel kernel, const Mapping& mapping,
                      const loop::DeviceLimits& limits) {
  try {
    loop::Kernel result = mapped(kernel, mapping, limits);
    return {std::move(result), Decision::yes(to_text(mapping))};
  } catch (const Refused& refused) {
    return {std::move(kernel), Decision::no(refused.reason)};
  }
}

}  // namespace ridge::mapping
