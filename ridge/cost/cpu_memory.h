// What a CPU's caches and memory take for the accesses of a kernel: a part of price_cpu.cpp.
//
// Times of the levels are added: a line from memory passes through each cache. What the prefetcher hides of that is
// in the figures, which were measured on data of each level.
#pragma once

#include "ridge/cost/resource_times.h"

namespace ridge::cost {

inline constexpr Resource kCpuMemory[] = {
    Resource::dram_read, Resource::dram_write, Resource::l3,         Resource::l2,
    Resource::l1,        Resource::lookup,     Resource::translation};

// The fastest way through a level, over all cores: reading, writing or both as measured, or a datasheet's.
double best_rate(const Sheet& sheet, const std::string& level);

// Rates of one thread, while `threads` of them share the machine.
class ThreadRates {
 public:
  ThreadRates(const Sheet& sheet, double threads) : sheet_(sheet), threads_(threads) {}

  double of(const std::string& key) const;
  bool has(std::string_view key) const { return sheet_.find(key) != nullptr; }
  // As best_rate, of one thread.
  double best(const std::string& level) const;

 private:
  const Sheet& sheet_;
  double threads_;
};

class CpuMemory {
 public:
  CpuMemory(const KernelNest& nest, const Sheet& sheet, const ThreadRates& rates, double threads,
            double resident);

  // What a phase reads and writes at each level, and how many arrays it goes through.
  struct Flow {
    double read[4] = {}, written[4] = {};
    double streams = 0;
    double lookups = 0, translation = 0;  // seconds
  };
  // Accesses come in the order of `accesses_of`. `vector_axis` is that of the lanes, or -1.
  void add(Flow& flow, const MemoryAccess& access, double executions, int vector_axis);
  // Of one thread; on the times by resource.
  double seconds(const Flow& flow, ResourceTimes& times) const;

  double transaction_bytes() const;
  double moved_bytes() const;  // to and from memory

 private:
  double lookup_seconds(double elements, double l1, double l2, double l3) const;
  double level_seconds(const std::string& level, double read, double written) const;
  double dram_seconds(const Flow& flow, ResourceTimes& times) const;

  const Sheet& sheet_;
  const ThreadRates& rates_;
  double line_;
  std::vector<double> l1_miss_bytes_, l2_miss_bytes_, past_l3_, past_tlb_;  // by access
  size_t next_ = 0;
};

}  // namespace ridge::cost
