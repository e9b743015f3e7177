#include "ridge/calibrate/calibrate.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ridge/base/error.h"
#include "ridge/base/text.h"

namespace ridge::calibrate {

#if !RIDGE_HAS_LLVM

cost::Sheet calibrate_cpu(const Options&) {
  throw Error({.code = ErrorCode::device,
               .op = "calibrate",
               .expected = "a build with LLVM, whose kernels do the measuring",
               .given = "one without"});
}

Remeasure::Remeasure(cost::Sheet sheet) : sheet_(std::move(sheet)) {}

cost::Sheet Remeasure::now() const { return sheet_; }

#endif

void write_sheet(const cost::Sheet& sheet, const std::string& path) {
  namespace fs = std::filesystem;
  const std::string text = to_text(sheet);
  cost::parse_sheet(text, path);  // whoever compiles will do so, and must not be the first
  const fs::path target(path), part(concat(path, ".", getpid(), ".part"));
  std::error_code failure;
  fs::create_directories(target.parent_path(), failure);
  {
    std::ofstream file(part, std::ios::binary);
    file << text;
    file.flush();
    RIDGE_CHECK(file.good(), .code = ErrorCode::io, .op = "calibrate",
                .expected = "a folder that can be written", .given = part.string());
  }
  fs::rename(part, target, failure);
  if (failure) fs::remove(part);
  RIDGE_CHECK(!failure, .code = ErrorCode::io, .op = "calibrate",
              .expected = "a file that can be written", .given = path);
}

}  // namespace ridge::calibrate
