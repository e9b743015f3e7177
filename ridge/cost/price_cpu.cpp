// Threads with vector units, and three caches of which the last is shared.
#include <cmath>

#include "ridge/cost/cpu_arithmetic.h"
#include "ridge/cost/cpu_memory.h"
#include "ridge/cost/function_count.h"
#include "ridge/cost/tuning.h"
#include "ridge/loop/mapping_rules.h"

namespace ridge::cost {
namespace {

using namespace tuning;

double units_of(const Sheet& sheet) {
  return sheet.need_first({"units.usable", "units"}, "a price");
}

double threads_of(const KernelNest& nest, const Sheet& sheet) {
  const double ranges = std::max(1.0, std::floor(nest.tasks / std::max(1.0, nest.grain)));
  return std::min(units_of(sheet), ranges);
}

class CpuPricing {
 public:
  CpuPricing(const KernelNest& nest, const Sheet& sheet, const Context& context)
      : nest_(nest),
        sheet_(sheet),
        compulsory_(compulsory_bytes(nest)),
        threads_(threads_of(nest, sheet)),
        rates_(sheet, threads_),
        memory_(nest, sheet, rates_, threads_, std::max(context.resident, compulsory_.footprint)),
        arithmetic_(sheet, rates_) {
    // The last round of tasks may leave threads idle.
    const double tasks = std::max(1.0, std::ceil(nest.tasks));
    workers_ = threads_ > 1 ? tasks / std::ceil(tasks / threads_) : 1;
  }

  Price run() {
    for (const Item& item : nest_.root.items) walk(item, 1, nullptr);
    Price result;
    result.overhead = sheet_.need("launch", "a price") + entering_ / workers_;
    if (threads_ > 1) result.overhead += sheet_.need("task", "a price");
    result.predicted = times_.time() / workers_ + result.overhead;
    result.limiter = 2 * result.overhead > result.predicted ? Resource::overhead : times_.limiter();
    result.seconds = times_.totals();
    for (double& seconds : result.seconds) seconds /= workers_;
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.flops = flops_;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    for (const PlacedAccess& placed : accesses_of(nest_)) {
      if (placed.access->space != loop::Space::global) continue;
      result.issued_bytes += placed.executions * placed.access->element_bytes;
    }
    result.transaction_bytes = memory_.transaction_bytes();
    result.moved_bytes = memory_.moved_bytes();
    result.workers = workers_;
    result.best_rate_seconds = best_rate_seconds(result);
    result.floor = floor();
    return result;
  }

 private:
  // `lanes` is the vector loop around, if there is one.
  void walk(const Item& item, double executions, const Nest* lanes) {
    if (const auto* nest = std::get_if<Nest>(&item)) {
      const bool is_vector = nest->place == loop::Place::vector;
      if (is_vector) entering_ += executions * sheet_.need("loop", "a price");
      if (is_vector) entering_ += executions * combines(*nest) * sheet_.need("combine", "a price");
      for (const Item& inner : nest->items) {
        walk(inner, executions * nest->trips, is_vector ? nest : lanes);
      }
    } else if (const auto* block = std::get_if<BasicBlock>(&item)) {
      add_block(*block, executions, lanes);
    } else {
      add_product(std::get<Product>(item), executions);
    }
  }

  void add_block(const BasicBlock& block, double executions, const Nest* lanes) {
    CpuMemory::Flow flow;
    for (const MemoryAccess& access : block.accesses) {
      memory_.add(flow, access, executions, lanes == nullptr ? -1 : lanes->axis);
    }
    const double moves = memory_.seconds(flow, times_);
    const double computes =
        arithmetic_.seconds(block.operations, arithmetic_.padded(executions, lanes), times_);
    const double waits = arithmetic_.waiting(block, executions, lanes);
    times_[Resource::latency] += waits;
    flops_ += executions * flops_of(block.operations);
    times_.end_phase({{kCpuMemory, moves}, {kCpuArithmetic, computes}, {kLatency, waits}});
  }

  void add_product(const Product& product, double executions) {
    CpuMemory::Flow flow;
    const auto read = [&](const BasicBlock& block, double times, int axis) {
      for (const MemoryAccess& access : block.accesses) memory_.add(flow, access, times, axis);
    };
    read(product.lhs, executions * product.m * product.k,
         product.is_lhs_along_k ? product.k_axis : product.m_axis);
    read(product.rhs, executions * product.k * product.n,
         product.is_rhs_along_n ? product.n_axis : product.k_axis);
    const double moves = memory_.seconds(flow, times_);
    constexpr int64_t kFloatBytes = 4;
    const auto tile = static_cast<double>(
        loop::contract_tile_rows(kFloatBytes * static_cast<int64_t>(arithmetic_.lanes())));
    const double rows = std::ceil(product.m / tile) * tile;
    const double columns = std::ceil(product.n / arithmetic_.lanes()) * arithmetic_.lanes();
    const double width = product.is_wide ? 2 : 1;
    const double computes =
        2 * executions * rows * columns * product.k * width / rates_.of("matrix.f32");
    times_[Resource::matrix] += computes;
    const double flops = 2 * executions * product.m * product.n * product.k;
    flops_ += flops;
    product_flops_ += flops * width;
    // Operands are packed before they are multiplied.
    std::vector<Resource> both(std::begin(kCpuMemory), std::end(kCpuMemory));
    both.push_back(Resource::matrix);
    times_.end_phase({{both, computes + moves}});
    const Nest columns_nest{loop::Place::vector, product.n_axis, product.n, {}};
    add_block(product.epilogue, executions * product.m * product.n, &columns_nest);
  }

  // Products run on the FMA units and may reach their rate. Functions may overlap. Reads and
  // writes share the bandwidth of memory.
  double best_rate_seconds(const Price& price) const {
    switch (price.limiter) {
      case Resource::matrix: return product_flops_ / workers_ / rates_.of("vector.f32.fma");
      case Resource::special: return arithmetic_.special_at_best() / workers_;
      case Resource::fma:
      case Resource::alu: return arithmetic_.units_at_best() / workers_;
      case Resource::dram_read:
      case Resource::dram_write:
        return price.moved_bytes / workers_ /
               rates_.best(nearest_level() == "dram" ? "dram" : "l3");
      case Resource::l3:
      case Resource::l2:
      case Resource::l1:
      case Resource::shared:
      case Resource::lookup:
      case Resource::translation:
      case Resource::latency:
      case Resource::overhead: break;
    }
    return price.seconds[static_cast<size_t>(price.limiter)];
  }

  // All units at full speed, each distinct byte once, from the nearest level that holds them, by the
  // fastest way through it that was measured: what is updated in place may beat a copy.
  double floor() const {
    const double rate = best_rate(sheet_, nearest_level());
    const double bytes = (compulsory_.read + compulsory_.written) / rate;
    const double peak = sheet_.need("vector.f32.fma", "a floor");
    return std::max({sheet_.need("launch", "a floor"), bytes, flops_ / peak});
  }

  std::string nearest_level() const {
    const double footprint = compulsory_.footprint;
    if (footprint <= kUsableCache * sheet_.need("l1.bytes", "a floor")) return "l1";
    if (footprint <= sheet_.need("l2.bytes", "a floor") * units_of(sheet_)) return "l2";
    // All of it: what others leave of a shared cache is a guess, and a bound must hold without them.
    return footprint <= sheet_.need("l3.bytes", "a floor") ? "l3" : "dram";
  }

  const KernelNest& nest_;
  const Sheet& sheet_;
  Compulsory compulsory_;
  double threads_, workers_ = 1;
  ThreadRates rates_;
  CpuMemory memory_;
  CpuArithmetic arithmetic_;
  double entering_ = 0, flops_ = 0, product_flops_ = 0;
  ResourceTimes times_;
};

}  // namespace

Price price_on_cpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return CpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
