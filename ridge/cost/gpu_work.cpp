#include "ridge/cost/gpu_work.h"

#include <algorithm>
#include <limits>

#include "ridge/cost/axis_set.h"
#include "ridge/cost/tuning.h"

namespace ridge::cost {

using namespace tuning;
using loop::Place;

namespace {

class GpuWorkCounter {
 public:
  GpuWorkCounter(const KernelNest& nest, const GpuCaches& gpu) : gpu_(gpu), tasks_(nest.tasks) {
    l2_miss_bytes_ =
        miss_bytes(nest, {.capacity = gpu.l2_bytes, .line = gpu.sector, .resident = gpu.resident});
    // L1 does not outlive a launch.
    l1_miss_bytes_ = miss_bytes(nest, {.capacity = gpu.l1_bytes,
                                       .line = kL2Granule,
                                       .resident = std::numeric_limits<double>::infinity(),
                                       .blocks = gpu.blocks_per_sm,
                                       .is_per_sm = true,
                                       .holds_stores = false});
  }

  GpuWork work;

  void walk(const Nest& nest, double executions, ThreadPlace place) {
    const bool is_lane = nest.place == Place::gpu_thread;
    if (nest.place == Place::gpu_block || nest.place == Place::gpu_cluster_block)
      grid_.add(nest.axis);
    if (is_lane) place.lanes.push_back({nest.axis, nest.trips});
    if (nest.place == Place::serial) place.serial_trips *= std::max(1.0, nest.trips);
    if (nest.place == Place::vector) {
      place.vector_axis = nest.axis;
      place.vector_trips = nest.trips;
    }
    for (const Item& item : nest.items) {
      if (const auto* inner = std::get_if<Nest>(&item)) {
        walk(*inner, executions * inner->trips, place);
      } else if (const auto* block = std::get_if<BasicBlock>(&item)) {
        add(*block, executions, place);
      } else {
        add_product(std::get<Product>(item), executions, place);
      }
    }
  }

  // What all blocks read, each SM loads for itself.
  double sms_that_read(const MemoryAccess& access) const {
    const bool is_apart = std::ranges::any_of(
        access.steps, [&](const AxisStep& step) { return grid_.has(step.axis); });
    return is_apart || grid_.is_empty() ? 1 : std::min(gpu_.sms, std::max(1.0, tasks_));
  }

  // A tile: its operands are prefetched in whole sectors.
  void add_product(const Product& product, double executions, ThreadPlace place) {
    const auto read = [&](const BasicBlock& operand, double elements) {
      for (const MemoryAccess& access : operand.accesses) {
        work.read += l2_miss_bytes_[next_++];
        work.issued += elements * access.element_bytes;
        work.transactions += elements * access.element_bytes;
        work.l1_line_bytes += elements * access.element_bytes;
        work.l2 += elements * access.element_bytes;
      }
      work.arithmetic.add(operand.operations, elements);
    };
    read(product.lhs, executions * product.m * product.k);
    read(product.rhs, executions * product.k * product.n);
    work.arithmetic.add_product(product, executions);
    work.has_product = true;
    place.lanes = {{product.n_axis, product.n}};
    add(product.epilogue, executions * product.m * product.n, place);
  }

  void add(const BasicBlock& block, double executions, const ThreadPlace& place) {
    double longest = 0;
    bool is_looked_up = false;
    for (const MemoryAccess& access : block.accesses) {
      if (access.bulk_elements > 0) {
        add_bulk_copy(access, executions, place);
        continue;
      }
      const double bytes = executions * access.element_bytes;
      const double transactions = executions / kWarp * warp_bytes(access, place, gpu_.sector);
      // Misses are at most the sectors that the access touches.
      const double past = std::min(l2_miss_bytes_[next_], transactions);
      const double from_l2 = sms_that_read(access) * l1_miss_bytes_[next_];
      ++next_;
      if (access.space == loop::Space::shared) work.shared += bytes;
      if (access.space != loop::Space::global) continue;
      (access.is_store ? work.written : work.read) += past;
      work.issued += bytes;
      work.transactions += transactions;
      work.l1_line_bytes += executions / kWarp * warp_bytes(access, place, gpu_.line);
      work.arithmetic.add_accesses(executions / width_of(access, place));
      if (access.is_store) {
        work.l2_stored += executions / kWarp * store_bytes(access, place, gpu_.sector);
        continue;
      }
      const double granules = executions / kWarp * warp_bytes(access, place, kL2Granule);
      work.l2 += std::min(granules, from_l2);
      // Prefetched data is there when it is used.
      if (access.is_prefetched) continue;
      longest = std::max(longest, load_seconds(transactions, from_l2, past));
      is_looked_up |= std::ranges::any_of(access.steps, &AxisStep::is_random);
    }
    wait(block, executions, place, longest, is_looked_up);
    work.shared += executions * block.operations.shuffles * kShuffleBytes;
    work.arithmetic.add(block.operations, executions, place.vector_trips);
  }

  void end() {
    work.load_waits += open_;
    work.waits += open_;
    open_ = 0;
  }

 private:
  // A bulk copy is issued once for the whole block and bypasses L1: it reads L2 and writes shared memory. Threads
  // issue no loads and wait for none.
  void add_bulk_copy(const MemoryAccess& access, double executions, const ThreadPlace& place) {
    double threads = 1;
    for (const ThreadPlace::Lanes& lanes : place.lanes) threads *= lanes.trips;
    const double bytes = executions / threads * access.bulk_elements * access.element_bytes;
    const double past = std::min(l2_miss_bytes_[next_], bytes);
    ++next_;
    if (access.space == loop::Space::shared) {
      work.shared += bytes;
      return;
    }
    work.read += past;
    work.issued += bytes;
    work.transactions += bytes;
    work.l2 += bytes;
  }

  // The mean latency of the requested bytes, by the level of memory that has them.
  double load_seconds(double requested, double from_l2, double past_l2) const {
    if (requested <= 0) return 0;
    const GpuLatencies& latency = gpu_.latencies;
    return latency.l1 +
           std::min(1.0, from_l2 / requested) * std::max(0.0, latency.l2 - latency.l1) +
           std::min(1.0, past_l2 / requested) * std::max(0.0, latency.dram - latency.l2);
  }

  // Independent loads are in flight at the same time. A barrier, an exchange, or an address that is
  // itself loaded waits for the loads before it.
  void wait(const BasicBlock& block, double executions, const ThreadPlace& place, double load,
            bool is_looked_up) {
    const Operations& operations = block.operations;
    const double times = executions / (tasks_ * gpu_.block_threads);
    const double in_flight = place.vector_trips * std::min(place.serial_trips, kIterationsInFlight);
    const double loads = times / in_flight * load;
    if (is_looked_up) end();
    open_ = std::max(open_, loads);
    const GpuLatencies& latency = gpu_.latencies;
    const double exchanged = operations.shuffles * latency.shuffle +
                             operations.barriers * latency.barrier +
                             operations.cluster_barriers * latency.cluster_barrier;
    if (exchanged <= 0 || block.is_pipelined) return;
    end();
    work.waits += times / place.vector_trips * exchanged;
  }

  const GpuCaches& gpu_;
  double open_ = 0;  // seconds of the loads that nothing has waited for yet
  double tasks_;
  std::vector<double> l1_miss_bytes_, l2_miss_bytes_;  // by access
  size_t next_ = 0;
  AxisSet grid_;
};

}  // namespace

double threads_in(const Nest& nest) {
  double most = 1;
  for (const Item& item : nest.items) {
    if (const auto* inner = std::get_if<Nest>(&item)) most = std::max(most, threads_in(*inner));
    if (std::holds_alternative<Product>(item)) most = std::max(most, kProductThreads);
  }
  const bool is_lane = nest.place == Place::gpu_thread;
  return is_lane ? most * nest.trips : most;
}

GpuWork gpu_work(const KernelNest& nest, const GpuCaches& gpu) {
  GpuWorkCounter walk(nest, gpu);
  walk.walk(nest.root, 1, {});
  walk.end();
  return walk.work;
}

}  // namespace ridge::cost
