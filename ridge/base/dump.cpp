#include "ridge/base/dump.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <string>
#include <system_error>

#include "ridge/base/files.h"
#include "ridge/base/knobs.h"
#include "ridge/base/text.h"

namespace ridge {
namespace {

namespace fs = std::filesystem;

// 7 is "007", so that files list in order; beyond 999 the number simply grows.
std::string three_digits(uint64_t number) {
  const std::string digits = to_text(number);
  return std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

}  // namespace

uint64_t first_dump_number(const fs::path& folder) {
  uint64_t next = 0;
  std::error_code ignored;  // of a folder that cannot be read; writing there will say so
  fs::directory_iterator entry(folder, ignored);
  for (; entry != fs::directory_iterator(); entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    uint64_t number = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_numbered =
        failure == std::errc() && end != name.data() + name.size() && *end == '_';
    if (is_numbered) next = std::max(next, number + 1);
  }
  return next;
}

fs::path dump_artifact(std::string_view stem, std::string_view extension, std::string_view text) {
  if (!is_knob_set(Knob::dump)) return {};
  static std::atomic<uint64_t> counter{first_dump_number(knob_text(Knob::dump))};
  const std::string file_name =
      concat(three_digits(counter++), "_", file_name_of(stem), ".", extension);
  fs::path path = fs::path(knob_text(Knob::dump)) / file_name;
  write_file_atomically(path, text);
  return path;
}

}  // namespace ridge
