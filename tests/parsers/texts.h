// Everything in Ridge that reads text which somebody else may have written, as one function for each
// format. Whatever the text, it is accepted (true) or refused by a clear Error (false); accepted text
// prints, and what is printed is accepted and means the same. Anything else throws Unclear or crashes.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ridge::parsers {

class Unclear : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

bool read_graph(std::string_view text);   // .ir
bool read_kernel(std::string_view text);  // .loop
bool read_sheet(std::string_view text);   // .sheet
// The files of a reproduction behind each other, each after a line `=== inputs.ir`.
bool read_reproduction(std::string_view text);

struct Format {
  std::string_view name;
  bool (*read)(std::string_view text);
};
std::span<const Format> formats();
const Format& find_format(std::string_view name);

}  // namespace ridge::parsers
