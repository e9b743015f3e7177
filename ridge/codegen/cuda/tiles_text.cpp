// Parts of the text of kernels over mapped tiles.
#include "ridge/base/error.h"
#include "ridge/codegen/cuda/scalar_function.h"
#include "ridge/codegen/cuda/tiles_emission.h"
#include "ridge/expr/simplify.h"

namespace ridge::codegen::cuda {

const loop::Tile& tile_of(const Emission& emission, int tile) {
  return emission.kernel.tiles[static_cast<size_t>(tile)];
}
const TilePlacement& shared_of(const Emission& emission, int tile) {
  return emission.tiles->plan.tiles[static_cast<size_t>(tile)];
}

std::string slot_address(Emission& emission, int tile) {
  const TileEmission& tiles = *emission.tiles;
  const auto index = static_cast<size_t>(tile);
  const loop::Tile& info = tile_of(emission, tile);
  std::string address = tiles.tiles[index];
  if (tiles.buffers[index] >= 0) address = concat("ridge::shared_address(", address, ')');
  const std::string& slot =
      info.ring >= 0 ? tiles.ring_slots[static_cast<size_t>(info.ring)] : tiles.tile_slots[index];
  RIDGE_INTERNAL_CHECK(info.ring < 0 || !slot.empty(),
                       concat("tile ", info.name, " is touched where no slot is at hand"));
  if (slot.empty()) return address;
  return concat(address, " + ", shared_of(emission, tile).bytes, " * ", slot);
}

std::string offset_text(Emission& emission, int tile, const std::string& line,
                        const std::string& byte, bool is_plain) {
  const TilePlacement& shared = shared_of(emission, tile);
  emission.use("tile_offset");
  const bool is_swizzled = shared.is_swizzled && !is_plain;
  return concat("ridge::tile_offset<", shared.span, is_swizzled ? "" : ", false", ">(",
                shared.lines, ", ", line, ", ", byte, ')');
}

std::string int_text(Emission& emission, const Expr& e) {
  return write_as(emission, e, f32, CppType::int32);
}

std::string first_term(Emission& emission, const Expr& e) {
  if (expr::is_constant(e, 0)) return "";
  const Operand operand = converted(emission, write_expression(emission, e, f32), CppType::int32);
  return concat(parenthesized(operand, kSum), " + ");
}

Expr simplified(const Expr& e) { return e.get() == nullptr ? Expr(0) : expr::simplify(e); }

std::string elected_text(Emission& emission) {
  emission.use("is_elected");
  if (emission.tiles->role->role->warps == 1) return "if (ridge::is_elected())";
  return concat("if (", emission.tiles->thread, " < 32 && ridge::is_elected())");
}

}  // namespace ridge::codegen::cuda
