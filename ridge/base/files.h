// Files: the one place where the library makes files and folders; atomic_file.h has large ones.
//
//   const fs::path folder = create_own_folder(fs::temp_directory_path(), "ridge_repro_step");
//   write_file_atomically(folder / "graph.ir", text);      /tmp/ridge_repro_step.k3Xb0q/graph.ir
//
// What Ridge leaves behind may hold the user's data, and lie where others can write too. So a folder
// made here is 0700 and a file 0600; a file is written under a new name that nobody could have put
// there, and its own name replaces a link and never follows it. Failures are io Errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ridge {

// Those on the way to `folder` that are missing, and itself.
void create_folders(const std::filesystem::path& folder);

// A new folder in `parent`, which is made if needed: the stem, and letters that nobody foresees.
// Characters of the stem that do not belong in a file name become '_'.
std::filesystem::path create_own_folder(const std::filesystem::path& parent, std::string_view stem);

// Creates the folder if needed, writes beside `path` and renames onto it. A reader, or another
// process writing the same path, never sees half a file. A path that is a folder, a pipe or a device is
// refused, since the rename would replace it.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Letters, digits, '.', '_' and '-' stay; anything else becomes '_'.
std::string file_name_of(std::string_view text);

// Files, read whole: what a user names on a command line or in a knob may be anything, so only regular
// files of a sane size are read. A named pipe without a writer, a terminal or /dev/zero would never end.
//
//   read_file("h200.sheet")          its bytes
//   read_file("/dev/zero")           Error{io}: "expected a regular file, given `/dev/zero`: a character device"
//   read_file_if_there(path)         nothing where there is no such file; all else as read_file

// Of text that Ridge reads: graphs with constants in them are the largest, and stay far below.
inline constexpr size_t kMostFileBytes = size_t{1} << 30;

// Error{io} for what is missing, no regular file, larger than `most_bytes`, or cannot be read.
std::string read_file(const std::filesystem::path& path, size_t most_bytes = kMostFileBytes);
std::optional<std::string> read_file_if_there(const std::filesystem::path& path,
                                              size_t most_bytes = kMostFileBytes);

// Standard input up to its end, which may be a pipe. Error{io} as above.
std::string read_standard_input(size_t most_bytes = kMostFileBytes);

// The end of a command: what it printed must have arrived, or it has not done its work.
//
//   return finish_output("ridge", code);     code; or 1, and a message on stderr, where the disk was full

// Flushes standard output, of C and of C++.
int finish_output(const char* program, int code);

// Dump: with RIDGE_DUMP=<dir>, every stage leaves its result there as a numbered file.
//
//   dump_artifact("fuse-epilogues", "ir", graph.to_text());     <dir>/007_fuse-epilogues.ir
//
// Files are numbered in the order the process writes them, so a listing reads as the story of a
// compilation; those of a later process come behind those that are there. A file appears whole or
// not at all, whatever happens to the process.

// Writes the file and returns its path; does nothing and returns an empty path when RIDGE_DUMP is
// not set. Characters of `stem` that do not belong in a file name become '_'. Throws an io Error.
std::filesystem::path dump_artifact(std::string_view stem, std::string_view extension,
                                    std::string_view text);

// One more than the largest number of a file in the folder, so that none of an earlier process is
// overwritten.
uint64_t first_dump_number(const std::filesystem::path& folder);

}  // namespace ridge
