// Makes a failing program of views small: steps, results and views of arguments go as long as it runs
// eagerly and still fails on the same path.
#pragma once

#include "tests/fuzz/view_paths.h"

namespace ridge::fuzz {

ViewProgram shrink(const ViewProgram& failing, ViewPath path, Plant plant = Plant::none);

}  // namespace ridge::fuzz
