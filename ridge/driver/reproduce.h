// A reproduction (verify/repro.h), compiled by the stages of this build: to see its failure again, and to find
// who is at fault.
#pragma once

#include <string>

#include "ridge/verify/bisect.h"
#include "ridge/verify/repro.h"

namespace ridge::driver {

// Compiles what the folder holds, runs it where its inputs are there, and throws what that throws. Returns
// whether it was run.
bool reproduce(const std::string& folder, verify::Trust trust = verify::Trust::decisions);

verify::Blame bisect(verify::Reproduction reproduction,
                     verify::Trust trust = verify::Trust::decisions);

}  // namespace ridge::driver
