// Files, read whole: what a user names on a command line or in a knob may be anything, so only regular
// files of a sane size are read. A named pipe without a writer, a terminal or /dev/zero would never end.
//
//   read_file("h200.sheet")          its bytes
//   read_file("/dev/zero")           Error{io}: "expected a regular file, given `/dev/zero`: a character device"
//   read_file_if_there(path)         nothing where there is no such file; all else as read_file
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace ridge {

// Of text that Ridge reads: graphs with constants in them are the largest, and stay far below.
inline constexpr size_t kMostFileBytes = size_t{1} << 30;

// Error{io} for what is missing, no regular file, larger than `most_bytes`, or cannot be read.
std::string read_file(const std::filesystem::path& path, size_t most_bytes = kMostFileBytes);
std::optional<std::string> read_file_if_there(const std::filesystem::path& path,
                                              size_t most_bytes = kMostFileBytes);

// Standard input up to its end, which may be a pipe. Error{io} as above.
std::string read_standard_input(size_t most_bytes = kMostFileBytes);

}  // namespace ridge
