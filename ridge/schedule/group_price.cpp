#include "ridge/schedule/group_price.h"

#include "ridge/cost/price.h"

namespace ridge::schedule {

GroupPricer::GroupPricer(const Program& program, const cost::Sheet& sheet, double resident)
    : program_(program), sheet_(sheet), readers_(readers_of(program)), resident_(resident) {}

double GroupPricer::seconds(const Group& group) const {
  const Target target = sheet_.kind == cost::DeviceKind::gpu ? Target::gpu : Target::cpu;
  const cost::KernelNest nest = group_nest(program_, group, readers_, target);
  return cost::price(nest, sheet_, {.resident = resident_}).predicted;
}

}  // namespace ridge::schedule
