#include "ridge/cost/gpu_memory.h"

#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

// Bytes that other work left in the cache and that this kernel makes it write back.
double left_behind(double read, double written, const Sheet& sheet, const Context& context) {
  const double cache = sheet.value("l2.bytes").value_or(0);
  const bool is_others = context.resident > cache && !context.follows;
  if (!is_others) return 0;
  const double replaced = std::min(read + written, cache), own = std::min(written, cache);
  return tuning::kUnwrittenShare * (replaced - own);
}

}  // namespace

GpuMemorySeconds gpu_memory_seconds(double read, double written, Figures& figures,
                                    const Context& context) {
  const Sheet& sheet = figures.sheet();
  const double each_read = read > 0 ? 1 / figures.need_first({"dram.read", "dram.peak"}) : 0;
  const bool writes = written > 0 || read > 0;
  const double each_write = writes ? 1 / figures.need_first({"dram.write", "dram.peak"}) : 0;
  const double each_copied =
      2 / sheet.value("dram.copy").value_or(std::numeric_limits<double>::infinity());
  const double mixed = std::max(0.0, each_copied - each_read - each_write);
  const double back = left_behind(read, written, sheet, context);
  return {.read = read * each_read + back * each_write,
          .written = written * each_write + std::min(read, written) * mixed};
}

double reached_bandwidth(const Sheet& sheet) {
  double best = 0;
  for (const char* key : {"dram.read", "dram.write", "dram.copy"}) {
    best = std::max(best, sheet.value(key).value_or(0));
  }
  return best > 0 ? best : sheet.need("dram.peak", "a floor");
}

double bandwidth_ceiling(const Sheet& sheet) {
  return std::max(reached_bandwidth(sheet), sheet.value("dram.peak").value_or(0));
}

double gpu_floor_seconds(const GpuCompulsory& least, Figures& figures, const Context& context) {
  // A cache of unknown speed holds nothing: what is in it would come at no cost.
  const auto near = figures.want("l2.read");
  const bool is_near = near && least.footprint <= figures.want("l2.bytes").value_or(0);
  const double rate = std::max(is_near ? *near : 0, bandwidth_ceiling(figures.sheet()));
  return std::max({gpu_launch_seconds(figures, context), least.bytes / rate, least.arithmetic});
}

double gpu_launch_seconds(Figures& figures, const Context& context) {
  const double alone = figures.want("launch").value_or(0);
  return context.follows ? figures.sheet().value("launch.gap").value_or(alone) : alone;
}

double gpu_fixed_seconds(bool reaches_memory, Figures& figures, const Context& context) {
  const double start = reaches_memory ? figures.sheet().value("dram.start").value_or(0) : 0;
  return gpu_launch_seconds(figures, context) + start;
}

}  // namespace ridge::cost
