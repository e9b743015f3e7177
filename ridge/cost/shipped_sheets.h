// The sheets of ridge/cost/devices, which the build turns into text inside the library
// (cmake/RidgeEmbedText.cmake), so that an installed Ridge needs no files.
#pragma once

#include <span>
#include <string_view>

namespace ridge::cost {

struct ShippedSheet {
  std::string_view file;  // "h200.sheet"
  std::string_view text;
};

std::span<const ShippedSheet> shipped_sheets();

}  // namespace ridge::cost
