// The way in for libFuzzer to readers of files: one program for each of tests/parsers/file_formats.h, which
// RIDGE_FORMAT names. The reader may not allocate more than a stated multiple of the file at once, which
// -malloc_limit_mb holds it to.
//
//   ridge_libfuzzer_gguf new_finds tests/parsers/corpus/gguf
#include <cstddef>
#include <cstdint>

#include "file_formats.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const ridge::parsers::FileFormat& format = ridge::parsers::find_file_format(RIDGE_FORMAT);
  format.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
