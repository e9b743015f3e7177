#include "ridge/codegen/cuda/contract_builder.h"

#include "ridge/expr/simplify.h"
#include "ridge/loop/statement_text.h"
#include "ridge/loop/verify_parts.h"

namespace ridge::codegen::cuda {

ContractBuilder::ContractBuilder(const loop::Kernel& given, const loop::Contract& c,
                                 const CudaTarget& target)
    : kernel(given),
      contract(c),
      arithmetic(loop::usual_arithmetic(c.accumulator)),
      extents(static_cast<size_t>(given.axis_count)),
      ranges(given, target) {
  for (const loop::Loop* loop : loop::parallel_loops(given)) {
    ranges.set_axis(loop->axis, loop->extent);
    const Interval range = ranges.of(loop->extent).range;
    if (range.high < INT64_MAX) extents[static_cast<size_t>(loop->axis)] = range.high;
  }
}

int ContractBuilder::add_axis(int64_t extent) {
  extents.push_back(extent);
  return kernel.axis_count++;
}

int ContractBuilder::add_buffer(std::string name, DType dtype, loop::Space space,
                                int64_t elements) {
  kernel.buffers.push_back({std::move(name), dtype, loop::Access::in_out, space, Expr(elements)});
  return static_cast<int>(kernel.buffers.size()) - 1;
}

int ContractBuilder::add_value(std::string name, DType dtype) {
  kernel.values.push_back({std::move(name), dtype});
  return static_cast<int>(kernel.values.size()) - 1;
}

Expr ContractBuilder::simplified(const Expr& e) const {
  return expr::simplify(e, [&](int axis) {
    const int64_t extent = extents[static_cast<size_t>(axis)];
    return extent > 0 ? Interval{0, extent - 1} : Interval{0, INT64_MAX};
  });
}

loop::Statement ContractBuilder::loop(int axis, loop::Body body, loop::Place place) const {
  const int64_t extent = extents[static_cast<size_t>(axis)];
  // A run of one is no vector.
  const bool is_one = extent == 1 && place == loop::Place::vector;
  return {loop::Loop{axis, Expr(extent), is_one ? loop::Place::serial : place, std::move(body)}};
}

Expr at_position(const loop::Contract& contract, const Expr& e, const TilePosition& position) {
  return expr::transform(e, [&](const Expr& node) -> Expr {
    if (node->kind != expr::Kind::axis) return node;
    if (node->index == contract.m && position.m.get() != nullptr) return position.m;
    if (node->index == contract.n && position.n.get() != nullptr) return position.n;
    if (node->index == contract.k && position.k.get() != nullptr) return position.k;
    return node;
  });
}

}  // namespace ridge::codegen::cuda
