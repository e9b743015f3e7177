#include "ridge/models/model_folder.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "ridge/base/text.h"

namespace ridge::models {

ModelFolder open_folder(const std::filesystem::path& path, Location where) {
  constexpr const char* kNames[] = {"model.safetensors", "model.safetensors.index.json",
                                    "pytorch_model.bin"};
  RIDGE_CHECK(std::filesystem::is_directory(path), .code = ErrorCode::io, .op = "open_folder",
              .expected = concat("a folder with config.json and weights at ", path.string()),
              .given = !std::filesystem::exists(path) ? "nothing there"
                       : is_gguf(path)                ? "a GGUF file, which only Llamas are read of"
                                                      : "a file that is no GGUF",
              .where = where);
  Config config = Config::open(path / "config.json");
  for (const char* name : kNames) {
    if (std::filesystem::exists(path / name)) {
      return {std::move(config), files::open_weights(path / name, where)};
    }
  }
  throw_error(
      {.code = ErrorCode::io,
       .op = "open_folder",
       .expected = concat(kNames[0], ", ", kNames[1], " or ", kNames[2], " in ", path.string()),
       .given = "none of them",
       .where = where});
}

std::filesystem::path find_model(const std::filesystem::path& path, Location where) {
  if (!std::filesystem::is_directory(path) || std::filesystem::exists(path / "config.json")) {
    return path;
  }
  std::vector<std::filesystem::path> found;
  std::error_code ignored;  // a folder that cannot be listed has none
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    if (is_gguf(entry.path())) found.push_back(entry.path());
  }
  if (found.empty()) return path;  // who opens it says what is missing
  std::ranges::sort(found);
  RIDGE_CHECK(found.size() == 1, .code = ErrorCode::io, .op = "find_model",
              .expected = concat("config.json or one GGUF file in ", path.string()),
              .given = concat(found.size(), " GGUF files, ", found[0].filename().string(),
                              " the first of them"),
              .where = where);
  return found[0];
}

bool is_gguf(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string magic(4, '\0');
  file.read(magic.data(), 4);
  return file && magic == "GGUF";
}

}  // namespace ridge::models
