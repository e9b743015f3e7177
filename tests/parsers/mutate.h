// Text with a few defects: characters, numbers, words and lines replaced, swapped, repeated or left out.
// The same generator gives the same defects on every machine.
#pragma once

#include <string>
#include <string_view>

#include "ridge/base/random.h"

namespace ridge::parsers {

// One to four defects, one after another.
std::string mutated(std::string_view text, SplitMix64& random);

}  // namespace ridge::parsers
