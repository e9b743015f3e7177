#include "ridge/calibrate/footprint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ridge/base/text.h"
#include "ridge/calibrate/cpu_shape.h"

namespace ridge::calibrate::footprint_test {
namespace {

constexpr double kKilo = 1024, kMega = 1024 * 1024;

CpuShape shape_of(int threads, int cores, double l2, double l3) {
  return {.threads = threads, .cores = cores, .l1 = 48 * kKilo, .l2 = l2, .l3 = l3};
}

// One and two cores of a cloud, a desktop, and servers: without SMT, with it, and one whose private
// caches hold more than the shared one.
std::vector<CpuShape> machines() {
  return {shape_of(1, 1, 1.25 * kMega, 48 * kMega),   shape_of(2, 2, 1.25 * kMega, 48 * kMega),
          shape_of(8, 4, 0.25 * kMega, 8 * kMega),    shape_of(96, 96, 1 * kMega, 384 * kMega),
          shape_of(384, 192, 1 * kMega, 768 * kMega), shape_of(512, 256, 2 * kMega, 384 * kMega),
          shape_of(512, 512, 2 * kMega, 105 * kMega)};
}

std::string name_of(const CpuShape& shape) {
  return concat(shape.threads, " threads on ", shape.cores, " cores");
}

TEST(Footprint, ArraysHoldWhatEveryProbeTouches) {
  for (const CpuShape& shape : machines()) {
    const std::vector<Footprint> footprints = memory_footprints(shape);
    EXPECT_EQ(footprints.size(), shape.threads == 1 ? 4U : 8U);
    const int64_t floats = floats_for(footprints);
    for (const Footprint& one : footprints) {
      SCOPED_TRACE(name_of(shape) + " " + one.level);
      EXPECT_LE(one.floats * one.tasks, floats);
      EXPECT_LE(one.repeats, floats);  // what a write reads
      EXPECT_LE(one.tasks, floats);    // what a read leaves
      EXPECT_GE(one.lines, 4);
      EXPECT_EQ(one.floats, 16 * one.lines);
      EXPECT_GE(one.repeats, 1);
      EXPECT_GE(one.gather_repeats, 1);
    }
  }
}

TEST(Footprint, LiesInTheCacheItIsNamedAfter) {
  for (const CpuShape& shape : machines()) {
    for (const Footprint& one : memory_footprints(shape)) {
      SCOPED_TRACE(concat(name_of(shape), " ", one.level, " by ", one.tasks));
      const double each = static_cast<double>(4 * one.floats);
      const int sharers = shape.threads_of_core(static_cast<int>(one.tasks));
      const double all = each * static_cast<double>(one.tasks), of_core = each * sharers;
      if (one.level == "l1") {
        EXPECT_LE(of_core, shape.l1);
      }
      if (one.level == "l2") {
        EXPECT_LE(of_core, shape.l2);
        EXPECT_GT(each, shape.l1 / sharers);
      }
      if (one.level == "l3") {
        EXPECT_GT(of_core, shape.l2);
        EXPECT_LE(all, shape.l3 + shape.cores * shape.l2);
      }
      if (one.level == "dram") {
        EXPECT_GT(all, 1.9 * (shape.l3 + shape.cores * shape.l2));
      }
    }
  }
}

TEST(Footprint, OutputsGrowWithThreads) {
  for (const CpuShape& shape : machines()) {
    SCOPED_TRACE(name_of(shape));
    EXPECT_GE(arithmetic_floats(shape), kArithmeticElements * shape.threads);
    EXPECT_GE(overhead_floats(shape), kWorkElements * shape.threads);
    EXPECT_GE(overhead_floats(shape), kLoopRows * shape.lanes);
    EXPECT_GE(product_tasks(shape), std::max(4, shape.threads));
    EXPECT_EQ(product_tasks(shape) % shape.threads, 0);
    EXPECT_GE(capacity_tasks(shape), 1);
    EXPECT_LE(capacity_tasks(shape), shape.threads);
  }
}

TEST(Topology, CountsCoresAndNotTheirThreads) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / concat("ridge_topology_", ::getpid());
  for (int i = 0; i < 4; ++i) {
    const fs::path place = folder / concat("cpu", i) / "topology";
    fs::create_directories(place);
    std::ofstream(place / "thread_siblings_list") << i % 2 << "," << i % 2 + 2 << "\n";
  }
  EXPECT_EQ(core_count(folder.string(), {0, 1, 2, 3}), 2);
  EXPECT_EQ(core_count(folder.string(), {0, 2}), 1);
  EXPECT_EQ(core_count(folder.string(), {0, 1, 7, 8}), 4);  // not listed: cores of their own
  EXPECT_EQ(core_count((folder / "absent").string(), {0, 1}), 2);
  EXPECT_FALSE(usable_processors().empty());
  fs::remove_all(folder);
}

TEST(Topology, CountsEachSharedCacheOnce) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / concat("ridge_caches_", ::getpid());
  // As systems list them: data, instructions, then the levels above.
  const std::pair<int, std::string_view> caches[] = {
      {1, "32K"}, {1, "32K"}, {2, "1024K"}, {3, "32768K"}};
  for (int i = 0; i < 4; ++i) {
    for (int index = 0; index < 4; ++index) {
      const fs::path place = folder / concat("cpu", i) / "cache" / concat("index", index);
      fs::create_directories(place);
      std::ofstream(place / "level") << caches[index].first << "\n";
      std::ofstream(place / "size") << caches[index].second << "\n";
      std::ofstream(place / "shared_cpu_list") << (i < 2 ? "0-1" : "2-3") << "\n";
    }
  }
  EXPECT_EQ(shared_cache_bytes(folder.string(), {0, 1}, 3), 32 * kMega);
  EXPECT_EQ(shared_cache_bytes(folder.string(), {0, 1, 2, 3}, 3), 64 * kMega);
  EXPECT_EQ(shared_cache_bytes(folder.string(), {0, 7}, 3), 32 * kMega);
  EXPECT_EQ(shared_cache_bytes(folder.string(), {0, 1}, 4), 0);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ridge::calibrate::footprint_test
