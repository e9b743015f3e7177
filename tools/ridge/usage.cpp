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

Device device_named(const std::string& name) {
  if (name == "cpu") return kCpu;
  const size_t colon = name.find(':');
  const std::string digits = colon == std::string::npos ? "0" : name.substr(colon + 1);
  const bool is_number = !digits.empty() && digits.size() <= 2 &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
  RIDGE_CHECK(name.substr(0, colon) == "cuda" && is_number, .code = ErrorCode::value,
              .op = "--device", .expected = "cpu, cuda or cuda:<number>", .given = name,
              .where = Location::current());
  return {DeviceKind::cuda, static_cast<int8_t>(std::stoi(digits))};
}

CLI::Validator whole_number(uint64_t least, uint64_t most) {
  return number_check("whole", least, most, parse_whole);
}

CLI::Validator real_number(double least, double most) {
  return number_check("real", least, most, parse_real);
}

}  // namespace ridge::command
