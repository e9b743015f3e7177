// The keys a figure may have, listed in sheet.h, and the unit of each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ridge/cost/sheet.h"

namespace ridge::cost {

struct FigureKey {
  std::string name;
  Unit unit = Unit::count;
};

// Every key there is, in the order of sheet.h.
const std::vector<FigureKey>& figure_keys();
// Nothing for a key that does not exist.
std::optional<Unit> unit_of(std::string_view key);
// Where `key` stands in figure_keys(); their number for one that does not exist.
size_t rank_of(std::string_view key);

bool is_matrix_key(std::string_view key);
bool is_sparse_key(std::string_view key);
// Bandwidth of links, which vendors like to print for both directions together.
bool is_link_bandwidth(std::string_view key);
// The dtypes of keys, and of accumulate=.
bool is_figure_dtype(std::string_view text);

}  // namespace ridge::cost
