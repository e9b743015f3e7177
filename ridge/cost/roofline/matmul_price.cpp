#include <algorithm>

#include "ridge/cost/gpu_memory.h"
#include "ridge/cost/roofline/matmul_model.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

Context alone(const MatmulWork& work) { return {.resident = work.read + work.written}; }

}  // namespace

MatmulWork matmul_work(const MatmulProblem& problem, const MatmulMachine& machine, Tile tile) {
  const Part part = matmul_part("", problem, machine.math, machine.memory);
  const double written = problem.batch * problem.m * problem.n * problem.output.bytes;
  return {.flops = part.flops,
          .read = part.bytes - written,
          .written = written,
          .units_s = tile_seconds(problem, machine, tile),
          .reached_s = part.flops / machine.reached.per_second / alignment_share(problem, machine)};
}

Price price_matmul(const MatmulWork& work, const MatmulMachine& machine, const Context& context) {
  static constexpr Resource kDram[] = {Resource::dram_read, Resource::dram_write};
  static constexpr Resource kMatrix[] = {Resource::matrix};
  Figures figures(*machine.sheet);
  const GpuMemorySeconds memory = gpu_memory_seconds(work.read, work.written, figures, context);
  ResourceTimes times;
  times[Resource::dram_read] = memory.read;
  times[Resource::dram_write] = memory.written;
  times[Resource::matrix] = work.units_s;
  times.end_phase({{kDram, memory.read + memory.written}, {kMatrix, work.units_s}}, 1,
                  tuning::kSideNorm);
  Price result;
  result.overhead = gpu_fixed_seconds(true, figures, context);
  result.flops = work.flops;
  result.compulsory_bytes = result.issued_bytes = result.moved_bytes = work.read + work.written;
  result.transaction_bytes = result.moved_bytes;
  result.floor = gpu_floor_seconds({.bytes = result.compulsory_bytes,
                                    .footprint = result.compulsory_bytes,
                                    .arithmetic = work.flops / machine.math.per_second},
                                   figures, context);
  result.predicted = std::max(times.time() + result.overhead, result.floor);
  result.limiter = 2 * result.overhead > result.predicted ? Resource::overhead : times.limiter();
  result.seconds = times.totals();
  result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
  const bool is_matrix = result.limiter == Resource::matrix;
  result.best_rate_seconds =
      is_matrix ? work.reached_s : result.compulsory_bytes / reached_bandwidth(*machine.sheet);
  result.workers = figures.sheet().value("units").value_or(1);
  result.absent = figures.absent();
  return result;
}

double predicted_seconds(const MatmulWork& work, const MatmulMachine& machine) {
  if (machine.kind == SheetKind::gpu) return price_matmul(work, machine, alone(work)).predicted;
  return std::max(work.units_s, (work.read + work.written) / machine.memory.per_second);
}

double floor_seconds(const MatmulWork& work, const MatmulMachine& machine) {
  if (machine.kind == SheetKind::gpu) return price_matmul(work, machine, alone(work)).floor;
  return std::max({work.flops / machine.math.per_second,
                   (work.read + work.written) / machine.memory.per_second,
                   machine.sheet->value("launch").value_or(0)});
}

}  // namespace ridge::cost
