#include "ridge/runtime/cuda/cubin.h"

#include <cstdint>
#include <cstring>

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

}  // namespace ridge::runtime::cuda
