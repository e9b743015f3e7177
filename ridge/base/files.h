// Files: the one place where the library makes files and folders.
//
//   const fs::path folder = create_own_folder(fs::temp_directory_path(), "ridge_repro_step");
//   write_file_atomically(folder / "graph.ir", text);      /tmp/ridge_repro_step.k3Xb0q/graph.ir
//
// What Ridge leaves behind may hold the user's data, and lie where others can write too. So a folder
// made here is 0700 and a file 0600; a file is written under a new name that nobody could have put
// there, and its own name replaces a link and never follows it. Failures are io Errors.
#pragma once

#include <filesystem>
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

}  // namespace ridge
