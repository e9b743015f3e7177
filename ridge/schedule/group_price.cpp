#include "ridge/schedule/group_price.h"

#include "ridge/cost/price.h"

namespace ridge::schedule {

GroupPricer::GroupPricer(const Program& program, const cost::Sheet& sheet, double resident)
    : program_(program),
      sheet_(sheet),
      readers_(readers_of(program)),
      plain_(plain_places(program.graph())),
      resident_(resident) {}

double GroupPricer::seconds(const Group& group) const {
  const bool is_gpu = sheet_.kind == cost::DeviceKind::gpu;
  const GroupStages stages = is_gpu ? stages_of(program_, group, plain_, sheet_) : GroupStages{};
  const cost::KernelNest nest =
      group_nest(program_, group, readers_, is_gpu ? Target::gpu : Target::cpu, stages);
  // Further kernels combine what the blocks of the first found: little work, but each is a launch.
  const double launches = (stages.kernels - 1) * sheet_.value("launch").value_or(0);
  return cost::price(nest, sheet_, {.resident = resident_}).predicted + launches;
}

}  // namespace ridge::schedule
