// How tiles and their statements are written: what text.cpp asks for each of them.
//
//   tile_head_text(kernel, dot)            "dot async sum += lhs[64 * i5, 0] * rhs"
//   declaration_texts(kernel)              {"ring stages slots 4", "tile lhs: bf16[128, 64] swizzle 128 in stages"}
#pragma once

#include <string>
#include <vector>

#include "ridge/loop/loop.h"

namespace ridge::loop {

// The first line of a statement of tile.h.
std::string tile_head_text(const Kernel& kernel, const Statement& statement);
// Views, rings and tiles, in this order: a line for each.
std::vector<std::string> declaration_texts(const Kernel& kernel);
std::string declaration_text(const Kernel& kernel, const View& view);
std::string declaration_text(const Kernel& kernel, const Ring& ring);
std::string declaration_text(const Kernel& kernel, const Tile& tile);

// `accumulator`, `swizzle 128`: as it stands behind the extents of a tile; empty for `unmapped`.
std::string_view name(TileLayout layout);
// A tile, view, ring or role; `dot async += x * y` would not be one into a tile of that name.
std::string quoted_tile_name(std::string_view name);

}  // namespace ridge::loop
