#include "ridge/schedule/emit.h"

#include "ridge/expr/simplify.h"
#include "ridge/schedule/domain.h"

namespace ridge::schedule {

Emitter::Emitter(const InlinedGraph& program, const Group& group, const ValueLocations& places)
    : program_(program), group_(group), places_(places) {}

int Emitter::add_axis(const Size& extent) {
  extents_.push_back(extent);
  return kernel_.axis_count++;
}

void Emitter::open(int axis, const Expr& extent, loop::Place place, bool binds) {
  scopes_.open(axis, simplified(extent), place, binds);
}

Expr Emitter::simplified(const Expr& e) const { return expr::simplify(e, ranges_of(extents_)); }

std::vector<Expr> Emitter::member_axes(const Member& member) const {
  std::vector<Expr> axes;
  for (const Expr& axis : member.axes)
    axes.push_back(simplified(substitute_axes(axis, group_axes_)));
  return axes;
}

int Emitter::new_value(std::string name, DType dtype) {
  kernel_.values.push_back({std::move(name), dtype});
  return static_cast<int>(kernel_.values.size()) - 1;
}

Expr Emitter::read(int value) const {
  return expr::input(value, scalar_type(kernel_.values[static_cast<size_t>(value)].dtype));
}

int Emitter::let(std::string name, DType dtype, DType arithmetic, const Expr& e,
                 std::optional<DType> rounds, FunctionForms forms) {
  const int value = new_value(std::move(name), dtype);
  add({loop::Let{value, arithmetic, stored_as(e, rounds.value_or(dtype)), rounds, forms}});
  return value;
}

loop::Kernel Emitter::finish() {
  kernel_.body = scopes_.finish();
  return std::move(kernel_);
}

}  // namespace ridge::schedule
