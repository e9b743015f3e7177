// Everything in Ridge that reads binary files which somebody else may have written, as one function for each
// format. Whatever the bytes, they are accepted (true) or refused by a clear Error (false). What is accepted
// can be used: every tensor is looked at, every value of the metadata is decoded.
#pragma once

#include <span>
#include <string_view>

namespace ridge::parsers {

struct FileFormat {
  std::string_view name;  // of its folder of tests/parsers/corpus
  bool (*read)(std::string_view bytes);
};
std::span<const FileFormat> file_formats();
const FileFormat& find_file_format(std::string_view name);

}  // namespace ridge::parsers
