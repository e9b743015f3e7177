// Units that run blocks of threads in warps, one cache for all, and memory that needs many bytes
// in flight.
#include <algorithm>
#include <cmath>
#include <numeric>

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
    const double fma_rate = sheet_.need("vector.f32.fma", "a price");
    bill[Resource::fma] = (2 * fused_ + product_flops_) / fma_rate;
    bill[Resource::matrix] = matrix_seconds();
    if (const auto rate = sheet_.value("special.f32")) bill[Resource::special] = special_ / *rate;
    const double memory = bill[Resource::dram_read] + bill[Resource::dram_write];
    const double arithmetic = bill[Resource::plain] + bill[Resource::fma];
    const double busiest = std::max(
        {memory, arithmetic, bill[Resource::l2], bill[Resource::special], bill[Resource::matrix]});
    bill.end_phase(busiest * idle_factor());
    result.overhead = sheet_.value("launch").value_or(0);
    result.predicted = bill.time() + result.overhead;
    result.bound = 2 * result.overhead > result.predicted ? Resource::overhead : bill.bound();
    result.seconds = bill.totals();
    result.seconds[static_cast<size_t>(Resource::overhead)] = result.overhead;
    result.ceiling = result.seconds[static_cast<size_t>(result.bound)];
    result.flops = flops_;
    result.compulsory_bytes = compulsory_.read + compulsory_.written;
    result.issued_bytes = issued_;
    result.transaction_bytes = transactions_;
    result.moved_bytes = read_ + written_;
    result.floor = floor();
    result.predicted = std::max(result.predicted, result.floor);
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
        add_product(std::get<Product>(item), executions);
      }
    }
  }

  // A tile: its operands come in whole sectors, and 16-bit ones go to the matrix unit.
  void add_product(const Product& product, double executions) {
    const double flops = 2 * executions * product.m * product.n * product.k;
    bool is_narrow = true;
    const auto read = [&](const Block& operand, double elements) {
      for (const MemoryAccess& access : operand.accesses) {
        read_ += past_l2_[next_++];
        issued_ += elements * access.element_bytes;
        transactions_ += elements * access.element_bytes;
        is_narrow &= access.element_bytes == 2;
      }
      add_arithmetic(operand.operations, elements);
    };
    read(product.lhs, executions * product.m * product.k);
    read(product.rhs, executions * product.k * product.n);
    (is_narrow && !product.is_wide ? matrix_flops_ : product_flops_) += flops;
    flops_ += flops;
    lane_ = product.n_axis;
    add(product.epilogue, executions * product.m * product.n);
  }

  void add(const Block& block, double executions) {
    for (const MemoryAccess& access : block.accesses) {
      (access.is_store ? written_ : read_) += past_l2_[next_++];
      issued_ += executions * access.element_bytes;
      transactions_ += executions / kWarp * sectors(access) * sector_;
    }
    add_arithmetic(block.operations, executions);
  }

  void add_arithmetic(const Operations& operations, double executions) {
    flops_ += executions * flops_of(operations);
    fused_ += executions * operations.fused;
    plain_ += executions * (operations.reductions - 2.0 * operations.fused);
    for (size_t i = 0; i < operations.calls.size(); ++i) {
      const auto function = static_cast<expr::Function>(i);
      const double calls = executions * operations.calls[i];
      (is_special(function) ? special_ : plain_) += calls;
    }
  }

  // That a warp touches with one access, on average: its lanes cover a run of bytes, which starts at
  // multiples of `unit` in a sector and so may reach into one more.
  double sectors(const MemoryAccess& access) const {
    double run = 0;
    auto unit = static_cast<int64_t>(sector_);
    for (const AxisStep& step : access.steps) {
      if (step.axis != lane_) {
        unit = std::gcd(unit, step.stride * access.element_bytes);
        continue;
      }
      if (step.is_random) return kWarp;
      const auto last = static_cast<double>(step.warp_span * access.element_bytes);
      run = last * kWarp / (kWarp - 1);
    }
    if (run == 0) return 1;
    return std::clamp((run - static_cast<double>(unit)) / sector_ + 1, 1.0, kWarp);
  }

  double matrix_seconds() const {
    const double fma_rate = sheet_.need("vector.f32.fma", "a price");
    return matrix_flops_ / sheet_.value("matrix.bf16").value_or(fma_rate);
  }

  double floor() const {
    const auto rate = [&](std::string_view key) {
      return sheet_.value(key).value_or(sheet_.need("dram.peak", "a floor"));
    };
    const double bytes =
        compulsory_.read / rate("dram.read") + compulsory_.written / rate("dram.write");
    return std::max({sheet_.value("launch").value_or(0), bytes,
                     (flops_ - matrix_flops_) / sheet_.need("vector.f32.fma", "a floor"),
                     matrix_seconds()});
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
  double product_flops_ = 0, matrix_flops_ = 0;  // on the vector unit, on the matrix unit
};

}  // namespace

Price price_on_gpu(const KernelNest& nest, const Sheet& sheet, const Context& context) {
  return GpuPricing(nest, sheet, context).run();
}

}  // namespace ridge::cost
