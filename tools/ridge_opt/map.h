// What a kernel becomes in a mapping, as text.
#pragma once

#include <string>
#include <string_view>

namespace ridge::opt {

// `text` is a loop kernel: grid loops around one contraction, or the unmapped form of tiles. Gives it after
// all mapping passes, or after those before the first that refuses it, whose reason goes to stderr. The
// mapping has to fit the device, `h200`. Error{parse} or Error{value} with the column otherwise.
std::string mapped(std::string_view text, std::string_view file, std::string_view mapping,
                   std::string_view device);

}  // namespace ridge::opt
