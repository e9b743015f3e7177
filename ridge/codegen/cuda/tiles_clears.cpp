// Where accumulators that were filled with 0 are looked at by others than products.
#include <map>

#include "ridge/codegen/cuda/tiles_elements.h"
#include "ridge/loop/statement_walk.h"

namespace ridge::codegen::cuda {
namespace {

using loop::as;

class ClearPlacer {
 public:
  explicit ClearPlacer(const loop::Kernel& kernel) : kernel_(kernel) {}

  void run(loop::Body& body) {
    loop::Body with;
    for (loop::Statement& statement : body) {
      const loop::Body* const inner = loop::body_of(statement);
      // Of these the body runs once.
      const bool is_open_body =
          as<loop::Produce>(statement) != nullptr || as<loop::Consume>(statement) != nullptr;
      for (auto& [tile, is_open] : open_) {
        if (!is_open || is_open_body || !touches(statement, tile)) continue;
        with.push_back({loop::FillTile{.tile = tile, .value = {}}});
        is_open = false;
      }
      const auto* const fill = as<loop::FillTile>(statement);
      if (fill != nullptr && is_zero_of_accumulator(*fill)) open_[fill->tile] = true;
      if (inner != nullptr) run(const_cast<loop::Body&>(*inner));
      with.push_back(std::move(statement));
    }
    body = std::move(with);
  }

 private:
  bool is_zero_of_accumulator(const loop::FillTile& fill) const {
    return kernel_.tiles[static_cast<size_t>(fill.tile)].layout == loop::TileLayout::accumulator &&
           expr::is_constant(fill.value, 0);
  }

  // Does it, or what is inside, read or write the tile otherwise than as the sum of a product? A loop that fills it
  // first does not look at what was there before.
  static bool touches(const loop::Statement& around, int tile) {
    bool found = false, is_filled = false;
    loop::for_each_statement(around, [&](const loop::Statement& statement) {
      if (is_filled || found) return;
      const auto* const fill = as<loop::FillTile>(statement);
      is_filled = fill != nullptr && fill->tile == tile;
      const auto is = [&](int other) { found |= other == tile; };
      if (const auto* const move = as<loop::MoveTile>(statement)) {
        is(move->from.tile);
        is(move->into);
      } else if (const auto* const each = as<loop::EachElement>(statement)) {
        is(each->tile);
      } else if (const auto* const read = as<loop::ReadElement>(statement)) {
        is(read->tile);
      } else if (const auto* const write = as<loop::WriteElement>(statement)) {
        is(write->tile);
      } else if (const auto* const store = as<loop::StoreTile>(statement)) {
        is(store->tile);
      } else if (const auto* const load = as<loop::LoadTile>(statement)) {
        is(load->tile);
      } else if (const auto* const fold = as<loop::FoldTile>(statement)) {
        is(fold->tile);
        is(fold->into);
      }
    });
    return found;
  }

  const loop::Kernel& kernel_;
  std::map<int, bool> open_;  // by tile: filled with 0, and nobody but products looked since
};

}  // namespace

void place_clears(loop::Kernel& kernel) {
  for (loop::Statement& statement : kernel.body) {
    if (auto* const role = std::get_if<loop::Role>(&statement.kind)) {
      ClearPlacer(kernel).run(role->body);
    }
  }
}

}  // namespace ridge::codegen::cuda
