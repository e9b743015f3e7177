#include "ridge/mapping/passes/map_product.h"

#include <algorithm>

#include "ridge/base/text.h"
#include "ridge/expr/simplify.h"
#include "ridge/mapping/passes/consumer.h"
#include "ridge/mapping/passes/product_parts.h"

namespace ridge::mapping {
namespace {

void refuse_what_is_not_said(const Mapping& mapping, const ProductSkeleton& skeleton) {
  const auto& p = std::get<Product>(mapping.family);
  if (p.unit != MatrixUnit::wgmma) refuse(concat("no roles for ", name(p.unit)));
  if (p.split > 1) refuse("parts of k have no statement that adds them in order");
  if (mapping.launch.cluster > 1) refuse("copies to all blocks of a cluster have no statement");
  if (mapping.launch.pdl) refuse("a launch ahead of time has no statement");
  if (mapping.launch.lhs != CacheHint::normal || mapping.launch.rhs != CacheHint::normal) {
    refuse("cache hints have no statement");
  }
  if (mapping.alignment == Alignment::realigned) {
    refuse("realigned operands have strides of their own");
  }
  if (p.store == StoreWay::tile && skeleton.stores.size() != 1) {
    refuse("several results need registers of their own: `store elements`");
  }
}

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
  refuse_what_is_not_said(mapping, skeleton);
  ProductParts parts = make_parts(kernel, skeleton, mapping, limits);
  loop::Statement consumers = consumer(parts);
  loop::Kernel result = std::move(parts.kernel);
  result.body.push_back(std::move(consumers));
  result.body.push_back(producer(parts));
  return result;
}

}  // namespace

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
