// The steps of `verify`, in their order. Each relies on those before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ridge/loop/loop.h"

namespace ridge::loop {

// Kernel head, numbers in range, scopes and types.
void verify_scopes(const Kernel& kernel);
// Thread, vector, grid, cluster and block loops stand where they may.
void verify_places(const Kernel& kernel);
// Each barrier is reached by all threads of a block or by none, and so is each bulk_copy, which they agree on.
void verify_barriers(const Kernel& kernel);
// Tiles, and the statements over them: verify_tiles.h.
void verify_tiles(const Kernel& kernel);

[[noreturn]] void refuse(const Kernel& kernel, const Statement& statement, std::string expected);

// Iterations of such loops are tasks or GPU threads.
constexpr bool is_parallel(Place place) {
  return place == Place::cpu_thread || place == Place::gpu_block ||
         place == Place::gpu_cluster_block || place == Place::gpu_thread;
}
bool mentions(const Expr& e, expr::Kind kind);
bool mentions_axis(const Expr& e, int axis);
bool is_gpu_kernel(const Kernel& kernel);
// The loops around the body of one task or GPU thread, outermost first.
std::vector<const Loop*> parallel_loops(const Kernel& kernel);
// Of one block of a GPU kernel, if that is a constant.
std::optional<int64_t> block_threads(const Kernel& kernel);
// Of one cluster; 1 without a cluster loop.
int64_t cluster_blocks(const Kernel& kernel);

}  // namespace ridge::loop
