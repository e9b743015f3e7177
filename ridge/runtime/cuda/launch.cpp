#include "ridge/runtime/cuda/launch.h"

#include <algorithm>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

uint32_t positive(int value) { return static_cast<uint32_t>(std::max(value, 0)); }

bool is_within(const Dim3& dim, const Dim3& limit) {
  const auto fits = [](uint32_t value, uint32_t most) { return value >= 1 && value <= most; };
  return fits(dim.x, limit.x) && fits(dim.y, limit.y) && fits(dim.z, limit.z);
}

void check_dimension(const Dim3& dim, const Dim3& limit, std::string_view what,
                     std::string_view kernel) {
  RIDGE_CHECK(
      is_within(dim, limit), .code = ErrorCode::value,
      .expected = concat("a ", what, " of 1x1x1 to ", to_text(limit), " for kernel `", kernel, "`"),
      .given = to_text(dim));
}

void check_cluster(const Launch& shape, const LaunchLimits& limits, std::string_view kernel) {
  const Dim3& cluster = shape.cluster;
  if (cluster == Dim3{}) return;
  RIDGE_CHECK(limits.has_clusters, .code = ErrorCode::device,
              .expected = concat("a device with clusters of blocks, for kernel `", kernel, "`"),
              .given = "one that has none", .hint = "clusters came with compute capability 9.0");
  check_dimension(cluster, {kMaxClusterSize, kMaxClusterSize, kMaxClusterSize}, "cluster", kernel);
  const bool divides = shape.grid.x % cluster.x == 0 && shape.grid.y % cluster.y == 0 &&
                       shape.grid.z % cluster.z == 0;
  RIDGE_CHECK(cluster.count() <= kMaxClusterSize && divides, .code = ErrorCode::value,
              .expected = concat("a cluster of at most ", kMaxClusterSize,
                                 " blocks that divides the grid of ", to_text(shape.grid),
                                 " of kernel `", kernel, "`"),
              .given = to_text(cluster));
}

}  // namespace

std::string to_text(const Dim3& dim) { return concat(dim.x, "x", dim.y, "x", dim.z); }

LaunchLimits launch_limits(const DeviceProperties& properties) {
  return {.threads_per_block = positive(properties.threads_per_block),
          .block = {positive(properties.max_block[0]), positive(properties.max_block[1]),
                    positive(properties.max_block[2])},
          .grid = {positive(properties.max_grid[0]), positive(properties.max_grid[1]),
                   positive(properties.max_grid[2])},
          .shared_bytes =
              static_cast<uint64_t>(std::max<int64_t>(properties.shared_bytes_per_block, 0)),
          .has_clusters = properties.has_clusters};
}

void check_launch(const Launch& shape, const LaunchLimits& limits,
                  const KernelAttributes& attributes, std::string_view kernel) {
  check_dimension(shape.grid, limits.grid, "grid", kernel);
  check_dimension(shape.block, limits.block, "block", kernel);
  uint64_t threads = limits.threads_per_block;
  if (attributes.max_threads_per_block > 0) {
    threads = std::min<uint64_t>(threads, positive(attributes.max_threads_per_block));
  }
  RIDGE_CHECK(shape.block.count() <= threads, .code = ErrorCode::value,
              .expected = concat("at most ", threads, " threads in a block of kernel `", kernel,
                                 "`, which has ", attributes.registers, " registers a thread"),
              .given = concat(shape.block.count(), " (", to_text(shape.block), ")"));
  const uint64_t fixed = positive(attributes.static_shared_bytes);
  RIDGE_CHECK(fixed + shape.shared_bytes <= limits.shared_bytes, .code = ErrorCode::value,
              .expected = concat("at most ", limits.shared_bytes,
                                 " bytes of shared memory in a block of kernel `", kernel, "`"),
              .given = concat(shape.shared_bytes, " dynamic beside ", fixed, " static"));
  check_cluster(shape, limits, kernel);
}

}  // namespace ridge::runtime::cuda
