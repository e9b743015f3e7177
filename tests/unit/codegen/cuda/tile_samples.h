// The golden kernels over mapped tiles: tests/golden/tiles/<name>.loop, and the text that each becomes, without the
// device helpers in front: <name>.cu.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ridge/codegen/cuda/generate.h"

namespace ridge::codegen {

// Another one where the sources are not, as on a machine with a GPU.
inline std::filesystem::path& tiles_folder() {
  static std::filesystem::path folder =
      std::filesystem::path(RIDGE_SOURCE_DIR) / "tests/golden/tiles";
  return folder;
}
inline std::string text_of_file(const std::filesystem::path& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Those with a text beside them.
inline std::vector<std::string> mapped_samples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(tiles_folder())) {
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}
inline loop::Kernel mapped_sample(const std::string& name) {
  return loop::read(text_of_file(tiles_folder() / (name + ".loop")), name);
}

inline CudaKernel generated(const loop::Kernel& kernel) {
  return generate(kernel, {.arch = 90, .fits_32_bits = true, .are_distinct = true});
}
// From the kernel on.
inline std::string without_helpers(const std::string& source) {
  return source.substr(source.find("extern \"C\""));
}

}  // namespace ridge::codegen
