// Units that run blocks of threads in warps, one cache for all, and memory that needs many bytes
// in flight.
#include <cmath>

#include "ridge/cost/gpu_work.h"
#include "ridge/cost/price_parts.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

using namespace tuning;

class GpuPricing {
 public:
  GpuPricing(const KernelNest& nest, const Sheet& sheet, const Context& context)
      : nest_(nest),
        figures_(sheet),
        compulsory_(compulsory_bytes(nest)),
        block_threads_(nest.block_threads > 0 ? nest.block_threads : threads_in(nest.root)) {
    work_ = gpu_work(nest, {.l1_bytes = kUsableCache * figures_.want("l1.bytes").value_or(0),
                            .l2_bytes = figures_.want("l2.bytes").value_or(0),
                            .sector = sheet.value("sector").value_or(kUsualSector),
                            .resident = std::max(context.resident, compulsory_.footprint),
                            .units = figures_.need("units"),
                            .blocks_on_a_unit = blocks_on_a_unit()});
  }

  Price run() {
    Price result;
    result.workers = std::min(figures_.need("units"), blocks());
    Bill bill;
    end(bill);
    result.overhead = figures_.want("launch").value_or(0);
    result.floor = floor();
    result.predicted = std::max(bill.time() + result.overhead, result.floor);
    result.bound = 2 * result.overhead > result.predicted ? Resource::overhead : bill.bound();
    result.seconds = bill.totals();
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.flops = work_.arithmetic.flops;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    result.issued_bytes = work_.issued;
    result.transaction_bytes = work_.transactions;
    result.moved_bytes = work_.read + work_.written;
    result.ceiling = ceiling(result);
    result.absent = figures_.absent();
    return result;
  }

 private:
  // The whole kernel is one phase.
  void end(Bill& bill) {
    static constexpr Resource kDram[] = {Resource::dram_read, Resource::dram_write};
    static constexpr Resource kL2[] = {Resource::l2};
    static constexpr Resource kNear[] = {Resource::shared, Resource::l1};
    static constexpr Resource kUnits[] = {Resource::fma, Resource::plain};
    static constexpr Resource kSpecial[] = {Resource::special}, kMatrix[] = {Resource::matrix};
    static constexpr Resource kWaits[] = {Resource::latency};
    const double read = bill[Resource::dram_read] = seconds_of(work_.read, "dram.read");
    const double written = bill[Resource::dram_write] = seconds_of(work_.written, "dram.write");
    const double l2 = bill[Resource::l2] = figures_.seconds(work_.l2, "l2.read");
    // One memory, and one way to it.
    const double shared = bill[Resource::shared] = figures_.seconds(work_.shared, "shared.read");
    const double l1 = bill[Resource::l1] = figures_.seconds(work_.transactions, "shared.read");
    const double waits = bill[Resource::latency] = barrier_seconds();
    work_.arithmetic.charge(bill, figures_);
    bill.end_phase({{kDram, read + written},
                    {kL2, l2},
                    {kNear, shared + l1},
                    {kUnits, bill[Resource::fma] + bill[Resource::plain]},
                    {kSpecial, bill[Resource::special]},
                    {kMatrix, bill[Resource::matrix]},
                    {kWaits, waits}},
                   idle_factor());
  }

  // Memory gives what it can to as many bytes in flight as there are threads to ask for them.
  double seconds_of(double bytes, std::string_view key) {
    if (bytes <= 0) return 0;
    const double full = figures_.need_first({key, "dram.peak"});
    const auto latency = figures_.want("dram.latency"), resident = figures_.want("threads");
    if (!latency || !resident || work_.in_flight <= 0) return bytes / full;
    const double asking = std::min(block_threads_ * blocks(), figures_.need("units") * *resident);
    return bytes / std::min(full, asking * work_.in_flight / *latency);
  }

  double blocks() const { return std::max(1.0, nest_.tasks); }
  double blocks_on_a_unit() {
    const auto resident = figures_.want("threads");
    return resident ? std::max(1.0, std::floor(*resident / block_threads_)) : 1;
  }
  double waves() { return blocks() / (figures_.need("units") * blocks_on_a_unit()); }
  // The last wave of blocks leaves units idle.
  double idle_factor() {
    const double count = waves();
    return count <= 1 || count >= kManyWaves ? 1 : std::ceil(count) / count;
  }
  // Blocks that run together wait together.
  double barrier_seconds() {
    if (work_.barriers <= 0) return 0;
    return work_.barriers / (block_threads_ * blocks()) * std::ceil(waves()) *
           figures_.want("barrier").value_or(0);
  }

  double best_rate() const {
    const Sheet& sheet = figures_.sheet();
    double best = 0;
    for (const char* key : {"dram.read", "dram.write", "dram.copy"}) {
      best = std::max(best, sheet.value(key).value_or(0));
    }
    return best > 0 ? best : sheet.need("dram.peak", "a floor");
  }

  // What goes one way to memory is on the same wires as what comes back.
  double ceiling(const Price& price) const {
    const bool is_dram = price.bound == Resource::dram_read || price.bound == Resource::dram_write;
    if (is_dram) return (work_.read + work_.written) / best_rate();
    return price.seconds[static_cast<size_t>(price.bound)];
  }

  // From the nearest level that holds it all.
  double floor() {
    const Sheet& sheet = figures_.sheet();
    const bool is_near = compulsory_.footprint <= sheet.value("l2.bytes").value_or(0);
    const double near = is_near ? sheet.value("l2.read").value_or(0) : 0;
    const double bytes = (compulsory_.read + compulsory_.written) / std::max(near, best_rate());
    return std::max(
        {sheet.value("launch").value_or(0), bytes, work_.arithmetic.least_seconds(figures_)});
  }

  const KernelNest& nest_;
  Figures figures_;
  Compulsory compulsory_;
  double block_threads_;
  GpuWork work_;
};

}  // namespace

Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return GpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
