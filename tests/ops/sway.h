// How far roundings on the way may move each element of a case's results.
//
// The case is decomposed and evaluated exactly (in f64), and again with a small error wherever an
// operation rounds: inside of bodies, for each term of a sum, and where a 16-bit value is passed on.
// What the errors move an element by is its sway (ridge/reference/closeness.h), apart from all others:
//
//   x - mean(x)    near the mean the rounding of the mean is all there is
//   x * 2          nothing rounds, so the sway is 0
//   rms_norm(x)    infinite where squares leave the range of f32: the reference has that of f64
#pragma once

#include <vector>

#include "cases.h"

namespace ridge::testing {

// By result, row-major; empty for results that are not floating.
using Sways = std::vector<std::vector<double>>;

Sways sways_of(const OpCase& c);

}  // namespace ridge::testing
