#include "ridge/cost/sheet_processor.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "ridge/base/text.h"

namespace ridge::cost {
namespace {

// What a sheet's title can hold, which is a line without quotes and comments.
std::string as_title(std::string_view text) {
  std::string title;
  for (const char c : text) {
    const bool is_good = c > ' ' && c <= '~' && c != '"' && c != '#';
    if (is_good) {
      title += c;
    } else if (!title.empty() && title.back() != ' ') {
      title += ' ';
    }
  }
  if (title.ends_with(' ')) title.pop_back();
  return title;
}

// Behind the colon of the first line that starts with `key`.
std::string field(std::string_view text, std::string_view key) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string_view::npos) {
      return as_title(line.substr(colon + 1));
    }
    begin = end + 1;
  }
  return {};
}

}  // namespace

std::string processor_name_in(std::string_view cpuinfo) {
  const std::string model = field(cpuinfo, "model name");
  if (!model.empty()) return model;
  const std::string implementer = field(cpuinfo, "CPU implementer");
  if (implementer.empty()) return "processor without a name";
  return concat("processor ", implementer, " part ", field(cpuinfo, "CPU part"));
}

const std::string& processor_name() {
  static const std::string& name = *new std::string([] {
    std::ifstream file("/proc/cpuinfo");
    return processor_name_in(std::string{std::istreambuf_iterator<char>(file), {}});
  }());
  return name;
}

}  // namespace ridge::cost
