#include "usage.h"

#include "ridge/base/parse_number.h"
#include "ridge/base/text.h"

namespace ridge::command {
namespace {

template <class Number, class Parse>
CLI::Validator number_check(const char* kind, Number least, Number most, Parse parse) {
  const auto problem = [=](const std::string& text) -> std::string {
    const auto number = parse(text);
    if (number && *number >= least && *number <= most) return {};
    return concat("expected a ", kind, " number from ", least, " to ", most, ", given `", text,
                  "`");
  };
  return {problem, concat("from ", least, " to ", most)};
}

}  // namespace

CLI::Validator whole_number(uint64_t least, uint64_t most) {
  return number_check("whole", least, most, parse_whole);
}

CLI::Validator real_number(double least, double most) {
  return number_check("real", least, most, parse_real);
}

}  // namespace ridge::command
