// `--trust`: how far commands obey what a reproduction says.
#pragma once

#include "ridge/verify/repro_folder.h"

namespace ridge::command {

inline constexpr const char* kTrustHelp =
    "Obey all recorded knobs, also those that load code or name files; without it only those that "
    "decide what is computed";

inline verify::Trust trust_of(bool is_trusted) {
  return is_trusted ? verify::Trust::everything : verify::Trust::decisions;
}

}  // namespace ridge::command
