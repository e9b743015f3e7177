#include "ridge/calibrate/calibrate.h"

#include "ridge/base/error.h"
#include "ridge/base/files.h"

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
  const std::string text = to_text(sheet);
  cost::parse_sheet(text, path);  // whoever compiles will do so, and must not be the first
  write_file_atomically(path, text);
}

}  // namespace ridge::calibrate
