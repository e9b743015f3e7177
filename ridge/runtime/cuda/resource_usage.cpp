#include "ridge/runtime/cuda/resource_usage.h"

#include <charconv>
#include <optional>

#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

// The number right before `unit`: of "768 bytes stack frame, 16 bytes spill stores" and " bytes
// spill stores" it is 16. Nothing if the line does not have it.
std::optional<int64_t> number_before(std::string_view line, std::string_view unit) {
  const size_t end = line.find(unit);
  if (end == std::string_view::npos) return std::nullopt;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  int64_t number = 0;
  const auto result = std::from_chars(line.data() + begin, line.data() + end, number);
  if (result.ec != std::errc() || result.ptr != line.data() + end) return std::nullopt;
  return number;
}

void read_number(std::string_view line, std::string_view unit, int64_t& into) {
  if (const auto number = number_before(line, unit)) into = *number;
}

std::optional<std::string_view> text_after(std::string_view line, std::string_view start) {
  const size_t at = line.find(start);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + start.size());
}

}  // namespace

std::string to_text(const ResourceUsage& usage) {
  std::string text = concat(usage.kernel, ": ", usage.registers, " registers");
  if (usage.shared_bytes != 0) text += concat(", ", usage.shared_bytes, " bytes of shared memory");
  if (usage.stack_bytes != 0) text += concat(", a stack frame of ", usage.stack_bytes, " bytes");
  if (usage.spill_store_bytes + usage.spill_load_bytes != 0) {
    text += concat(", spills of ", usage.spill_store_bytes, " bytes stored and ",
                   usage.spill_load_bytes, " loaded");
  }
  return text;
}

std::vector<ResourceUsage> parse_ptxas_log(std::string_view log) {
  std::vector<ResourceUsage> found;
  // Device functions that were not inlined have properties too; they are not the kernel's.
  bool is_of_kernel = false;
  while (!log.empty()) {
    const size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
    if (const auto entry = text_after(line, "Compiling entry function '")) {
      found.push_back({.kernel = std::string(entry->substr(0, entry->find('\'')))});
      is_of_kernel = true;
    } else if (found.empty()) {
      continue;
    } else if (const auto function = text_after(line, "Function properties for ")) {
      is_of_kernel = function->substr(0, function->find_first_of(" \r")) == found.back().kernel;
    } else if (number_before(line, " registers")) {
      read_number(line, " registers", found.back().registers);
      read_number(line, " bytes smem", found.back().shared_bytes);
    } else if (is_of_kernel) {
      read_number(line, " bytes stack frame", found.back().stack_bytes);
      read_number(line, " bytes spill stores", found.back().spill_store_bytes);
      read_number(line, " bytes spill loads", found.back().spill_load_bytes);
    }
  }
  return found;
}

}  // namespace ridge::runtime::cuda
