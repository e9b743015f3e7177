// Units of figures: how they are written, read, and which values are possible at all.
//
//   read_unit("TB/s")                                      bytes_per_second, 1e12
//   exact_text(52428800, Unit::bytes)                      "50 MiB"
//   readable_text(2039040000000, Unit::bytes_per_second)   "2.039 TB/s"
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ridge/cost/sheet.h"

namespace ridge::cost {

struct Scale {
  Unit unit = Unit::count;
  double factor = 1;
};

// The unit of that name; nothing if there is none. A plain count has no name.
std::optional<Scale> read_unit(std::string_view text);

// "FLOP/s", "B": the unit of Figure::value; empty for a count.
std::string_view base_name(Unit unit);
// What a figure of this unit is written in: "FLOP/s, such as TFLOP/s".
std::string describe_unit(Unit unit);

// The shortest text in any unit of the kind that reads back as exactly this value.
std::string exact_text(double value, Unit unit);
// For people: four digits, and the largest unit that leaves at least 1; sizes as they are written.
std::string readable_text(double value, Unit unit);

// Figures outside are a slip of the writer, not a device: a missing or a doubled prefix.
struct Limits {
  double least = 0;
  double most = 0;
};
Limits limits(Unit unit);

// The number `text` is, all of it; nothing where it is not one. Without locale.
std::optional<double> read_number(std::string_view text);

}  // namespace ridge::cost
