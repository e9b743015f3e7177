// Units that run blocks of threads in warps, one cache for all, and memory that needs many bytes
// in flight.
#include <cmath>
#include <limits>

#include "ridge/cost/function_cost.h"
#include "ridge/cost/gpu_access.h"
#include "ridge/cost/gpu_arithmetic.h"
#include "ridge/cost/price_parts.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {
namespace {

using namespace tuning;
using loop::Place;

class GpuPricing {
 public:
  GpuPricing(const KernelNest& nest, const Sheet& sheet, const Context& context)
      : nest_(nest), figures_(sheet), compulsory_(compulsory_bytes(nest)) {
    sector_ = sheet.value("sector").value_or(kUsualSector);
    past_l2_ = bytes_past(nest, {.capacity = figures_.want("l2.bytes").value_or(0),
                                 .line = sector_,
                                 .resident = std::max(context.resident, compulsory_.footprint)});
  }

  Price run() {
    walk(nest_.root, 1, {});
    if (nest_.block_threads > 0) threads_ = nest_.block_threads * blocks();
    Price result;
    result.workers = std::min(figures_.need("units"), std::max(1.0, nest_.tasks));
    Bill bill;
    end(bill);
    result.overhead = figures_.want("launch").value_or(0);
    result.floor = floor();
    result.predicted = std::max(bill.time() + result.overhead, result.floor);
    result.bound = 2 * result.overhead > result.predicted ? Resource::overhead : bill.bound();
    result.seconds = bill.totals();
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.flops = arithmetic_.flops;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    result.issued_bytes = issued_;
    result.transaction_bytes = transactions_;
    result.moved_bytes = read_ + written_;
    result.ceiling = ceiling(result);
    result.absent = figures_.absent();
    return result;
  }

 private:
  // The whole kernel is one phase.
  void end(Bill& bill) {
    static constexpr Resource kDram[] = {Resource::dram_read, Resource::dram_write};
    static constexpr Resource kL2[] = {Resource::l2}, kShared[] = {Resource::shared};
    static constexpr Resource kUnits[] = {Resource::fma, Resource::plain};
    static constexpr Resource kSpecial[] = {Resource::special}, kMatrix[] = {Resource::matrix};
    static constexpr Resource kWaits[] = {Resource::latency};
    const double read = bill[Resource::dram_read] = seconds_of(read_, "dram.read");
    const double written = bill[Resource::dram_write] = seconds_of(written_, "dram.write");
    const double l2 = bill[Resource::l2] = figures_.seconds(transactions_, "l2.read");
    const double shared = bill[Resource::shared] = figures_.seconds(shared_, "shared.read");
    const double waits = bill[Resource::latency] = barrier_seconds();
    arithmetic_.charge(bill, figures_);
    bill.end_phase({{kDram, read + written},
                    {kL2, l2},
                    {kShared, shared},
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
    if (!latency || !resident || in_flight_ <= 0) return bytes / full;
    const double asking = std::min(threads_, figures_.need("units") * *resident);
    return bytes / std::min(full, asking * in_flight_ / *latency);
  }

  double blocks() const { return std::max(1.0, nest_.tasks); }
  double waves() {
    const auto resident = figures_.want("threads");
    const double block_threads = std::max(1.0, threads_ / blocks());
    const double on_a_unit = resident ? std::max(1.0, std::floor(*resident / block_threads)) : 1;
    return blocks() / (figures_.need("units") * on_a_unit);
  }
  // The last wave of blocks leaves units idle.
  double idle_factor() {
    const double count = waves();
    return count <= 1 || count >= kManyWaves ? 1 : std::ceil(count) / count;
  }
  // Blocks that run together wait together.
  double barrier_seconds() {
    if (barriers_ <= 0) return 0;
    return barriers_ / threads_ * std::ceil(waves()) * figures_.want("barrier").value_or(0);
  }

  void walk(const Nest& nest, double executions, ThreadPlace place) {
    const bool is_lane = nest.place == Place::block || nest.place == Place::lane;
    if (is_lane || nest.place == Place::grid) place.threads *= nest.trips;
    if (is_lane) place.lanes.push_back({nest.axis, nest.trips});
    if (nest.place == Place::serial) place.serial_trips *= std::max(1.0, nest.trips);
    if (nest.place == Place::vector) {
      place.vector_axis = nest.axis;
      place.vector_trips = nest.trips;
    }
    threads_ = std::max(threads_, place.threads);
    for (const Item& item : nest.items) {
      if (const auto* inner = std::get_if<Nest>(&item)) {
        walk(*inner, executions * inner->trips, place);
      } else if (const auto* block = std::get_if<Block>(&item)) {
        add(*block, executions, place);
      } else {
        add_product(std::get<Product>(item), executions, place);
      }
    }
  }

  // A tile: its operands come in whole sectors, far ahead of their use.
  void add_product(const Product& product, double executions, ThreadPlace place) {
    const auto read = [&](const Block& operand, double elements) {
      for (const MemoryAccess& access : operand.accesses) {
        read_ += past_l2_[next_++];
        issued_ += elements * access.element_bytes;
        transactions_ += elements * access.element_bytes;
      }
      arithmetic_.add(operand.operations, elements);
    };
    read(product.lhs, executions * product.m * product.k);
    read(product.rhs, executions * product.k * product.n);
    arithmetic_.add_product(product, executions);
    in_flight_ = std::numeric_limits<double>::infinity();
    if (place.lanes.empty()) threads_ = std::max(threads_, place.threads * kProductThreads);
    place.lanes = {{product.n_axis, product.n}};
    add(product.epilogue, executions * product.m * product.n, place);
  }

  void add(const Block& block, double executions, const ThreadPlace& place) {
    double loaded = 0;
    for (const MemoryAccess& access : block.accesses) {
      const double past = past_l2_[next_++], bytes = executions * access.element_bytes;
      if (access.space == loop::Space::shared) shared_ += bytes;
      if (access.space != loop::Space::global) continue;
      (access.is_store ? written_ : read_) += past;
      issued_ += bytes;
      transactions_ += executions / kWarp * warp_bytes(access, place, sector_);
      loaded += access.is_store ? 0 : access.element_bytes;
    }
    const double rounds = std::min(place.serial_trips, kIterationsInFlight);
    in_flight_ = std::max(in_flight_, loaded * place.vector_trips * rounds);
    shared_ += executions * block.operations.shuffles * kShuffleBytes;
    barriers_ += executions * block.operations.barriers;
    arithmetic_.add(block.operations, executions);
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
    if (is_dram) return (read_ + written_) / best_rate();
    return price.seconds[static_cast<size_t>(price.bound)];
  }

  double floor() {
    const double bytes = (compulsory_.read + compulsory_.written) / best_rate();
    return std::max(
        {figures_.sheet().value("launch").value_or(0), bytes, arithmetic_.least_seconds(figures_)});
  }

  const KernelNest& nest_;
  Figures figures_;
  Compulsory compulsory_;
  std::vector<double> past_l2_;  // by access
  size_t next_ = 0;
  double sector_ = kUsualSector, threads_ = 1;
  double in_flight_ = 0;  // bytes that one thread waits for at a time
  double read_ = 0, written_ = 0, transactions_ = 0, issued_ = 0, shared_ = 0;
  double barriers_ = 0;  // of all threads
  GpuArithmetic arithmetic_;
};

}  // namespace

Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return GpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
