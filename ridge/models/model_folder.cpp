#include "ridge/models/model_folder.h"

#include <fstream>
#include <string>

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

bool is_gguf(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string magic(4, '\0');
  file.read(magic.data(), 4);
  return file && magic == "GGUF";
}

}  // namespace ridge::models
