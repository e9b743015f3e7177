// Units that run blocks of threads in warps, one cache for all, and memory that needs many bytes
// in flight.
#include <algorithm>
#include <cmath>

#include "ridge/cost/function_cost.h"
#include "ridge/cost/price_parts.h"

namespace ridge::cost {
namespace {

constexpr double kWarp = 32;
// Where a sheet does not say how many bytes one transaction moves.
constexpr double kUsualSector = 32;
// Beyond this many waves the last one is lost among the others, as blocks end at different times.
constexpr double kManyWaves = 8;

class GpuPricing {
 public:
  GpuPricing(const KernelNest& nest, const Sheet& sheet, const Context& context)
      : nest_(nest), sheet_(sheet), compulsory_(compulsory_bytes(nest)) {
    sector_ = sheet.value("sector").value_or(kUsualSector);
    const CacheLevel l2{.capacity = sheet.value("l2.bytes").value_or(0),
                        .line = sector_,
                        .resident = std::max(context.resident, compulsory_.footprint)};
    past_l2_ = bytes_past(nest, l2);
  }

  Price run() {
    walk(nest_.root, 1, 1);
    Price result;
    result.workers = std::min(sheet_.need("units", "a price"), std::max(1.0, nest_.tasks));
    Bill bill;
    bill[Resource::dram_read] = read_ / bandwidth("dram.read");
    bill[Resource::dram_write] = written_ / bandwidth("dram.write");
    if (const auto l2 = sheet_.value("l2.read")) bill[Resource::l2] = transactions_ / *l2;
    bill[Resource::plain] = plain_ / sheet_.need("vector.f32", "a price");
    bill[Resource::fma] = 2 * fused_ / sheet_.need("vector.f32.fma", "a price");
    if (const auto rate = sheet_.value("special.f32")) bill[Resource::special] = special_ / *rate;
    const double memory = bill[Resource::dram_read] + bill[Resource::dram_write];
    const double arithmetic = bill[Resource::plain] + bill[Resource::fma];
    const double busiest =
        std::max({memory, arithmetic, bill[Resource::l2], bill[Resource::special]});
    bill.end_phase(busiest * idle_factor());
    result.overhead = sheet_.value("launch").value_or(0);
    result.predicted = bill.time() + result.overhead;
    result.bound = 2 * result.overhead > result.predicted ? Resource::overhead : bill.bound();
    result.seconds = bill.totals();
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.flops = flops_;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    result.issued_bytes = issued_;
    result.moved_bytes = read_ + written_;
    result.floor = floor();
    return result;
  }

 private:
  // What memory gives to as many bytes in flight as there are threads to ask for them.
  double bandwidth(std::string_view key) const {
    const auto stated = sheet_.value(key);
    const double full = stated ? *stated : sheet_.need("dram.peak", "a price");
    const auto latency = sheet_.value("dram.latency"), resident = sheet_.value("threads");
    if (!latency || !resident || threads_ <= 0) return full;
    const double units = sheet_.need("units", "a price");
    const double asking = std::min(threads_, units * *resident);
    const double each = (compulsory_.read + compulsory_.written) / threads_;
    return std::min(full, asking * each / *latency);
  }

  // The last wave of blocks leaves units idle.
  double idle_factor() const {
    const auto resident = sheet_.value("threads");
    const double blocks = std::max(1.0, nest_.tasks);
    const double block_threads = std::max(1.0, threads_ / blocks);
    const double at_once = sheet_.need("units", "a price") *
                           (resident ? std::max(1.0, std::floor(*resident / block_threads)) : 1.0);
    const double waves = blocks / at_once;
    if (waves <= 1 || waves >= kManyWaves) return 1;
    return std::ceil(waves) / waves;
  }

  void walk(const Nest& nest, double executions, double threads) {
    const bool is_thread = nest.place == loop::Place::grid || nest.place == loop::Place::cluster ||
                           nest.place == loop::Place::block || nest.place == loop::Place::lane;
    if (is_thread) threads *= nest.trips;
    if (nest.place == loop::Place::block || nest.place == loop::Place::lane) lane_ = nest.axis;
    threads_ = std::max(threads_, threads);
    for (const Item& item : nest.items) {
      if (const auto* inner = std::get_if<Nest>(&item)) {
        walk(*inner, executions * inner->trips, threads);
      } else if (const auto* block = std::get_if<Block>(&item)) {
        add(*block, executions);
      } else {
        const auto& product = std::get<Product>(item);
        add(product.lhs, executions * product.m * product.k);
        add(product.rhs, executions * product.k * product.n);
        add(product.epilogue, executions * product.m * product.n);
        fused_ += executions * product.m * product.n * product.k;
        flops_ += 2 * executions * product.m * product.n * product.k;
      }
    }
  }

  void add(const Block& block, double executions) {
    for (const MemoryAccess& access : block.accesses) {
      (access.is_store ? written_ : read_) += past_l2_[next_++];
      issued_ += executions * access.element_bytes;
      transactions_ += executions / kWarp * sectors(access) * sector_;
    }
    flops_ += executions * flops_of(block.operations);
    fused_ += executions * block.operations.fused;
    plain_ += executions * (block.operations.reductions - 2.0 * block.operations.fused);
    for (size_t i = 0; i < block.operations.calls.size(); ++i) {
      const auto function = static_cast<expr::Function>(i);
      const double calls = executions * block.operations.calls[i];
      (is_special(function) ? special_ : plain_) += calls;
    }
  }

  // That a warp touches with one access.
  double sectors(const MemoryAccess& access) const {
    for (const AxisStep& step : access.steps) {
      if (step.axis != lane_) continue;
      if (step.is_random) return kWarp;
      const double bytes = kWarp * static_cast<double>(step.stride) * access.element_bytes;
      return std::clamp(bytes / sector_, 1.0, kWarp);
    }
    return 1;
  }

  double floor() const {
    const auto rate = [&](std::string_view key) {
      return sheet_.value(key).value_or(sheet_.need("dram.peak", "a floor"));
    };
    const double bytes =
        compulsory_.read / rate("dram.read") + compulsory_.written / rate("dram.write");
    return std::max({sheet_.value("launch").value_or(0), bytes,
                     flops_ / sheet_.need("vector.f32.fma", "a floor")});
  }

  const KernelNest& nest_;
  const Sheet& sheet_;
  Compulsory compulsory_;
  std::vector<double> past_l2_;
  size_t next_ = 0;
  int lane_ = -1;
  double sector_ = kUsualSector, threads_ = 1;
  double read_ = 0, written_ = 0, transactions_ = 0, issued_ = 0;
  double flops_ = 0, fused_ = 0, plain_ = 0, special_ = 0;
};

}  // namespace

Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return GpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
