#include "ridge/runtime/cuda/cubin.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "ridge/base/text.h"

namespace ridge::runtime::cuda {
namespace {

// Offsets of a 64-bit ELF file and of its section headers.
constexpr size_t kHeaderBytes = 64, kSectionHeaderBytes = 64, kProgramHeaderBytes = 56;
constexpr size_t kProgramTable = 32, kSectionTable = 40, kProgramCount = 56, kSectionCount = 60;
constexpr size_t kSectionType = 4, kSectionOffset = 24, kSectionSize = 32;
constexpr uint32_t kTypeWithoutBytes = 8;  // SHT_NOBITS: zeros that the file does not hold

template <class T>
T read(std::string_view bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// Without the overflow of `offset + size`.
bool fits(std::string_view bytes, uint64_t offset, uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

}  // namespace

std::string cubin_problem(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return concat(bytes.size(), " bytes, too few for a header");
  if (!bytes.starts_with("\177ELF\2\1")) return concat(bytes.size(), " bytes of another kind");
  const auto sections = read<uint64_t>(bytes, kSectionTable);
  const uint64_t section_count = read<uint16_t>(bytes, kSectionCount);
  const auto programs = read<uint64_t>(bytes, kProgramTable);
  const uint64_t program_count = read<uint16_t>(bytes, kProgramCount);
  const std::string cut = concat("a file cut short at ", bytes.size(), " bytes");
  if (section_count == 0) return "a file without sections";
  if (!fits(bytes, sections, section_count * kSectionHeaderBytes)) return cut;
  if (!fits(bytes, programs, program_count * kProgramHeaderBytes)) return cut;
  for (uint64_t i = 0; i < section_count; ++i) {
    const size_t header = sections + i * kSectionHeaderBytes;
    if (read<uint32_t>(bytes, header + kSectionType) == kTypeWithoutBytes) continue;
    if (!fits(bytes, read<uint64_t>(bytes, header + kSectionOffset),
              read<uint64_t>(bytes, header + kSectionSize))) {
      return cut;
    }
  }
  return {};
}

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
