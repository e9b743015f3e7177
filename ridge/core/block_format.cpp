#include "ridge/core/block_format.h"

#include <array>

namespace ridge {
namespace {

constexpr std::array<BlockLayout, 13> kLayouts = {{
    {BlockFormat::q4_0, "q4_0", 32, 18},
    {BlockFormat::q4_1, "q4_1", 32, 20},
    {BlockFormat::q5_0, "q5_0", 32, 22},
    {BlockFormat::q5_1, "q5_1", 32, 24},
    {BlockFormat::q8_0, "q8_0", 32, 34},
    {BlockFormat::q2_k, "q2_k", 256, 84},
    {BlockFormat::q3_k, "q3_k", 256, 110},
    {BlockFormat::q4_k, "q4_k", 256, 144},
    {BlockFormat::q5_k, "q5_k", 256, 176},
    {BlockFormat::q6_k, "q6_k", 256, 210},
    {BlockFormat::iq4_nl, "iq4_nl", 32, 18},
    {BlockFormat::iq4_xs, "iq4_xs", 256, 136},
    {BlockFormat::f8_e4m3, "f8_e4m3", 32, 34},
}};

constexpr bool is_in_order() {
  for (size_t i = 0; i < kLayouts.size(); ++i) {
    if (static_cast<size_t>(kLayouts[i].format) != i) return false;
  }
  return true;
}
static_assert(is_in_order(), "layout_of takes the format as an index");

}  // namespace

std::span<const BlockLayout> all_block_layouts() { return kLayouts; }

const BlockLayout& layout_of(BlockFormat format) { return kLayouts[static_cast<size_t>(format)]; }

}  // namespace ridge
