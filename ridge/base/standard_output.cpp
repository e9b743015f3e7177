#include "ridge/base/standard_output.h"

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <system_error>

namespace ridge {

int finish_output(const char* program, int code) {
  errno = 0;
  std::cout.flush();
  const bool is_written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  if (is_written) return code;
  // Of a write before the last one the reason is no longer known.
  const std::string reason = errno == 0 ? "" : ": " + std::generic_category().message(errno);
  std::fprintf(stderr, "%s: standard output cannot be written%s\n", program, reason.c_str());
  return code == 0 ? 1 : code;
}

}  // namespace ridge
