// Units that run blocks of threads in warps, one cache for all, and memory that needs many bytes
// in flight.
#include <cmath>

#include "ridge/cost/gpu_memory.h"
#include "ridge/cost/gpu_work.h"
#include "ridge/cost/resource_times.h"
#include "ridge/cost/tuning.h"
#include "ridge/loop/device_limits.h"

namespace ridge::cost {
namespace {

using namespace tuning;

class GpuPricing {
 public:
  GpuPricing(const KernelNest& nest, const Sheet& sheet, const Context& context)
      : nest_(nest),
        figures_(sheet),
        limits_(device_limits(&sheet)),
        context_(context),
        compulsory_(compulsory_bytes(nest)),
        block_threads_(nest.block_threads > 0 ? nest.block_threads : threads_in(nest.root)) {
    work_ = gpu_work(nest, {.l1_bytes = kUsableCache * figures_.want("l1.bytes").value_or(0),
                            .l2_bytes = l2_bytes(),
                            .sector = static_cast<double>(limits_.sector_bytes),
                            .line = static_cast<double>(limits_.line_bytes),
                            .resident = std::max(context.resident, compulsory_.footprint),
                            .sms = figures_.need("units"),
                            .blocks_per_sm = blocks_per_sm(),
                            .block_threads = block_threads_,
                            .latencies = latencies_of(sheet)});
    // A missing latency of barriers matters only to a kernel that has one.
    if (has_barrier(nest.root)) figures_.want("barrier");
  }

  Price run() {
    Price result;
    result.workers = std::min(figures_.need("units"), blocks());
    ResourceTimes times;
    end(times);
    result.overhead = gpu_fixed_seconds(work_.read + work_.written > 0, figures_, context_);
    result.floor = floor();
    result.predicted = std::max(times.time() + result.overhead, result.floor);
    result.limiter = 2 * result.overhead > result.predicted ? Resource::overhead : times.limiter();
    result.seconds = times.totals();
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.flops = work_.arithmetic.flops;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    result.issued_bytes = work_.issued;
    result.transaction_bytes = work_.transactions;
    result.moved_bytes = work_.read + work_.written;
    result.best_rate_seconds = best_rate_seconds(result);
    result.absent = figures_.absent();
    return result;
  }

 private:
  // The whole kernel is one phase.
  void end(ResourceTimes& times) {
    static constexpr Resource kDram[] = {Resource::dram_read, Resource::dram_write};
    static constexpr Resource kL2[] = {Resource::l2};
    static constexpr Resource kNear[] = {Resource::shared, Resource::l1};
    static constexpr Resource kUnits[] = {Resource::fma, Resource::alu};
    static constexpr Resource kSpecial[] = {Resource::special}, kMatrix[] = {Resource::matrix};
    static constexpr Resource kWaits[] = {Resource::latency};
    const GpuMemorySeconds memory =
        gpu_memory_seconds(work_.read, work_.written, figures_, context_);
    times[Resource::dram_read] = memory.read;
    times[Resource::dram_write] = memory.written;
    const double l2 = times[Resource::l2] = l2_seconds();
    // One memory, and one way to it.
    const double shared = times[Resource::shared] = figures_.seconds(work_.shared, "shared.read");
    const double l1 = times[Resource::l1] = figures_.seconds(work_.l1_line_bytes, "shared.read");
    const double starts =
        nest_.is_estimate ? 0 : blocks() * figures_.sheet().value("block").value_or(0);
    const double waits = times[Resource::latency] = serial_waves() * work_.waits;
    const bool waits_for_memory = 2 * work_.load_waits > work_.waits;
    work_.arithmetic.add_seconds(times, figures_);
    // SMs that a last wave leaves idle leave their share of memory bandwidth to the others.
    const double idle = idle_sm_factor() * idle_factor();
    times.end_phase({{kDram, memory.read + memory.written},
                     {kL2, l2},
                     {kNear, idle * (shared + l1)},
                     {kUnits, idle * (times[Resource::fma] + times[Resource::alu])},
                     {kSpecial, idle * times[Resource::special]},
                     {kMatrix, idle_factor() * times[Resource::matrix]},
                     {kWaits, starts},
                     {waits_for_memory ? std::span<const Resource>(kDram) : kWaits, waits}},
                    1, kSideNorm);
  }

  // A cache of unknown speed holds nothing: what is in it would come at no cost.
  double l2_bytes() {
    const double bytes = figures_.want("l2.bytes").value_or(0);
    return figures_.want("l2.read") ? bytes : 0;
  }
  double l2_seconds() {
    const auto stores = figures_.sheet().value("l2.write");
    if (!stores) return figures_.seconds(work_.l2 + work_.l2_stored, "l2.read");
    return figures_.seconds(work_.l2, "l2.read") + work_.l2_stored / *stores;
  }

  GpuLatencies latencies_of(const Sheet& sheet) const {
    const auto seconds = [&](std::string_view key) { return sheet.value(key).value_or(0); };
    const double clock = sheet.value("clock").value_or(0);
    const double loads = nest_.is_estimate ? 0 : 1;
    return {.l1 = loads * seconds("l1.latency"),
            .l2 = loads * seconds("l2.latency"),
            .dram = loads * seconds("dram.latency"),
            .shuffle = clock > 0 ? kShuffleClocks / clock : 0,
            .barrier = seconds("barrier"),
            .cluster_barrier = seconds("barrier.cluster")};
  }

  double blocks() const { return std::max(1.0, nest_.tasks); }
  // Occupancy: limited by threads, registers and shared memory. More threads have more loads in flight.
  double blocks_per_sm() {
    const auto threads = figures_.want("threads");
    if (!threads) return 1;
    const double registers = kPlainRegisters + nest_.register_bytes / 4;  // of a thread
    double blocks = std::min(static_cast<double>(limits_.blocks_per_sm), *threads / block_threads_);
    blocks = std::min(blocks,
                      static_cast<double>(limits_.registers_per_sm) / registers / block_threads_);
    if (limits_.shared_bytes > 0 && nest_.shared_bytes > 0) {
      blocks = std::min(blocks, static_cast<double>(limits_.shared_bytes) / nest_.shared_bytes);
    }
    return std::max(1.0, std::floor(blocks));
  }
  double waves() { return blocks() / (figures_.need("units") * blocks_per_sm()); }
  // The last wave of blocks leaves SMs idle.
  double idle_factor() {
    const double count = waves();
    return count <= 1 || count >= kManyWaves ? 1 : std::ceil(count) / count;
  }
  // Waves that an SM runs one after the other, each with its own waits.
  double serial_waves() { return std::max(1.0, waves() * idle_factor()); }
  // Fewer blocks than SMs: how much longer the busy ones take for all of the work.
  double idle_sm_factor() {
    if (work_.has_product || nest_.is_estimate) return 1;
    return std::max(1.0, figures_.need("units") / blocks());
  }
  static bool has_barrier(const Nest& nest) {
    return std::ranges::any_of(nest.items, [](const Item& item) {
      if (const auto* inner = std::get_if<Nest>(&item)) return has_barrier(*inner);
      const auto* block = std::get_if<BasicBlock>(&item);
      return block != nullptr && block->operations.barriers > 0;
    });
  }

  double best_rate_seconds(const Price& price) const {
    const bool is_dram =
        price.limiter == Resource::dram_read || price.limiter == Resource::dram_write;
    if (is_dram) return (work_.read + work_.written) / reached_bandwidth(figures_.sheet());
    return price.seconds[static_cast<size_t>(price.limiter)];
  }

  double floor() {
    return gpu_floor_seconds({.bytes = compulsory_.read + compulsory_.written,
                              .footprint = compulsory_.footprint,
                              .arithmetic = work_.arithmetic.least_seconds(figures_)},
                             figures_, context_);
  }

  const KernelNest& nest_;
  Figures figures_;
  loop::DeviceLimits limits_;
  Context context_;
  Compulsory compulsory_;
  double block_threads_;
  GpuWork work_;
};

}  // namespace

Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return GpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
