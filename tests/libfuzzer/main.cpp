// The way in for libFuzzer: one program for each format of tests/parsers, which RIDGE_FORMAT names.
//
//   ridge_libfuzzer_graph new_finds tests/parsers/corpus/graph tests/golden/gpu
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "mutate.h"
#include "texts.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ridge::parsers::Format& format = ridge::parsers::find_format(RIDGE_FORMAT);
  format.read({reinterpret_cast<const char*>(data), size});
  return 0;
}

// Half of the defects know what a word, a number and a line is: text with other ones is mostly refused
// at its first character.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  ridge::SplitMix64 random(seed);
  const std::string text =
      ridge::parsers::mutated({reinterpret_cast<const char*>(data), size}, random);
  const size_t kept = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), kept);
  return kept;
}
