#include <array>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/cost/demand.h"
#include "ridge/cost/gpu_memory.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

// Seconds of one tile on the SM that computes it.
struct TileSeconds {
  double matrix, shared, l2;
  double longest() const { return std::max({matrix, shared, l2}); }
};

TileSeconds tile_seconds(const Demand& demand, Figures& figures) {
  const double units = figures.need("units");
  const double matrix = figures.need("matrix." + demand.dtype) * demand.matrix_share;
  // Several SMs ask for one line at a time, which the cache reads once.
  const auto bulk = figures.sheet().value("bulk.read");
  const double l2 = bulk ? demand.tile_l2_bytes.value / *bulk
                         : figures.seconds(demand.tile_l2_bytes.value, "l2.read");
  return {.matrix = demand.tile_flops.value / matrix * units,
          .shared = figures.seconds(demand.tile_shared_bytes.value, "shared.read") * units,
          .l2 = l2 * units};
}

Resource slowest(const TileSeconds& tile) {
  if (tile.longest() == tile.matrix) return Resource::matrix;
  return tile.longest() == tile.shared ? Resource::shared : Resource::l2;
}

// Note [Tiles]. A hidden epilogue overlaps the main loop of the next tile, so that two of them take no
// less than a main loop and an epilogue; behind the last tile it is seen.
double path_seconds(const Demand& demand, double tile) {
  const double epilogue = demand.epilogue_seconds.value, waves = demand.waves.value;
  const double each =
      demand.hides_epilogue ? std::max(tile, (tile + epilogue) / 2) : tile + epilogue;
  return waves * each + (demand.hides_epilogue ? epilogue : 0) + demand.fill_seconds.value;
}

double sustained_seconds(const Demand& demand, Figures& figures) {
  const std::string peak = "matrix." + demand.dtype;
  const auto sustained = figures.want("sustained." + demand.dtype);
  return demand.flops.value / (sustained ? *sustained : figures.need(peak));
}

double together(const std::array<double, 3>& sides) {
  double sum = 0;
  for (const double side : sides) sum += std::pow(side, tuning::kTileNorm);
  return std::pow(sum, 1 / tuning::kTileNorm);
}

std::string time_text(double seconds) { return to_text(Microseconds(seconds * 1e6)); }

}  // namespace

DemandPrice price(const Demand& demand, const Sheet& sheet, const Context& context) {
  Figures figures(sheet);
  const TileSeconds tile = tile_seconds(demand, figures);
  const GpuMemorySeconds memory =
      gpu_memory_seconds(demand.dram_read.value, demand.dram_written.value, figures, context);
  DemandPrice result{.price = {},
                     .tile = tile.longest(),
                     .path = path_seconds(demand, tile.longest()),
                     .power = sustained_seconds(demand, figures),
                     .memory = memory.read + memory.written,
                     .demand = demand};
  Price& price = result.price;
  price.overhead = gpu_launch_seconds(figures, context) + demand.extra_seconds.value;
  price.flops = demand.compulsory_flops;
  price.compulsory_bytes = demand.compulsory_bytes;
  price.moved_bytes = demand.dram_read.value + demand.dram_written.value;
  price.issued_bytes = price.transaction_bytes = price.moved_bytes;
  const double peak = figures.need("matrix." + demand.dtype);
  price.floor = gpu_floor_seconds({.bytes = demand.compulsory_bytes,
                                   .footprint = demand.compulsory_bytes,
                                   .arithmetic = demand.compulsory_flops / peak},
                                  figures, context);
  const double body = together({result.path, result.power, result.memory});
  price.predicted = std::max(body + price.overhead, price.floor);

  const auto set = [&](Resource r, double s) { price.seconds[static_cast<size_t>(r)] = s; };
  set(Resource::dram_read, memory.read);
  set(Resource::dram_write, memory.written);
  set(Resource::matrix, std::max(result.power, tile.matrix * demand.waves.value));
  set(Resource::shared, tile.shared * demand.waves.value);
  set(Resource::l2, tile.l2 * demand.waves.value);
  set(Resource::overhead, price.overhead);
  price.limiter = slowest(tile);
  if (result.power > result.path) price.limiter = Resource::matrix;
  if (result.memory > std::max(result.path, result.power)) {
    price.limiter = memory.read > memory.written ? Resource::dram_read : Resource::dram_write;
  }
  if (2 * price.overhead > price.predicted) price.limiter = Resource::overhead;
  price.best_rate_seconds = price.limiter == Resource::matrix
                                ? result.power
                                : price.moved_bytes / reached_bandwidth(sheet);
  price.workers = figures.need("units");
  price.absent = figures.absent();
  return result;
}

std::string DemandPrice::to_text() const {
  const double epilogue = demand.epilogue_seconds.value;
  std::string text =
      concat("path ", time_text(path), " = ", demand.waves.value, " waves * (", time_text(tile));
  text +=
      concat(demand.hides_epilogue ? ") + " : " + ", "epilogue ", time_text(epilogue),
             demand.hides_epilogue ? "" : ")", " + fill ", time_text(demand.fill_seconds.value));
  text += concat("; power ", time_text(power), "; memory ", time_text(memory));
  if (demand.extra_seconds.value > 0) {
    text += concat("; extra ", time_text(demand.extra_seconds.value));
  }
  return text + concat("; bound by ", name(price.limiter));
}

}  // namespace ridge::cost
