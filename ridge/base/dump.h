// Dump: with RIDGE_DUMP=<dir>, every stage leaves its result there as a numbered file.
//
//   dump_artifact("fuse-epilogues", "ir", graph.to_text());     <dir>/007_fuse-epilogues.ir
//
// Files are numbered in the order the process writes them, so a listing reads as the story of a
// compilation; those of a later process come behind those that are there. A file appears whole or
// not at all, whatever happens to the process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace ridge {

// Writes the file and returns its path; does nothing and returns an empty path when RIDGE_DUMP is
// not set. Characters of `stem` that do not belong in a file name become '_'. Throws an io Error.
std::filesystem::path dump_artifact(std::string_view stem, std::string_view extension,
                                    std::string_view text);

// One more than the largest number of a file in the folder, so that none of an earlier process is
// overwritten.
uint64_t first_dump_number(const std::filesystem::path& folder);

}  // namespace ridge
