#include "ridge/mapping/enumerate.h"

#include <algorithm>
#include <cmath>

#include "ridge/base/text.h"
#include "ridge/mapping/product_shape.h"
#include "ridge/mapping/tuning.h"

namespace ridge::mapping {
namespace {

class Enumerator {
 public:
  Enumerator(const ProductWork& work, const loop::DeviceLimits& limits)
      : work_(work), limits_(limits) {}

  Candidates run() {
    struct Team {
      int rows, warpgroups;
      Consumers consumers;
    };
    constexpr Team kTeams[] = {
        {128, 2, Consumers::cooperative}, {256, 2, Consumers::cooperative},
        {64, 1, Consumers::cooperative},  {128, 2, Consumers::ping_pong},
        {64, 2, Consumers::ping_pong},
    };
    for (const Team& team : kTeams) {
      for (int columns = 16; columns <= 256; columns += 16) {
        add_tile({.rows = team.rows,
                  .columns = columns,
                  .consumers = team.consumers,
                  .warpgroups = team.warpgroups});
      }
    }
    for (const int rows : {64, 128, 256}) {
      for (const int columns : {64, 128, 256}) {
        for (const int depth : {32, 64}) {
          add_tile({.unit = MatrixUnit::mma,
                    .rows = rows,
                    .columns = columns,
                    .depth = depth,
                    .warpgroups = rows == 64 ? 1 : 2,
                    .store = StoreWay::elements});
        }
      }
    }
    return std::move(candidates_);
  }

 private:
  double tiles(const Product& p) const {
    return work_.batch * std::ceil(work_.m / p.rows) * std::ceil(work_.n / p.columns);
  }

  void add_tile(Product product) {
    product.group = best_group(product);
    for (const Alignment alignment : {Alignment::given, Alignment::padded, Alignment::realigned}) {
      if (!is_of_use(alignment)) continue;
      Mapping mapping{.alignment = alignment, .family = product};
      auto& p = std::get<Product>(mapping.family);
      if (p.unit == MatrixUnit::wgmma) p.store = store_way(alignment);
      for (const int split : splits(p)) {
        p.split = split;
        if (split > 1) p.store = StoreWay::elements;
        set_stages(mapping);
        add(mapping);
      }
    }
  }

  // The policies that change something about the operands and results there are.
  bool is_of_use(Alignment policy) const {
    if (policy == Alignment::given) return true;
    const auto changes = [&](const auto& matrix, Alignment before) {
      return alignment_of(matrix, policy) != alignment_of(matrix, before);
    };
    const Alignment before = policy == Alignment::padded ? Alignment::given : Alignment::padded;
    const bool is_results = std::ranges::any_of(
        work_.results, [&](const Result& result) { return changes(result, before); });
    return changes(work_.lhs, before) || changes(work_.rhs, before) || is_results;
  }

  StoreWay store_way(Alignment alignment) const {
    if (work_.results.size() > kMostStoredResults) return StoreWay::elements;
    const bool is_bulk = std::ranges::all_of(work_.results, [&](const Result& result) {
      return is_16_bit_float(result.dtype) && result.is_n_contiguous &&
             alignment_of(result, alignment) >= kBulkAlignment;
    });
    return is_bulk ? StoreWay::tile : StoreWay::elements;
  }

  // The rows of tiles for which the tiles that run at a time read the least.
  int best_group(const Product& p) const {
    const auto footprint = [&](int group) {
      return group * p.rows + std::ceil(static_cast<double>(limits_.sms) / group) * p.columns;
    };
    return *std::ranges::min_element(tuning::kGroups, {}, footprint);
  }

  // 1, and where tiles leave SMs without work as many equal parts as give each SM at most two.
  std::vector<int> splits(const Product& p) const {
    std::vector<int> result = {1};
    const double steps = std::ceil(work_.k / p.depth);
    for (int parts = 2; parts <= tuning::kMostParts; ++parts) {
      const bool has_work =
          steps / parts >= tuning::kFewestStepsOfPart && std::fmod(work_.k, parts * p.depth) == 0;
      if (has_work && tiles(p) * parts <= 2.0 * static_cast<double>(limits_.sms)) {
        result.push_back(parts);
      }
    }
    return p.consumers == Consumers::cooperative && p.unit == MatrixUnit::wgmma ? result
                                                                                : std::vector{1};
  }

  // As many as fit behind the store tiles.
  void set_stages(Mapping& mapping) const {
    auto& p = std::get<Product>(mapping.family);
    p.stages = 0;
    const int64_t beside = shape_of(mapping, work_, limits_).shared_bytes;
    p.stages = 1;
    const int64_t slot = shape_of(mapping, work_, limits_).shared_bytes - beside;
    const int64_t has = limits_.shared_bytes / mapping.launch.min_blocks_per_sm -
                        limits_.reserved_shared_bytes - beside;
    p.stages = static_cast<int>(std::clamp<int64_t>(has / slot, 0, tuning::kMostStages));
  }

  void add(const Mapping& mapping) {
    const auto& p = std::get<Product>(mapping.family);
    Decision decision = can_run(mapping, work_, limits_).decision;
    if (decision && p.stages < tuning::kFewestStages) {
      decision = Decision::no(
          concat(p.stages, " stages fit where ", tuning::kFewestStages, " are needed"));
    }
    if (decision) {
      candidates_.kept.push_back(mapping);
      return;
    }
    ++candidates_.refused_count;
    const auto is_listed = [&](const RefusedMapping& other) {
      return other.decision.reason == decision.reason;
    };
    if (candidates_.refused.size() < tuning::kListedRefusals &&
        std::ranges::none_of(candidates_.refused, is_listed)) {
      candidates_.refused.push_back({mapping, std::move(decision)});
    }
  }

  const ProductWork& work_;
  const loop::DeviceLimits& limits_;
  Candidates candidates_;
};

}  // namespace

Candidates enumerate(const Work& work, const loop::DeviceLimits& limits) {
  return Enumerator(work, limits).run();
}

}  // namespace ridge::mapping
