// Which loads of a part are angles, and the branch around its two loops over lanes.
#include "ridge/codegen/cuda/small_angles.h"

#include "ridge/codegen/cuda/lane_values.h"

namespace ridge::codegen::cuda {
namespace {

// Whether those that the statement loads are small, as text, and from here on they are.
void add_small_angle(Emission& emission, const loop::Statement& statement,
                     std::vector<std::string>& conditions) {
  const auto* const let = as<loop::Let>(statement);
  if (let == nullptr || !emission.angled.contains(let->value)) return;
  for (const WideLoad& wide : emission.region->wide_loads) {
    const CppType type = register_type(emission.buffer(wide.load->index).dtype);
    if (type != CppType::f32 || !expr::same(wide.load, let->expression)) continue;
    conditions.push_back(concat("ridge::are_small(", wide.lanes, ")"));
    emission.small_angles.insert(let->value);
  }
}

}  // namespace

void write_by_angles(Emission& emission, const Part& part,
                     const std::function<void()>& write_lanes) {
  std::vector<std::string> conditions;
  for (const loop::Statement* statement : part) add_small_angle(emission, *statement, conditions);
  if (conditions.empty()) return write_lanes();
  emission.use("are_small");
  emission.out.line("if (", join(conditions, " && "), ") {");
  // Lanes forget those that they store over; the others start as these do.
  const auto wide_loads = emission.region->wide_loads;
  {
    const auto indent = emission.out.indent();
    write_lanes();
  }
  emission.out.line("} else {");
  emission.region->wide_loads = wide_loads;
  emission.small_angles.clear();
  forget_names(emission, part);
  {
    const auto indent = emission.out.indent();
    write_lanes();
  }
  emission.out.line("}");
}

}  // namespace ridge::codegen::cuda
