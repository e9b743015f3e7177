#include "ridge/files/byte_reader.h"

#include "ridge/base/text.h"

namespace ridge::files {

void refuse_file(std::string_view file, std::string_view expected, std::string_view given) {
  throw Error({.code = ErrorCode::parse,
               .expected = std::string(expected),
               .given = concat(given, " in `", file, "`")});
}

void ByteReader::refuse(std::string_view expected, std::string_view given) const {
  refuse_file(file_, expected, given);
}

void ByteReader::throw_short(uint64_t count, std::string_view what) const {
  refuse(concat(what, " of ", count, " bytes at byte ", position_),
         concat("a file that ends after ", left(), " more"));
}

void ByteReader::throw_count(uint64_t number, std::string_view what) const {
  refuse(concat("as many ", what, " as the rest of the file can hold"),
         concat(number, " before the last ", left(), " bytes"));
}

}  // namespace ridge::files
