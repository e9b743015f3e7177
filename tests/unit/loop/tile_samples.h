// The kernels over tiles that several tests start from: tests/golden/tiles.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace ridge::loop {

// product_unmapped, product_mapped.
inline std::string tile_sample(const std::string& name) {
  const std::ifstream file(std::string(RIDGE_SOURCE_DIR) + "/tests/golden/tiles/" + name + ".loop");
  EXPECT_TRUE(file.good()) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The text with one part of it replaced.
inline std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return at == std::string::npos ? text : text.replace(at, part.size(), by);
}

}  // namespace ridge::loop
